"""The `cuberobot` command."""

from typing import NoReturn

from solvers.cli.command_line import new_app, run

app = new_app("Scan, solve, plan and drive the NXT cube robot.")


@app.callback()
def cuberobot() -> None:
    """Group of subcommands; see their own help."""


def main() -> NoReturn:
    """Entry point of the `cuberobot` command."""
    run(app)
