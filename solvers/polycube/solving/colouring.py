"""Proofs that pieces cannot fill a target, by colouring its cells.

Some cells are dark, the others light. Each piece covers some number of dark cells, which depends on
its placement. If no choice of these numbers, one for every piece, adds up to the dark cells of the
target, there is no solution. (Golomb, Checker Boards and Polyominoes, 1954; de Bruijn, Filling
Boxes with Bricks, 1969.)
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from solvers.polycube.puzzle import PackingPuzzle
from solvers.polycube.solving.placements import Packing, packing

# Smaller targets are searched completely in less time.
CELLS_WORTH_A_PROOF = 65
# A table of all placements with all colourings would take gigabytes for thousands of cells.
PLACEMENTS_AT_ONCE = 4096
BLOCKS = (1, 2, 3, 4)
MODULI = (3, 4, 5, 6)


@dataclass(frozen=True)
class Pieces:
    """Some pieces of one kind, and the cells of their placements, one row of numbers each."""

    number: int
    cells: Any


@lru_cache(maxsize=16)
def why_impossible(puzzle: PackingPuzzle) -> str | None:
    """Return a proof that the puzzle has no solution, if a colouring of its cells is one."""
    return proof(packing(puzzle))


def proof(packed: Packing, least_cells: int = CELLS_WORTH_A_PROOF) -> str | None:
    """Return sentences that prove that a puzzle has no solution; None if no proof was found.

    Puzzles in which the volumes do not determine the number of copies are not considered.
    """
    target = sorted(packed.grid.bit(cell) for cell in packed.puzzle.target.cells)
    pieces = _pieces(packed, target) if len(target) >= least_cells else None
    if pieces is None:
        return None
    width, depth, _ = packed.grid.size
    bits = np.array(target)
    places = np.stack([bits % width, bits // width % depth, bits // width // depth])
    cells = [packed.grid.cell(bit) for bit in target]
    named = [
        (name, np.array([is_dark(cell) for cell in cells]))
        for name, is_dark in packed.puzzle.lattice.colourings()
    ]
    named += _colourings(places)
    dark = np.stack([row for _, row in named], axis=1)
    covered = [_numbers(each.cells, dark) for each in pieces]
    for number, (name, row) in enumerate(named):
        choices = [(each.number, kind[number]) for each, kind in zip(pieces, covered, strict=True)]
        if not _adds_up(choices, int(row.sum())):
            return _explain(name, choices, int(row.sum()), len(target))
    return None


def _pieces(packed: Packing, target: Sequence[int]) -> list[Pieces] | None:
    """Return all pieces, and the empty cells as pieces of one; None if their numbers may vary."""
    kinds = [kind for number, kind in enumerate(packed.kinds) if number != packed.holes]
    open_ones = [number for number, kind in enumerate(kinds) if kind.least != kind.most]
    numbers = [kind.least for kind in kinds]
    left = len(target) - sum(kind.least * kind.piece.shape.volume for kind in kinds)
    if open_ones:
        if len(open_ones) > 1 or packed.puzzle.target.optional:
            return None
        # All cells are filled, so the volume fixes the one open number.
        more, left = divmod(left, kinds[open_ones[0]].piece.shape.volume)
        numbers[open_ones[0]] += more
    column = {bit: number for number, bit in enumerate(target)}
    rows: list[list[int]] = [[] for _ in kinds]
    for option in packed.options:
        if option.kind < len(kinds):
            rows[option.kind].append(option.cells)
    pieces = [
        Pieces(number, _rows(words, column))
        for number, words in zip(numbers, rows, strict=True)
        if number
    ]
    if left:
        empty = [1 << packed.grid.bit(cell) for cell in packed.puzzle.target.optional]
        pieces.append(Pieces(left, _rows(empty, column)))
    return pieces


def _rows(words: Sequence[int], column: dict[int, int]) -> Any:
    """Return the cells of placements of one kind, one row each."""
    rows = []
    for word in words:
        row, rest = [], word
        while rest:
            row.append(column[(rest & -rest).bit_length() - 1])
            rest &= rest - 1
        rows.append(row)
    return np.array(rows, dtype=np.int32)


def _colourings(places: Any) -> Iterator[tuple[str, Any]]:
    """Yield named colourings, as booleans of the cells at x, y and z: blocks and diagonals."""
    axes = [axis for axis in range(3) if places[axis].max() > 0]
    for size in BLOCKS:
        for used in (axes, *([axis] for axis in axes)):
            block = sum(places[axis] // size for axis in used)
            shape = " x ".join([str(size)] * len(used))
            layers = f"in layers {size} thick across {'xyz'[used[0]]}, one dark, one light"
            chess = "like a chessboard" + (f" with fields of {shape}" if size > 1 else "")
            yield chess if len(used) > 1 else layers, block % 2 == 0
    for modulus in MODULI:
        for steps in product((0, 1, -1), repeat=len(axes)):
            # A diagonal and its opposite give the same colourings.
            if next((step for step in steps if step), 0) != 1:
                continue
            along = sum(step * places[axis] for step, axis in zip(steps, axes, strict=True))
            terms = [
                f"{'+' if step > 0 else '-'} {'xyz'[axis]}"
                for step, axis in zip(steps, axes, strict=True)
                if step
            ]
            name = " ".join(terms).removeprefix("+ ")
            for rest in range(modulus):
                dark = along % modulus == rest
                yield f"dark where {name} leaves {rest} when divided by {modulus}", dark


def _numbers(cells: Any, dark: Any) -> list[tuple[int, ...]]:
    """Return for each colouring the numbers of dark cells that a piece can cover."""
    if not len(cells):
        return [()] * dark.shape[1]
    possible = np.zeros((cells.shape[1] + 1, dark.shape[1]), dtype=bool)
    for start in range(0, len(cells), PLACEMENTS_AT_ONCE):
        covered = dark[cells[start : start + PLACEMENTS_AT_ONCE]].sum(axis=1)
        for number, there in enumerate(possible):
            there |= (covered == number).any(axis=0)
    return [tuple(np.flatnonzero(column).tolist()) for column in possible.T]


def _adds_up(choices: Sequence[tuple[int, tuple[int, ...]]], total: int) -> bool:
    """Return whether one number for each piece can be chosen so that they add up to `total`."""
    # Bit k of `sums` says whether some choice so far adds up to k.
    sums = 1
    for number, possible in choices:
        for _ in range(number):
            following = 0
            # Shifting by k adds k to every sum so far.
            for each in possible:
                following |= sums << each
            sums = following
    return bool(sums >> total & 1)


def _explain(
    name: str, choices: Sequence[tuple[int, tuple[int, ...]]], total: int, cells: int
) -> str:
    covering: Counter[tuple[int, ...]] = Counter()
    for number, possible in choices:
        covering[possible] += number
    said = ", ".join(
        f"{number} pieces {_either(possible)}"
        for possible, number in sorted(covering.items(), key=lambda entry: -entry[1])
    )
    return (
        f"Colour the cells {name}: {total} of the {cells} cells are dark. In any placement, these "
        f"numbers of dark cells are covered: by each of {said}. No choice adds up to {total}."
    )


def _either(numbers: Sequence[int]) -> str:
    if not numbers:
        return "no"
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last
