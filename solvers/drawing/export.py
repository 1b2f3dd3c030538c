"""Drawings as SVG text and as PDF pages, from the same shapes."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from solvers.drawing.shapes import Drawing, Line, Point, Polygon, Shape, Text
from solvers.foundation.extras import explained_imports

if TYPE_CHECKING:
    from fpdf import FPDF


def to_svg(drawing: Drawing, title: str) -> str:
    """Return a complete SVG document of the drawing's size in millimetres."""
    width, height = _number(drawing.width_mm), _number(drawing.height_mm)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" stroke-linejoin="round" stroke-linecap="round" '
        'font-family="DejaVu Sans, Helvetica, Arial, sans-serif">',
        f"<title>{escape(title)}</title>",
        *map(_element, drawing.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: Shape) -> str:
    match shape:
        case Polygon():
            points = " ".join(map(_pair, shape.points))
            stroke = _stroke(shape.stroke, shape.stroke_width_mm)
            return f'<polygon points="{points}" fill="{shape.fill or "none"}"{stroke}/>'
        case Line():
            (x1, y1), (x2, y2) = shape.start, shape.end
            ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
            return f"<line {ends}{_stroke(shape.stroke, shape.stroke_width_mm)}/>"
        case Text():
            x, y = map(_number, shape.position)
            weight = ' font-weight="bold"' if shape.bold else ""
            return (
                f'<text x="{x}" y="{y}" font-size="{_number(shape.size_mm)}" '
                f"fill={quoteattr(shape.fill)} "
                f'text-anchor="{shape.anchor}"{weight}>{escape(shape.text)}</text>'
            )


def _stroke(colour: str | None, width_mm: float) -> str:
    return f' stroke="{colour}" stroke-width="{_number(width_mm)}"' if colour else ""


def _pair(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    # Hundredths of a millimetre are finer than any printer.
    return f"{value:.2f}".rstrip("0").rstrip(".")


# PDF, written by fpdf2.

POINTS_PER_MM = 72 / 25.4

# A fixed date, so that the same drawings give the same bytes.
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


def to_pdf(pages: Sequence[Drawing], title: str) -> bytes:
    """Return a PDF file with one page per drawing, each of its drawing's size.

    The fonts built into every PDF reader cover Latin-1; other letters become question marks.
    Raises MissingExtraError without fpdf2.
    """
    with explained_imports():
        from fpdf import FPDF

    pdf = FPDF(unit="mm")
    pdf.set_title(title)
    pdf.set_creation_date(NO_DATE)
    pdf.set_auto_page_break(False)
    for page in pages:
        pdf.add_page(format=(page.width_mm, page.height_mm))
        for shape in page.shapes:
            _draw(pdf, shape)
    return bytes(pdf.output())


def _draw(pdf: "FPDF", shape: Shape) -> None:
    match shape:
        case Polygon():
            _set_colours(pdf, shape.fill, shape.stroke, shape.stroke_width_mm)
            style = ("D" if shape.stroke else "") + ("F" if shape.fill else "")
            pdf.polygon(list(shape.points), style=style)
        case Line():
            _set_colours(pdf, None, shape.stroke, shape.stroke_width_mm)
            pdf.line(*shape.start, *shape.end)
        case Text():
            style = "B" if shape.bold else ""
            pdf.set_font("Helvetica", style=style, size=shape.size_mm * POINTS_PER_MM)
            pdf.set_text_color(*_rgb(shape.fill))
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
            x, y = shape.position
            text = shape.text.encode("latin-1", "replace").decode("latin-1")
            pdf.text(x - share * pdf.get_string_width(text), y, text)


def _set_colours(pdf: "FPDF", fill: str | None, stroke: str | None, width_mm: float) -> None:
    if fill:
        pdf.set_fill_color(*_rgb(fill))
    if stroke:
        pdf.set_draw_color(*_rgb(stroke))
        pdf.set_line_width(width_mm)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
