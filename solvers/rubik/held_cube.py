"""A cube as it is held: 54 stickers in any six letters, any face on top.

The six centres say which letter stands for which face, as the cube is held. Everything else is
relative to them, so the moves of a solution are those for the cube as it is held.
"""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final, Self

from solvers.foundation.wording import did_you_mean
from solvers.rubik.cubies import SOLVED, CubieCube, Symmetry
from solvers.rubik.errors import (
    NotationError,
    UnknownColourError,
    WrongCentreError,
    WrongLengthError,
)
from solvers.rubik.facelets import (
    CENTRE_FACELETS,
    FACE_LETTERS,
    check_counts,
    cube_from_letters,
    facelet_name,
    format_facelets,
)
from solvers.rubik.notation import Face, Notation, WrittenMoves, read_moves
from solvers.rubik.rotations import UPRIGHT, Orientation, all_orientations

PATTERNS: Final = {
    "checkerboard": "M2 E2 S2",
    "six spots": "U D' R L' F B' U D'",
    "four spots": "F2 B2 U D' R2 L2 U D'",
    "cube in a cube": "F L F U' R U F2 L2 U' L' B D' B' L2 U",
    "superflip": "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2",
}
"""Positions that have a name, by moves from the solved cube."""

_SEPARATORS: Final = re.compile(r"[,;|]|(?<!/)/(?![/*])")  # between faces; // starts a comment
# Shorter texts are read as moves, longer ones as stickers of which some may be missing.
_FEWEST_STICKERS: Final = 24
_STICKERS_OF_CUBES: Final = (24, 54)
_PLAIN_MOVES: Final = frozenset("URFDLBOVHMESurfdlbxyz")  # in either alphabet


@dataclass(frozen=True, slots=True)
class HeldCube:
    """A position, each face named by the place where it is held.

    `centres` are the letters of the six centres at U R F D L B; those of an upright cube that was
    given in face letters are "URFDLB".
    """

    position: CubieCube
    centres: str = FACE_LETTERS

    @classmethod
    def after(cls, written: WrittenMoves) -> Self:
        """Return a solved, upright cube as it is held after moves that may rotate it."""
        return cls(SOLVED).then(written)

    def then(self, written: WrittenMoves) -> Self:
        """Return this cube as it is held after moves that may rotate it."""
        centres = "".join(self.centres[face] for face in written.orientation.faces)
        return type(self)(
            as_seen_from(self.position.apply(written.moves), written.orientation), centres
        )

    @property
    def is_upright(self) -> bool:
        """Whether the cube is held as its letters say."""
        return self.centres == FACE_LETTERS

    @property
    def stickers(self) -> str:
        """The 54 stickers in the cube's own letters, as it is held."""
        return format_facelets(self.position, self.centres)

    @property
    def how(self) -> str:
        """The centres on top and in front, in words."""
        return f"{self.centres[Face.U]} up, {self.centres[Face.F]} in front"

    def held_like(self, other: "HeldCube") -> CubieCube:
        """Return this position as seen when the cube is held like `other`.

        With other letters than those of `other`, both count as held in the same way. Raises
        WrongCentreError if one cube cannot be held in both ways.
        """
        if set(self.centres) != set(other.centres) or self.centres == other.centres:
            return self.position
        orientation = _orientation_of(self.centres, other.centres)
        if orientation is None:
            raise WrongCentreError(
                f"No cube can be held with the centres {other.centres} at U R F D L B and also "
                f"with {self.centres}."
            )
        return as_seen_from(self.position, orientation.inverse())


def as_seen_from(position: CubieCube, orientation: Orientation) -> CubieCube:
    """Return an upright cube's position with each face named by its place."""
    if orientation == UPRIGHT:  # most cubes are; the rest would compose three times in vain
        return position
    rotation = Symmetry(orientation.inverse().faces, is_mirror=False).as_cube()
    return rotation.inverse().compose(position).compose(rotation)


def looks_like_stickers(text: str) -> bool:
    """Return whether a text is stickers, complete or not, rather than moves.

    Letters that stand apart and could all be moves are moves, unless they are a whole cube's
    stickers but for one.
    """
    words = _SEPARATORS.sub(" ", text).split()
    letters = "".join(words)
    if len(letters) < _FEWEST_STICKERS or not (letters.isalpha() or letters.isdigit()):
        return False
    are_moves = len(words) == len(letters) and set(letters) <= _PLAIN_MOVES
    return not are_moves or _is_nearly_a_cube(letters)


def _is_nearly_a_cube(letters: str) -> bool:
    """Return whether six letters come nearly as often as on a whole cube.

    A mistyped cube must not pass for moves: a robot would drive from the wrong position.
    """
    counts = Counter(letters.upper()).values()
    return len(counts) == 6 and any(
        abs(len(letters) - size) <= 1 and all(abs(6 * count - size) <= 6 for count in counts)
        for size in _STICKERS_OF_CUBES
    )


def sticker_letters(text: str) -> str:
    """Return the letters of stickers without what separates faces, rows and stickers."""
    return "".join(_SEPARATORS.sub(" ", text).split())


def read_stickers(text: str) -> HeldCube:
    """Return the cube of 54 stickers, faces in the order U R F D L B, as it is held.

    Any six letters or digits will do, in either case. White space, and commas, semicolons, slashes
    and bars between faces are ignored.

    Raises the FaceletError for the first thing found wrong; see `solvers.rubik.errors`.
    """
    letters = sticker_letters(text).upper()
    for index, letter in enumerate(letters):
        if not letter.isalnum():
            raise UnknownColourError(
                f"Sticker {index + 1} is {letter!r}; a sticker is a letter or a digit, and there "
                "are six different ones, such as W R G Y O B or U R F D L B.",
                (index,),
            )
    if len(letters) != 54:
        raise WrongLengthError(
            f"A cube has 54 stickers, not {len(letters)}. Give nine letters for each of the faces "
            "U R F D L B, in this order. (24 of a 2x2x2 cube are taken by `puzzle cube solve` and "
            "`cuberobot plan`.)"
        )
    centres = "".join(letters[index] for index in CENTRE_FACELETS)
    _check_centres(centres)
    for index, letter in enumerate(letters):
        if letter not in centres:
            raise UnknownColourError(
                f"Sticker {index + 1} ({facelet_name(index)}) is {letter!r}, which is no centre's "
                f"letter; the centres of U R F D L B are {' '.join(centres)}.",
                (index,),
            )
    check_counts(letters, centres)
    as_held = letters.translate(str.maketrans(centres, FACE_LETTERS))
    return HeldCube(cube_from_letters(as_held, centres), centres)


def read_position(text: str, notation: Notation = Notation.STANDARD) -> HeldCube:
    """Return the cube of a text: stickers, moves from the solved cube, or the name of a pattern.

    Raises FaceletError or NotationError.
    """
    name = " ".join(text.lower().split())
    if name in PATTERNS:
        return HeldCube.after(read_moves(PATTERNS[name]))
    if looks_like_stickers(text) or not text.strip():
        return read_stickers(text)
    try:
        return HeldCube.after(read_moves(text, notation))
    except NotationError:
        if guess := did_you_mean(name, PATTERNS):
            raise NotationError(
                f"{text.strip()!r} is neither moves nor a pattern.{guess}"
            ) from None
        raise


def _check_centres(centres: str) -> None:
    for face in Face:
        same = centres.index(centres[face])
        if same != face:
            raise WrongCentreError(
                f"The centres of the faces {Face(same).name} and {face.name} (stickers "
                f"{facelet_name(CENTRE_FACELETS[same])} and {facelet_name(CENTRE_FACELETS[face])}) "
                f"are both {centres[face]}; the six centres are different.",
                (CENTRE_FACELETS[same], CENTRE_FACELETS[face]),
            )
    # With other letters the cube's colour scheme is unknown, so every arrangement is accepted.
    if set(centres) == set(FACE_LETTERS) and _orientation_of(centres, FACE_LETTERS) is None:
        raise WrongCentreError(
            f"The centres {' '.join(centres)} cannot be at U R F D L B: however a cube is held, "
            "U is opposite D, R opposite L, F opposite B, and R is to the right of F under U. "
            "Check the order of the faces."
        )


def _orientation_of(centres: str, upright: str) -> Orientation | None:
    """Return the orientation that takes the centres `upright` to `centres`; None if none does."""
    orientation = Orientation(tuple(Face(upright.index(letter)) for letter in centres))
    return orientation if orientation in all_orientations() else None


WHITE, RED, GREEN = "#f4f4f4", "#b71234", "#009b48"
YELLOW, ORANGE, BLUE = "#ffd500", "#ff5800", "#0046ad"

DARK: Final = frozenset({RED, GREEN, BLUE})
"""Colours on which a letter is easier to read in white."""

# The usual colours: white on top, green in front. The papers' cube has other ones.
_OF_FACES: Final = dict(zip("URFDLB", (WHITE, RED, GREEN, YELLOW, ORANGE, BLUE), strict=True))
_OF_NAMES: Final = dict(zip("WRGYOB", _OF_FACES.values(), strict=True))


def sticker_colours(centres: str) -> dict[str, str]:
    """Return a colour for each letter of the centres at U R F D L B.

    Letters of faces or of colours get the usual ones, other letters the colour of their place.
    """
    for named in (_OF_FACES, _OF_NAMES):
        if set(centres) == set(named):
            return named
    return dict(zip(centres, _OF_FACES.values(), strict=True))
