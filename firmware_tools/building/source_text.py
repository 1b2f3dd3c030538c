"""C sources as text: what the build looks up in them, and old C rewritten for sdcc 4.

Sources are read as the compiler's own preprocessor leaves them: without comments, without what an
#ifdef leaves out, headers included, with lines `# 12 "file.c"` that say where the next one is from.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

_TYPE = r"(?:unsigned|signed|char|short|int|long|float|struct\s+\w+)"
# Names of storage classes: before a type (xdata char a) or behind one (char xdata a).
_STORAGE_CLASS = rf"\b{{0}}\s+(?:{_TYPE}|at)\b|\b{_TYPE}[\s*]+{{0}}\s+[*\w]"
_DECLARATOR = r"^\s*(?:(?:static|extern|volatile)\s+)*{0}\s+\w"
_BEHIND_PARAMETERS = r"\)[\w\s()]*?\b{0}\b[\w\s()]*[;{{]"
# Keywords of sdcc until version 3, which since then start with two underscores. Each with the
# places where it cannot be an identifier of the program.
_RETIRED_KEYWORDS = {
    **dict.fromkeys(("xdata", "idata", "pdata", "data", "code"), _STORAGE_CLASS),
    **dict.fromkeys(("bit", "sbit", "sfr"), _DECLARATOR),
    **dict.fromkeys(("interrupt", "using", "critical", "reentrant"), _BEHIND_PARAMETERS),
    "at": r"\b{0}\s+\(?(?:0x[0-9A-Fa-f]+|\d+)\)?\s+\w",
    "_asm": r"\b{0}\b",
    "_endasm": r"\b{0}\b",
}
_MARKER = re.compile(r'^# (\d+) "([^"\n]*)".*$', re.MULTILINE)
_HIDDEN = re.compile(
    r"^\s*#[^\n]*$|\b(?:__|_)asm\b.*?\b(?:__|_)endasm\b"
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'",
    re.MULTILINE | re.DOTALL,
)
_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"")
_BRACE = re.compile(r"[{}]")
_BLANK = re.compile(r"[^\n]")
_DEFINED = re.compile(r"(?:(?<=[;}])|\A)[\w\s*]*?\b(\w+)\s*\([^;{}=]*\)[^;{}=]*\{")
_LABEL_OR_JUMP = re.compile(
    r"^(?P<label>\d+\$:)|^\s+(?:(?P<leave>ret\b|ljmp\s+_)|[sl]jmp\s+\d)", re.MULTILINE
)
_INTERRUPT = re.compile(r"(\w+)\s*\(\s*(?:void)?\s*\)\s*(?:__)?interrupt[\s(]+(\w+)[^;{]*\{")


def outside_braces(text: str) -> str:
    """Return `text` with everything but declarations and heads of functions blanked out in place.

    Blank are bodies, initial values, strings, assembler and the preprocessor's lines.
    """
    hidden = _HIDDEN.sub(_blanks, text)
    parts, depth, after = [], 0, 0
    for match in _BRACE.finditer(hidden):
        between = hidden[after : match.start()]
        parts.append(between if depth == 0 else _BLANK.sub(" ", between))
        depth += 1 if match[0] == "{" else -1 if depth else 0
        parts.append(match[0] if depth == (match[0] == "{") else " ")
        after = match.end()
    return "".join([*parts, hidden[after:]])


def _blanks(match: re.Match[str]) -> str:
    return _BLANK.sub(" ", match[0])


def place_of(text: str, position: int) -> tuple[str, int]:
    """Return the file and the line that the text at `position` comes from."""
    file, line, after = "", 1, 0
    for marker in _MARKER.finditer(text, 0, position):
        file, line, after = marker[2], int(marker[1]), marker.end() + 1
    return Path(file).name, line + text.count("\n", after, position)


def own_text(text: str, folders: Iterable[Path]) -> str:
    """Return the part of a preprocessed source that comes from files in `folders`."""
    known = {folder.resolve() for folder in folders}
    parts = _MARKER.split(text)
    return "".join(
        lines
        for file, lines in zip(parts[2::3], parts[3::3], strict=True)
        if Path(file).parent.resolve() in known
    )


def defined_functions(texts: Iterable[str]) -> set[str]:
    """Return the names of the functions that preprocessed sources define."""
    return {name for text in texts for name in _DEFINED.findall(outside_braces(text))}


def interrupt_prototypes(texts: Iterable[str]) -> list[str]:
    """Return a prototype for each interrupt function that sources define."""
    found = (match for text in texts for match in _INTERRUPT.findall(outside_braces(text)))
    return [f"void {name}(void) __interrupt({number});" for name, number in found]


def retired_keywords(texts: Sequence[str]) -> dict[str, str]:
    """Return the old keywords that sources use, each with what it is called today."""
    visible = [_STRING.sub('""', text) for text in texts]
    return {
        word: f"__{word.removeprefix('_')}"
        for word, pattern in _RETIRED_KEYWORDS.items()
        if any(re.search(pattern.format(word), text, re.MULTILINE) for text in visible)
    }


def without_declarations(header: str, names: Iterable[str]) -> str:
    """Return the header without its one-line declarations of `names`."""
    dropped = "|".join(map(re.escape, sorted(names)))
    return re.sub(rf"^[\w ]+[ *](?:{dropped})\([^\n]*\);\n", "", header, flags=re.MULTILINE)


def returns(function: str, assembler: str) -> bool:
    """Return whether the compiler's output has this function, and it may return.

    A return behind a jump, without a label between them, is never reached.
    """
    body = re.search(rf"^_{function}:$(.*?)(?=^;\s+function |\Z)", assembler, re.M | re.S)
    if body is None:
        return False
    is_reached = True
    for line in _LABEL_OR_JUMP.finditer(body[1]):
        if line["leave"] and is_reached:
            return True
        is_reached = line["label"] is not None
    return False


def pointed_at_functions(assembler: str) -> set[str]:
    """Return the functions whose address the compiler's output uses other than to call them."""
    functions = set(re.findall(r"^;\s+function (\w+)$", assembler, re.MULTILINE))
    uses = re.findall(
        r"^\s+(?!lcall|ljmp|\.globl)[\w.]+\s[^\n;]*?\b_(\w+)\b", assembler, re.MULTILINE
    )
    return functions & set(uses)


_START = r"(?:(?<=[;}])|\A)\s*+"
_OLD_DEFINITION = re.compile(
    _START + r"(?P<head>(?P<result>[\w\s*]*?)\b(?P<name>\w+)"
    r"\s*\(\s*(?P<names>\w+(?:\s*,\s*\w+)*)?\s*\)"
    r"(?P<types>(?:\s*[A-Za-z_][\w\s*,\[\]]*;)*))\s*\{"
)
_DEFINITION = re.compile(_START + r"(?P<head>[\w\s*]*?\b(?P<name>\w+)\s*\([^;{}]*?)\s*\{")
_EMPTY_DECLARATION = re.compile(_START + r"(?P<head>[\w\s*]*?\b(?P<name>\w+)\s*\(\s*\)\s*)(?=;)")
_NO_PARAMETERS = re.compile(r"\(\s*(?:void)?\s*\)")
_PARAMETER = re.compile(r"\s*(?P<whole>[\s*]*(?P<name>\w+)\s*(?:\[[^\]]*\]\s*)*)$")
_STORAGE = frozenset({"static", "extern"})


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A line of a program that sdcc gets as `now`."""

    file: str
    line: int
    now: str


def modernise(texts: Sequence[str]) -> tuple[list[str], list[Rewrite]]:
    """Return preprocessed sources in a form that sdcc 4 accepts, and the changes made."""
    changes: list[Rewrite] = []
    new = [_rewrite(text, _OLD_DEFINITION, _new_head, changes) for text in texts]
    own = [dict(_heads_with_parameters(text)) for text in new]
    shared = {
        name: head
        for heads in own
        for name, head in heads.items()
        if not head.startswith("static ")
    }
    for number, heads in enumerate(own):
        known = shared | heads
        new[number] = _rewrite(new[number], _EMPTY_DECLARATION, partial(_known, known), changes)
    return new, list(dict.fromkeys(changes))


def _known(heads: Mapping[str, str], declaration: re.Match[str]) -> str | None:
    return heads.get(declaration["name"])


def _rewrite(
    text: str,
    pattern: re.Pattern[str],
    new_head: Callable[[re.Match[str]], str | None],
    changes: list[Rewrite],
) -> str:
    """Return `text` with new heads, each on as many lines as it had before."""
    parts, after = [], 0
    for match in pattern.finditer(outside_braces(text)):
        now = new_head(match)
        if now is None:
            continue
        start, end = match.span("head")
        changes.append(Rewrite(*place_of(text, start), now))
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
        types = dict(_parameter_declarations(definition["types"]))
        names = [types.get(name, f"int {name}") for name in names]
    if set(result) <= _STORAGE:
        result.append("int")
    return f"{' '.join(result)} {definition['name']}({', '.join(names)})".replace("* ", "*")


def _parameter_declarations(declarations: str) -> Iterator[tuple[str, str]]:
    """Yield name and declaration of each parameter: `int a, *b;` has two."""
    for declaration in declarations.split(";")[:-1]:
        first, *others = declaration.split(",")
        match = _PARAMETER.search(first)
        base = first[: match.start()] if match else ""
        for part in (first[len(base) :], *others):
            name = _PARAMETER.search(part)
            if name is not None:
                yield name["name"], " ".join(f"{base} {name['whole']}".split())


def _heads_with_parameters(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and head of each function that is defined with parameters."""
    for match in _DEFINITION.finditer(outside_braces(text)):
        if not _NO_PARAMETERS.search(match["head"]):
            yield match["name"], " ".join(match["head"].split())
