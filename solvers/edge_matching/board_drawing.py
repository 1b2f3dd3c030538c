"""A board drawn with letters: a list of rows for each layer, a blank where no tile lies."""

from collections.abc import Sequence
from typing import Final

from solvers.edge_matching.board import Cell
from solvers.edge_matching.errors import BoardFileError
from solvers.edge_matching.lattice.lattice import CellKind, Lattice

MAX_CELLS: Final = 400


def drawn_cells(layers: Sequence[Sequence[str]], lattice: Lattice, source: str) -> tuple[Cell, ...]:
    """Return the cells, layer by layer and row by row; `source` names the drawing in messages.

    Raises:
        BoardFileError: a letter is unknown, stands in a wrong place, or there are no cells.
    """
    cells = [
        Cell(
            _kind(
                letter, lattice, f"{source}: {place_name(lattice, layer + 1, row + 1, column + 1)}"
            ),
            row,
            column,
            layer,
        )
        for layer, rows in enumerate(layers)
        for row, line in enumerate(rows)
        for column, letter in enumerate(line)
        if letter != " "
    ]
    if not 1 <= len(cells) <= MAX_CELLS:
        raise BoardFileError(f"{source} draws {len(cells)} cells; 1 to {MAX_CELLS} are possible.")
    first = cells[0]
    for cell in cells:
        of_one_colour = (cell.row + cell.column - first.row - first.column) % 2 == 0
        if lattice.alternation and of_one_colour != (cell.kind == first.kind):
            place = place_name(lattice, cell.layer + 1, cell.row + 1, cell.column + 1)
            raise BoardFileError(f"{source}: {place} {lattice.alternation}")
    return tuple(cells)


def place_name(lattice: Lattice, layer: int, row: int, column: int) -> str:
    """Return a place in words; all count from 1."""
    in_layer = f"layer {layer}, " if lattice.dimensions == 3 else ""
    return f"{in_layer}row {row}, column {column}"


def in_straight_row(cells: Sequence[Cell]) -> bool:
    """Return whether cells of one kind differ in row, column or layer alone."""
    places = [{getattr(cell, axis) for cell in cells} for axis in ("row", "column", "layer")]
    return len({cell.kind for cell in cells}) == 1 and sum(len(each) > 1 for each in places) <= 1


def _kind(letter: str, lattice: Lattice, where: str) -> CellKind:
    for kind in lattice.kinds:
        if kind.letter == letter:
            return kind
    wanted = " or ".join(kind.letter for kind in lattice.kinds)
    raise BoardFileError(f"{where} holds {letter!r}; expected {wanted} or a blank.")
