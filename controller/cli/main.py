"""The `cuberobot` command."""

from typing import Final, NoReturn

from solvers.foundation.command_line.app import run
from solvers.foundation.command_line.commands import Command, Group, new_app

EASIEST_CAMERA: Final = "1"

app = new_app(
    "Scan, solve, plan and drive the NXT cube robot.",
    {
        "demo": Command("controller.cli.demo:demo", alone={"--camera": EASIEST_CAMERA}),
        "run": "controller.cli.run:run",
        "resume": "controller.cli.resume:resume",
        "plan": "controller.cli.plan:plan",
        # Without this a negative angle would be taken for an option.
        "jog": Command("controller.cli.jog:jog", settings={"ignore_unknown_options": True}),
        "calibrate": "controller.cli.calibrate:calibrate",
        "dashboard": "controller.cli.dashboard:dashboard",
        "doctor": "controller.cli.doctor:doctor",
        "prepare": "controller.cli.prepare:prepare",
        "scan": Group(
            "Read a cube with a camera, from saved scans, or from lists of colours.",
            {
                "read": "controller.cli.scan:read",
                "replay": "controller.cli.scan:replay",
                "export-case": "controller.cli.scan:export_case",
            },
            function="controller.cli.scan:scan",
        ),
    },
)


def main() -> NoReturn:
    """Run the `cuberobot` command."""
    run(app)
