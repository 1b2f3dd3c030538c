"""Cells of any lattice drawn as solids, seen from the upper right corner.

Columns run to the lower right, rows to the lower left, layers up. A cell hides only cells whose
centres are further from the eye: the cells of each lattice are the Voronoi cells of their centres,
or of points in line with these, with the same bounds. So painting them in the order of their
centres (the painter's algorithm) covers exactly what is hidden.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Final

from solvers.drawing import shapes as draw
from solvers.polycube.lattice import Cell, Face, Lattice, cross, mean, minus, normal
from solvers.polycube.lattice import Point as SpacePoint
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import ON_CELL
from solvers.polycube.pictures.signs import Sign, by_cell

TO_THE_EYE: Final = (1.0, -1.0, 1.0)
EDGE_ON: Final = 1e-6
# Share of black in a face: SHADE, plus or minus what its normal adds. A top is not darkened at all,
# a side to the lower left by 0.16 and one to the lower right by 0.32.
SHADE: Final = 0.24
SHADES: Final = (0.08, 0.08, -0.24)
# Share of white in the first and of black in the last of several copies of a piece.
SHADES_APART: Final = 0.5
DISC_CORNERS: Final = 24
INK: Final = "#1b1b1b"
LINE_MM: Final = 0.25
# Half a side length; all lengths along the axes are foreshortened.
BALL_MM: Final = draw.EDGE_MM * 1.5**0.5 / 2

# A point in thousandths, so that shared corners of two cells are equal.
Corner = tuple[int, int, int]
# The ends of an edge, and the normal of its face.
Edge = tuple[frozenset[Corner], Corner]


@dataclass(frozen=True)
class Block:
    """Cells of one colour that form one piece."""

    cells: frozenset[Cell]
    colour: str


def paint(
    blocks: Sequence[Block], signs: Collection[Sign] = (), lattice: Lattice = CUBES
) -> list[draw.Shape]:
    """Return the visible faces of all cells, with the signs of their marks, back to front."""
    owner = {cell: number for number, block in enumerate(blocks) for cell in block.cells}
    # Rounding in `_depth` and the cell itself make the order reproducible.
    ordered = sorted(owner, key=lambda cell: (_depth(cell, lattice), cell))
    signs_of = by_cell(signs)
    if lattice.balls:
        return [
            shape
            for cell in ordered
            for shape in _ball(cell, blocks[owner[cell]].colour, signs_of.get(cell, ()), lattice)
        ]
    inner = [_inner_edges(block.cells, lattice) for block in blocks]
    shapes: list[draw.Shape] = []
    for cell in ordered:
        number = owner[cell]
        for face in lattice.faces(cell):
            # Only faces without a neighbour, towards the viewer.
            if face.beyond not in owner and _towards_eye(normal(face.corners)) > EDGE_ON:
                shapes += _paint_face(face, blocks[number].colour, inner[number], lattice)
                shapes += [
                    _sign(each, face, lattice)
                    for each in signs_of.get(cell, ())
                    if each.way in (ON_CELL, minus(face.beyond, cell))
                ]
    return shapes


def piece_colours(names: Sequence[str]) -> Mapping[str, str]:
    """Return a colour for every piece name, independent of their order."""
    return {name: draw.distinct_colour(index) for index, name in enumerate(sorted(set(names)))}


def shades(names: Sequence[str]) -> list[str]:
    """Return a colour for each placed piece; copies of one name get shades of its colour."""
    colours, copies = piece_colours(names), Counter(names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        share = SHADES_APART * (2 * seen[name] / max(copies[name] - 1, 1) - 1)
        seen[name] += 1
        other = "#ffffff" if share < 0 else "#000000"
        found.append(draw.mix(colours[name], other, abs(share) if copies[name] > 1 else 0.0))
    return found


def _depth(cell: Cell, lattice: Lattice) -> float:
    return round(_towards_eye(lattice.centre([cell])), 6)


def _towards_eye(way: SpacePoint) -> float:
    return sum(a * b for a, b in zip(way, TO_THE_EYE, strict=True))


def _inner_edges(cells: frozenset[Cell], lattice: Lattice) -> set[Edge]:
    """Return the edges at which the surface of some cells continues without a bend."""
    edges: Counter[Edge] = Counter(
        edge
        for cell in cells
        for face in lattice.faces(cell)
        if face.beyond not in cells
        for edge in _edges(face)
    )
    return {edge for edge, number in edges.items() if number > 1}


def _edges(face: Face) -> list[Edge]:
    """Return the edges of a face, the first from its last corner to its first."""
    corners = [_round(corner) for corner in face.corners]
    facing = _normal_of(face)
    return [(frozenset((corners[at - 1], corners[at])), facing) for at in range(len(corners))]


def _normal_of(face: Face) -> Corner:
    x, y, z = normal(face.corners)
    length = hypot(x, y, z)
    return _round((x / length, y / length, z / length))


def _round(point: SpacePoint) -> Corner:
    return round(1000 * point[0]), round(1000 * point[1]), round(1000 * point[2])


def _ball(cell: Cell, colour: str, signs: Sequence[Sign], lattice: Lattice) -> list[draw.Shape]:
    """Return a ball lit from the upper left, with the signs of its marks in the middle."""
    x, y = draw.project(lattice.centre([cell]), lattice.enlarged)
    radius = BALL_MM * lattice.enlarged
    ink = draw.mix(colour, "#000000", 0.62)
    shapes: list[draw.Shape] = [draw.Polygon(_disc(x, y, radius), colour, ink, 0.45)]
    for size, paler in ((0.62, 0.2), (0.3, 0.45)):
        aside = radius * (1 - size) * 0.45
        lit = draw.mix(colour, "#ffffff", paler)
        shapes.append(draw.Polygon(_disc(x - aside, y - aside, radius * size), lit))
    shapes += [
        draw.Polygon(_disc(x, y, radius * each.size), each.colour, INK, LINE_MM) for each in signs
    ]
    return shapes


def _disc(x: float, y: float, radius: float) -> tuple[draw.Point, ...]:
    angles = (2 * pi * step / DISC_CORNERS for step in range(DISC_CORNERS))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


def _paint_face(face: Face, colour: str, inner: set[Edge], lattice: Lattice) -> list[draw.Shape]:
    points = tuple(draw.project(corner, lattice.enlarged) for corner in face.corners)
    facing = _normal_of(face)
    shade = SHADE + sum(a * b / 1000 for a, b in zip(SHADES, facing, strict=True))
    fill = draw.mix(colour, "#000000", max(0.0, round(shade, 3)))
    # The outline in the same colour closes the hairline gaps between neighbouring sides.
    shapes: list[draw.Shape] = [draw.Polygon(points, fill=fill, stroke=fill, stroke_width_mm=0.1)]
    outlines: list[draw.Shape] = []
    for at, edge in enumerate(_edges(face)):
        if edge in inner:
            shapes.append(
                draw.Line(points[at - 1], points[at], draw.mix(fill, "#000000", 0.16), 0.15)
            )
        else:
            ink = draw.mix(colour, "#000000", 0.62)
            outlines.append(draw.Line(points[at - 1], points[at], ink, 0.45))
    return shapes + outlines


def _sign(sign: Sign, face: Face, lattice: Lattice) -> draw.Polygon:
    """Return a disc in the middle of a face, or the face itself made smaller."""
    middle = mean(face.corners)
    if sign.is_round:
        points = _circle(middle, face.corners, sign.size)
    else:
        points = [_along(middle, minus(corner, middle), sign.size) for corner in face.corners]
    on_page = tuple(draw.project(point, lattice.enlarged) for point in points)
    return draw.Polygon(on_page, sign.colour, INK, LINE_MM)


def _circle(middle: SpacePoint, corners: Sequence[SpacePoint], radius: float) -> list[SpacePoint]:
    """Return points of a circle in the plane of a face."""
    first = _unit(minus(corners[1], corners[0]))
    second = _unit(cross(normal(corners), first))
    points = []
    for step in range(DISC_CORNERS):
        angle = 2 * pi * step / DISC_CORNERS
        points.append(
            _along(_along(middle, first, radius * cos(angle)), second, radius * sin(angle))
        )
    return points


def _along(start: SpacePoint, way: SpacePoint, far: float) -> SpacePoint:
    return start[0] + far * way[0], start[1] + far * way[1], start[2] + far * way[2]


def _unit(way: SpacePoint) -> SpacePoint:
    return _along((0.0, 0.0, 0.0), way, 1 / hypot(*way))
