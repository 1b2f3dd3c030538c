"""What every command shares: `--json`, `--debug`, exit codes and how an error is shown."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NoReturn

import typer
from rich.console import Console

from solvers.errors import PuzzlerigError

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

# Progress and errors go to stderr, so that stdout carries the result alone.
stderr = Console(stderr=True)


def new_app(summary: str) -> typer.Typer:
    """Return a command group that shows its help when called without a subcommand."""
    return typer.Typer(
        help=summary,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )


def print_json(result: Mapping[str, Any]) -> None:
    """Print `result` on stdout as one JSON object."""
    print(json.dumps(result, ensure_ascii=False))


def run(app: Callable[[], object]) -> NoReturn:
    """Run a command line and end the process with 0, 1 or 2; a traceback only with `--debug`."""
    debug = "--debug" in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    try:
        app()
    except PuzzlerigError as error:
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
        print_json({"error": message, "kind": kind})
    stderr.print(f"Error: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(exit_code)
