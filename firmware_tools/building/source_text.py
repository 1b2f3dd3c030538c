"""What the build reads in a program's sources, so that those of 2004 compile unchanged.

Sources are read as the compiler's own preprocessor leaves them: without comments, without what an
#ifdef leaves out, headers included, with lines `# 12 "file.c"` that say where the next one is from.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_TYPE = r"(?:unsigned|signed|char|short|int|long|float|struct\s+\w+)"
# Names of storage classes: before a type (xdata char a) or behind one (char xdata a).
_STORAGE_CLASS = rf"\b{{0}}\s+(?:{_TYPE}|at)\b|\b{_TYPE}[\s*]+{{0}}\s+[*\w]"
_DECLARATOR = r"^\s*(?:(?:static|extern|volatile)\s+)*{0}\s+\w"
_BEHIND_PARAMETERS = r"\)[\w\s()]*?\b{0}\b[\w\s()]*[;{{]"
# sdcc took these words for keywords until version 3; since then they begin with two underscores.
# Each with the places where it cannot be anybody's own name.
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
