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
        _fail(str(error), type(error).__name__, error.exit_code)
    except Exception as error:
        if debug:
            raise
        _fail(
            f"Internal error: {type(error).__name__}: {error}. "
            "This is a bug; run the command again with --debug to see where.",
            "InternalError",
            1,
        )
    sys.exit(0)


def _fail(message: str, kind: str, exit_code: int) -> NoReturn:
    if "--json" in sys.argv:
        print(json.dumps({"error": message, "kind": kind}))
    print(f"Error: {message}", file=sys.stderr)
    sys.exit(exit_code)
