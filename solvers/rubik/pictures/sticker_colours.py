"""Which colour a sticker's letter stands for."""

from typing import Final

WHITE, RED, GREEN = "#f4f4f4", "#b71234", "#009b48"
YELLOW, ORANGE, BLUE = "#ffd500", "#ff5800", "#0046ad"

DARK: Final = frozenset({RED, GREEN, BLUE})
"""On these, letters are better white."""

# The usual colours: white on top, green in front. The papers' cube has other ones.
_OF_FACES: Final = dict(zip("URFDLB", (WHITE, RED, GREEN, YELLOW, ORANGE, BLUE), strict=True))
_OF_NAMES: Final = dict(zip("WRGYOB", _OF_FACES.values(), strict=True))


def sticker_colours(centres: str) -> dict[str, str]:
    """Return a colour for each letter of the centres at U R F D L B.

    By its name where that is a colour, or a face as it usually is; else by its place.
    """
    for named in (_OF_FACES, _OF_NAMES):
        if set(centres) == set(named):
            return named
    return dict(zip(centres, _OF_FACES.values(), strict=True))
