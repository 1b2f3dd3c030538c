"""Moves as people write them: face turns, wide turns, slices and rotations, in two alphabets.

The standard letters are U R F D L B. The papers write German letters, O R V U L H (*oben*,
*rechts*, *vorn*, *unten*, *links*, *hinten*): U means down there, so a text never tells its own
alphabet and the reader has to be told.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum

from solvers.rubik.move_grammar import Turn, parse_turns, unreadable
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


_SUFFIXES = {1: "", 2: "2", 3: "'"}
_ROTATIONS = {"x": X, "y": Y, "z": Z}
# Which rotation a turn of each face is a part of: a wide turn is the opposite face's turn and that
# rotation.
_TURNS_WITH = (Y, X, Z, Y.inverse(), X.inverse(), Z.inverse())
_SLICES = {"M": Face.L, "E": Face.D, "S": Face.F}  # each slice turns in the direction of that face


@dataclass(frozen=True, slots=True)
class WrittenMoves:
    """What a text does: `moves` of the faces as the cube is held before, and how it `lies` then.

    Rotations, wide turns and slices take the centres along; the face turns that remain name each
    face by where it lay in the beginning.
    """

    moves: tuple[Move, ...]
    lies: Orientation

    @property
    def as_held_after(self) -> tuple[Move, ...]:
        """The same turns with each face named by where it lies in the end."""
        return tuple(
            Move.of(self.lies.place_of(move.face), move.quarter_turns) for move in self.moves
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
    lies = UPRIGHT
    for turn in parse_turns(text, hint):
        count = turn.quarter_turns
        if turn.letter in _ROTATIONS:
            lies = _rotated(lies, _ROTATIONS[turn.letter], count)
        elif turn.letter in _SLICES:
            like = _SLICES[turn.letter]
            moves += [Move.of(lies[like.opposite], count), Move.of(lies[like], 4 - count)]
            lies = _rotated(lies, _TURNS_WITH[like], count)
        elif (place := _face(turn, notation)) is None:
            raise unreadable(text, turn.start, hint)
        elif turn.layers == 1:
            moves.append(Move.of(lies[place], count))
        else:
            moves.append(Move.of(lies[place.opposite], count))
            lies = _rotated(lies, _TURNS_WITH[place], count)
    return WrittenMoves(tuple(moves), lies)


def parse_moves(text: str, notation: Notation = Notation.STANDARD) -> tuple[Move, ...]:
    """Return the face turns written in `text`; see `read_moves`, which tells how the cube lies."""
    return read_moves(text, notation).moves


def _face(turn: Turn, notation: Notation) -> Face | None:
    """Return the face that a turn is named after, None if there is none."""
    # The thesis' program wrote small letters for other things than wide turns.
    if turn.letter.islower() and notation is not Notation.STANDARD:
        return None
    return notation.face(turn.letter.upper())


def _rotated(lies: Orientation, rotation: Orientation, quarter_turns: int) -> Orientation:
    for _ in range(quarter_turns):
        lies = lies.then(rotation)
    return lies


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
