"""Readers of TOML and JSON files into typed classes, with a sentence about what does not fit.

The class defines the whole file: field names, types, ranges (`Annotated[float,
msgspec.Meta(ge=0, le=5)]`), and with `forbid_unknown_fields=True` that nothing else is allowed.
msgspec checks; jsonschema finds what does not fit, which becomes a sentence that names file,
place and value.
"""

import json
import re
import reprlib
import tomllib
from collections.abc import Callable, Iterator
from itertools import count, islice, repeat
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin

import msgspec

from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import format_size, read_bytes

Kind = TypeVar("Kind")

Steps = list[str | int]
"""The keys and list positions that lead into a file's tables."""

# Parsers take up to 30 bytes of memory and 2 us for each byte of input.
LARGEST_TOML_BYTES: Final = 1 << 19
LARGEST_JSON_BYTES: Final = 4 << 20
DEEPEST: Final = 32
"""Tables within tables; tomllib takes time and memory by the square of a key's depth."""

LONGEST_WORD: Final = 1000
"""Letters and digits in a row; tomllib takes 100 bytes of memory for each digit of a number."""

_SHORT_WORDS: Final = re.compile(rb"(?:\W++|\w{1,%d}+(?!\w))*+" % LONGEST_WORD)
_MARKS: Final = re.compile(
    rb'"""(?:[^"\\]++|\\.?|"(?!""))*+(?:""")?'  # strings, to their end or that of the text
    rb"|'''(?:[^']++|'(?!''))*+(?:''')?"
    rb'|"(?:[^"\\\n]++|\\.)*+"?'
    rb"|'[^'\n]*+'?"
    rb"|#[^\n]*+"
    rb"|[\[\]{}.=,\n]",
    re.DOTALL,
)


class _Short(reprlib.Repr):
    """Shows values from files, which may be long, in sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 3
        self.maxlist = self.maxtuple = self.maxdict = 6
        self.maxstring = self.maxlong = self.maxother = 80

    def repr_int(self, x: int, level: int) -> str:
        """Return the digits of a number; Python itself writes no more than 4,300."""
        bits = x.bit_length()
        return super().repr_int(x, level) if bits < 1_000 else f"a number of {bits} bits"


_SHORT: Final = _Short()

_TYPE_NAMES: Final = {
    "number": "a number",
    "integer": "a whole number",
    "string": "a text",
    "boolean": "true or false",
    "array": "a list",
    "object": "a section of keys",
    "null": "nothing",
}
_BOUNDS: Final = {
    "maximum": "at most",
    "minimum": "at least",
    "exclusiveMaximum": "below",
    "exclusiveMinimum": "above",
    "maxItems": "a list of at most",
    "minItems": "a list of at least",
}
_MOST_FINDINGS: Final = 20
"""Of a file that is all wrong; the best of the first ones is shown."""
_CHECKED_TOGETHER: Final = 1000


def read_toml(
    path: Path, kind: type[Kind], what: str, error: type[PuzzlerigError] = InvalidInputError
) -> Kind:
    """Return the TOML file `path` as a `kind`. `what` starts the sentence: "The board".

    Raises `error`.
    """
    return convert(load_toml(path, what, error), kind, f"{what} {path}", error)


def load_toml(
    path: Path, what: str, error: type[PuzzlerigError] = InvalidInputError
) -> dict[str, Any]:
    """Return the tables of a TOML file, unchecked. Raises `error`."""
    data = read_bytes(path, error, what, LARGEST_TOML_BYTES)
    return parse_toml(data, f"{what} {path}", error)


def parse_toml(
    data: bytes, where: str, error: type[PuzzlerigError] = InvalidInputError
) -> dict[str, Any]:
    """Return the tables of a TOML text. Raises `error` with a sentence that starts with `where`."""
    _check_size(data, LARGEST_TOML_BYTES, where, error)
    if _is_too_deep(data):
        raise error(f"{where} is nested too deeply.")
    if _SHORT_WORDS.fullmatch(data) is None:
        raise error(f"{where} has a word or a number of more than {LONGEST_WORD} characters.")
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as reason:
        line = data[: reason.start].count(b"\n") + 1
        raise error(f"{where}, line {line}, is not TOML: it is not UTF-8 text.") from None
    except ValueError as reason:
        raise error(f"{where} is not TOML: {reason}.") from None


def read_json(
    path: Path, kind: type[Kind], what: str, error: type[PuzzlerigError] = InvalidInputError
) -> Kind:
    """Return the JSON file `path` as a `kind`. Raises `error`."""
    data = read_bytes(path, error, what, LARGEST_JSON_BYTES)
    return parse_json(data, kind, f"{what} {path}", error)


def parse_json(
    data: bytes, kind: type[Kind], where: str, error: type[PuzzlerigError] = InvalidInputError
) -> Kind:
    """Return a JSON text as a `kind`. Raises `error` with a sentence that starts with `where`."""
    _check_size(data, LARGEST_JSON_BYTES, where, error)
    try:
        tables = msgspec.json.decode(data)
    except RecursionError:
        raise error(f"{where} is nested too deeply.") from None
    except ValueError as reason:
        raise error(f"{where}{_json_mistake(data, str(reason))}.") from None
    return convert(tables, kind, where, error)


def convert(
    tables: Any,
    kind: type[Kind],
    where: str | Callable[[Steps], str],
    error: type[PuzzlerigError] = InvalidInputError,
) -> Kind:
    """Return plain dicts and lists as a `kind`. Raises `error`.

    `where` starts the sentence; as a function it is called with the keys and list positions that
    lead to the mistake, and can name its line.
    """
    try:
        return msgspec.convert(tables, kind)
    except msgspec.ValidationError as reason:
        steps, sentence = _first_mistake(tables, kind, str(reason))
    except ValueError:  # Python writes no number of more than 4,300 digits
        steps, sentence = [], "a number in it has too many digits."
    start = where if isinstance(where, str) else where(steps)
    raise error(f"{start}: {sentence}") from None


def _check_size(data: bytes, most: int, where: str, error: type[PuzzlerigError]) -> None:
    if len(data) > most:
        raise error(f"{where} has more than {format_size(most)}.")


def _is_too_deep(toml: bytes) -> bool:
    """Return whether brackets or dotted keys of a TOML text, not yet parsed, go too deep."""
    if max(map(toml.count, (b".", b"[", b"{"))) <= DEEPEST:
        return False
    brackets = dots = 0
    for found in _MARKS.finditer(toml):
        mark = found[0]
        if mark == b".":
            dots += 1
        elif mark[:1] not in b"\"'":  # a quoted part does not end a dotted key
            dots = 0
        if mark in (b"[", b"{"):
            brackets += 1
        elif mark in (b"]", b"}"):
            brackets -= 1
        if max(brackets, dots) > DEEPEST:
            return True
    return False


def _json_mistake(data: bytes, reason: str) -> str:
    """Return the line and the reason of a mistake; the standard library gives the line as data."""
    try:
        json.loads(data)
    except json.JSONDecodeError as mistake:
        return f", line {mistake.lineno}, is not JSON: {mistake.msg}"
    except (ValueError, RecursionError):  # not UTF-8, or a number of very many digits
        pass
    return f" is not JSON: {reason}"


def _first_mistake(tables: Any, kind: Any, reason: str) -> tuple[Steps, str]:
    """Return where data does not fit a type, and a sentence about it.

    msgspec checks fast, and says what it finds in English alone. Its types are JSON schemas as
    well; jsonschema gives place, rule and value as data, and is imported for bad files only. It
    takes 10 us for each value, so it only gets the innermost part that does not fit.
    """
    from jsonschema import Draft202012Validator

    outer, part, kind = _innermost(tables, kind)
    findings = Draft202012Validator(_shallow_schema(kind)).iter_errors(part)
    first = list(islice(findings, _MOST_FINDINGS))
    if not first:  # a rule that schemas do not have
        return outer, f"it does not fit ({reason})."
    # A misspelt key is unknown and the right one is missing; the first says more.
    found = _meant(next((e for e in first if e.validator == "additionalProperties"), first[0]))
    steps: Steps = [*outer, *found.absolute_path]
    key = _key(steps)
    prefix = f"{key}: " if key else ""
    if found.validator == "additionalProperties":
        known = list(found.schema["properties"])
        unknown = next(each for each in found.instance if each not in known)
        keys = f" The keys are {', '.join(known)}." if known else ""
        return [*steps, unknown], f"{prefix}unknown key {_SHORT.repr(unknown)}.{keys}"
    if found.validator == "required":
        missing = next(each for each in found.validator_value if each not in found.instance)
        return steps, f"{prefix}{missing!r} is missing."
    return steps, f"{key or 'it'} {_demand(found)}, not {_SHORT.repr(found.instance)}."


def _innermost(value: Any, kind: Any) -> tuple[Steps, Any, Any]:
    """Return the innermost part that does not fit its type: where it is, itself and its type."""
    steps: Steps = []
    while True:
        kind = _kind_of(value, kind)
        for step, part, part_kind in _parts(value, kind):
            if not _fits(part, part_kind):
                steps.append(step)
                value, kind = part, part_kind
                break
        else:
            return steps, value, kind


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError):
        return False
    return True


def _kind_of(value: Any, kind: Any) -> Any:
    """Return the one member of a union that a section or list can be of, else the type itself."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    members = [each for each in get_args(kind) if _can_hold(_plain(each), value)]
    return members[0] if len(members) == 1 else kind


def _can_hold(kind: Any, value: Any) -> bool:
    """Return whether values of a type are sections, or lists, as this value is."""
    if isinstance(value, list):
        return get_origin(kind) in (list, tuple)
    return isinstance(value, dict) and (get_origin(kind) is dict or _is_struct(kind))


def _parts(value: Any, kind: Any) -> Iterator[tuple[str | int, Any, Any]]:
    """Yield key or position, value and type of each part of a section or a list."""
    kind = _plain(kind)
    if not _can_hold(kind, value):
        return
    members = get_args(kind)
    if isinstance(value, list):
        if get_origin(kind) is list or members[1:] == (...,):
            # Checked together, values take a tenth of the time.
            for start in range(0, len(value), _CHECKED_TOGETHER):
                some = value[start : start + _CHECKED_TOGETHER]
                if not _fits(some, GenericAlias(list, members[:1])):
                    yield from zip(count(start), some, repeat(members[0]))
        elif len(value) == len(members):
            yield from zip(count(), value, members)
    elif not _is_struct(kind):
        yield from ((key, each, members[1]) for key, each in value.items())
    else:
        fields = {each.encode_name: each.type for each in msgspec.structs.fields(kind)}
        if kind.__struct_config__.forbid_unknown_fields and not fields.keys() >= value.keys():
            return  # the unknown key is to be reported, not what else is wrong
        yield from ((name, value[name], each) for name, each in fields.items() if name in value)


def _plain(kind: Any) -> Any:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _shallow_schema(kind: Any) -> dict[str, Any]:
    """Return the schema of a type for values whose parts all fit: it says nothing about them."""
    schema = msgspec.json.schema(kind)
    top = schema
    if name := schema.get("$ref", ""):
        top = schema["$defs"][name.rpartition("/")[2]]
    top.pop("items", None)
    top.pop("prefixItems", None)
    if "properties" in top:
        top["properties"] = {name: {} for name in top["properties"]}
    return schema


def _meant(found: Any) -> Any:
    """Return a finding, or of several types that are allowed, that of the type that is meant."""
    while found.validator == "anyOf":
        branches: dict[Any, list[Any]] = {}
        for each in found.context:
            branches.setdefault(each.schema_path[0], []).append(each)
        fitting = [
            each for each in branches.values() if not any(_has_another_type(e) for e in each)
        ] or [each for each in branches.values() if each[0].validator != "type" or each[0].path]
        if len(fitting) != 1:
            return found
        found = fitting[0][0]
    return found


def _has_another_type(found: Any) -> bool:
    """Return whether a value is of another type, or a section has another tag."""
    depth = len(found.path)
    return (found.validator == "type" and depth == 0) or (
        found.validator in ("enum", "const") and depth == 1
    )


def _key(steps: Steps) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return text.removeprefix(".")


def _demand(found: Any) -> str:
    """Return what one of jsonschema's findings demands."""
    rule, value = found.validator, found.validator_value
    if rule in ("minItems", "maxItems") and (
        found.schema.get("minItems") == found.schema.get("maxItems")
    ):
        return f"must be a list of {value}"
    if rule in _BOUNDS:
        return f"must be {_BOUNDS[rule]} {value:g}"
    if rule == "enum":
        return f"must be one of {', '.join(map(str, value))}"
    if rule == "type":
        return f"must be {_type_names(value)}"
    if rule == "anyOf":
        wanted = [each["type"] for each in value if "type" in each]
        return f"must be {' or '.join(map(_type_names, wanted))}" if wanted else "does not fit"
    return f"does not fit ({rule} is {_SHORT.repr(value)})"


def _type_names(types: str | list[str]) -> str:
    each = [types] if isinstance(types, str) else types
    return " or ".join(_TYPE_NAMES.get(name, name) for name in each)


def toml_text(text: str) -> Any:
    """Return a text as a tomlkit item for a TOML file that is written.

    tomlkit leaves DEL as it is, which TOML does not allow; the escapes of JSON are TOML's as well.
    """
    import tomlkit

    return tomlkit.value(json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f"))
