"""Pictures laid out on sheets of paper."""

from collections.abc import Sequence
from typing import Final

from solvers.drawing.shapes import Drawing, beside, moved, scaled

A4_MM: Final = (210.0, 297.0)
MARGIN_MM: Final = 12.0
GAP_MM: Final = 6.0
MOST_COLUMNS: Final = 4
SMALLEST: Final = 0.6
"""Captions of 4 mm are still read at this scale; one column is made as small as it must."""


def on_sheets(pictures: Sequence[Drawing]) -> list[Drawing]:
    """Return sheets of A4 with the pictures in rows, in their order; none is made larger.

    There are as many columns as pictures of this size can have and still be read.
    """
    width = max(picture.width_mm for picture in pictures)
    height = max(picture.height_mm for picture in pictures)
    across, down = (length - 2 * MARGIN_MM for length in A4_MM)
    for columns in range(MOST_COLUMNS, 0, -1):
        wide = (across - (columns - 1) * GAP_MM) / columns / width
        if wide >= SMALLEST:
            break
    scale = min(1.0, wide, down / height)
    rows = max(1, int((down + GAP_MM) / (height * scale + GAP_MM)))
    smaller = [
        Drawing(each.width_mm * scale, each.height_mm * scale, tuple(scaled(each.shapes, scale)))
        for each in pictures
    ]
    a_sheet = rows * columns
    return [
        _sheet(beside(smaller[first : first + a_sheet], columns, GAP_MM))
        for first in range(0, len(smaller), a_sheet)
    ]


def _sheet(drawing: Drawing) -> Drawing:
    return Drawing(*A4_MM, tuple(moved(drawing.shapes, MARGIN_MM, MARGIN_MM)))
