"""Pictures on sheets of A4: all of them, in their order, none outside, none too small."""

import pytest

from solvers.drawing.export import to_pdf
from solvers.drawing.shapes import (
    A4_MM,
    MARGIN_MM,
    SMALLEST,
    Drawing,
    Polygon,
    Text,
    bounds,
    lay_out_on_sheets,
)


def picture(width: float, height: float, name: str) -> Drawing:
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    text = Text((width / 2, height - 1), name, 4.0, anchor="middle")
    return Drawing(width, height, (Polygon(corners, "#aabbcc"), text))


def names(sheet: Drawing) -> list[str]:
    return [shape.text for shape in sheet.shapes if isinstance(shape, Text)]


def frames(sheet: Drawing) -> list[tuple[float, float, float, float]]:
    return [bounds([shape]) for shape in sheet.shapes if isinstance(shape, Polygon)]


@pytest.mark.parametrize(
    ("size", "number", "columns", "sheets"),
    [
        ((20, 20), 5, 4, 1),  # as large as they are
        ((60, 40), 40, 4, 2),  # a little smaller, for a column more
        ((90, 90), 7, 3, 1),
        ((110, 90), 7, 2, 2),
        ((300, 100), 9, 1, 3),  # as small as the sheet makes them
        ((50, 600), 3, 4, 1),
    ],
)
def test_pictures_fill_sheets_in_rows(
    size: tuple[float, float], number: int, columns: int, sheets: int
) -> None:
    pictures = [picture(*size, f"{each}.") for each in range(number)]
    laid = lay_out_on_sheets(pictures)
    assert len(laid) == sheets
    assert [name for sheet in laid for name in names(sheet)] == [f"{n}." for n in range(number)]
    for sheet in laid:
        assert (sheet.width_mm, sheet.height_mm) == A4_MM
        for left, top, right, bottom in frames(sheet):
            assert left >= MARGIN_MM - 1e-9
            assert top >= MARGIN_MM - 1e-9
            assert right <= A4_MM[0] - MARGIN_MM + 1e-9
            assert bottom <= A4_MM[1] - MARGIN_MM + 1e-9
            assert right - left <= size[0] + 1e-9
            assert (right - left) / (bottom - top) == pytest.approx(size[0] / size[1])
    assert len({left for left, *_ in frames(laid[0])}) == min(columns, number)


def test_columns_are_fewer_rather_than_pictures_too_small_to_be_read() -> None:
    for width in range(20, 186, 5):
        (left, _, right, _), *_ = frames(lay_out_on_sheets([picture(width, 30, "a")])[0])
        assert (right - left) / width >= SMALLEST


def test_a_pdf_has_a_page_for_each_sheet_and_any_letters() -> None:
    data = to_pdf(lay_out_on_sheets([picture(180, 250, "\u0141\u00f3d\u017a")] * 3), "three")
    assert data.count(b"/Type /Page\n") == 3
    assert data.startswith(b"%PDF")
