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
from solvers.polycube.solving import parity
from solvers.polycube.solving.placements import Packing, packing

# Targets that are smaller still are searched in milliseconds, less than looking for a proof takes.
CELLS_WORTH_A_PROOF = 32
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
    """Return a proof that the puzzle has no solution, by a colouring of its cells or by parity."""
    packed = packing(puzzle)
    if len(puzzle.target.cells) < CELLS_WORTH_A_PROOF:
        return None
    return proof(packed) or parity.proof(packed)


def proof(packed: Packing) -> str | None:
    """Return sentences that prove that a puzzle has no solution; None if no proof was found.

    Puzzles in which the volumes do not determine the number of copies are not considered.
    """
    target = sorted(packed.grid.bit(cell) for cell in packed.puzzle.target.cells)
    pieces = _pieces(packed, target)
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
    dark = np.stack([row for _, row in named], axis=1).view(np.uint8)
    totals = dark.sum(axis=0, dtype=np.int64).tolist()
    copies = [each.number for each in pieces]
    tried: set[tuple[int, ...]] = set()
    # For each colouring: the dark cells, and the numbers of them that each kind can cover, as bits.
    for number, case in enumerate(
        zip(totals, *(_numbers(each.cells, dark) for each in pieces), strict=True)
    ):
        if case not in tried and not _adds_up(case[0], copies, case[1:]):
            choices = [(count, _listed(bits)) for count, bits in zip(copies, case[1:], strict=True)]
            return _explain(named[number][0], choices, case[0], len(target))
        tried.add(case)
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
    rows: list[list[int]] = [[] for _ in kinds]
    for option in packed.options:
        if option.kind < len(kinds):
            rows[option.kind].append(option.cells)
    pieces = [
        Pieces(number, _rows(words, target))
        for number, words in zip(numbers, rows, strict=True)
        if number
    ]
    if left:
        empty = [1 << packed.grid.bit(cell) for cell in packed.puzzle.target.optional]
        pieces.append(Pieces(left, _rows(empty, target)))
    return pieces


def _rows(words: Sequence[int], target: Sequence[int]) -> Any:
    """Return the cells of placements of one kind, one row of indices into `target` each."""
    size = target[-1] // 8 + 1
    index = np.zeros(8 * size, dtype=np.int32)
    index[list(target)] = range(len(target))
    found = [np.zeros((0, 0), dtype=np.int32)] if not words else []
    for start in range(0, len(words), PLACEMENTS_AT_ONCE):
        some = words[start : start + PLACEMENTS_AT_ONCE]
        data = np.frombuffer(b"".join(word.to_bytes(size, "little") for word in some), np.uint8)
        bits = np.unpackbits(data.reshape(-1, size), axis=1, bitorder="little")
        found.append(index[np.nonzero(bits)[1]].reshape(len(some), -1))
    return np.concatenate(found)


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


def _numbers(cells: Any, dark: Any) -> list[int]:
    """Return for each colouring the numbers of dark cells that a piece can cover, as bits."""
    if not len(cells):
        return [0] * dark.shape[1]
    volume = cells.shape[1]
    possible = np.zeros((volume + 1, dark.shape[1]), dtype=bool)
    for start in range(0, len(cells), PLACEMENTS_AT_ONCE):
        some = cells[start : start + PLACEMENTS_AT_ONCE]
        covered = dark[some[:, 0]].astype(np.min_scalar_type(volume))
        for column in some.T[1:]:
            covered += dark[column]
        for number, there in enumerate(possible):
            there |= (covered == number).any(axis=0)
    packed = np.packbits(possible, axis=0, bitorder="little").T
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _listed(bits: int) -> tuple[int, ...]:
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def _adds_up(total: int, copies: Sequence[int], possible: Sequence[int]) -> bool:
    """Return whether one number for each piece can be chosen so that they add up to `total`.

    `copies` is the number of pieces of each kind, `possible` has their numbers as bits.
    """
    # Bit k of `sums` says whether some choice so far adds up to k.
    sums = 1
    for number, bits in zip(copies, possible, strict=True):
        numbers = _listed(bits)
        for _ in range(number):
            following = 0
            # Shifting by k adds k to every sum so far.
            for each in numbers:
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
