"""The `hwsim` command."""

from typing import NoReturn

from solvers.foundation.command_line.app import App, run

app = App(
    "Runnable stand-ins for the NXT cube robot and the AKSEN board.",
    lazy_commands={
        "nxt": "hardware_sims.cli.nxt:nxt",
        "aksen": "hardware_sims.cli.aksen:aksen",
        "prepare": "hardware_sims.cli.prepare:prepare",
    },
)


def main() -> NoReturn:
    """Run the `hwsim` command."""
    run(app)
