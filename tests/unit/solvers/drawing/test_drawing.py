"""Drawings, and that SVG and PDF hold the same shapes."""

from xml.etree import ElementTree

from solvers.drawing.export import to_pdf, to_svg
from solvers.drawing.shapes import (
    DISTINCT,
    Drawing,
    Line,
    Polygon,
    Shape,
    Text,
    arrange,
    bounds,
    distinct_colour,
    mix,
    shift,
    with_margin,
)

SHAPES: list[Shape] = [
    Polygon(((10.0, 10.0), (20.0, 10.0), (15.0, 18.0)), fill="#ff0000", stroke="#000000"),
    Line((12.0, 8.0), (30.0, 8.0)),
    Text((15.0, 20.0), "a < b & c", anchor="middle", bold=True),
]


def test_framing_moves_everything_to_the_margin() -> None:
    drawing = with_margin(SHAPES, margin_mm=2.0)
    assert (drawing.width_mm, drawing.height_mm) == (24.0, 16.0)
    assert bounds(drawing.shapes) == (2.0, 2.0, 22.0, 14.0)
    assert shift(drawing.shapes, 8.0, 6.0) == SHAPES


def test_drawings_stand_beside_and_below_one_another() -> None:
    square = Drawing(10, 10, (Polygon(((0, 0), (10, 0), (10, 10), (0, 10)), fill="#123456"),))
    high = Drawing(4, 20, (Line((0, 0), (4, 20)),))
    page = arrange([square, high, square], columns=2, gap_mm=1)
    assert (page.width_mm, page.height_mm) == (21, 31)
    assert page.shapes[1] == Line((14, 0), (18, 20))
    assert bounds([page.shapes[2]]) == (0, 21, 10, 31)


def test_svg_is_well_formed_and_complete() -> None:
    root = ElementTree.fromstring(to_svg(with_margin(SHAPES, 1.0), "1 < 2"))
    tags = [element.tag.rpartition("}")[2] for element in root]
    assert tags == ["title", "polygon", "line", "text"]
    assert root[0].text == "1 < 2"
    assert root[3].text == "a < b & c"
    assert root.get("width") == "22mm"


def test_pdf_has_one_page_per_drawing_and_no_time_in_it() -> None:
    pages = [with_margin(SHAPES, 1.0), with_margin(SHAPES, 5.0)]
    data = to_pdf(pages, "title")
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") == 2
    assert data == to_pdf(pages, "title")


def test_colours_stay_apart() -> None:
    colours = [distinct_colour(index) for index in range(40)]
    assert len(set(colours)) == 40
    assert colours[: len(DISTINCT)] == list(DISTINCT)


def test_mixing_colours() -> None:
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert mix("#123456", "#ffffff", 0.0) == "#123456"
