"""The 54 pieces of colour on a cube, as polygons in the room: stickers, or coloured plastic.

A sticker of a cube of 57 mm is cut 16 mm wide (http://grrroux.free.fr/workshop/workshop.html). How
wide the gaps between pieces look, how round they are and how large makers print their names is
assumed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from solvers.foundation.arrays import Float64Array

EDGE_MM: Final = 57.0
CUBIE_MM: Final = EDGE_MM / 3
STICKER_MM: Final = 16.0
STICKER_ROUNDING_MM: Final = 2.2
# What is seen of a piece of a cube whose plastic is not black: dark gaps lie between them.
PIECE_MM: Final = 18.4
PIECE_ROUNDING_MM: Final = 1.5

WHITE_PLASTIC: Final = "white plastic"
INK: Final = "ink"
STICKERLESS: Final = "stickerless"
WHITE: Final = "white"
WHITE_FACE: Final = "U"

# Letters of the maker's name: where they begin along the row, their width and height.
_LETTERS: Final = tuple((x, 1.1, 3.6) for x in (-5.0, -3.0, -1.0, 1.0, 3.0))

# For each place U R F D L B: the way it faces, the way along its rows, and the way down a column.
PLACES: Final = (
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((0, -1, 0), (-1, 0, 0), (0, 0, -1)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Polygon:
    """A convex polygon (n, 3), clockwise as its outside is seen, and what it is made of.

    `paint` is a sticker's letter or a material.
    """

    corners: Float64Array
    paint: str


def colour_polygons(index: int, letter: str, cube: str, *, logo: bool) -> Iterator[Polygon]:
    """Yield what is seen of one of the 54 pieces of colour of a cube that stands on the floor."""
    if cube == WHITE:
        yield Polygon(_outlines(PIECE_MM, PIECE_ROUNDING_MM)[index], WHITE_PLASTIC)
    if cube == STICKERLESS:
        yield Polygon(_outlines(PIECE_MM, PIECE_ROUNDING_MM)[index], letter)
    else:
        yield Polygon(_outlines(STICKER_MM, STICKER_ROUNDING_MM)[index], letter)
    if logo and letter == WHITE_FACE and index % 9 == 4:
        for start, width, height in _LETTERS:
            corners = np.array([[0, -0.5], [1, -0.5], [1, 0.5], [0, 0.5]]) * (width, height)
            yield Polygon(_on_place(corners + np.array([start, 0]), index), INK)


@cache
def _outlines(side_mm: float, rounding_mm: float) -> Float64Array:
    """Return 54 rounded squares on a cube that stands on the floor, (54, n, 3)."""
    half = side_mm / 2
    quarter = np.radians([0, 30, 60, 90])
    outline = []
    for corner, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angle = quarter + corner * np.pi / 2
        arc = rounding_mm * np.column_stack([np.cos(angle), np.sin(angle)])
        outline.append(np.array([x, y]) * (half - rounding_mm) + arc)
    flat = np.concatenate(outline)
    return np.array([_on_place(flat, index) for index in range(54)])


def _on_place(flat: Float64Array, index: int) -> Float64Array:
    """Return points (n, 2) about the middle of a piece of colour as points of the room (n, 3)."""
    place, number = divmod(index, 9)
    normal, along, down = (np.array(way, dtype=np.float64) for way in PLACES[place])
    across = flat[:, :1] + CUBIE_MM * (number % 3 - 1)
    below = flat[:, 1:] + CUBIE_MM * (number // 3 - 1)
    middle = np.array([0, 0, EDGE_MM / 2])
    return np.asarray(middle + normal * EDGE_MM / 2 + across * along + below * down)
