"""The `aksen` command."""

from typing import NoReturn

from firmware_tools.cli.build_command import build
from firmware_tools.cli.size_command import size
from solvers.cli.command_line import new_app, run

app = new_app("Build, check, flash and run firmware on the AKSEN board.")


@app.callback()
def aksen() -> None:
    """Group of subcommands; see their own help."""


app.command()(build)
app.command()(size)


def main() -> NoReturn:
    """Entry point of the `aksen` command."""
    run(app)
