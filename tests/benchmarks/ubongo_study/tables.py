"""Tables as Markdown and CSV, and a chart of lines on a logarithmic scale."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10
from typing import Final

from solvers.drawing.shapes import DISTINCT, Drawing, Line, Shape, Text

STEP_MM: Final = 22.0
TEN_TIMES_MM: Final = 7.0
LEFT_MM: Final = 24.0
RIGHT_MM: Final = 62.0
TEXT_MM: Final = 3.5


class Computed(float):
    """A number that follows from a count and a measured speed, since measuring takes too long."""


Cell = str | int | float


@dataclass(frozen=True)
class Table:
    """Rows under a header; the first column is text."""

    header: tuple[str, ...]
    rows: Sequence[Sequence[Cell]]

    def __post_init__(self) -> None:
        if len(set(self.header)) < len(self.header):
            raise AssertionError(f"Two columns have the same name: {self.header}")
        for row in self.rows:
            if len(row) != len(self.header) or "" in row:
                raise AssertionError(f"A cell of this row is not filled: {row}")

    def markdown(self) -> list[str]:
        """Return the lines of the table."""
        lines = [self.header, ("---", *["---:"] * (len(self.header) - 1))]
        lines += [tuple(map(_shown, row)) for row in self.rows]
        return [f"| {' | '.join(line)} |" for line in lines]

    def csv(self) -> str:
        """Return the table with all digits; a computed number begins with a tilde."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.header)
        for row in self.rows:
            writer.writerow(f"~{each:.4g}" if isinstance(each, Computed) else each for each in row)
        return text.getvalue()


def _shown(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    digits = max(0, 2 - floor(log10(cell))) if cell > 0 else 0
    return ("about " if isinstance(cell, Computed) else "") + f"{cell:,.{digits}f}"


def line_chart(lines: Mapping[str, Mapping[int, float]], unit: str) -> Drawing:
    """Return a line for each name over the same whole numbers, on a logarithmic scale."""
    across = sorted({x for line in lines.values() for x in line})
    logs = [log10(y) for line in lines.values() for y in line.values()]
    lowest, highest = floor(min(logs)), ceil(max(logs))
    bottom = TEXT_MM + TEN_TIMES_MM * (highest - lowest)
    right = LEFT_MM + STEP_MM * (across[-1] - across[0])

    def place(x: int, y: float) -> tuple[float, float]:
        left = LEFT_MM + STEP_MM * (x - across[0])
        return left, bottom - TEN_TIMES_MM * (log10(y) - lowest)

    shapes: list[Shape] = []
    for power in range(lowest, highest + 1):
        height = place(across[0], 10.0**power)[1]
        number = f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"
        label = (LEFT_MM - 2, height + TEXT_MM / 3)
        shapes.append(Line((LEFT_MM, height), (right, height), "#d0d0d0", 0.2))
        shapes.append(Text(label, number, TEXT_MM * 0.8, anchor="end"))
    for x in across:
        below = (place(x, 10.0**lowest)[0], bottom + 2 * TEXT_MM)
        shapes.append(Text(below, str(x), TEXT_MM, anchor="middle"))
    shapes.append(Text((LEFT_MM, bottom + 4 * TEXT_MM), unit, TEXT_MM))
    for (name, line), colour in zip(lines.items(), DISTINCT, strict=False):
        points = [place(x, line[x]) for x in sorted(line)]
        shapes += [Line(start, end, colour, 0.8) for start, end in pairwise(points)]
        end = points[-1]
        shapes.append(Text((end[0] + 2, end[1] + TEXT_MM / 3), name, TEXT_MM, fill=colour))
    return Drawing(right + RIGHT_MM, bottom + 5 * TEXT_MM, tuple(shapes))
