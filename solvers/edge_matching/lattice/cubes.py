"""Cubes, in layers of rows and columns; drawn and printed as nets."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from solvers.drawing.shapes import Point, Polygon, Shape, Text, project, shift
from solvers.edge_matching.lattice.flat import colours, signed
from solvers.edge_matching.lattice.lattice import CellKind, Corner, Labels, Lattice, rotations

FACE_MM: Final = 9.0
GAP_MM: Final = 4.0
NET: Final[tuple[Point, ...]] = ((1, 0), (1, 1), (2, 1), (3, 1), (0, 1), (1, 2))
"""Column and row of each face in the net."""

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


SEEN: Final = (TOP, FRONT, RIGHT)
"""The sides that are visible when cubes are shown assembled; they come first."""
STANDING: Final = 1.5
"""Scale of assembled cubes, relative to those of packing puzzles: they carry labels."""


def net(corners: Sequence[Corner], labels: Labels, number: int) -> list[Shape]:
    """Return the net of a cube, at its column and row, with its number at the upper left."""
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
    return shift(shapes, column * (4 * FACE_MM + GAP_MM), row * (3 * FACE_MM + GAP_MM))


def standing(cubes: Sequence[tuple[Sequence[Corner], Labels]]) -> list[Shape]:
    """Return assembled cubes, seen from above, the front and the right.

    Faces that touch another cube are omitted; nearer cubes come later and cover those behind.
    """
    places = {min(corners) for corners, _ in cubes}
    shapes: list[Shape] = []
    for corners, labels in sorted(cubes, key=lambda cube: sum(min(cube[0]))):
        x, y, z = min(corners)
        beyond = (x, y, z + 1), (x, y + 1, z), (x + 1, y, z)
        for side, label, behind in zip(SEEN, labels, beyond, strict=False):
            if behind not in places:
                shapes += _face([corners[each] for each in side], label)
    return shapes


def _face(corners: Sequence[Corner], label: int) -> list[Shape]:
    """Return a face, given by its corners: these two by two along an axis."""
    a, b, c, d = (project((STANDING * x, -STANDING * y, STANDING * z)) for x, y, z in corners)
    fill, ink = colours(label)
    middle = ((a[0] + d[0]) / 2, (a[1] + d[1]) / 2 + 1.2)
    return [
        Polygon((a, b, d, c), fill=fill, stroke="#4a4a4a", stroke_width_mm=0.3),
        Text(middle, signed(label).removeprefix("+"), 3.4, ink, "middle"),
    ]


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
    stand=standing,
    lines=3,
    thirds=9,
)
