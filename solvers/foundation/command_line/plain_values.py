"""Values of a command line that are what they should be, without the library that converts others.

typer hands every value to pydantic, whose import takes longer than most commands; a text for a text
and an option that was not given need no conversion. What stands here replaces typer's own step,
which is not documented; a test says when that has changed.
"""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from typer.core import TyperCommand, TyperGroup


class PlainCommand(TyperCommand):
    """A command that converts only those values that need it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the one for help among them."""
        return _plainly(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """A group that converts only those values that need it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the one for help among them."""
        return _plainly(super().get_params(ctx))


def command_class(alone: Mapping[str, str]) -> type[PlainCommand]:
    """Return the class of a command whose options `alone` may stand without their values."""

    class CommandWithLoneOptions(PlainCommand):
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            """Put a value behind each such option that has none."""
            return super().parse_args(ctx, list(_completed(args, alone)))

    return CommandWithLoneOptions if alone else PlainCommand


def _completed(arguments: list[str], alone: Mapping[str, str]) -> Iterator[str]:
    for argument, following in zip_longest(arguments, arguments[1:], fillvalue="-"):
        yield argument
        if argument in alone and following.startswith("-"):
            yield alone[argument]


def _plainly(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if parameter._runtime_param is None:
            parameter._runtime_param = _Plain(parameter)
    return parameters


class _Plain:
    """Converts a parameter's values; asks typer for those that are not yet what they should be."""

    def __init__(self, parameter: Any) -> None:
        self._parameter = parameter

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        wanted = self._parameter.type_descriptor.annotation
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if isinstance(wanted, type) and type(value) is wanted:
            return value
        if wanted is Path and isinstance(value, str):
            return Path(value)
        self._parameter._runtime_param = None  # typer makes its own
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)
