"""Runs a command line: exit codes, errors as sentences, `--json`, `--debug`, `--verbose`."""

import errno
import io
import json
import logging
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from solvers.foundation.command_line.commands import answer_shell, set_up_completion
from solvers.foundation.command_line.late_console import LateConsole
from solvers.foundation.command_line.start import STOPPED, STOPPED_BY_USER
from solvers.foundation.errors import PuzzlerigError

if TYPE_CHECKING:
    from rich.console import Console

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

# Progress and errors go to stderr, so that stdout carries the result alone.
stderr: "Final[Console]" = LateConsole()  # type: ignore[assignment]

# What a write to stdout ends with that finds no room; files have sentences of their own.
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_LOG_FORMAT: Final = "%(relativeCreated)8d ms  %(name)s: %(message)s"


def print_json(result: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
    """Print `result` on stdout as one JSON object.

    A value that is an iterator is printed as a list, one item after the other, since long lists of
    ready objects take many times the memory of what they are made from. Of a result that comes as
    pairs, each is asked for when the one before is printed: it may tell of what that one found.
    """
    has_all_letters = (sys.stdout.encoding or "").lower().startswith("utf")
    text = partial(json.dumps, ensure_ascii=not has_all_letters)
    write = sys.stdout.write
    write("{")
    pairs = result.items() if isinstance(result, Mapping) else result
    for key_number, (key, value) in enumerate(pairs):
        write(f"{', ' if key_number else ''}{text(key)}: ")
        if not isinstance(value, Iterator):
            write(text(value))
            continue
        write("[")
        for number, item in enumerate(value):
            write(f"{', ' if number else ''}{text(item)}")
        write("]")
    print("}", flush=True)


def run(app: TyperGroup) -> NoReturn:
    """Run a command line and end the process: 0 done, 1 failed, 2 bad input, 130 stopped.

    `--debug`, `--verbose` and `--version` are understood everywhere: a traceback instead of a
    sentence; what the packages log, on stderr; the version and nothing else.
    """
    _open_what_was_closed()
    _show_what_cannot_be_shown()
    answer_shell()
    if _take("--version"):
        _show_version()
    for option in ("--install-completion", "--show-completion"):
        if _take(option):
            set_up_completion(option, Path(sys.argv[0]).name)
    debug, verbose = _take("--debug"), _take("--verbose")
    if verbose:
        logging.basicConfig(stream=sys.stderr, level=logging.DEBUG, format=_LOG_FORMAT)
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except PuzzlerigError as error:
        _raise_if(debug)
        _fail(str(error), type(error).__name__, error.exit_code)
    except TyperException as error:
        _raise_if(debug)
        said = error.format_message()
        sentence = said if said.endswith((".", "?")) else f"{said}."
        _fail(f"{sentence.replace('?.', '?')} {_help_hint(error)}".rstrip(), "UsageError", 2)
    except typer.Abort:
        status = STOPPED_BY_USER
    except KeyboardInterrupt:
        _raise_if(debug)
        status = STOPPED_BY_USER
    except BrokenPipeError:
        # Whoever read stdout (`| head`) has seen enough.
        _leave_output()
        sys.exit(1)
    except Exception as error:
        _raise_if(debug)
        _fail_unexpectedly(error)
    if status == STOPPED_BY_USER:
        _fail(STOPPED, "Stopped", STOPPED_BY_USER)
    sys.exit(status if isinstance(status, int) else 0)


def _open_what_was_closed() -> None:
    """Let streams that our caller closed (`>&-`) lead nowhere; else a file would get their number.

    Python has None in their place.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 - open to the end


def _show_what_cannot_be_shown() -> None:
    """Let a terminal that knows few letters show the others as escapes; no name is an error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _show_version() -> NoReturn:
    from importlib.metadata import version

    print(f"puzzlerig {version('puzzlerig')}")
    sys.exit(0)


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


def _leave_output() -> None:
    """Let go of what stdout does not take, so that it does not fail once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, kind: str, exit_code: int) -> NoReturn:
    if "--json" in sys.argv:
        try:
            print_json({"error": message, "kind": kind})
        except OSError:
            _leave_output()
    shown = f"Error: {visible(message)}"
    stderr.print(shown, style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(exit_code)


def _fail_unexpectedly(error: Exception) -> NoReturn:
    if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
        _leave_output()
        told = f"The output cannot be written: {error.strerror}."
        _fail(f"{told} Make room, or send it elsewhere.", "OutputError", 1)
    _fail(
        f"Internal error: {type(error).__name__}: {error}. "
        "This is a bug; run the command again with --debug to see where.",
        "InternalError",
        1,
    )


def visible(text: str) -> str:
    """Return a text in which nothing steers a terminal; names of files may hold anything."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in text
    )
