"""Moves as people write them: face turns, wide turns, slices, rotations, groups, in two alphabets.

    sequence  := element*
    element   := (turn | group | bracket) suffix
    group     := "(" sequence ")"
    bracket   := "[" sequence ("," | ":") sequence "]"
    turn      := layers? letter "w"?
    suffix    := count? "'"? | "'" count?

`[A, B]` is A B A' B', `[A: B]` is A B A'. `// ...` up to the end of the line and `/* ... */` are
comments, and so are numbers before moves, as in `1. R U 2. F`. Commas between moves are blanks. Ri
and R- are R'; (R U)x6, (R U)*6 and (R U)^6 are (R U)6.

The standard letters are U R F D L B. The papers write German letters, O R V U L H (*oben*,
*rechts*, *vorn*, *unten*, *links*, *hinten*). U means down there, so the alphabet cannot be
guessed from a text: the caller names it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Final

from solvers.rubik.errors import NotationError
from solvers.rubik.rotations import UPRIGHT, Orientation, X, Y, Z
from solvers.rubik.rotations import Face as Face

MOST_TURNS: Final = 10_000
"""Repeated groups of repeated groups could write out to more than any memory holds."""

# The parser calls itself for each group, and Python's stack is not endless.
MOST_NESTED: Final = 50

_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|(?<!\S)\d+\.(?!\d)", re.DOTALL)
_TURN: Final = re.compile(r"(?P<layers>\d*)(?P<letter>[^\W\d_])(?P<wide>w?)")
# Phones and word processors put other signs in the place of the plain apostrophe.
_PRIME: Final = "['`\u00b4\u2018\u2019\u2032i\u2212-]?"
# An x that follows at once, with a number, is no rotation: people write (R U)x6.
_TIMES: Final = re.compile(r"\s*[*^\u00d7]\s*(?=\d)|x(?=\d)")
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
    def inverse(self) -> "Turn":
        """The turn that undoes this one."""
        return replace(self, quarter_turns=4 - self.quarter_turns)


def parse_turns(text: str, hint: str = "") -> tuple[Turn, ...]:
    """Return the turns that `text` stands for, groups written out.

    Raises NotationError with the first character that cannot be read and why. `hint` is the reason
    where a move was expected.
    """
    parser = _Parser(text, hint)
    turns = parser.sequence()
    parser.expect_end()
    return tuple(turns)


def notation_error(text: str, start: int, why: str) -> NotationError:
    """Return the error about the word of `text` that contains the character at `start`."""
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
        # Comments become blanks of the same length, so that errors still name the right character.
        self._text = _COMMENT.sub(lambda found: re.sub(r"\S", " ", found.group()), text)
        self._at = 0

    def sequence(self) -> list[Turn]:
        """Read up to the end, or to a closing or dividing sign that belongs to the caller."""
        turns: list[Turn] = []
        while (sign := self._next_sign()) and (sign not in ")],:" or self._is_between(sign)):
            start = self._at
            if sign == ",":
                self._take()
                continue
            turns += self._element(sign)
            if len(turns) > MOST_TURNS:
                raise self._error(start, f"These are more than {MOST_TURNS} turns.")
        return turns

    def _is_between(self, sign: str) -> bool:
        """Return whether this is a comma between moves, which in a bracket divides two parts."""
        return sign == "," and self._depth == 0

    def expect_end(self) -> None:
        """Raise NotationError if there is a sign that closes nothing."""
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
        last = _inverse_turns(second) if divider == "," else []
        return [*first, *second, *_inverse_turns(first), *last]

    def _open(self) -> int:
        self._depth += 1
        if self._depth > MOST_NESTED:
            raise self._error(self._at, f"More than {MOST_NESTED} groups are nested.")
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
        # A small letter is a wide turn, but x, y and z are rotations of the whole cube.
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
        if times := _TIMES.match(self._text, self._at):
            self._at = times.end()
        count, back = self._suffix()
        # Before the list is made: nested groups multiply to more than the memory holds.
        if count * len(turns) > MOST_TURNS:
            raise self._error(start, f"These are more than {MOST_TURNS} turns.")
        return (_inverse_turns(turns) if back else turns) * count

    def _suffix(self) -> tuple[int, bool]:
        """Read how often, and whether backwards; 2' and '2 mean the same."""
        found = _SUFFIX.match(self._text, self._at)
        assert found is not None, "the pattern also matches an empty text"
        # Of R'2' the second sign belongs to nothing; it is read as the next element and refused.
        has_both = bool(found["before"]) and bool(found["after"])
        self._at = found.end("count") if has_both else found.end()
        if len(found["count"]) > 5:
            raise self._error(found.start("count"), f"These are more than {MOST_TURNS} turns.")
        count = int(found["count"]) if found["count"] else 1
        return count, bool(found["before"]) or (bool(found["after"]) and not has_both)

    def _next_sign(self) -> str:
        """Return the next character that is no blank, without consuming it; "" at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at : self._at + 1]

    def _take(self) -> int:
        self._at += 1
        return self._at - 1

    def _error(self, start: int, why: str) -> NotationError:
        return notation_error(self._original, min(start, len(self._original.rstrip()) - 1), why)


def _inverse_turns(turns: Sequence[Turn]) -> list[Turn]:
    return [turn.inverse for turn in reversed(turns)]


class Move(IntEnum):
    """A turn of one face: 3 * face + quarter turns - 1, quarter turns counted clockwise."""

    U1, U2, U3 = 0, 1, 2
    R1, R2, R3 = 3, 4, 5
    F1, F2, F3 = 6, 7, 8
    D1, D2, D3 = 9, 10, 11
    L1, L2, L3 = 12, 13, 14
    B1, B2, B3 = 15, 16, 17

    @classmethod
    def of(cls, face: Face, quarter_turns: int) -> "Move":
        """Return the turn of `face` by 1, 2 or 3 clockwise quarter turns."""
        return cls(3 * face + quarter_turns - 1)

    @property
    def face(self) -> Face:
        """The face that turns."""
        return Face(self // 3)

    @property
    def quarter_turns(self) -> int:
        """Clockwise quarter turns: 1, 2 or 3."""
        return self % 3 + 1

    @property
    def inverse(self) -> "Move":
        """The turn that undoes this one."""
        return Move.of(self.face, 4 - self.quarter_turns)

    def __str__(self) -> str:
        """Return the standard notation."""
        return format_moves([self])


class Notation(Enum):
    """An alphabet for the faces; its value lists the letters in the order U R F D L B."""

    STANDARD = "URFDLB"
    GERMAN = "ORVULH"

    def letter(self, face: Face) -> str:
        """Return the letter of `face`."""
        return self.value[face]

    def face(self, letter: str) -> Face | None:
        """Return the face written as `letter`, or None."""
        index = self.value.find(letter)
        return None if index < 0 else Face(index)


_SUFFIXES = {1: "", 2: "2", 3: "'"}
_ROTATIONS = {"x": X, "y": Y, "z": Z}
# Which rotation a turn of each face is a part of: a wide turn is the opposite face's turn and that
# rotation.
_TURNS_WITH = (Y, X, Z, Y.inverse(), X.inverse(), Z.inverse())
_SLICES = {"M": Face.L, "E": Face.D, "S": Face.F}  # each slice turns in the direction of that face


@dataclass(frozen=True, slots=True)
class WrittenMoves:
    """What a text does: face turns, and the `orientation` in which the cube is held afterwards.

    Rotations, wide turns and slices take the centres along; `moves` name each face by its place
    before the first of them.
    """

    moves: tuple[Move, ...]
    orientation: Orientation

    @property
    def as_held_afterwards(self) -> tuple[Move, ...]:
        """The same turns, each face named by its place after the last of them."""
        return tuple(
            Move.of(self.orientation.place_of(move.face), move.quarter_turns) for move in self.moves
        )


def read_moves(text: str, notation: Notation = Notation.STANDARD) -> WrittenMoves:
    """Return what the moves written in `text` do; they may stand with or without spaces.

    A suffix ' turns counter-clockwise, 2 by half a turn. `Rw` or `r` turns two layers, M, E and S
    turn the layer between L and R, D and U, F and B, and x, y, z rotate the whole cube. Groups,
    commutators, conjugates and comments are those of `move_grammar`.

    Raises NotationError naming the first word that cannot be read, its position and why.
    """
    hint = (
        f"In {notation.name.lower()} notation a move is one of {' '.join(notation.value)}, alone "
        "or with 2 or '; Rw is a wide turn, M, E and S are slices; x, y and z rotate the whole "
        "cube; (R U)2, [R, U] and [R: U] are groups."
    )
    moves: list[Move] = []
    orientation = UPRIGHT
    for turn in parse_turns(text, hint):
        count = turn.quarter_turns
        if turn.letter in _ROTATIONS:
            orientation = _rotated(orientation, _ROTATIONS[turn.letter], count)
        elif turn.letter in _SLICES:
            # A slice turns as its two neighbours do the other way, and then the whole cube.
            like = _SLICES[turn.letter]
            moves += [
                Move.of(orientation[like.opposite], count),
                Move.of(orientation[like], 4 - count),
            ]
            orientation = _rotated(orientation, _TURNS_WITH[like], count)
        elif (place := _face(turn, notation)) is None:
            raise notation_error(text, turn.start, hint)
        elif turn.layers == 1:
            moves.append(Move.of(orientation[place], count))
        else:
            # Two layers turn one way as the third one does the other way, and then the whole cube.
            moves.append(Move.of(orientation[place.opposite], count))
            orientation = _rotated(orientation, _TURNS_WITH[place], count)
    return WrittenMoves(tuple(moves), orientation)


def parse_moves(text: str, notation: Notation = Notation.STANDARD) -> tuple[Move, ...]:
    """Return the face turns written in `text`; see `read_moves`."""
    return read_moves(text, notation).moves


def _face(turn: Turn, notation: Notation) -> Face | None:
    """Return the face that a turn is named after, None if there is none."""
    # The thesis' program wrote small letters for other things than wide turns.
    if turn.letter.islower() and notation is not Notation.STANDARD:
        return None
    return notation.face(turn.letter.upper())


def _rotated(orientation: Orientation, rotation: Orientation, quarter_turns: int) -> Orientation:
    for _ in range(quarter_turns):
        orientation = orientation.then(rotation)
    return orientation


def format_moves(moves: Iterable[Move], notation: Notation = Notation.STANDARD) -> str:
    """Return the moves as text, separated by spaces."""
    return " ".join(notation.letter(move.face) + _SUFFIXES[move.quarter_turns] for move in moves)


def inverse_moves(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the moves that undo `moves`."""
    return tuple(move.inverse for move in reversed(list(moves)))


def cancel(moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return the normal form: no two turns next to each other that could be merged or reordered.

    Turns of one face are merged, also across turns of the opposite face, which commute with them;
    of two opposite faces the one named first in U R F D L B turns first.
    """
    # One entry per run of turns about one axis: quarter turns of its two faces.
    runs: list[tuple[int, list[int]]] = []
    for move in moves:
        axis, side = move.face % 3, move.face // 3
        if not runs or runs[-1][0] != axis:
            runs.append((axis, [0, 0]))
        quarter_turns = runs[-1][1]
        quarter_turns[side] = (quarter_turns[side] + move.quarter_turns) % 4
        # Without this run the one before is open again, so that a merge can cause further ones.
        if quarter_turns == [0, 0]:
            runs.pop()
    return tuple(
        Move.of(Face(axis + 3 * side), count)
        for axis, quarter_turns in runs
        for side, count in enumerate(quarter_turns)
        if count
    )


def quarter_turn_metric(moves: Iterable[Move]) -> int:
    """Return the number of quarter turns (QTM), a half turn counting as two."""
    return sum(2 if move.quarter_turns == 2 else 1 for move in moves)
