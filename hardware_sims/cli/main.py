"""The `hwsim` command."""

from typing import Final, NoReturn

from solvers.foundation.command_line.app import run
from solvers.foundation.command_line.commands import Command, new_app

EASIEST_CAMERA: Final = "1"

app = new_app(
    "Runnable stand-ins for the NXT cube robot and the AKSEN board.",
    {
        "nxt": Command("hardware_sims.cli.nxt:nxt", alone={"--camera": EASIEST_CAMERA}),
        "aksen": "hardware_sims.cli.aksen:aksen",
        "prepare": "hardware_sims.cli.prepare:prepare",
    },
)


def main() -> NoReturn:
    """Run the `hwsim` command."""
    run(app)
