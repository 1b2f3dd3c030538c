"""Reads TOML and JSON files into typed classes; what does not fit is told in a sentence.

The class says everything about the file: field names, types, ranges (`Annotated[float,
msgspec.Meta(ge=0, le=5)]`), and with `forbid_unknown_fields=True` that nothing else may stand
there. msgspec does the checking; here its findings become sentences that name file, place and
value.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin

import msgspec

from solvers.foundation.errors import InvalidInputError, PuzzlerigError

Kind = TypeVar("Kind")

Steps = list[str | int]
"""The keys and list positions that lead into a file's tables."""

LARGEST_FILE_BYTES: Final = 16 * 1024 * 1024  # nobody writes that much by hand

_PLACE: Final = re.compile(r"^(?P<problem>.*?)(?: - at `(?P<place>[^`]*)`)?$", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`")
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_TYPE: Final = re.compile(r"Expected `([^`]*)`, got `([^`]*)`")
_BOUND: Final = re.compile(r"Expected `[^`]*` (<=|>=|<|>) (.*)")
_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_NEW_LINE: Final = b"\n"
_CHOICE: Final = re.compile(r"Invalid enum value .*")
_LENGTH: Final = re.compile(
    r"Expected `[^`]*` of (?:at (?:most )?|at least )?length (.*), got (.*)"
)

_TYPE_NAMES: Final = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a section of keys",
    "null": "nothing",
}
_BOUND_NAMES: Final = {"<=": "at most", ">=": "at least", "<": "below", ">": "above"}


def read_bytes(
    path: Path, error: type[PuzzlerigError], what: str, most_bytes: int = LARGEST_FILE_BYTES
) -> bytes:
    """Return the content of a file that is `what`. Raises `error` with a sentence."""
    try:
        if path.stat().st_size > most_bytes:
            raise error(f"{what} {path} has more than {most_bytes >> 20} MB.")
        return path.read_bytes()
    except OSError as reason:
        raise error(f"{what} {path} cannot be read: {reason.strerror}.") from None
    except ValueError as reason:  # a zero byte in the name
        raise error(f"{what} {path} cannot be read: {reason}.") from None


def read_toml(
    path: Path, kind: type[Kind], what: str, error: type[PuzzlerigError] = InvalidInputError
) -> Kind:
    """Return the TOML file `path` as a `kind`. `what` begins the sentence: "The board".

    Raises `error`.
    """
    return convert(load_toml(path, what, error), kind, f"{what} {path}", error)


def load_toml(
    path: Path, what: str, error: type[PuzzlerigError] = InvalidInputError
) -> dict[str, Any]:
    """Return the tables of a TOML file as they stand there. Raises `error`."""
    return parse_toml(read_bytes(path, error, what), f"{what} {path}", error)


def parse_toml(
    data: bytes, where: str, error: type[PuzzlerigError] = InvalidInputError
) -> dict[str, Any]:
    """Return the tables of a TOML text. Raises `error` with a sentence that begins with `where`."""
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise error(f"{where} is nested too deeply.") from None
    except UnicodeDecodeError as reason:
        line = data[: reason.start].count(b"\n") + 1
        raise error(f"{where}, line {line}, is not TOML: it is not UTF-8 text.") from None
    except ValueError as reason:
        raise error(f"{where} is not TOML: {reason}.") from None


def read_json(
    path: Path, kind: type[Kind], what: str, error: type[PuzzlerigError] = InvalidInputError
) -> Kind:
    """Return the JSON file `path` as a `kind`. Raises `error`."""
    return parse_json(read_bytes(path, error, what), kind, f"{what} {path}", error)


def parse_json(
    data: bytes, kind: type[Kind], where: str, error: type[PuzzlerigError] = InvalidInputError
) -> Kind:
    """Return a JSON text as a `kind`. Raises `error` with a sentence that begins with `where`."""
    try:
        tables = msgspec.json.decode(data)
    except RecursionError:
        raise error(f"{where} is nested too deeply.") from None
    except ValueError as reason:
        raise error(f"{where}{_line_of(reason, data)} is not JSON: {reason}.") from None
    return convert(tables, kind, where, error)


def convert(
    tables: Any,
    kind: type[Kind],
    where: str | Callable[[Steps], str],
    error: type[PuzzlerigError] = InvalidInputError,
) -> Kind:
    """Return plain dicts and lists as a `kind`. Raises `error`.

    `where` begins the sentence; as a function it is told which keys and list positions lead to
    the mistake, and can name its line.
    """
    try:
        return msgspec.convert(tables, kind)
    except msgspec.ValidationError as reason:
        message = str(reason)
    begins = where if isinstance(where, str) else where(_steps_to_mistake(message))
    raise error(f"{begins}: {_sentence(message, tables, kind)}") from None


def _line_of(reason: ValueError, data: bytes) -> str:
    at = _BYTE.search(str(reason))
    return f", line {data[: int(at[1])].count(_NEW_LINE) + 1}," if at else ""


def _steps_to_mistake(message: str) -> Steps:
    problem, place = _problem_and_place(message)
    unknown = _UNKNOWN.fullmatch(problem)
    return [*_steps(place), *([unknown[1]] if unknown else [])]


def _problem_and_place(message: str) -> tuple[str, str]:
    found = _PLACE.match(message)
    assert found is not None
    return found["problem"], found["place"] or "$"


def _steps(place: str) -> Steps:
    return [name or int(index) for name, index in _STEP.findall(place)]


def _sentence(message: str, tables: Any, kind: Any) -> str:
    problem, place = _problem_and_place(message)
    steps = _steps(place)
    key = place.removeprefix("$").removeprefix(".").replace("[...]", ".*")
    if match := _UNKNOWN.fullmatch(problem):
        return f"{_prefix(key)}unknown key {match[1]!r}.{_known_keys(kind, steps)}"
    if match := _MISSING.fullmatch(problem):
        return f"{_prefix(key)}{match[1]!r} is missing."
    value = "" if "[...]" in place else f", not {_value_at(tables, steps)!r}"
    return f"{key or 'it'} {_demand(problem, _kind_at(kind, steps))}{value}."


def _prefix(key: str) -> str:
    return f"{key}: " if key else ""


def _demand(problem: str, kind: Any) -> str:
    if _CHOICE.fullmatch(problem) and (choices := _choices(kind)):
        return f"must be one of {', '.join(map(str, choices))}"
    if match := _TYPE.fullmatch(problem):
        wanted = " or ".join(_TYPE_NAMES.get(each, each) for each in match[1].split(" | "))
        return f"must be {wanted}"
    if match := _BOUND.fullmatch(problem):
        return f"must be {_BOUND_NAMES[match[1]]} {match[2].removesuffix('.0')}"
    if match := _LENGTH.fullmatch(problem):
        return f"must be a list of {match[1]}"
    return f"does not fit ({problem[:1].lower()}{problem[1:]})"


def _value_at(tables: Any, steps: Steps) -> Any:
    value = tables
    for step in steps:
        if isinstance(value, Mapping):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int):
            value = value[step]
    return value


def _known_keys(kind: Any, steps: Steps) -> str:
    """Return a sentence with the keys of the section that `steps` lead to, if that is known."""
    names = [field.encode_name for field in _fields(_kind_at(kind, steps))]
    return f" The keys are {', '.join(names)}." if names else ""


def _fields(kind: Any) -> tuple[msgspec.structs.FieldInfo, ...]:
    is_struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    return msgspec.structs.fields(kind) if is_struct else ()


def _kind_at(kind: Any, steps: Steps) -> Any:
    """Return the type of what `steps` lead to, None if that is not known."""
    for step in steps:
        kind = _without_none(kind)
        if isinstance(step, int):
            inner = get_args(kind)
            kind = inner[0] if inner else None
        else:
            kind = {field.encode_name: field.type for field in _fields(kind)}.get(step)
    return _without_none(kind)


def _without_none(kind: Any) -> Any:
    """Return what `kind | None` is when it is not None."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    return next((each for each in get_args(kind) if each is not NoneType), None)


def _choices(kind: Any) -> list[Any]:
    """Return the values that a Literal or an enum allows."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [each.value for each in kind]
    return list(get_args(kind)) if get_origin(kind) is Literal else []
