"""The `aksen` command."""

from typing import NoReturn

from firmware_tools.cli.build_command import build
from firmware_tools.cli.erase_command import erase
from firmware_tools.cli.flash_command import flash
from firmware_tools.cli.info_command import info
from firmware_tools.cli.monitor_command import monitor
from firmware_tools.cli.ports_command import ports
from firmware_tools.cli.puzzle8_command import puzzle8
from firmware_tools.cli.run_command import run as run_program
from firmware_tools.cli.size_command import size
from firmware_tools.cli.verify_command import verify
from solvers.foundation.command_line.app import new_app, run

app = new_app("Build, check, flash and run firmware on the AKSEN board.")


@app.callback()
def aksen() -> None:
    """Group of subcommands; see their own help."""


app.command()(build)
app.command()(size)
app.command()(flash)
app.command()(verify)
app.command()(info)
app.command()(erase)
app.command("run")(run_program)
app.command()(monitor)
app.command()(ports)
app.command()(puzzle8)


def main() -> NoReturn:
    """Entry point of the `aksen` command."""
    run(app)
