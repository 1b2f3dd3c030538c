"""Stickers: where those of each piece are, and the words that messages about them are made of."""

from typing import Final

FACE_LETTERS: Final = "URFDLB"

CORNER_FACELETS: Final = (
    (8, 9, 20),
    (6, 18, 38),
    (0, 36, 47),
    (2, 45, 11),
    (29, 26, 15),
    (27, 44, 24),
    (33, 53, 42),
    (35, 17, 51),
)
"""Indices of each corner's three stickers: first the one on U or D, then clockwise."""

EDGE_FACELETS: Final = (
    (5, 10),
    (7, 19),
    (3, 37),
    (1, 46),
    (32, 16),
    (28, 25),
    (30, 43),
    (34, 52),
    (23, 12),
    (21, 41),
    (50, 39),
    (48, 14),
)
"""Indices of each edge's two stickers, in the order of the faces in its name."""

CENTRE_FACELETS: Final = (4, 13, 22, 31, 40, 49)
"""Indices of the six centres."""


def facelet_name(index: int) -> str:
    """Return the name of a sticker: its face and its number there, such as F5 for F's centre."""
    return f"{FACE_LETTERS[index // 9]}{index % 9 + 1}"


def shown(letters: str, symbols: str) -> str:
    """Return face letters as the symbols that stand for them, one each for U R F D L B."""
    return letters.translate(str.maketrans(FACE_LETTERS, symbols))


def named_stickers(facelets: tuple[int, ...], colours: str) -> str:
    """Return stickers with their colours, such as "U9=R R1=F"."""
    return " ".join(
        f"{facelet_name(index)}={colour}" for index, colour in zip(facelets, colours, strict=True)
    )


def named_place(
    names: tuple[str, ...], facelets: tuple[tuple[int, ...], ...], place: int, letters: str
) -> str:
    """Return a place with what is to be seen there, of all 54 `letters`."""
    colours = "".join(letters[index] for index in facelets[place])
    return f"{names[place]} (stickers {named_stickers(facelets[place], colours)})"
