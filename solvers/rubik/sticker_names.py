"""Words for stickers and pieces: what the messages about impossible cubes are made of."""

from typing import Final

FACE_LETTERS: Final = "URFDLB"


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
