"""Painted or written positions as 54 colours, and whether they are legal cubes."""

import re
from typing import Final

from controller.dashboard.cube.view import BLANK, PositionView
from solvers.foundation.wording import counted
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.errors import FaceletError
from solvers.rubik.facelets import CENTRE_FACELETS, FACE_LETTERS, format_facelets
from solvers.rubik.held_cube import HeldCube, read_position, read_stickers
from solvers.rubik.notation import Notation

STICKERS: Final = 54
_NAMED_COLOURS: Final = "WRGYOB"
"""White, red, green, yellow, orange, blue: the usual colours of U R F D L B."""


def position_of(text: str, notation: Notation) -> PositionView:
    """Return the colours of stickers in any six signs, or of moves from the solved cube.

    What is not 54 stickers, or no moves, is a view without stickers. Raises nothing for stickers
    that are no cube: the view says what is wrong.
    """
    signs = "".join(text.split()).upper()
    if BLANK in signs and len(signs) == STICKERS:
        return _unfinished(signs)
    try:
        held = read_position(text, notation)
    except FaceletError as error:
        colours = _colours(signs) if len(signs) == STICKERS else ""
        return PositionView(
            facelets=colours,
            is_legal=False,
            sentence=_in_colours(error, colours),
            ringed=error.facelets,
        )
    return legal(held)


def legal(held: HeldCube, seed: int | None = None) -> PositionView:
    """Return a cube as it is held."""
    return PositionView(
        facelets=_colours(held.stickers),
        is_legal=True,
        upright=format_facelets(held.position),
        seed=seed,
    )


def ends_of(facelets: str, target: str, notation: Notation) -> tuple[CubieCube, CubieCube]:
    """Return start and target of a search, both as the cube is held.

    Raises FaceletError or NotationError.
    """
    held = read_stickers(facelets)
    if not target.strip():
        return held.position, SOLVED
    return held.position, read_position(target, notation).held_like(held)


_COLOURS: Final = dict(
    zip("①②③④⑤⑥", ("white", "red", "green", "yellow", "orange", "blue"), strict=True)
)
"""What stands for the colours of U R F D L B while stickers are checked, and their names."""


def _in_colours(error: FaceletError, colours: str) -> str:
    """Return what is wrong with stickers in the names of the colours that the page shows.

    The check is made once more, with signs that nothing else in its sentence has.
    """
    signs = colours.translate(str.maketrans(FACE_LETTERS, "".join(_COLOURS)))
    try:
        read_stickers(signs)
    except FaceletError as again:
        if type(again) is type(error) and len(signs) == STICKERS:
            sentence = re.sub("=(?=[①-⑥])", " ", str(again))  # "U9=①" names a sticker's colour
            return re.sub(
                "[①-⑥]+", lambda found: "-".join(_COLOURS[sign] for sign in found[0]), sentence
            )
    return str(error)  # of the letters, or how the centres are arranged


def _unfinished(signs: str) -> PositionView:
    blanks = counted(signs.count(BLANK), "sticker")
    verb = "has" if signs.count(BLANK) == 1 else "have"
    return PositionView(
        facelets="".join(sign if sign in FACE_LETTERS else BLANK for sign in signs),
        is_legal=False,
        sentence=f"{blanks} {verb} no colour yet.",
    )


def _colours(signs: str) -> str:
    """Return colours for six signs of any kind; "?" for what can be none of them."""
    if set(signs) <= set(FACE_LETTERS):
        return signs
    symbols = _NAMED_COLOURS
    if not set(signs) <= set(symbols):
        symbols = "".join(dict.fromkeys(signs[index] for index in CENTRE_FACELETS))
    known = dict(zip(symbols, FACE_LETTERS, strict=False))
    return "".join(known.get(sign, BLANK) for sign in signs)
