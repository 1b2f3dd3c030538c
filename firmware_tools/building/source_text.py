"""What the build reads in a program's sources, so that those of 2004 compile unchanged.

Everything here works on text without comments and strings (`Program.texts`).
"""

import re
from collections.abc import Iterable, Sequence

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
# A definition at the start of a line: result type, name, parameters, opening brace.
_DEFINITION = re.compile(r"^[ \t]*(?:[A-Za-z_]\w*[\s*]+)+?(\w+)\s*\([^;{}()]*\)\s*\{", re.MULTILINE)
_INTERRUPT = re.compile(r"(\w+)\s*\(\s*(?:void)?\s*\)\s*(?:__)?interrupt[\s(]+(\w+)[^;{]*\{")
_NOT_FUNCTIONS = frozenset({"if", "while", "for", "switch", "return", "else", "do"})


def defined_functions(texts: Iterable[str]) -> set[str]:
    """Return the names of the functions that sources define."""
    return {name for text in texts for name in _DEFINITION.findall(text)} - _NOT_FUNCTIONS


def interrupt_prototypes(texts: Iterable[str]) -> list[str]:
    """Return a prototype for each interrupt function that sources define."""
    found = (match for text in texts for match in _INTERRUPT.findall(text))
    return [f"void {name}(void) __interrupt({number});" for name, number in found]


def retired_keywords(texts: Sequence[str]) -> dict[str, str]:
    """Return the old keywords that sources use, each with what it is called today."""
    return {
        word: f"__{word.removeprefix('_')}"
        for word, pattern in _RETIRED_KEYWORDS.items()
        if any(re.search(pattern.format(word), text, re.MULTILINE) for text in texts)
    }


def without_declarations(header: str, names: Iterable[str]) -> str:
    """Return the header without its one-line declarations of `names`."""
    dropped = "|".join(map(re.escape, sorted(names)))
    return re.sub(rf"^[\w ]+[ *](?:{dropped})\([^\n]*\);\n", "", header, flags=re.MULTILINE)


def pointed_at_functions(assembler: str) -> set[str]:
    """Return the functions whose address the compiler's output uses other than to call them."""
    functions = set(re.findall(r"^;\s+function (\w+)$", assembler, re.MULTILINE))
    uses = re.findall(
        r"^\s+(?!lcall|ljmp|\.globl)[\w.]+\s[^\n;]*?\b_(\w+)\b", assembler, re.MULTILINE
    )
    return functions & set(uses)
