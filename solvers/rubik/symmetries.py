"""Symmetries of the cube as maps of its faces: the 16 that keep the U-D axis, and three axes.

A symmetry S sends each face somewhere; a mirror also turns clockwise into counter-clockwise.
Conjugating a position with S gives the position reached by the conjugated moves, so both are
equally far from solved.
"""

from dataclasses import dataclass
from functools import cache

from solvers.rubik.cubies import CORNER_NAMES, EDGE_NAMES, CubieCube
from solvers.rubik.notation import Face, Move
from solvers.rubik.rotations import all_orientations

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
        """Return what turning all pieces by this rotation does to them; no mirrors.

        With R such a cube, R.inverse().compose(cube).compose(R) is the conjugated position.
        """
        if self.is_mirror:
            raise ValueError("a mirror image of a piece is no piece of the same cube")
        corners, twists = [0] * 8, [0] * 8
        for piece in range(8):
            place = self.corner_place(piece)
            corners[place] = piece
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
    mirror = Symmetry(_LEFT_RIGHT_MIRROR, is_mirror=True)
    rotations = [
        Symmetry(orientation.faces, is_mirror=False)
        for orientation in all_orientations()
        if orientation.faces[Face.U] in (Face.U, Face.D)
    ]
    return (*rotations, *(rotation.after(mirror) for rotation in rotations))


@cache
def axis_rotations() -> tuple[Symmetry, ...]:
    """Return the rotations about the corner URF that send U to itself, to R and to F."""
    third = Symmetry((Face.R, Face.F, Face.U, Face.L, Face.B, Face.D), is_mirror=False)
    identity = third.after(third).after(third)
    return (identity, third, third.after(third))
