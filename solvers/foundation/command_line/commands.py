"""The tree of a command line's commands as data; a command is imported when it is asked for.

    app = new_app(
        "Solves puzzles.",
        {"list": "package.listing:show", "cube": Group("Cubes.", {"solve": "package.cube:solve"})},
    )

What a command's help says is its function's docstring: the first sentence for the list of its
group, and the lines of a section `Examples:`, which a test runs, below the options.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from inspect import getdoc
from typing import Annotated, Any, Final, TypeAlias

import typer
from typer.core import TyperCommand, TyperGroup

from solvers.foundation.command_line.plain_values import PlainGroup, command_class

_EXAMPLES: Final = "\n\nExamples:\n"
_KEEP_LINES: Final = "\b"  # the help's formatter leaves such a paragraph's lines as they are


@dataclass(frozen=True, slots=True)
class Command:
    """A command that wants more than its function.

    `alone` are the options that may stand without a value, and the value they then have.
    """

    function: str
    alone: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """Commands below a common name; `function`, if any, is what the name does without them."""

    summary: str
    commands: "Mapping[str, Entry]"
    function: str | None = None


Entry: TypeAlias = str | Command | Group
"""What stands behind a name; a text is the function of a command, its module and its name."""


def new_app(summary: str, commands: Mapping[str, Entry]) -> TyperGroup:
    """Return a command line of these commands, with the options that all of them understand."""
    return _group(Group(summary, commands), None, _everywhere)


def _everywhere(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - all of them are taken out before, wherever they stand
        bool, typer.Option("--version", help="Show the version and exit.")
    ] = False,
    verbose: Annotated[  # noqa: ARG001
        bool, typer.Option("--verbose", help="Show what is logged; for every command.")
    ] = False,
    debug: Annotated[  # noqa: ARG001
        bool, typer.Option("--debug", help="Show where an error comes from; for every command.")
    ] = False,
    install_completion: Annotated[  # noqa: ARG001
        bool, typer.Option("--install-completion", help="Teach your shell to complete commands.")
    ] = False,
    show_completion: Annotated[  # noqa: ARG001
        bool, typer.Option("--show-completion", help="Print what your shell would be taught.")
    ] = False,
) -> None:
    _show_help(context)


def _show_help(context: typer.Context) -> None:
    """Show the help of a group that was called without a command, which is half an order."""
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(2)


def set_up_completion(option: str, name: str) -> None:
    """Carry out typer's `--install-completion` or `--show-completion` for the command `name`.

    These two are not options of the commands themselves, because they would slow down all others.
    """
    app = typer.Typer(rich_markup_mode=None)
    app.callback()(lambda: None)
    typer.main.get_command(app).main([option], prog_name=name)


def answer_shell() -> None:
    """Let typer know the shells if one asks, by a variable, how to complete a line."""
    if any(name.endswith("_COMPLETE") for name in os.environ):
        typer.main.get_install_completion_arguments()


def _new_typer(summary: str | None = None) -> typer.Typer:
    return typer.Typer(
        cls=PlainGroup,
        help=summary,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _group(entry: Group, name: str | None, function: Callable[..., Any]) -> TyperGroup:
    app = _new_typer(entry.summary)
    app.callback(invoke_without_command=True, **_help(function, entry.summary))(function)
    made = typer.main.get_command(app)
    assert isinstance(made, TyperGroup)
    made.name = name
    made.commands = _Commands(entry.commands)  # type: ignore[assignment] # it is only read
    return made


class _Commands(Mapping[str, Any]):
    """The commands of a group by name, each made when it is looked up."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = entries
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = _made(name, self._entries[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _made(name: str, entry: Entry) -> TyperCommand | TyperGroup:
    if isinstance(entry, Group):
        return _group(entry, name, _imported(entry.function) if entry.function else _show_help)
    wanted = Command(entry) if isinstance(entry, str) else entry
    function = _imported(wanted.function)
    app = _new_typer()
    cls = command_class(wanted.alone)
    settings = dict(wanted.settings)
    app.command(name, context_settings=settings, cls=cls, **_help(function))(function)
    made = typer.main.get_command(app)
    assert isinstance(made, TyperCommand)
    return made


def _imported(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _help(function: Callable[..., Any], summary: str = "") -> dict[str, Any]:
    """Return what a function's docstring says about it, or `summary` and its examples."""
    text, _, examples = (getdoc(function) or "").partition(_EXAMPLES)
    shown = summary or text
    found = {"help": shown, "short_help": _first_sentence(shown)}
    if examples:
        found["epilog"] = f"{_KEEP_LINES}\nExamples:\n{examples}"
    return found


def _first_sentence(text: str) -> str:
    words = " ".join(text.partition("\n\n")[0].split())
    return words.partition(". ")[0].removesuffix(".") + "."
