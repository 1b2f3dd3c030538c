"""Cells of any lattice as solids, seen from the upper right corner.

Columns run to the lower right, rows to the lower left, layers up. A cell hides only others whose
middles are further from the eye: the cells of each lattice are what is closest to their middles,
or to points in line with these, with the same bounds. So painting them by where their middles are
covers exactly what is hidden.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Final

from solvers.drawing.axonometry import EDGE_MM, project
from solvers.drawing.palette import distinct, mixed
from solvers.drawing.shapes import Line, Point, Polygon, Shape
from solvers.polycube.lattice import faces as space
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.faces import Cell, Face
from solvers.polycube.lattice.lattice import Lattice
from solvers.polycube.pictures.bores import BoredCell

TO_THE_EYE: Final = (1.0, -1.0, 1.0)
EDGE_ON: Final = 1e-6
# How dark a face is: so much, and more or less by where it looks. A top is not darkened at all,
# a side to the lower left by 0.16 and one to the lower right by 0.32.
SHADE: Final = 0.24
SHADES: Final = (0.08, 0.08, -0.24)
SHADES_APART: Final = 0.5
"""How much white or black the first and the last of several copies of a piece have."""
BORE_RADIUS: Final = 0.24  # in edges of a cube
DISC_CORNERS: Final = 24
# Half a length of a side; all lengths along the axes are foreshortened.
BALL_MM: Final = EDGE_MM * 1.5**0.5 / 2

Corner = tuple[int, int, int]
"""A point of space in thousandths, so that the same corners of two cells are equal."""
Edge = tuple[frozenset[Corner], Corner]
"""The ends of a face's side, and where the face looks."""


@dataclass(frozen=True)
class Block:
    """Cells of one colour that belong together."""

    cells: frozenset[Cell]
    colour: str


def paint(
    blocks: Sequence[Block], bored: Collection[BoredCell] = (), lattice: Lattice = CUBES
) -> list[Shape]:
    """Return the visible sides of all cells, with the ends of bores, the ones behind first."""
    owner = {cell: number for number, block in enumerate(blocks) for cell in block.cells}
    ordered = sorted(owner, key=lambda cell: (_depth(cell, lattice), cell))
    if lattice.balls:
        return [
            shape for cell in ordered for shape in _ball(cell, blocks[owner[cell]].colour, lattice)
        ]
    inner = [_inner_edges(block.cells, lattice) for block in blocks]
    shapes: list[Shape] = []
    for cell in ordered:
        number = owner[cell]
        for face in lattice.faces(cell):
            if face.beyond not in owner and _towards_eye(space.normal(face.corners)) > EDGE_ON:
                shapes += _paint_face(face, blocks[number].colour, inner[number], lattice)
                if (axis := _bored_axis(cell, face, bored)) is not None:
                    shapes.append(_end_of_bore(cell, axis, lattice))
    return shapes


def piece_colours(names: Sequence[str]) -> Mapping[str, str]:
    """Return a colour for every piece name, the same whatever order they come in."""
    return {name: distinct(index) for index, name in enumerate(sorted(set(names)))}


def shades(names: Sequence[str]) -> list[str]:
    """Return a colour for each placed piece: those of one name have shades of that name's."""
    colours, copies = piece_colours(names), Counter(names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        share = SHADES_APART * (2 * seen[name] / max(copies[name] - 1, 1) - 1)
        seen[name] += 1
        other = "#ffffff" if share < 0 else "#000000"
        found.append(mixed(colours[name], other, abs(share) if copies[name] > 1 else 0.0))
    return found


def _depth(cell: Cell, lattice: Lattice) -> float:
    return round(_towards_eye(lattice.centre([cell])), 6)


def _towards_eye(way: space.Point) -> float:
    return sum(a * b for a, b in zip(way, TO_THE_EYE, strict=True))


def _inner_edges(cells: frozenset[Cell], lattice: Lattice) -> set[Edge]:
    """Return the edges at which the surface of some cells goes straight on."""
    edges: Counter[Edge] = Counter(
        edge
        for cell in cells
        for face in lattice.faces(cell)
        if face.beyond not in cells
        for edge in _edges(face)
    )
    return {edge for edge, number in edges.items() if number > 1}


def _edges(face: Face) -> list[Edge]:
    """Return the sides of a face, the first from its last corner to its first."""
    corners = [_rounded(corner) for corner in face.corners]
    looks = _looks(face)
    return [(frozenset((corners[at - 1], corners[at])), looks) for at in range(len(corners))]


def _looks(face: Face) -> Corner:
    x, y, z = space.normal(face.corners)
    length = hypot(x, y, z)
    return _rounded((x / length, y / length, z / length))


def _rounded(point: space.Point) -> Corner:
    return round(1000 * point[0]), round(1000 * point[1]), round(1000 * point[2])


def _ball(cell: Cell, colour: str, lattice: Lattice) -> list[Shape]:
    """Return a ball with some light from the upper left."""
    x, y = project(lattice.centre([cell]), lattice.enlarged)
    radius = BALL_MM * lattice.enlarged
    ink = mixed(colour, "#000000", 0.62)
    shapes: list[Shape] = [Polygon(_disc(x, y, radius), colour, ink, 0.45)]
    for size, paler in ((0.62, 0.2), (0.3, 0.45)):
        aside = radius * (1 - size) * 0.45
        lit = mixed(colour, "#ffffff", paler)
        shapes.append(Polygon(_disc(x - aside, y - aside, radius * size), lit))
    return shapes


def _disc(x: float, y: float, radius: float) -> tuple[Point, ...]:
    angles = (2 * pi * step / DISC_CORNERS for step in range(DISC_CORNERS))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


def _paint_face(face: Face, colour: str, inner: set[Edge], lattice: Lattice) -> list[Shape]:
    points = tuple(project(corner, lattice.enlarged) for corner in face.corners)
    looks = _looks(face)
    shade = SHADE + sum(a * b / 1000 for a, b in zip(SHADES, looks, strict=True))
    fill = mixed(colour, "#000000", max(0.0, round(shade, 3)))
    # The outline in the same colour closes the hairline gaps between neighbouring sides.
    shapes: list[Shape] = [Polygon(points, fill=fill, stroke=fill, stroke_width_mm=0.1)]
    outlines: list[Shape] = []
    for at, edge in enumerate(_edges(face)):
        if edge in inner:
            shapes.append(Line(points[at - 1], points[at], mixed(fill, "#000000", 0.16), 0.15))
        else:
            ink = mixed(colour, "#000000", 0.62)
            outlines.append(Line(points[at - 1], points[at], ink, 0.45))
    return shapes + outlines


def _bored_axis(cell: Cell, face: Face, bored: Collection[BoredCell]) -> int | None:
    """Return the axis of the bore that ends at the face of a cube, if one does."""
    if not bored:
        return None
    axis = next(axis for axis in range(3) if face.beyond[axis] != cell[axis])
    return axis if (cell, axis) in bored else None


def _end_of_bore(cell: Cell, axis: int, lattice: Lattice) -> Polygon:
    """Return a dark disc in the middle of a side of a cube."""
    first, second = (other for other in range(3) if other != axis)
    points = []
    for step in range(DISC_CORNERS):
        angle = 2 * pi * step / DISC_CORNERS
        place = [coordinate + 0.5 for coordinate in cell]
        place[axis] = cell[axis] + 1.0
        place[first] += BORE_RADIUS * cos(angle)
        place[second] += BORE_RADIUS * sin(angle)
        points.append(project(space.in_space(lattice.frame, (place[0], place[1], place[2]))))
    return Polygon(tuple(points), fill="#1b1b1b")
