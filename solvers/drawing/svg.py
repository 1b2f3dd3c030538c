"""Drawings as SVG text."""

from xml.sax.saxutils import escape, quoteattr

from solvers.drawing.shapes import Drawing, Line, Point, Polygon, Shape, Text


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
