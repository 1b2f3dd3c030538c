"""Colours of placed pieces: those of their cells, and of the lines that they bore or block."""

from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.orientation import Orientation
from solvers.polycube.puzzle import PackingPuzzle, line_through
from solvers.polycube.solving.grid import Grid
from solvers.search.exact_cover.model import Colouring

SOLID, BORED = 0, 1


def banned_cells(puzzle: PackingPuzzle, grid: Grid) -> dict[int, int]:
    """Return for each colour of pieces the cells, as bits, that do not take it."""
    colours = {colour for piece in puzzle.pieces for _, colour in piece.colours}
    return {
        colour: sum(
            1 << grid.bit(cell)
            for cell, below in puzzle.target.colours
            if (colour, below) not in puzzle.colour_pairs
        )
        for colour in colours
    }


def cell_colours(grid: Grid, turned: Orientation, offset: Cell) -> Colouring:
    """Return which bits of the grid the placed piece gives which colours."""
    dx, dy, dz = (offset[axis] + grid.low[axis] for axis in range(3))
    return tuple(
        sorted(
            (grid.bit((x + dx, y + dy, z + dz)), colour) for (x, y, z), colour in turned.coloured
        )
    )


def line_colours(grid: Grid, turned: Orientation, offset: Cell) -> Colouring | None:
    """Return which lines of the grid the placed piece bores or blocks; None if it does both."""
    colours: dict[int, int] = {}
    dx, dy, dz = (offset[axis] + grid.low[axis] for axis in range(3))
    for cell in turned.shape.cells:
        placed = cell[0] + dx, cell[1] + dy, cell[2] + dz
        for axis in range(3):
            line = grid.line(line_through(placed, axis))
            colour = BORED if (cell, axis) in turned.bored else SOLID
            if colours.setdefault(line, colour) != colour:
                return None
    return tuple(sorted(colours.items()))
