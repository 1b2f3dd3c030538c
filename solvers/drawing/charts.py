"""Bar charts of counts, on a logarithmic scale."""

from collections.abc import Mapping
from math import log10
from typing import Final

from solvers.drawing.shapes import DISTINCT, Drawing, Polygon, Shape, Text

ROW_MM: Final = 7.0
BAR_MM: Final = 5.0
TEN_TIMES_MM: Final = 14.0
TEXT_MM: Final = 3.5
LETTER_MM: Final = 2.2
"""Room for a letter of that size; the widest of common fonts need no more."""
GAP_MM: Final = 2.0


def bar_chart(bars: Mapping[str, float]) -> Drawing:
    """Return a row for each name and number: the name, a bar and the number.

    A bar ten times as large is 14 mm longer, and that of 1 has the length of such a step; so no
    number may be less than 1.
    """
    label_mm = max(map(len, bars)) * LETTER_MM
    shapes: list[Shape] = []
    right = 0.0
    for row, (name, value) in enumerate(bars.items()):
        top, left = row * ROW_MM, label_mm + GAP_MM
        end = left + TEN_TIMES_MM * (1 + log10(value))
        down = top + (ROW_MM - BAR_MM) / 2
        base = top + ROW_MM / 2 + TEXT_MM / 3
        corners = ((left, down), (end, down), (end, down + BAR_MM), (left, down + BAR_MM))
        number = f"{value:,.0f}"
        shapes += [
            Text((label_mm, base), name, TEXT_MM, anchor="end"),
            Polygon(corners, fill=DISTINCT[1]),
            Text((end + GAP_MM, base), number, TEXT_MM),
        ]
        right = max(right, end + GAP_MM + len(number) * LETTER_MM)
    return Drawing(right, len(bars) * ROW_MM, tuple(shapes))
