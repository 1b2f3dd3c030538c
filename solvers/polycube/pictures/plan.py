"""A solution as a plan: its layers side by side as seen from above, for cells of any lattice."""

from collections import defaultdict
from typing import Final

from solvers.drawing.palette import mixed
from solvers.drawing.shapes import Drawing, Line, Point, Polygon, Shape, Text, beside, framed
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.pictures.isometric import captioned
from solvers.polycube.pictures.layers import symbols
from solvers.polycube.pictures.solids import shades
from solvers.polycube.puzzle import PackingSolution

SIDE_MM: Final = 10.0
LAYERS_IN_A_ROW: Final = 4
INK: Final = "#222222"

Outline = tuple[Point, ...]
"""The corners of a cell as seen from above, in lengths of a side, rows downwards."""

Edge = frozenset[tuple[int, int]]
"""The ends of a cell's side, in thousandths of its length."""


def plan_drawing(solution: PackingSolution, lattice: Lattice) -> Drawing:
    """Return the layers, the lowest first, each cell with its piece's colour and letter."""
    layers: dict[int, list[tuple[int, Outline]]] = defaultdict(list)
    for number, placement in enumerate(solution.placements):
        for cell in placement.cells:
            layers[lattice.place_of(cell)[2]].append((number, _outline(lattice, cell)))
    letters = symbols(solution)
    fills = shades([placement.piece for placement in solution.placements])
    corners = [at for cells in layers.values() for _, outline in cells for at in outline]
    pictures = []
    for at in sorted(layers):
        shapes = _layer(layers[at], fills, letters)
        # One frame round all layers keeps each at the same place of its own picture.
        drawing = framed([_frame(corners), *shapes], 3.0)
        if len(layers) > 1:
            drawing = captioned(drawing, f"layer {at - min(layers) + 1}")
        pictures.append(drawing)
    return framed(beside(pictures, LAYERS_IN_A_ROW, gap_mm=6.0).shapes, 6.0)


def _layer(
    cells: list[tuple[int, Outline]], fills: list[str], letters: tuple[str, ...]
) -> list[Shape]:
    """Return a layer's cells; sides between cells of one piece are thin, all others thick."""
    sides: dict[Edge, list[int]] = defaultdict(list)
    shapes: list[Shape] = []
    texts: list[Shape] = []
    for number, outline in cells:
        points = tuple(map(_on_page, outline))
        shapes.append(Polygon(points, fills[number], fills[number], 0.1))
        middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
        texts.append(Text((middle[0], middle[1] + 1.1), letters[number], 3.2, INK, "middle"))
        for start, end in _sides(outline):
            sides[frozenset((_rounded(start), _rounded(end)))].append(number)
    for number, outline in cells:
        for start, end in _sides(outline):
            beside_it = sides[frozenset((_rounded(start), _rounded(end)))]
            inner = beside_it == [number, number]
            ink = mixed(fills[number], "#000000", 0.16 if inner else 0.62)
            shapes.append(Line(_on_page(start), _on_page(end), ink, 0.15 if inner else 0.5))
    return shapes + texts


def _outline(lattice: Lattice, cell: Cell) -> Outline:
    """Return the base of a prism as seen from above, rows downwards."""
    base = next(face for face in lattice.faces(cell) if _level(face.corners))
    return tuple((x, -y) for x, y, _ in base.corners)


def _level(corners: tuple[tuple[float, float, float], ...]) -> bool:
    return len({z for _, _, z in corners}) == 1


def _sides(outline: Outline) -> list[tuple[Point, Point]]:
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))


def _rounded(corner: Point) -> tuple[int, int]:
    return round(1000 * corner[0]), round(1000 * corner[1])


def _on_page(corner: Point) -> Point:
    return corner[0] * SIDE_MM, corner[1] * SIDE_MM


def _frame(corners: list[Point]) -> Polygon:
    xs, ys = zip(*map(_on_page, corners), strict=True)
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)))
