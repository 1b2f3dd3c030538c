"""Points of space on the page, seen from the upper right corner: all three axes are as short."""

from math import cos, pi, sin
from typing import Final

from solvers.drawing.shapes import Point

EDGE_MM: Final = 9.0
"""The length of a side that runs along an axis."""
ACROSS: Final = EDGE_MM * cos(pi / 6)
DOWN: Final = EDGE_MM * sin(pi / 6)


def project(point: tuple[float, float, float], enlarged: float = 1.0) -> Point:
    """Return where a point lies on the page, in millimetres.

    Space is right-handed: x runs to the lower right, y to the upper right, z up.
    """
    x, y, z = (enlarged * at for at in point)
    return (x + y) * ACROSS, (x - y) * DOWN - z * EDGE_MM
