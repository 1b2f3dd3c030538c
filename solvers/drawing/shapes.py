"""Flat drawings of polygons, lines and text: layout, colours, projection.

Lengths are millimetres, x to the right, y down the page.
"""

import colorsys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Final, Literal

Point = tuple[float, float]


@dataclass(frozen=True)
class Polygon:
    """A closed outline; colours are `#rrggbb`, None omits the fill or the stroke."""

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


def shift(shapes: Iterable[Shape], right_mm: float, down_mm: float) -> list[Shape]:
    """Return the shapes translated to the right and down."""
    return [_mapped(shape, 1.0, right_mm, down_mm) for shape in shapes]


def resize(shapes: Iterable[Shape], factor: float) -> list[Shape]:
    """Return the shapes scaled; lines keep their width."""
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


def with_margin(shapes: Iterable[Shape], margin_mm: float) -> Drawing:
    """Return a drawing that encloses the shapes with a margin."""
    everything = list(shapes)
    left, top, right, bottom = bounds(everything)
    return Drawing(
        right - left + 2 * margin_mm,
        bottom - top + 2 * margin_mm,
        tuple(shift(everything, margin_mm - left, margin_mm - top)),
    )


def arrange(drawings: Iterable[Drawing], columns: int, gap_mm: float) -> Drawing:
    """Return one drawing with the given ones in rows of `columns`, aligned at the top."""
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
            shapes += shift(drawing.shapes, column * (column_width + gap_mm) + centred, top)
        top += max(drawing.height_mm for drawing in row) + gap_mm
    width = len(rows[0]) * (column_width + gap_mm) - gap_mm
    return Drawing(width, top - gap_mm, tuple(shapes))


# Colours.

# Distinct in hue and lightness; the first twelve serve the twelve-piece puzzles.
DISTINCT = (
    "#e4572e", "#2e86ab", "#f3a712", "#5b8e3e", "#8e4585", "#17a398",
    "#c9486c", "#3d5a98", "#b9c840", "#a0623a", "#7fb7d6", "#d98cb3",
    "#6b6f78", "#efc9a0", "#38705c", "#a3a3e0",
)  # fmt: skip

GOLDEN_RATIO = 0.6180339887498949


def distinct_colour(index: int) -> str:
    """Return a colour for number `index` (from 0) as `#rrggbb`, distinct from the others."""
    if index < len(DISTINCT):
        return DISTINCT[index]
    # Steps of the golden ratio keep any number of further hues apart.
    red, green, blue = colorsys.hls_to_rgb(index * GOLDEN_RATIO % 1.0, 0.55, 0.55)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def mix(colour: str, other: str, share: float) -> str:
    """Return a mixture of two colours, with `share` (0 to 1) of the other one."""

    def channel(at: int) -> str:
        first, second = int(colour[at : at + 2], 16), int(other[at : at + 2], 16)
        return f"{round(first + (second - first) * share):02x}"

    return "#" + channel(1) + channel(3) + channel(5)


# Isometric projection, seen from the upper right corner: all three axes are foreshortened alike.

# Length of an edge along an axis.
EDGE_MM: Final = 9.0
ACROSS: Final = EDGE_MM * cos(pi / 6)
DOWN: Final = EDGE_MM * sin(pi / 6)


def project(point: tuple[float, float, float], enlarged: float = 1.0) -> Point:
    """Return the position of a point on the page, in millimetres.

    Space is right-handed: x runs to the lower right, y to the upper right, z up.
    """
    x, y, z = (enlarged * at for at in point)
    return (x + y) * ACROSS, (x - y) * DOWN - z * EDGE_MM


# Layout on sheets of paper.

A4_MM: Final = (210.0, 297.0)
MARGIN_MM: Final = 12.0
GAP_MM: Final = 6.0
MOST_COLUMNS: Final = 4
# Captions of 4 mm are legible at this scale; a single column is scaled as much as necessary.
SMALLEST: Final = 0.6


def lay_out_on_sheets(pictures: Sequence[Drawing]) -> list[Drawing]:
    """Return A4 sheets with the pictures in rows, in order, none of them enlarged.

    There are as many columns as possible with legible captions.
    """
    width = max(picture.width_mm for picture in pictures)
    height = max(picture.height_mm for picture in pictures)
    across, down = (length - 2 * MARGIN_MM for length in A4_MM)
    # The most columns in which captions are still legible.
    for columns in range(MOST_COLUMNS, 0, -1):
        wide = (across - (columns - 1) * GAP_MM) / columns / width
        if wide >= SMALLEST:
            break
    scale = min(1.0, wide, down / height)
    rows = max(1, int((down + GAP_MM) / (height * scale + GAP_MM)))
    smaller = [
        Drawing(each.width_mm * scale, each.height_mm * scale, tuple(resize(each.shapes, scale)))
        for each in pictures
    ]
    a_sheet = rows * columns
    return [
        _sheet(arrange(smaller[first : first + a_sheet], columns, GAP_MM))
        for first in range(0, len(smaller), a_sheet)
    ]


def _sheet(drawing: Drawing) -> Drawing:
    return Drawing(*A4_MM, tuple(shift(drawing.shapes, MARGIN_MM, MARGIN_MM)))
