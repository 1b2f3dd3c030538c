"""The `hwsim` command."""

import json
import sys
from typing import NoReturn

import typer

from hardware_sims.cli.aksen import aksen
from hardware_sims.cli.nxt import nxt
from hardware_sims.cli.nxt_camera import CommandWithCamera
from hardware_sims.errors import SimulatorError

app = typer.Typer(
    help="Runnable stand-ins for the NXT cube robot and the AKSEN board.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def hwsim() -> None:
    """Group of subcommands; see their own help."""


app.command(cls=CommandWithCamera)(nxt)
app.command()(aksen)


def main() -> NoReturn:
    """Entry point of the `hwsim` command: exit codes 0, 1, 2, a traceback only with `--debug`."""
    debug = "--debug" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    try:
        app()
    except SimulatorError as error:
        if debug:
            raise
        if "--json" in sys.argv:
            print(json.dumps({"error": str(error), "kind": type(error).__name__}))
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    sys.exit(0)
