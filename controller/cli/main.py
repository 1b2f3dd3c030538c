"""The `cuberobot` command."""

from typing import NoReturn

from solvers.foundation.command_line.app import App, run

app = App(
    "Scan, solve, plan and drive the NXT cube robot.",
    lazy_commands={
        "demo": "controller.cli.demo:demo",
        "run": "controller.cli.run:run",
        "resume": "controller.cli.run:resume",
        "plan": "controller.cli.plan:plan",
        "jog": "controller.cli.calibrate:jog",
        "calibrate": "controller.cli.calibrate:calibrate",
        "tune": "controller.cli.tune:tune",
        "dashboard": "controller.cli.dashboard:dashboard",
        "doctor": "controller.cli.doctor:doctor",
        "prepare": "controller.cli.doctor:prepare",
        "scan": "controller.cli.scan:scan",
    },
)


def main() -> NoReturn:
    """Run the `cuberobot` command."""
    run(app)
