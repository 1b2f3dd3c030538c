"""The cube as 8 corners and 12 edges: positions, moves and symmetries.

Corner places in order: URF UFL ULB UBR DFR DLF DBL DRB; edge places: UR UF UL UB DR DF DL DB FR FL
BL BR. A piece has the number of the place where it belongs. A corner's twist counts clockwise
thirds of a turn that take its U or D sticker away from the U or D side; an edge's flip is 1 when an
odd number of quarter turns of F and B is needed to bring it home.

A symmetry S sends each face to another one; a mirror also turns clockwise into counter-clockwise.
Conjugating a position with S gives the position reached by the conjugated moves, so both are
equally far from solved.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Final

from solvers.rubik.notation import Face, Move
from solvers.rubik.rotations import all_orientations

CORNER_NAMES: Final = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB")
EDGE_NAMES: Final = ("UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR")


@dataclass(frozen=True)
class CubieCube:
    """A position of the pieces; place i holds piece `..._permutation[i]`.

    Any tuples of the right lengths are accepted, also positions that turning cannot reach:
    facelets are checked when they are parsed.
    """

    corner_permutation: tuple[int, ...]
    corner_twist: tuple[int, ...]
    edge_permutation: tuple[int, ...]
    edge_flip: tuple[int, ...]

    def compose(self, other: "CubieCube") -> "CubieCube":
        """Return the position after doing to this cube what leads from solved to `other`."""
        # Place i gets what `other` brings there; itemgetter picks all places in one call, which
        # matters because a replay composes twenty times.
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
# One clockwise quarter turn of each face U R F D L B: where the piece at each place comes from, and
# what is added to its twist or flip.
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


_LEFT_RIGHT_MIRROR = (Face.U, Face.L, Face.F, Face.D, Face.R, Face.B)


@dataclass(frozen=True)
class Symmetry:
    """A rotation or mirroring of space: `faces[f]` is the face that f is sent to."""

    faces: tuple[Face, ...]
    is_mirror: bool

    def after(self, first: "Symmetry") -> "Symmetry":
        """Return the symmetry that does `first` and then this one."""
        return Symmetry(
            tuple(self.faces[face] for face in first.faces), self.is_mirror != first.is_mirror
        )

    def conjugate(self, move: Move) -> Move:
        """Return what `move` looks like after the symmetry."""
        quarter_turns = 4 - move.quarter_turns if self.is_mirror else move.quarter_turns
        return Move.of(self.faces[move.face], quarter_turns)

    def corner_place(self, place: int) -> int:
        """Return the place that the corner at `place` is sent to."""
        return _place_of(self._image(CORNER_NAMES[place]), CORNER_NAMES)

    def edge_place(self, place: int) -> int:
        """Return the place that the edge at `place` is sent to."""
        return _place_of(self._image(EDGE_NAMES[place]), EDGE_NAMES)

    def _image(self, name: str) -> str:
        return "".join(self.faces[Face[letter]].name for letter in name)

    def as_cube(self) -> CubieCube:
        """Return the effect of this rotation on all pieces as a cube; not for mirrors.

        With R such a cube, R.inverse().compose(cube).compose(R) is the conjugated position.
        """
        if self.is_mirror:
            raise ValueError("a mirror image of a piece is no piece of the same cube")
        corners, twists = [0] * 8, [0] * 8
        for piece in range(8):
            place = self.corner_place(piece)
            corners[place] = piece
            # Twist and flip are counted by the sticker that is first in a piece's name.
            twists[place] = CORNER_NAMES[place].index(self._image(CORNER_NAMES[piece])[0])
        edges, flips = [0] * 12, [0] * 12
        for piece in range(12):
            place = self.edge_place(piece)
            edges[place] = piece
            flips[place] = EDGE_NAMES[place].index(self._image(EDGE_NAMES[piece])[0])
        return CubieCube(tuple(corners), tuple(twists), tuple(edges), tuple(flips))


def _place_of(name: str, names: tuple[str, ...]) -> int:
    return next(place for place, other in enumerate(names) if set(other) == set(name))


@cache
def up_down_symmetries() -> tuple[Symmetry, ...]:
    """Return the 16 symmetries that keep U and D on their axis, the identity first."""
    # The tables number symmetries by this order and take number 0 for the identity.
    mirror = Symmetry(_LEFT_RIGHT_MIRROR, is_mirror=True)
    rotations = [
        Symmetry(orientation.faces, is_mirror=False)
        for orientation in all_orientations()
        if orientation.faces[Face.U] in (Face.U, Face.D)
    ]
    return (*rotations, *(rotation.after(mirror) for rotation in rotations))


@cache
def whole_cube_rotations() -> tuple[CubieCube, ...]:
    """Return the solved cube in all 24 orientations, as positions, in `all_orientations`' order."""
    return tuple(Symmetry(each.faces, is_mirror=False).as_cube() for each in all_orientations())


@cache
def axis_rotations() -> tuple[Symmetry, ...]:
    """Return the rotations about the corner URF that send U to itself, to R and to F."""
    # Conjugated by these, each of the three axes becomes the U-D axis of the search.
    third = Symmetry((Face.R, Face.F, Face.U, Face.L, Face.B, Face.D), is_mirror=False)
    identity = third.after(third).after(third)
    return (identity, third, third.after(third))
