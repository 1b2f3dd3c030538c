"""Bar charts."""

import pytest

from solvers.drawing.charts import TEN_TIMES_MM, bar_chart
from solvers.drawing.shapes import Polygon, Text, bounds


def test_a_bar_ten_times_as_large_is_a_step_longer() -> None:
    drawing = bar_chart({"one": 1, "two hundred": 200, "two thousand": 2000})
    bars = [shape for shape in drawing.shapes if isinstance(shape, Polygon)]
    starts, _, ends, _ = zip(*(bounds([bar]) for bar in bars), strict=True)
    assert len(set(starts)) == 1
    assert ends[0] - starts[0] == pytest.approx(TEN_TIMES_MM)
    assert ends[2] - ends[1] == pytest.approx(TEN_TIMES_MM)
    texts = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert texts == ["one", "1", "two hundred", "200", "two thousand", "2,000"]
    left, top, right, bottom = bounds(drawing.shapes)
    assert 0 <= left < right <= drawing.width_mm
    assert 0 <= top < bottom <= drawing.height_mm
