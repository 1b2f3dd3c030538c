"""Drawings as pages of a PDF file, written by fpdf2."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from solvers.drawing.shapes import Drawing, Line, Polygon, Shape, Text

if TYPE_CHECKING:
    from fpdf import FPDF

POINTS_PER_MM = 72 / 25.4

# The same drawings give the same bytes, so the file carries no time of its making.
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


def to_pdf(pages: Sequence[Drawing], title: str) -> bytes:
    """Return a PDF file with one page per drawing, each of its drawing's size.

    The fonts built into every PDF reader cover Latin-1; other letters become question marks.
    """
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
