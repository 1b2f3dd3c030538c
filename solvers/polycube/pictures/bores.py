"""Where the bores of a solution's pieces lie."""

from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.orientation import orientations
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Placement

# A cube and the axis (0, 1, 2 for x, y, z) along which it is bored.
BoredCell = tuple[Cell, int]


def bored_cells(puzzle: PackingPuzzle, solution: PackingSolution) -> frozenset[BoredCell]:
    """Return every bored cube of a solution, with the axis of its bore."""
    if not puzzle.drilled:
        return frozenset()
    return frozenset(
        bored for placement in solution.placements for bored in _bored(puzzle, placement)
    )


def _bored(puzzle: PackingPuzzle, placement: Placement) -> set[BoredCell]:
    turned = next(
        orientation
        for orientation in orientations(
            puzzle.piece(placement.piece), mirrored=puzzle.mirror_pieces
        )
        if orientation.number == placement.orientation
    )
    dx, dy, dz = (min(cell[axis] for cell in placement.cells) for axis in range(3))
    return {((x + dx, y + dy, z + dz), axis) for (x, y, z), axis in turned.bored}
