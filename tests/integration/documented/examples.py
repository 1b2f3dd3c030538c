"""The command lines and code of README and docs, as the pages show them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT: Final = Path(__file__).resolve().parents[3]
COURSES: Final = tuple(
    path.relative_to(ROOT).as_posix()
    for path in sorted((ROOT / "docs" / "course").glob("*.md"))
    if path.name != "index.md"
)
PAGES: Final = (
    "README.md",
    "docs/course/index.md",
    *COURSES,
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md")),
)
COMMANDS: Final = ("puzzle", "aksen", "cuberobot", "hwsim")
_COMMAND_LINE: Final = re.compile(rf"(?:{'|'.join(COMMANDS)}) ")


@dataclass(frozen=True, slots=True)
class Example:
    """One command line of a page, with the lines that the page shows below it."""

    page: str
    line: int
    command: str
    shown: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.command}"


@cache
def tokens(page: str) -> tuple[Token, ...]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return tuple(MarkdownIt().enable("table").parse(text))


def fences(page: str, *languages: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each fenced block in one of the languages."""
    for token in tokens(page):
        if token.type == "fence" and token.map and token.info.strip() in languages:
            yield token.map[0] + 2, token.content


def examples(page: str) -> Iterator[Example]:
    """Yield what a reader would type: after `$ `, or a line that begins with a command's name.

    A line with `$ ` goes on where it ends in a backslash; what follows it is its output.
    """
    for first, block in fences(page, "", "console"):
        lines = block.splitlines()
        prompted = any(line.startswith("$ ") for line in lines)
        found: Example | None = None
        for number, line in enumerate(lines, first):
            if line.startswith("$ ") or (not prompted and _COMMAND_LINE.match(line)):
                if found:
                    yield found
                found = Example(page, number, line.removeprefix("$ "))
            elif found and prompted:
                found = Example(page, found.line, found.command, (*found.shown, line))
        if found:
            yield found


def mentions(page: str) -> Iterator[Example]:
    """Yield the command lines within sentences and tables; they may have place holders."""
    for token in tokens(page):
        for child in token.children or ():
            if child.type == "code_inline" and _COMMAND_LINE.match(child.content):
                yield Example(page, (token.map or [0])[0] + 1, child.content)
