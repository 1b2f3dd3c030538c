"""C as it was written before 1989, in the form that sdcc takes.

sdcc refuses functions whose parameters have their types behind the parentheses, functions without
a result type, and calls with arguments of what was declared with empty parentheses. What a program
means is plain in all three, so preprocessed sources are rewritten, on the lines where they stand.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from firmware_tools.building.source_text import outside_braces, place_of

_BEGIN = r"(?:(?<=[;}])|\A)\s*+"
_OLD_DEFINITION = re.compile(
    _BEGIN + r"(?P<head>(?P<result>[\w\s*]*?)\b(?P<name>\w+)"
    r"\s*\(\s*(?P<names>\w+(?:\s*,\s*\w+)*)?\s*\)"
    r"(?P<types>(?:\s*[A-Za-z_][\w\s*,\[\]]*;)*))\s*\{"
)
_DEFINITION = re.compile(_BEGIN + r"(?P<head>[\w\s*]*?\b(?P<name>\w+)\s*\([^;{}]*?)\s*\{")
_EMPTY_DECLARATION = re.compile(_BEGIN + r"(?P<head>[\w\s*]*?\b(?P<name>\w+)\s*\(\s*\)\s*)(?=;)")
_NO_PARAMETERS = re.compile(r"\(\s*(?:void)?\s*\)")
_DECLARATOR = re.compile(r"\s*(?P<whole>[\s*]*(?P<name>\w+)\s*(?:\[[^\]]*\]\s*)*)$")
_STORAGE = frozenset({"static", "extern"})


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A place in a program where sdcc is given `now` instead of what stands there."""

    file: str
    line: int
    now: str


def modernised(texts: Sequence[str]) -> tuple[list[str], list[Rewritten]]:
    """Return a program's preprocessed sources as sdcc takes them, and what was changed in them."""
    changes: list[Rewritten] = []
    new = [_rewritten(text, _OLD_DEFINITION, _new_head, changes) for text in texts]
    own = [dict(_heads_with_parameters(text)) for text in new]
    shared = {
        name: head
        for heads in own
        for name, head in heads.items()
        if not head.startswith("static ")
    }
    for number, heads in enumerate(own):
        known = shared | heads
        new[number] = _rewritten(new[number], _EMPTY_DECLARATION, partial(_known, known), changes)
    return new, list(dict.fromkeys(changes))


def _known(heads: Mapping[str, str], declaration: re.Match[str]) -> str | None:
    return heads.get(declaration["name"])


def _rewritten(
    text: str,
    pattern: re.Pattern[str],
    new_head: Callable[[re.Match[str]], str | None],
    changes: list[Rewritten],
) -> str:
    """Return `text` with new heads, each on as many lines as it had before."""
    parts, after = [], 0
    for match in pattern.finditer(outside_braces(text)):
        now = new_head(match)
        if now is None:
            continue
        start, end = match.span("head")
        changes.append(Rewritten(*place_of(text, start), now))
        parts += [text[after:start], now, "\n" * text.count("\n", start, end)]
        after = end
    return "".join([*parts, text[after:]])


def _new_head(definition: re.Match[str]) -> str | None:
    """Return an old definition's head with types and result; None if it has what it needs."""
    names = re.findall(r"\w+", definition["names"] or "")
    result = definition["result"].split()
    has_types = names in ([], ["void"])
    if has_types and not set(result) <= _STORAGE:
        return None
    if not has_types:
        types = dict(_declared(definition["types"]))
        names = [types.get(name, f"int {name}") for name in names]
    if set(result) <= _STORAGE:
        result.append("int")
    return f"{' '.join(result)} {definition['name']}({', '.join(names)})".replace("* ", "*")


def _declared(declarations: str) -> Iterator[tuple[str, str]]:
    """Yield name and declaration of each parameter: `int a, *b;` has two."""
    for declaration in declarations.split(";")[:-1]:
        first, *others = declaration.split(",")
        match = _DECLARATOR.search(first)
        base = first[: match.start()] if match else ""
        for part in (first[len(base) :], *others):
            name = _DECLARATOR.search(part)
            if name is not None:
                yield name["name"], " ".join(f"{base} {name['whole']}".split())


def _heads_with_parameters(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and head of each function that is defined with parameters."""
    for match in _DEFINITION.finditer(outside_braces(text)):
        if not _NO_PARAMETERS.search(match["head"]):
            yield match["name"], " ".join(match["head"].split())
