"""The 2010 paper's numbering of pieces and its four coordinates.

The paper counts the same twists and flips as `cubies`, but numbers the places otherwise: corners
and edges in the order below, moves in the face order V O H U R L. So its numbers are those of our
cube, relabelled.
"""

from dataclasses import dataclass
from math import factorial
from typing import Final

from solvers.rubik.cubies import CORNER_NAMES, EDGE_NAMES, CubieCube
from solvers.rubik.notation import Face, Move, Notation

FACES: Final = "VOHURL"
"""The paper's faces in its order: front, up, back, down, right, left."""

CORNERS: Final = ("VOL", "VOR", "OHR", "OHL", "VUL", "VUR", "HUL", "HUR")
"""The paper's corners in its order, by the colours it names them with."""

EDGES: Final = ("VL", "VR", "HR", "HL", "OL", "VO", "OR", "OH", "UL", "VU", "UR", "HU")
"""The paper's edges in its order; the first four belong in the middle layer."""


@dataclass(frozen=True)
class PaperCube:
    """A position in the paper's numbering: at place i is piece `corners[i]` with `twists[i]`."""

    corners: tuple[int, ...]
    twists: tuple[int, ...]
    edges: tuple[int, ...]
    flips: tuple[int, ...]

    @property
    def twist_coordinate(self) -> int:
        """Corner twists as a number to base 3, place 0 the lowest digit: 0 to 2186."""
        return sum(twist * 3**i for i, twist in enumerate(self.twists[:7]))

    @property
    def flip_coordinate(self) -> int:
        """Edge flips as a number to base 2, place 0 the lowest digit: 0 to 2047."""
        return sum(flip * 2**i for i, flip in enumerate(self.flips[:11]))

    @property
    def corner_coordinate(self) -> int:
        """Order of the corners: 0 to 40 319."""
        return _permutation_coordinate(self.corners)

    @property
    def edge_coordinate(self) -> int:
        """Order of the edges: 0 to 479 001 599."""
        return _permutation_coordinate(self.edges)


def paper_cube(cube: CubieCube) -> PaperCube:
    """Return `cube` in the paper's numbering."""
    corner_places = _places(CORNERS, CORNER_NAMES)
    edge_places = _places(EDGES, EDGE_NAMES)
    return PaperCube(
        tuple(corner_places.index(cube.corner_permutation[place]) for place in corner_places),
        tuple(cube.corner_twist[place] for place in corner_places),
        tuple(edge_places.index(cube.edge_permutation[place]) for place in edge_places),
        tuple(cube.edge_flip[place] for place in edge_places),
    )


def paper_move(move: Move) -> int:
    """Return the paper's number of a move, 0 to 17: 3 * face + quarter turns - 1."""
    letter = Notation.GERMAN.letter(move.face)
    return 3 * FACES.index(letter) + move.quarter_turns - 1


def _places(paper_names: tuple[str, ...], names: tuple[str, ...]) -> list[int]:
    """Return our number of each of the paper's places."""
    face_sets = [{Face[letter] for letter in name} for name in names]
    return [
        face_sets.index({Face(Notation.GERMAN.value.index(letter)) for letter in name})
        for name in paper_names
    ]


def _permutation_coordinate(pieces: tuple[int, ...]) -> int:
    """Sum up i! times the number of larger pieces before place i."""
    return sum(
        factorial(i) * sum(other > piece for other in pieces[:i]) for i, piece in enumerate(pieces)
    )
