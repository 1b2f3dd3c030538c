"""Runs a command line: exit codes, errors as sentences, `--json`, `--debug`, `--verbose`."""

import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import Annotated, Any, Final, NoReturn

import typer
from rich.console import Console
from typer.exceptions import TyperException

from solvers.foundation.errors import PuzzlerigError

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

# Progress and errors go to stderr, so that stdout carries the result alone.
stderr: Final = Console(stderr=True)

STOPPED_BY_USER: Final = 130  # what shells report of a command that Ctrl-C ended

_LOG_FORMAT: Final = "%(relativeCreated)8d ms  %(name)s: %(message)s"


def new_app(summary: str) -> typer.Typer:
    """Return a command group that shows its help when called without a subcommand."""
    return typer.Typer(
        help=summary,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def print_json(result: Mapping[str, Any]) -> None:
    """Print `result` on stdout as one JSON object."""
    print(json.dumps(result, ensure_ascii=False), flush=True)


def run(app: typer.Typer) -> NoReturn:
    """Run a command line and end the process: 0 done, 1 failed, 2 bad input, 130 stopped.

    `--debug` and `--verbose` are understood everywhere: a traceback instead of a sentence, and
    what the packages log, on stderr.
    """
    debug, verbose = _take("--debug"), _take("--verbose")
    if verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.DEBUG, format=_LOG_FORMAT)
    try:
        status = app(standalone_mode=False)
    except PuzzlerigError as error:
        _raise_if(debug)
        _fail(str(error), type(error).__name__, error.exit_code)
    except TyperException as error:
        _raise_if(debug)
        sentence = error.format_message().rstrip(".")
        _fail(f"{sentence}. {_help_hint(error)}".rstrip(), "UsageError", 2)
    except typer.Abort:
        status = STOPPED_BY_USER
    except BrokenPipeError:
        _leave_pipe()
    except Exception as error:
        _raise_if(debug)
        _fail(
            f"Internal error: {type(error).__name__}: {error}. "
            "This is a bug; run the command again with --debug to see where.",
            "InternalError",
            1,
        )
    if status == STOPPED_BY_USER:
        _fail("Stopped by you.", "Stopped", STOPPED_BY_USER)
    sys.exit(status if isinstance(status, int) else 0)


def _take(flag: str) -> bool:
    """Return whether `flag` was given, and take it out of the arguments."""
    found = flag in sys.argv
    sys.argv = [argument for argument in sys.argv if argument != flag]
    return found


def _raise_if(debug: bool) -> None:
    if debug:
        raise


def _help_hint(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"`{context.command_path} --help` tells more." if context is not None else ""


def _leave_pipe() -> NoReturn:
    """End quietly: whoever read stdout (`| head`) has seen enough."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)


def _fail(message: str, kind: str, exit_code: int) -> NoReturn:
    if "--json" in sys.argv:
        print_json({"error": message, "kind": kind})
    shown = f"Error: {visible(message)}"
    stderr.print(shown, style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(exit_code)


def visible(text: str) -> str:
    """Return a text in which nothing steers a terminal; names of files may hold anything."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in text
    )
