"""The beginner's method: cross, corners and edges of the lower layers, then the top in four steps.

The first layer is D, the last one U, as the cube is held; it is never rotated. In the first three
stages the pieces go to their places one after the other, the nearest first, by sequences that leave
the placed pieces alone. Nothing else is done to save moves: there are about a hundred.
"""

import heapq
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Final

from solvers.rubik.cubies import CORNER_NAMES, EDGE_NAMES, SOLVED, CubieCube
from solvers.rubik.facelets import check_solvable
from solvers.rubik.notation import Face, Move, cancel, inverse_moves, parse_moves
from solvers.rubik.rotations import UPRIGHT, Y

Sequence = tuple[Move, ...]

SIDES: Final = (Face.F, Face.R, Face.B, Face.L)
TOP_TURNS: Final[tuple[Sequence, ...]] = tuple((Move.of(Face.U, count),) for count in (1, 2, 3))


def on_all_sides(*texts: str) -> tuple[Sequence, ...]:
    """Return each sequence for the front, right, back and left side."""
    found = []
    orientation = UPRIGHT
    for _ in SIDES:
        for text in texts:
            moves = parse_moves(text)
            found.append(
                tuple(Move.of(orientation[move.face], move.quarter_turns) for move in moves)
            )
        orientation = orientation.then(Y)
    return tuple(found)


def with_inverses(sequences: Iterable[Sequence]) -> tuple[Sequence, ...]:
    """Return the sequences and those that undo them."""
    both = [each for moves in sequences for each in (moves, inverse_moves(moves))]
    return tuple(dict.fromkeys(both))


def _edge_inserts() -> tuple[Sequence, ...]:
    """Return single turns, and turns conjugated by a turn of another side."""
    turns = [Move.of(face, count) for face in (Face.U, *SIDES) for count in (1, 2, 3)]
    around = [
        (first, turn, first.inverse)
        for first in turns
        for turn in turns
        if first.face not in (Face.U, turn.face)
    ]
    return (*((turn,) for turn in turns), *around)


# Sequences that many guides share; speedcubers call that of the top edges Sune and that of the top
# corners, a three-cycle, Niklas.
CROSS: Final = _edge_inserts()
CORNERS: Final = (*TOP_TURNS, *on_all_sides("R U R'", "R U' R'", "R U2 R'", "F' U' F", "F' U F"))
MIDDLE: Final = (*TOP_TURNS, *on_all_sides("U R U' R' U' F' U F", "U' L' U L U F U' F'"))
TOP_CROSS: Final = (*TOP_TURNS, *on_all_sides("F R U R' U' F'"))
TOP_EDGES: Final = (*TOP_TURNS, *with_inverses(on_all_sides("R U R' U R U2 R'")))
TOP_CORNERS: Final = with_inverses(on_all_sides("U R U' L' U R' U' L"))
TWIST: Final = parse_moves("R' D' R D")


TOP: Final = 4
"""Corner and edge places 0 to 3 are those of the U layer."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the solution: its name, what it is for, and its moves in normal form."""

    name: str
    purpose: str
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A corner or an edge, by its number."""

    is_corner: bool
    number: int

    def where(self, cube: CubieCube) -> tuple[int, int]:
        """Return the place of the piece and its twist or flip there."""
        if self.is_corner:
            place = cube.corner_permutation.index(self.number)
            return place, cube.corner_twist[place]
        place = cube.edge_permutation.index(self.number)
        return place, cube.edge_flip[place]

    def is_home(self, cube: CubieCube) -> bool:
        return self.where(cube) == (self.number, 0)


def _edges(*names: str) -> tuple[_Piece, ...]:
    return tuple(_Piece(False, EDGE_NAMES.index(name)) for name in names)


@dataclass(frozen=True, slots=True)
class _Below:
    """A stage that brings pieces home, by sequences a person knows."""

    name: str
    purpose: str
    pieces: tuple[_Piece, ...]
    known: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class _Above:
    """A stage after which `look` returns the same as for a solved cube."""

    name: str
    purpose: str
    look: Callable[[CubieCube], Hashable]
    known: tuple[Sequence, ...]


_BELOW: Final = (
    _Below(
        "cross",
        "the edges of D, each next to its centre",
        _edges("DF", "DR", "DB", "DL"),
        CROSS,
    ),
    _Below(
        "corners",
        "the corners of D: the first layer is done",
        tuple(_Piece(True, CORNER_NAMES.index(name)) for name in ("DFR", "DLF", "DBL", "DRB")),
        CORNERS,
    ),
    _Below(
        "middle edges",
        "the edges between U and D: two layers are done",
        _edges("FR", "FL", "BL", "BR"),
        MIDDLE,
    ),
)
_ABOVE: Final = (
    _Above(
        "top cross",
        "the edges of U turned over until U is on top",
        lambda cube: cube.edge_flip[:TOP],
        TOP_CROSS,
    ),
    _Above(
        "top edges",
        "the edges of U, each next to its centre",
        lambda cube: cube.edge_permutation[:TOP],
        TOP_EDGES,
    ),
    _Above(
        "top corners",
        "the corners of U to their places",
        lambda cube: cube.corner_permutation[:TOP],
        TOP_CORNERS,
    ),
)


def solve_by_layers(start: CubieCube, target: CubieCube = SOLVED) -> tuple[Stage, ...]:
    """Return the seven stages from `start` to `target`, empty ones included.

    Raises FaceletError if turning cannot lead there.
    """
    cube = target.inverse().compose(start)
    check_solvable(cube)
    stages = []
    for name, purpose, moves in _stages(cube):
        stages.append(Stage(name, purpose, cancel(moves)))
    return tuple(stages)


def _stages(cube: CubieCube) -> Iterator[tuple[str, str, list[Move]]]:
    placed: tuple[_Piece, ...] = ()
    for below in _BELOW:
        moves = _place_all(cube, below.pieces, placed, below.known)
        yield below.name, below.purpose, moves
        cube = cube.apply(moves)
        placed += below.pieces
    for above in _ABOVE:
        moves = _cheapest(cube, above.look, above.look(SOLVED), above.known)
        yield above.name, above.purpose, moves
        cube = cube.apply(moves)
    yield "top twists", "the corners of U turned in their places", _twist_top(cube)


def _place_all(
    cube: CubieCube,
    pieces: tuple[_Piece, ...],
    placed: tuple[_Piece, ...],
    known: tuple[Sequence, ...],
) -> list[Move]:
    """Return moves that bring all pieces home and leave those placed before there."""
    moves: list[Move] = []
    waiting = list(pieces)
    while waiting:
        # A sequence may move placed pieces meanwhile; it has to bring all of them back.
        safe = tuple(each for each in known if all(map(_unmoved_by(each), placed)))
        ways = [(_cheapest(cube, piece.where, (piece.number, 0), safe), piece) for piece in waiting]
        way, piece = min(ways, key=lambda each: len(each[0]))
        waiting.remove(piece)
        placed = (*placed, piece)
        moves += way
        cube = cube.apply(way)
    return moves


def _unmoved_by(moves: Sequence) -> Callable[[_Piece], bool]:
    after = _cube_of(moves)
    return lambda piece: piece.is_home(after)


@cache
def _cube_of(moves: Sequence) -> CubieCube:
    return SOLVED.apply(moves)


def _cheapest(
    cube: CubieCube,
    look: Callable[[CubieCube], Hashable],
    goal: Hashable,
    known: tuple[Sequence, ...],
) -> list[Move]:
    """Return the fewest moves, made of known sequences, after which `look` returns the goal."""
    # Dijkstra's algorithm: a sequence costs as many moves as it has.
    ticket = count()  # breaks ties, so that the heap never compares cubes
    waiting: list[tuple[int, int, CubieCube, list[Move]]] = [(0, next(ticket), cube, [])]
    seen = set()
    while waiting:
        _, _, here, moves = heapq.heappop(waiting)
        # Cubes that look the same differ only in pieces that a later stage puts right.
        looks = look(here)
        if looks in seen:
            continue
        seen.add(looks)
        if looks == goal:
            return moves
        for each in known:
            there = here.compose(_cube_of(each))
            if look(there) not in seen:
                longer = [*moves, *each]
                heapq.heappush(waiting, (len(longer), next(ticket), there, longer))
    raise AssertionError("the known sequences do not reach every position; this is a bug")


def _twist_top(cube: CubieCube) -> list[Move]:
    """Return moves that twist the corners of U, which are in their places.

    The corner at URF is twisted by doing R' D' R D twice or four times, which takes the lower
    layers apart; a turn of U brings the next corner there. When all are done the layers are whole.
    """
    moves: list[Move] = []
    for _ in range(TOP):
        while cube.corner_twist[0] != 0:
            cube = cube.apply(TWIST * 2)
            moves += TWIST * 2
        cube = cube.apply([Move.of(Face.U, 1)])
        moves.append(Move.of(Face.U, 1))
    return moves
