"""Cubes, in layers of rows and columns; drawn and printed as nets."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from solvers.drawing.shapes import Point, Polygon, Shape, Text, moved
from solvers.edge_matching.lattice.half_figures import colours, signed
from solvers.edge_matching.lattice.lattice import CellKind, Corner, Labels, Lattice, rotations

FACE_MM: Final = 9.0
GAP_MM: Final = 4.0
NET: Final[tuple[Point, ...]] = ((1, 0), (1, 1), (2, 1), (3, 1), (0, 1), (1, 2))
"""Where a face lies in the net: column and row."""

CORNERS: Final[tuple[Corner, ...]] = tuple(product((0, 1), repeat=3))
"""Across from the left, towards the front, and up."""


def _side(axis: int, at: int) -> tuple[int, ...]:
    return tuple(number for number, corner in enumerate(CORNERS) if corner[axis] == at)


def _quarter_turn(first: int, second: int) -> tuple[int, ...]:
    """Return where the corners go when one axis is turned towards another."""

    def turned(corner: Corner) -> Corner:
        after = list(corner)
        after[first], after[second] = 1 - corner[second], corner[first]
        return tuple(after)

    return tuple(CORNERS.index(turned(corner)) for corner in CORNERS)


TOP, FRONT, RIGHT, BACK, LEFT, BOTTOM = SIDES = (
    *(_side(2, 1), _side(1, 1), _side(0, 1)),
    *(_side(1, 0), _side(0, 0), _side(2, 0)),
)


def net(corners: Sequence[Corner], labels: Labels, number: int) -> list[Shape]:
    """Return a cube unfolded, at the place of its column and row; its number stands above left."""
    column, row, _ = corners[0]
    shapes: list[Shape] = []
    for (across, down), label in zip(NET, labels, strict=True):
        left, top = across * FACE_MM, down * FACE_MM
        right, bottom = left + FACE_MM, top + FACE_MM
        fill, ink = colours(label)
        face = ((left, top), (right, top), (right, bottom), (left, bottom))
        shapes += [
            Polygon(face, fill=fill, stroke="#4a4a4a", stroke_width_mm=0.3),
            _written(left, top, signed(label).removeprefix("+"), ink),
        ]
    shapes.append(_written(0.0, 0.0, f"{number}", "#6a6a6a"))
    return moved(shapes, column * (4 * FACE_MM + GAP_MM), row * (3 * FACE_MM + GAP_MM))


def _written(left: float, top: float, text: str, ink: str) -> Text:
    middle = (left + FACE_MM / 2, top + FACE_MM / 2 + 1.2)
    return Text(middle, text, 3.4, ink, "middle")


CUBE: Final = CellKind(
    "cube",
    "#",
    corners=CORNERS,
    printed_at=((2, 0), (2, 1), (4, 1), (6, 1), (0, 1), (2, 2)),
    steps=(1, 1, 1),
)

CUBES: Final = Lattice(
    name="cubes",
    tile="cube",
    kinds=(CUBE,),
    sides=SIDES,
    rotations=rotations(SIDES, _quarter_turn(0, 1), _quarter_turn(1, 2)),
    mirror=tuple(CORNERS.index((1 - x, y, z)) for x, y, z in CORNERS),
    draw=net,
    lines=3,
    thirds=9,
)
