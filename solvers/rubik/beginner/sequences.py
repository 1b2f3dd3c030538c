"""The short sequences that a person knows by heart, for one side of the cube and all four."""

from collections.abc import Iterable
from typing import Final

from solvers.rubik.notation import Face, Move, inverse_moves, parse_moves
from solvers.rubik.rotations import UPRIGHT, Y

Sequence = tuple[Move, ...]

SIDES: Final = (Face.F, Face.R, Face.B, Face.L)
TOP_TURNS: Final[tuple[Sequence, ...]] = tuple((Move.of(Face.U, count),) for count in (1, 2, 3))


def round_the_sides(*texts: str) -> tuple[Sequence, ...]:
    """Return each sequence as it is done to the front, right, back and left side."""
    found = []
    lies = UPRIGHT
    for _ in SIDES:
        for text in texts:
            moves = parse_moves(text)
            found.append(tuple(Move.of(lies[move.face], move.quarter_turns) for move in moves))
        lies = lies.then(Y)
    return tuple(found)


def with_inverses(sequences: Iterable[Sequence]) -> tuple[Sequence, ...]:
    """Return the sequences and those that undo them."""
    both = [each for moves in sequences for each in (moves, inverse_moves(moves))]
    return tuple(dict.fromkeys(both))


def _edge_inserts() -> tuple[Sequence, ...]:
    """Turns of one side, and a turn that a turn of another side goes round."""
    turns = [Move.of(face, count) for face in (Face.U, *SIDES) for count in (1, 2, 3)]
    around = [
        (first, turn, first.inverse)
        for first in turns
        for turn in turns
        if first.face not in (Face.U, turn.face)
    ]
    return (*((turn,) for turn in turns), *around)


CROSS: Final = _edge_inserts()
CORNERS: Final = (*TOP_TURNS, *round_the_sides("R U R'", "R U' R'", "R U2 R'", "F' U' F", "F' U F"))
MIDDLE: Final = (*TOP_TURNS, *round_the_sides("U R U' R' U' F' U F", "U' L' U L U F U' F'"))
TOP_CROSS: Final = (*TOP_TURNS, *round_the_sides("F R U R' U' F'"))
TOP_EDGES: Final = (*TOP_TURNS, *with_inverses(round_the_sides("R U R' U R U2 R'")))
TOP_CORNERS: Final = with_inverses(round_the_sides("U R U' L' U R' U' L"))
TWIST: Final = parse_moves("R' D' R D")
