"""Commands, shared options, exit codes, errors as sentences, and `--json` of every command line.

A command is a function with click's decorators and `cls=Command`:

    @click.command("solve", cls=Command)
    @click.argument("puzzle", help="A puzzle file.")
    @click.option("--svg", type=OUTPUT_FILE, help="Draw the solution.")
    @json_option
    def solve(puzzle: str, svg: Path | None, as_json: bool) -> None: ...

Its docstring is its help: the first sentence for the list of its group, and the lines of a section
`Examples:`, which a test runs, below the options. A `LazyGroup` imports a command's module when the
command is asked for.
"""

import errno
import io
import json
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from solvers.foundation.command_line.start import STOPPED, STOPPED_BY_USER
from solvers.foundation.errors import PuzzlerigError

if TYPE_CHECKING:
    from rich.console import Console

Value = TypeVar("Value", bound=Enum)

# What a write to stdout ends with that finds no room; files have sentences of their own.
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

_LOG_FORMAT: Final = "%(relativeCreated)8d ms  %(name)s: %(message)s"

_EXAMPLES: Final = "\n\nExamples:\n"
_KEEP_LINES: Final = "\b"  # click leaves the lines of such a paragraph as they are

_CURRENT_SHELL: Final = "current"


class _LateConsole:
    """rich's console on stderr, made when something is printed; most commands never do.

    Importing rich takes as long as a command's work.
    """

    @cached_property
    def _console(self) -> "Console":
        from rich.console import Console

        return Console(stderr=True)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._console, name)

    def __enter__(self) -> Any:
        return self._console.__enter__()

    def __exit__(self, *exception: Any) -> Any:
        return self._console.__exit__(*exception)


# Progress and errors go to stderr, so that stdout carries the result alone.
stderr: "Final[Console]" = _LateConsole()  # type: ignore[assignment]

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object instead of text."
)


class EnumChoice(click.Choice[Value]):
    """One of an enum's members, named by its value; click itself goes by the members' names."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        """Return the word for a member or for what was typed."""
        return super().normalize_choice(choice.value if isinstance(choice, Enum) else choice, ctx)


class _Output(click.Path):
    """A file or folder that the command writes, checked before any work is done."""

    def __init__(
        self,
        name: str,
        *,
        file_ending: str | None = None,
        folder: bool = False,
        needs: str | None = None,
    ) -> None:
        super().__init__(path_type=Path)
        self.name = name
        self._needed_module = needs
        self._file_ending = file_ending
        self._is_folder = folder

    def convert(
        self,
        value: "str | os.PathLike[str]",
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Path:
        """Return the path. Raises PuzzlerigError if nothing can be written there."""
        from solvers.foundation.extras import require
        from solvers.foundation.files import check_writable, check_writable_folder

        if self._needed_module is not None:
            require(self._needed_module)

        path = Path(value)
        if self._is_folder and not (self._file_ending and path.suffix == self._file_ending):
            check_writable_folder(path)
        else:
            check_writable(path)
        return path


PATH: Final = click.Path(path_type=Path)
OUTPUT_FILE: Final = _Output("file")
PDF_FILE: Final = _Output("file", needs="fpdf")
OUTPUT_FOLDER: Final = _Output("folder", folder=True)


def output_folder_or_file(ending: str) -> click.Path:
    """Return the type of a path that is one file if it has this ending, and else a folder."""
    return _Output(f"FOLDER|FILE{ending}", file_ending=ending, folder=True)


class Command(click.Command):
    """A command whose help is its docstring; it has the options that all commands have."""

    shows_common_options = False

    def __init__(
        self,
        name: str | None,
        *,
        help: str | None = None,  # noqa: A002 - click's name
        params: Sequence[click.Parameter] | None = None,
        **settings: Any,
    ) -> None:
        text, _, examples = cleandoc(help or "").partition(_EXAMPLES)
        if examples:
            settings["epilog"] = f"{_KEEP_LINES}\nExamples:\n{examples}"
        super().__init__(
            name,
            help=text,
            short_help=_first_sentence(text),
            params=[*(params or ()), *_common_options(hidden=not self.shows_common_options)],
            **settings,
        )


class LazyGroup(Command, click.Group):
    """A group whose commands are imported when they are asked for.

    `lazy_commands` has a `module:attribute` for each name.
    """

    def __init__(
        self,
        name: str | None,
        *,
        lazy_commands: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(name, **settings)
        self._lazy_commands = dict(lazy_commands or {})

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order in which they were given."""
        return [
            *self.commands,
            *(each for each in self._lazy_commands if each not in self.commands),
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported if it is not yet."""
        if cmd_name in self._lazy_commands:
            module, _, attribute = self._lazy_commands[cmd_name].partition(":")
            command = getattr(import_module(module), attribute)
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return a command and its arguments; a name that is none is compared with all names."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from None


class App(LazyGroup):
    """The root of a command line."""

    shows_common_options = True

    def __init__(
        self,
        summary: str,
        groups: Sequence[LazyGroup] = (),
        lazy_commands: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(
            None,
            help=summary,
            commands=list(groups),
            lazy_commands=lazy_commands,
            params=_completion_options(),
            # Inherited by the commands below.
            context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
        )


@dataclass
class _Settings:
    """What `--debug` has set for one run."""

    debug: bool = False

    def raise_if_debugging(self) -> None:
        """Raise the exception that is being handled again, with its traceback."""
        if self.debug:
            raise


def _common_options(*, hidden: bool) -> list[click.Option]:
    """Return the options of every command; where `hidden`, they work but the help is silent."""

    def flag(name: str, callback: Any, text: str) -> click.Option:
        return click.Option(
            [name],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            hidden=hidden,
            callback=callback,
            help=text,
        )

    return [
        flag("--version", _show_version, "Show the version and exit."),
        flag("--verbose", _log_to_stderr, "Show what is logged; for every command."),
        flag("--debug", _set_debug, "Show where an error comes from; for every command."),
    ]


def _show_version(context: click.Context, _: click.Parameter, given: bool) -> None:
    if given:
        from importlib.metadata import version

        print(f"puzzlerig {version('puzzlerig')}")
        context.exit()


def _log_to_stderr(_context: click.Context, _: click.Parameter, given: bool) -> None:
    if given:
        from solvers.foundation.code_cache import PACKAGES

        logging.basicConfig(stream=sys.stderr, format=_LOG_FORMAT)
        # Not the root logger: numba logs megabytes where it compiles.
        for package in PACKAGES:
            logging.getLogger(package).setLevel(logging.DEBUG)


def _set_debug(context: click.Context, _: click.Parameter, given: bool) -> None:
    if given:
        context.ensure_object(_Settings).debug = True


def _completion_options() -> list[click.Parameter]:
    def option(name: str, text: str) -> click.Option:
        return click.Option(
            [name],
            is_flag=False,
            flag_value=_CURRENT_SHELL,
            metavar="[bash|zsh|fish]",
            expose_value=False,
            callback=_set_up_completion,
            help=text,
        )

    return [
        option("--install-completion", "Teach your shell to complete commands."),
        option("--show-completion", "Print what your shell would be taught."),
    ]


def _set_up_completion(context: click.Context, option: click.Parameter, shell: str | None) -> None:
    if shell is not None:
        from solvers.foundation.command_line.completion import completion_script, install_completion

        name = None if shell == _CURRENT_SHELL else shell
        act = completion_script if option.name == "show_completion" else install_completion
        print(act(context, name))
        context.exit()


def _first_sentence(text: str) -> str:
    words = " ".join(text.partition("\n\n")[0].split())
    return words.partition(". ")[0].removesuffix(".") + "."


def print_json(result: Mapping[str, Any]) -> None:
    """Print `result` on stdout as one JSON object on one line."""
    has_all_letters = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(result, ensure_ascii=not has_all_letters), flush=True)


def run(app: App) -> NoReturn:
    """Run a command line and end the process: 0 done, 1 failed, 2 bad input, 130 stopped.

    `--debug`, `--verbose` and `--version` are understood everywhere: a traceback instead of a
    sentence; what the packages log, on stderr; the version and nothing else.
    """
    _open_what_was_closed()
    _show_what_cannot_be_shown()
    name = Path(sys.argv[0]).name
    _complete_if_asked(app, name)
    settings = _Settings()
    try:
        status = _status(app, name, settings)
        sys.stdout.flush()
    except PuzzlerigError as error:
        settings.raise_if_debugging()
        _fail(str(error), type(error).__name__, error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        settings.raise_if_debugging()
        said = error.format_message()
        sentence = said if said.endswith((".", "?", ")")) else f"{said}."
        _fail(f"{sentence} {_help_hint(error)}".rstrip(), "UsageError", 2)
    except (KeyboardInterrupt, click.Abort):
        settings.raise_if_debugging()
        status = STOPPED_BY_USER
    except BrokenPipeError:
        # The reader of stdout (`| head`) has seen enough.
        _leave_output()
        sys.exit(1)
    except ModuleNotFoundError as error:
        settings.raise_if_debugging()
        _fail_for_want_of(error)
    except Exception as error:
        settings.raise_if_debugging()
        _fail_unexpectedly(error)
    if status == STOPPED_BY_USER:
        _fail(STOPPED, "Stopped", STOPPED_BY_USER)
    sys.exit(status)


def _status(app: App, name: str, settings: _Settings) -> int:
    """Run the command and return its exit code.

    Not by click's `main`, which prints an empty line when Ctrl-C ends a command.
    """
    try:
        with app.make_context(name, sys.argv[1:], obj=settings) as context:
            app.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    return 0


def _complete_if_asked(app: App, name: str) -> None:
    """Answer a shell that asks, by a variable, how to complete a line, and end."""
    if any(variable.endswith("_COMPLETE") for variable in os.environ):
        from solvers.foundation.command_line.completion import answer_shell

        answer_shell(app, name)


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


def _help_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"See `{context.command_path} --help`." if context is not None else ""


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


def _fail_for_want_of(error: ModuleNotFoundError) -> NoReturn:
    from solvers.foundation.extras import missing_extra

    if explained := missing_extra(error):
        _fail(str(explained), type(explained).__name__, explained.exit_code)
    _fail_unexpectedly(error)


def _fail_unexpectedly(error: Exception) -> NoReturn:
    if isinstance(error, OSError) and error.errno in _FULL and error.filename is None:
        _leave_output()
        sentence = f"The output cannot be written: {error.strerror}."
        _fail(f"{sentence} Make room, or send it elsewhere.", "OutputError", 1)
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
