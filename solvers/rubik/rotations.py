"""The 24 orientations of the whole cube, and the rotations between them."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache


class Face(IntEnum):
    """A face of the cube, and also its place while the cube is upright."""

    U = 0
    R = 1
    F = 2
    D = 3
    L = 4
    B = 5

    @property
    def opposite(self) -> "Face":
        """The face on the other side."""
        return Face((self + 3) % 6)


@dataclass(frozen=True)
class Orientation:
    """The orientation of the whole cube: `faces[place]` is the cube's own face at `place`."""

    faces: tuple[Face, ...]

    def __getitem__(self, place: Face) -> Face:
        """Return the face at `place`."""
        return self.faces[place]

    def place_of(self, face: Face) -> Face:
        """Return the place of `face`."""
        return Face(self.faces.index(face))

    def then(self, rotation: "Orientation") -> "Orientation":
        """Return the orientation after a further rotation about the axes of the room."""
        return Orientation(tuple(self.faces[place] for place in rotation.faces))

    def inverse(self) -> "Orientation":
        """Return the rotation that undoes this one."""
        return Orientation(tuple(self.place_of(face) for face in Face))


def _orientation(letters: str) -> Orientation:
    return Orientation(tuple(Face[letter] for letter in letters))


UPRIGHT = _orientation("URFDLB")

# A rotation is named after the face it turns with: x like R, y like U, z like F, each clockwise.
# The letters are the faces that arrive at U, R, F, D, L, B.
X = _orientation("FRDBLU")
Y = _orientation("UBRDFL")
Z = _orientation("LUFRDB")


@cache
def all_orientations() -> tuple[Orientation, ...]:
    """Return the 24 orientations, `UPRIGHT` first, in the order of fewest x and y rotations."""
    found = [UPRIGHT]
    # The list grows while it is iterated: a breadth-first search, nearest orientations first.
    for orientation in found:
        for rotation in (X, Y):
            turned = orientation.then(rotation)
            if turned not in found:
                found.append(turned)
    return tuple(found)


@cache
def _names() -> dict[Orientation, str]:
    """Return the shortest way to write each orientation as rotations."""
    single: dict[str, Orientation] = {}
    for letter, rotation in (("x", X), ("y", Y), ("z", Z)):
        twice = rotation.then(rotation)
        single |= {letter: rotation, f"{letter}2": twice, f"{letter}'": rotation.then(twice)}
    # Breadth-first: the first name found for an orientation has the fewest rotations.
    names = {UPRIGHT: ""}
    waiting = [UPRIGHT]
    for orientation in waiting:
        for word, rotation in single.items():
            turned = orientation.then(rotation)
            if turned not in names:
                names[turned] = f"{names[orientation]} {word}".strip()
                waiting.append(turned)
    return names


def rotation_name(orientation: Orientation) -> str:
    """Return the rotations x, y, z that lead from upright to `orientation`, "" for upright."""
    return _names()[orientation]
