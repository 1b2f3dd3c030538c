"""Moves as people write them: the 18 face turns, whole-cube rotations, two alphabets.

The standard letters are U R F D L B. The papers write German letters, O R V U L H (*oben*,
*rechts*, *vorn*, *unten*, *links*, *hinten*): U means down there, so a text never tells its own
alphabet and the reader has to be told.
"""

import re
from collections.abc import Iterable
from enum import Enum, IntEnum

from solvers.rubik.errors import NotationError
from solvers.rubik.rotations import UPRIGHT, Orientation, X, Y, Z
from solvers.rubik.rotations import Face as Face


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


_TOKEN = re.compile(r"(?P<letter>[^\W\d_])(?P<count>[123]?)(?P<prime>['`\u2019\u2032]?)|\S")
_WORD = re.compile(r"\S+")
_ROTATIONS = {"x": X, "y": Y, "z": Z}
_SUFFIXES = {1: "", 2: "2", 3: "'"}


def parse_moves(text: str, notation: Notation = Notation.STANDARD) -> tuple[Move, ...]:
    """Return the face turns written in `text`, with or without spaces between them.

    A suffix ' turns counter-clockwise, 2 by half a turn. The rotations x, y, z of the whole cube
    are folded into the turns after them: "y F" is the turn of the face that y brings to the front.

    Raises NotationError naming the first word that is no move and its position.
    """
    moves = []
    lie = UPRIGHT
    for token in _TOKEN.finditer(text):
        letter = token["letter"] or ""
        quarter_turns = int(token["count"] or 1)
        if token["prime"]:
            quarter_turns = 4 - quarter_turns
        if letter in _ROTATIONS:
            lie = _rotated(lie, _ROTATIONS[letter], quarter_turns)
        elif letter and (place := notation.face(letter)) is not None:
            moves.append(Move.of(lie[place], quarter_turns))
        else:
            raise _no_move(text, token.start(), notation)
    return tuple(moves)


def _rotated(lie: Orientation, rotation: Orientation, quarter_turns: int) -> Orientation:
    for _ in range(quarter_turns):
        lie = lie.then(rotation)
    return lie


def _no_move(text: str, start: int, notation: Notation) -> NotationError:
    """Return the error about the word of `text` in which the character at `start` stands."""
    words = enumerate(_WORD.finditer(text), start=1)
    number, word = next((number, word) for number, word in words if word.end() > start)
    return NotationError(
        f"Move {number} ({word.group()!r}) cannot be read from character {start + 1} on. "
        f"In {notation.name.lower()} notation a move is one of {' '.join(notation.value)}, alone "
        "or with 2 or '; x, y and z rotate the whole cube."
    )


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
