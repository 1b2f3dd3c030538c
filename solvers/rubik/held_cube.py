"""A cube as somebody holds it: 54 stickers in any six letters, any face on top.

The six centres say which letter stands for which face, as the cube is held; everything else is told
relative to them, so the moves of a solution are those for the cube as it is held.
"""

from dataclasses import dataclass
from typing import Final, Self

from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.errors import UnknownColourError, WrongCentreError, WrongLengthError
from solvers.rubik.facelets import (
    CENTRE_FACELETS,
    FACE_LETTERS,
    check_counts,
    cube_of,
    facelet_name,
    format_facelets,
)
from solvers.rubik.notation import Face, Notation, WrittenMoves, read_moves
from solvers.rubik.rotations import UPRIGHT, Orientation, all_orientations
from solvers.rubik.symmetries import Symmetry

_FEWEST_STICKERS: Final = 24  # of a text that is taken for stickers, be there some missing


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
        centres = "".join(self.centres[face] for face in written.lies.faces)
        return type(self)(seen_from(self.position.apply(written.moves), written.lies), centres)

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
        """How the cube is held: which centre is on top and which in front."""
        return f"{self.centres[Face.U]} up, {self.centres[Face.F]} in front"

    def in_hold_of(self, other: "HeldCube") -> CubieCube:
        """Return this position as seen when the cube is held as `other` is.

        If they are not the same six letters, both are taken to be held alike. Raises
        WrongCentreError if the same cube cannot be held in both ways.
        """
        if set(self.centres) != set(other.centres) or self.centres == other.centres:
            return self.position
        lies = _lies(self.centres, other.centres)
        if lies is None:
            raise WrongCentreError(
                f"No cube can be held with the centres {other.centres} at U R F D L B and also "
                f"with {self.centres}."
            )
        return seen_from(self.position, lies.inverse())


def seen_from(position: CubieCube, lies: Orientation) -> CubieCube:
    """Return an upright cube's position with each face named by the place where it lies."""
    if lies == UPRIGHT:
        return position
    rotation = Symmetry(lies.inverse().faces, is_mirror=False).as_cube()
    return rotation.inverse().compose(position).compose(rotation)


def looks_like_stickers(text: str) -> bool:
    """Tell stickers, whole or not, from moves: many letters and nothing else, or digits alone."""
    letters = "".join(text.split())
    return len(letters) >= _FEWEST_STICKERS and (letters.isalpha() or letters.isdigit())


def read_stickers(text: str) -> HeldCube:
    """Return the cube of 54 stickers, faces in the order U R F D L B, as it is held.

    Any six letters or digits will do, in either case; white space is ignored.

    Raises the FaceletError for the first thing found wrong; see `solvers.rubik.errors`.
    """
    letters = "".join(text.split()).upper()
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
    return HeldCube(cube_of(as_held, centres), centres)


def read_position(text: str, notation: Notation = Notation.STANDARD) -> HeldCube:
    """Return the cube that a text of stickers, or of moves from the solved cube, describes.

    Raises FaceletError or NotationError.
    """
    if looks_like_stickers(text) or not text.strip():
        return read_stickers(text)
    return HeldCube.after(read_moves(text, notation))


def _check_centres(centres: str) -> None:
    for face in Face:
        twin = centres.index(centres[face])
        if twin != face:
            raise WrongCentreError(
                f"The centres of the faces {Face(twin).name} and {face.name} (stickers "
                f"{facelet_name(CENTRE_FACELETS[twin])} and {facelet_name(CENTRE_FACELETS[face])}) "
                f"are both {centres[face]}; the six centres are different.",
                (CENTRE_FACELETS[twin], CENTRE_FACELETS[face]),
            )
    if set(centres) == set(FACE_LETTERS) and _lies(centres, FACE_LETTERS) is None:
        raise WrongCentreError(
            f"The centres {' '.join(centres)} cannot be at U R F D L B: however a cube is held, "
            "U is opposite D, R opposite L, F opposite B, and R is to the right of F under U. "
            "Check the order of the faces."
        )


def _lies(centres: str, upright: str) -> Orientation | None:
    """Return how a cube lies that has its `upright` centres at `centres` now."""
    lies = Orientation(tuple(Face(upright.index(letter)) for letter in centres))
    return lies if lies in all_orientations() else None
