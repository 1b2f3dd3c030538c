"""The cube as 8 corners and 12 edges: which piece is where, and how it is turned there.

Corner places in order: URF UFL ULB UBR DFR DLF DBL DRB; edge places: UR UF UL UB DR DF DL DB FR FL
BL BR. A piece has the number of the place where it belongs. A corner's twist counts clockwise
thirds of a turn that take its U or D sticker away from the U or D side; an edge's flip is 1 when an
odd number of quarter turns of F and B is needed to bring it home.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from solvers.rubik.notation import Move

CORNER_NAMES: Final = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
EDGE_NAMES: Final = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")


@dataclass(frozen=True)
class CubieCube:
    """A position of the pieces; place i holds piece `..._permutation[i]`.

    Any tuples of the right lengths make a cube, also one that turning cannot reach; facelets are
    checked when they are parsed.
    """

    corner_permutation: tuple[int, ...]
    corner_twist: tuple[int, ...]
    edge_permutation: tuple[int, ...]
    edge_flip: tuple[int, ...]

    def compose(self, other: "CubieCube") -> "CubieCube":
        """Return the position after doing to this cube what leads from solved to `other`."""
        corners, edges = itemgetter(*other.corner_permutation), itemgetter(*other.edge_permutation)
        twists = zip(corners(self.corner_twist), other.corner_twist, strict=True)
        flips = zip(edges(self.edge_flip), other.edge_flip, strict=True)
        return CubieCube(
            corners(self.corner_permutation),
            tuple([(before + after) % 3 for before, after in twists]),
            edges(self.edge_permutation),
            tuple([(before + after) % 2 for before, after in flips]),
        )

    def apply(self, moves: Iterable[Move]) -> "CubieCube":
        """Return the position after `moves`."""
        cube = self
        for move in moves:
            cube = cube.compose(MOVE_CUBES[move])
        return cube

    def inverse(self) -> "CubieCube":
        """Return the position whose composition with this one is solved."""
        corners = _inverse_permutation(self.corner_permutation)
        edges = _inverse_permutation(self.edge_permutation)
        return CubieCube(
            corners,
            tuple(-self.corner_twist[place] % 3 for place in corners),
            edges,
            tuple(self.edge_flip[place] for place in edges),
        )

    def numbers(self) -> tuple[int, ...]:
        """Return all 40 numbers: corner permutation and twist, edge permutation and flip."""
        return self.corner_permutation + self.corner_twist + self.edge_permutation + self.edge_flip

    @property
    def is_solved(self) -> bool:
        """Whether every piece is at home and the right way round."""
        return self == SOLVED


def _inverse_permutation(permutation: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(permutation.index(piece) for piece in range(len(permutation)))


SOLVED: Final = CubieCube(tuple(range(8)), (0,) * 8, tuple(range(12)), (0,) * 12)

_NO_TWIST = (0,) * 8
_NO_FLIP = (0,) * 12
# One clockwise quarter turn of each face: the place that the piece at each place comes from, and
# what its twist or flip grows by.
_QUARTER_TURNS: Final = (
    CubieCube(
        (3, 0, 1, 2, 4, 5, 6, 7), _NO_TWIST, (3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11), _NO_FLIP
    ),
    CubieCube(
        (4, 1, 2, 0, 7, 5, 6, 3),
        (2, 0, 0, 1, 1, 0, 0, 2),
        (8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0),
        _NO_FLIP,
    ),
    CubieCube(
        (1, 5, 2, 3, 0, 4, 6, 7),
        (1, 2, 0, 0, 2, 1, 0, 0),
        (0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11),
        (0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0),
    ),
    CubieCube(
        (0, 1, 2, 3, 5, 6, 7, 4), _NO_TWIST, (0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11), _NO_FLIP
    ),
    CubieCube(
        (0, 2, 6, 3, 4, 1, 5, 7),
        (0, 1, 2, 0, 0, 2, 1, 0),
        (0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11),
        _NO_FLIP,
    ),
    CubieCube(
        (0, 1, 3, 7, 4, 5, 2, 6),
        (0, 0, 1, 2, 0, 0, 2, 1),
        (0, 1, 2, 11, 4, 5, 6, 10, 8, 9, 3, 7),
        (0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1),
    ),
)


def _all_moves() -> tuple[CubieCube, ...]:
    cubes = []
    for quarter_turn in _QUARTER_TURNS:
        cube = SOLVED
        for _ in range(3):
            cube = cube.compose(quarter_turn)
            cubes.append(cube)
    return tuple(cubes)


MOVE_CUBES: Final = _all_moves()
"""The position each of the 18 moves leads to from solved, indexed by Move."""
