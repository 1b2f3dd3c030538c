"""The shapes a drawing is made of. Lengths are millimetres, x to the right, y down the page."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Point = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    """A closed outline; colours are `#rrggbb`, None leaves the inside or the outline away."""

    points: tuple[Point, ...]
    fill: str | None = None
    stroke: str | None = None
    stroke_width_mm: float = 0.3


@dataclass(frozen=True)
class Line:
    """A straight line with round ends."""

    start: Point
    end: Point
    stroke: str = "#000000"
    stroke_width_mm: float = 0.3


@dataclass(frozen=True)
class Text:
    """One line of text; `position` is its base line's start, middle or end."""

    position: Point
    text: str
    size_mm: float = 4.0
    fill: str = "#000000"
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False


Shape = Polygon | Line | Text


@dataclass(frozen=True)
class Drawing:
    """A picture of the given size; later shapes cover earlier ones."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


def moved(shapes: Iterable[Shape], right_mm: float, down_mm: float) -> list[Shape]:
    """Return the shapes moved right and down."""
    return [_mapped(shape, 1.0, right_mm, down_mm) for shape in shapes]


def scaled(shapes: Iterable[Shape], factor: float) -> list[Shape]:
    """Return the shapes made larger or smaller; lines keep their width."""
    return [_mapped(shape, factor, 0.0, 0.0) for shape in shapes]


def _mapped(shape: Shape, factor: float, right_mm: float, down_mm: float) -> Shape:
    def place(point: Point) -> Point:
        return (point[0] * factor + right_mm, point[1] * factor + down_mm)

    match shape:
        case Polygon():
            return replace(shape, points=tuple(map(place, shape.points)))
        case Line():
            return replace(shape, start=place(shape.start), end=place(shape.end))
        case Text():
            size = shape.size_mm * factor
            return replace(shape, position=place(shape.position), size_mm=size)


def bounds(shapes: Iterable[Shape]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of all points; text counts with its position alone."""
    points: list[Point] = []
    for shape in shapes:
        match shape:
            case Polygon():
                points.extend(shape.points)
            case Line():
                points.extend((shape.start, shape.end))
            case Text():
                points.append(shape.position)
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def framed(shapes: Iterable[Shape], margin_mm: float) -> Drawing:
    """Return a drawing just large enough for the shapes and a margin round them."""
    everything = list(shapes)
    left, top, right, bottom = bounds(everything)
    return Drawing(
        right - left + 2 * margin_mm,
        bottom - top + 2 * margin_mm,
        tuple(moved(everything, margin_mm - left, margin_mm - top)),
    )


def beside(drawings: Iterable[Drawing], columns: int, gap_mm: float) -> Drawing:
    """Return one drawing with the given ones in rows of `columns`, each row as high as it must."""
    rows: list[list[Drawing]] = []
    for drawing in drawings:
        if not rows or len(rows[-1]) == columns:
            rows.append([])
        rows[-1].append(drawing)
    column_width = max(drawing.width_mm for row in rows for drawing in row)
    shapes: list[Shape] = []
    top = 0.0
    for row in rows:
        for column, drawing in enumerate(row):
            centred = (column_width - drawing.width_mm) / 2
            shapes += moved(drawing.shapes, column * (column_width + gap_mm) + centred, top)
        top += max(drawing.height_mm for drawing in row) + gap_mm
    width = len(rows[0]) * (column_width + gap_mm) - gap_mm
    return Drawing(width, top - gap_mm, tuple(shapes))
