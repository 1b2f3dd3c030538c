"""A 2x2x2 cube as the corners of a 3x3x3 one, with the corner at DBL always at home.

A 2x2x2 cube has no centres: the corner at DBL, however it is held, says which colours are those of
D, B and L, and the colours that it never meets on a corner are those opposite. The edges of
`position` stay solved; they stand for none.
"""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from solvers.rubik.cubies import CORNER_NAMES, SOLVED, CubieCube
from solvers.rubik.errors import (
    ColourCountError,
    DuplicatePieceError,
    ImpossiblePieceError,
    TwistedCornerError,
    UnknownColourError,
    WrongLengthError,
)
from solvers.rubik.facelets import CORNER_FACELETS, FACE_LETTERS, format_facelets
from solvers.rubik.notation import Face, WrittenMoves
from solvers.rubik.rotations import all_orientations
from solvers.rubik.symmetries import Symmetry

STICKERS: Final = 24
HOME: Final = CORNER_NAMES.index("DBL")

_AT: Final = {0: 0, 2: 1, 6: 2, 8: 3}  # number of a corner's sticker on its face of nine, of four
_FACELETS: Final = tuple(
    tuple(4 * (index // 9) + _AT[index % 9] for index in facelets) for facelets in CORNER_FACELETS
)


@dataclass(frozen=True, slots=True)
class PocketCube:
    """A position with DBL at home, and the letters of the six faces U R F D L B as it is held."""

    position: CubieCube
    faces: str = FACE_LETTERS

    @property
    def stickers(self) -> str:
        """The 24 stickers in the cube's own letters, faces U R F D L B."""
        return _stickers_of(self.position).translate(str.maketrans(FACE_LETTERS, self.faces))

    @property
    def how(self) -> str:
        """How the cube is held: the colours of its top and its front when it is solved."""
        return f"{self.faces[Face.U]} up, {self.faces[Face.F]} in front"

    def in_hold_of(self, other: "PocketCube") -> "PocketCube":
        """Return this cube turned as a whole until the corner that `other` has at DBL is there.

        If they are not the same six letters, both are taken to be held alike. Raises
        ImpossiblePieceError if the colours lie otherwise than on `other`, so that no corner fits.
        """
        letters = self.stickers
        if set(self.faces) != set(other.faces):
            own = FACE_LETTERS if set(self.faces) == set(FACE_LETTERS) else self.faces
            letters = letters.translate(str.maketrans(own, other.faces))
        named = read_pocket(letters)
        for lies in all_orientations():
            turned = named.position.compose(Symmetry(lies.faces, is_mirror=False).as_cube())
            colours = _stickers_of(turned).translate(str.maketrans(FACE_LETTERS, named.faces))
            found = read_pocket(colours)
            if found.faces == other.faces:
                return found
        raise ImpossiblePieceError(
            f"No cube has the faces {other.faces} at U R F D L B and, held otherwise, {self.faces}."
        )


def as_whole_cube(cube: PocketCube) -> CubieCube:
    """Return a 3x3x3 cube that turning can solve and whose corners are those of `cube`.

    Its edges are solved, or two of them are swapped.
    """
    corners = cube.position.corner_permutation
    pairs = combinations(corners, 2)
    edges = SOLVED.edge_permutation
    if sum(first > second for first, second in pairs) % 2:
        edges = (edges[1], edges[0], *edges[2:])
    return replace(cube.position, edge_permutation=edges)


def has_solved_corners(cube: CubieCube) -> bool:
    """Return whether the corners alone are solved, in whatever way they lie."""
    letters = _stickers_of(cube)
    return all(len(set(letters[first : first + 4])) == 1 for first in range(0, STICKERS, 4))


def pocket_after(written: WrittenMoves) -> PocketCube:
    """Return a solved 2x2x2 cube as it is held after moves."""
    centres = "".join(face.name for face in written.lies.faces)
    stickers = _stickers_of(SOLVED.apply(written.as_held_after))
    return read_pocket(stickers.translate(str.maketrans(FACE_LETTERS, centres)))


def read_pocket(text: str) -> PocketCube:
    """Return the cube of 24 stickers: four for each of the faces U R F D L B, row by row.

    Any six letters or digits will do, in either case; white space is ignored. Raises the
    FaceletError for the first thing found wrong.
    """
    letters = "".join(text.split()).upper()
    if len(letters) != STICKERS:
        raise WrongLengthError(
            f"A 2x2x2 cube has 24 stickers, not {len(letters)}. Give four letters for each of the "
            "faces U R F D L B, in this order."
        )
    for index, letter in enumerate(letters):
        if not letter.isalnum():
            raise UnknownColourError(
                f"Sticker {index + 1} is {letter!r}; a sticker is a letter or a digit."
            )
    counts = Counter(letters)
    if len(counts) != 6 or set(counts.values()) != {4}:
        found = ", ".join(f"{letter} {number} times" for letter, number in sorted(counts.items()))
        raise ColourCountError(f"Six colours have to appear 4 times each, but there are {found}.")
    corners = ["".join(letters[index] for index in facelets) for facelets in _FACELETS]
    faces = _faces(corners)
    names = [corner.translate(str.maketrans(faces, FACE_LETTERS)) for corner in corners]
    pieces = [_piece(place, name, corners[place]) for place, name in enumerate(names)]
    permutation = tuple(piece for piece, _ in pieces)
    for piece, number in Counter(permutation).items():
        if number > 1:
            places = " and ".join(CORNER_NAMES[i] for i in range(8) if permutation[i] == piece)
            raise DuplicatePieceError(f"The corners at {places} have the same colours. Check them.")
    twists = tuple(twist for _, twist in pieces)
    if sum(twists) % 3:
        raise TwistedCornerError(
            "A corner is twisted in its place: turning any one corner, such as that at URF, "
            f"{'counter-clockwise' if sum(twists) % 3 == 1 else 'clockwise'} would make the cube "
            "solvable."
        )
    cube = CubieCube(permutation, twists, SOLVED.edge_permutation, SOLVED.edge_flip)
    return PocketCube(cube, faces)


def _stickers_of(cube: CubieCube) -> str:
    letters = format_facelets(cube)
    return "".join(letters[9 * face + index] for face in Face for index in _AT)


def _faces(corners: list[str]) -> str:
    """Return the colours of U R F D L B: those of the corner at DBL, and what each never meets."""
    down, back, left = list(corners[HOME])
    opposite = {}
    for colour in (down, back, left):
        beside = {each for corner in corners if colour in corner for each in corner}
        alone = set("".join(corners)) - beside
        if len(alone) != 1:
            raise ImpossiblePieceError(
                f"The colour {colour} meets {len(beside) - 1} others on corners; on a cube it is "
                "four, all but the colour opposite. Check the stickers of these corners."
            )
        opposite[colour] = alone.pop()
    if len({down, back, left, *opposite.values()}) != 6:
        raise ImpossiblePieceError(
            f"The corner at DBL has the stickers {down} {back} {left}, which cannot meet on one."
        )
    return "".join((opposite[down], opposite[left], opposite[back], down, left, back))


def _piece(place: int, name: str, colours: str) -> tuple[int, int]:
    for twist in range(3):
        if name[twist:] + name[:twist] in CORNER_NAMES:
            return CORNER_NAMES.index(name[twist:] + name[:twist]), twist
    stickers = " ".join(
        f"{FACE_LETTERS[index // 4]}{index % 4 + 1}={colour}"
        for index, colour in zip(_FACELETS[place], colours, strict=True)
    )
    raise ImpossiblePieceError(
        f"The corner at {CORNER_NAMES[place]} has the stickers {stickers}, which no corner of this "
        "cube has in this order. Check these stickers."
    )
