"""Checks a solution of a packing puzzle with code that shares nothing with the search.

It knows no placement lists, bit sets or rotation matrices: a piece fits a set of cells when
some order of the axes and some choice of their directions maps the one to the other.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations, product

from solvers.foundation.errors import PuzzlerigError
from solvers.polycube.lattice import Cell
from solvers.polycube.marks import Bore
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece

# Which lines of the target a placed piece bores (True) or blocks (False).
Lines = dict[Bore, bool]


class WrongSolutionError(PuzzlerigError):
    """A solution breaks a rule of its puzzle: a bug in whatever made it."""


def check_solution(puzzle: PackingPuzzle, solution: PackingSolution) -> None:
    """Raise WrongSolutionError if the placements do not solve the puzzle."""
    _check_cells(puzzle, solution)
    _check_numbers(puzzle, solution)
    choices = []
    for placement in solution.placements:
        piece = puzzle.piece(placement.piece)
        if piece.fixed_at is not None and placement.cells != piece.fixed_at:
            raise WrongSolutionError(f"Piece {piece.name} is not where it is fixed.")
        ways = _ways_to_lie(piece, placement.cells, puzzle.mirror_pieces)
        if not ways:
            where = sorted(placement.cells)
            raise WrongSolutionError(f"Piece {piece.name} cannot be turned to fill {where}.")
        choices.append(ways)
    if any(piece.bores for piece in puzzle.pieces) and not _bores_run_on(choices, {}):
        raise WrongSolutionError("The bores do not run on from piece to piece.")


def _check_cells(puzzle: PackingPuzzle, solution: PackingSolution) -> None:
    used = Counter(cell for placement in solution.placements for cell in placement.cells)
    if twice := [cell for cell, times in used.items() if times > 1]:
        raise WrongSolutionError(f"Cell {min(twice)} is taken twice.")
    if missing := puzzle.target.required - used.keys():
        raise WrongSolutionError(f"Cell {min(missing)} is left empty.")
    if outside := used.keys() - puzzle.target.required - puzzle.target.optional:
        raise WrongSolutionError(f"Cell {min(outside)} is outside the target.")


def _check_numbers(puzzle: PackingPuzzle, solution: PackingSolution) -> None:
    used = Counter(placement.piece for placement in solution.placements)
    for piece in puzzle.pieces:
        if not piece.copies_min <= used[piece.name] <= piece.copies_max:
            raise WrongSolutionError(f"Piece {piece.name} is used {used[piece.name]} times.")


@lru_cache(maxsize=100_000)
def _ways_to_lie(piece: Piece, cells: frozenset[Cell], mirrored: bool) -> Sequence[Lines]:
    """Return what becomes of the target's lines for every orientation of the piece on the cells."""
    ways = []
    corner = _corner(cells)
    for order in permutations(range(3)):
        swaps = sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3))
        for signs in product((1, -1), repeat=3):
            if not mirrored and (-1) ** swaps * signs[0] * signs[1] * signs[2] < 0:
                continue
            turned = {cell: _turn(cell, order, signs) for cell in piece.shape.cells}
            shift = [a - b for a, b in zip(corner, _corner(turned.values()), strict=True)]
            image = {cell: _add(moved, shift) for cell, moved in turned.items()}
            if set(image.values()) == cells:
                lines = _lines(piece, image, order)
                if lines is not None:
                    ways.append(lines)
    return ways


def _lines(piece: Piece, image: dict[Cell, Cell], order: Sequence[int]) -> Lines | None:
    """Return the lines through the placed piece; None if it bores and blocks the same one."""
    lines: Lines = {}
    for cell, placed in image.items():
        for axis in range(3):
            before = _line(cell, order[axis])
            bored = before in piece.bores
            if lines.setdefault(_line(placed, axis), bored) != bored:
                return None
    return lines


def _bores_run_on(choices: Sequence[Sequence[Lines]], so_far: Lines) -> bool:
    """Return whether orientations exist for which all pieces agree on every line."""
    if not choices:
        return True
    for lines in choices[0]:
        agreed = all(so_far.get(line, bored) == bored for line, bored in lines.items())
        if agreed and _bores_run_on(choices[1:], {**so_far, **lines}):
            return True
    return False


def _turn(cell: Cell, order: Sequence[int], signs: Sequence[int]) -> Cell:
    x, y, z = (signs[axis] * cell[order[axis]] for axis in range(3))
    return x, y, z


def _add(cell: Cell, shift: Sequence[int]) -> Cell:
    return cell[0] + shift[0], cell[1] + shift[1], cell[2] + shift[2]


def _corner(cells: Iterable[Cell]) -> Cell:
    xs, ys, zs = zip(*cells, strict=True)
    return min(xs), min(ys), min(zs)


def _line(cell: Cell, axis: int) -> Bore:
    u, v = cell[:axis] + cell[axis + 1 :]
    return axis, u, v
