"""How turns are put together in writing: groups, commutators, conjugates, comments.

    sequence  := element*
    element   := (turn | group | bracket) suffix
    group     := "(" sequence ")"
    bracket   := "[" sequence ("," | ":") sequence "]"
    turn      := layers? letter "w"?
    suffix    := count? "'"? | "'" count?

`[A, B]` is A B A' B', `[A: B]` is A B A'. `// ...` up to the end of the line and `/* ... */` are
comments. What the letters mean, and which there are, is told by `notation`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from solvers.rubik.errors import NotationError

MOST_TURNS: Final = 10_000
"""Repeated groups of repeated groups could write out to more than any memory holds."""

MOST_NESTED: Final = 50

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TURN: Final = re.compile(r"(?P<layers>\d*)(?P<letter>[^\W\d_])(?P<wide>w?)")
_PRIME: Final = "['`\u00b4\u2018\u2019\u2032]?"
_SUFFIX: Final = re.compile(rf"(?P<before>{_PRIME})(?P<count>\d*)(?P<after>{_PRIME})")
_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Turn:
    """One letter with its signs: `layers` are turned by `quarter_turns` (1, 2 or 3, clockwise).

    `start` is the index of its first character in the text.
    """

    letter: str
    layers: int
    quarter_turns: int
    start: int

    @property
    def undone(self) -> "Turn":
        """The turn the other way round."""
        return replace(self, quarter_turns=4 - self.quarter_turns)


def parse_turns(text: str, hint: str = "") -> tuple[Turn, ...]:
    """Return the turns that `text` stands for, one by one, in order.

    Raises NotationError naming the first character that cannot be read and why; `hint` is what it
    says where only a move was expected.
    """
    parser = _Parser(text, hint)
    turns = parser.sequence()
    parser.expect_end()
    return tuple(turns)


def unreadable(text: str, start: int, why: str) -> NotationError:
    """Return the error about the word of `text` in which the character at `start` stands."""
    words = enumerate(_WORD.finditer(text), start=1)
    number, word = next((number, word) for number, word in words if word.end() > start)
    line = text.count("\n", 0, start) + 1
    character = f"character {start - text.rfind(chr(10), 0, start)}"
    where = f"line {line}, {character}" if "\n" in text.strip() else character
    return NotationError(f"Move {number} ({word.group()!r}) cannot be read from {where} on. {why}")


class _Parser:
    """Reads one text from left to right."""

    def __init__(self, text: str, hint: str) -> None:
        self._original = text
        self._hint = hint
        self._depth = 0
        # Blanks of the same length keep all positions.
        self._text = _COMMENT.sub(lambda found: re.sub(r"\S", " ", found.group()), text)
        self._at = 0

    def sequence(self) -> list[Turn]:
        """Read up to the end, or to a sign that only whoever called can know."""
        turns: list[Turn] = []
        while (sign := self._next_sign()) and sign not in ")],:":
            start = self._at
            turns += self._element(sign)
            if len(turns) > MOST_TURNS:
                raise self._error(start, f"These are more than {MOST_TURNS} turns.")
        return turns

    def expect_end(self) -> None:
        """Raise the error about a sign that closes what nothing opened."""
        if sign := self._next_sign():
            raise self._error(self._at, f"{sign!r} closes or divides nothing that was opened.")

    def _element(self, sign: str) -> list[Turn]:
        if sign == "(":
            return self._repeated(self._group())
        if sign == "[":
            return self._repeated(self._bracket())
        return [self._turn()]

    def _group(self) -> list[Turn]:
        start = self._open()
        inner = self.sequence()
        self._close(start, ")")
        return inner

    def _bracket(self) -> list[Turn]:
        start = self._open()
        first = self.sequence()
        divider = self._next_sign()
        if divider not in (",", ":"):
            raise self._error(
                start if not divider else self._at,
                "A bracket holds two parts: [A, B] stands for A B A' B', [A: B] for A B A'.",
            )
        self._take()
        second = self.sequence()
        self._close(start, "]")
        last = _undone(second) if divider == "," else []
        return [*first, *second, *_undone(first), *last]

    def _open(self) -> int:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise self._error(self._at, f"More than {MOST_NESTED} groups lie within each other.")
        return self._take()

    def _close(self, start: int, closing: str) -> None:
        sign = self._next_sign()
        if sign != closing:
            opening = self._original[start]
            where = self._at if sign else start
            raise self._error(where, f"{opening!r} has to be closed by {closing!r} first.")
        self._depth -= 1
        self._take()

    def _turn(self) -> Turn:
        start = self._at
        found = _TURN.match(self._text, start)
        if found is None:
            raise self._error(start, self._hint)
        self._at = found.end()
        count, back = self._suffix()
        if count > 3 or count == 0:
            raise self._error(found.end(), self._hint)
        layers = self._layers(found["layers"], start, found["letter"], bool(found["wide"]))
        return Turn(found["letter"], layers, 4 - count if back else count, start)

    def _layers(self, written: str, start: int, letter: str, wide: bool) -> int:
        wide = wide or (letter.islower() and letter not in "xyz")
        if not written:
            return 2 if wide else 1
        if not wide:
            raise self._error(
                start,
                f"{written}{letter} names one inner layer; on a 3x3x3 cube these are M, E and S.",
            )
        if written != "2":
            raise self._error(
                start,
                f"{written}{letter} turns {written} layers at once; a 3x3x3 cube has three, and a "
                "wide turn takes two of them. Rotations of the whole cube are x, y and z.",
            )
        return 2

    def _repeated(self, turns: list[Turn]) -> list[Turn]:
        start = self._at
        count, back = self._suffix()
        if count * len(turns) > MOST_TURNS:
            raise self._error(start, f"These are more than {MOST_TURNS} turns.")
        return (_undone(turns) if back else turns) * count

    def _suffix(self) -> tuple[int, bool]:
        """Read how often, and whether backwards; 2' and '2 mean the same."""
        found = _SUFFIX.match(self._text, self._at)
        assert found is not None, "it matches nothing, too"
        has_both = bool(found["before"]) and bool(found["after"])
        self._at = found.end("count") if has_both else found.end()
        if len(found["count"]) > 5:
            raise self._error(found.start("count"), f"These are more than {MOST_TURNS} turns.")
        count = int(found["count"]) if found["count"] else 1
        return count, bool(found["before"]) or (bool(found["after"]) and not has_both)

    def _next_sign(self) -> str:
        """Return the next character that is no blank, without taking it; "" at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _take(self) -> int:
        self._at += 1
        return self._at - 1

    def _error(self, start: int, why: str) -> NotationError:
        return unreadable(self._original, min(start, len(self._original.rstrip()) - 1), why)


def _undone(turns: Sequence[Turn]) -> list[Turn]:
    return [turn.undone for turn in reversed(turns)]
