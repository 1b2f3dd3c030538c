"""Proofs by parity that pieces cannot fill a target.

Some cells are marked so that every placement of a piece covers an even number of them, or every one
an odd number. If all pieces together then cover an even number of marked cells, but an odd number
is marked, or the other way round, there is no solution. Whether such marks exist is a question of
linear algebra over the field of two elements: they do if and only if no sum of placements, however
they overlap, covers every cell and uses every piece as often as it must, up to even numbers.
"""

from collections.abc import Iterator

from solvers.foundation.wording import counted
from solvers.polycube.solving.placements import Packing
from solvers.polycube.text_drawing import draw
from solvers.search.exact_cover.model import ExactCover

# Elimination takes a time that grows with the square of their number.
MOST_ITEMS = 400
# Placements from all over the target, of all pieces, span everything soonest.
STRIDE = 97
MARKED, UNMARKED = "X", "o"


def proof(packed: Packing) -> str | None:
    """Return sentences that prove that a puzzle has no solution; None if no proof was found."""
    if packed.cover.items > MOST_ITEMS:
        return None
    marked = odd_set(packed.cover)
    return None if marked is None else _explain(packed, marked)


def odd_set(cover: ExactCover) -> int | None:
    """Return items, as bits, of which each option takes an even number and a solution an odd one.

    Items that a solution need not take are not among them. None if there is no such set.
    """
    wanted = _wanted(cover)
    # Reduced rows by their highest bit, the pivot, which no other row has.
    rows: dict[int, int] = {}
    pivots = 0
    for vector in _vectors(cover):
        rest = _reduce(vector, rows, pivots)
        if not rest:
            continue
        pivot = rest.bit_length() - 1
        for other, row in rows.items():
            if row >> pivot & 1:
                rows[other] = row ^ rest
        rows[pivot] = rest
        pivots |= 1 << pivot
        if not _reduce(wanted, rows, pivots):
            return None
    left = _reduce(wanted, rows, pivots)
    # For each item left there is a set with it alone among the items that are no pivots.
    sets = [
        sum((1 << pivot for pivot, row in rows.items() if row >> item & 1), 1 << item)
        for item in range(left.bit_length())
        if left >> item & 1
    ]
    return min(sets, key=int.bit_count) if sets else None


def _wanted(cover: ExactCover) -> int:
    """Return the items that a solution takes an odd number of times, as bits."""
    return cover.required | sum(
        1 << item for item, (least, most) in cover.copies.items() if least == most and least % 2
    )


def _vectors(cover: ExactCover) -> Iterator[int]:
    """Yield all options, and each item by itself that a solution need not take."""
    for start in range(STRIDE):
        yield from cover.options[start::STRIDE]
    for item in range(cover.items):
        least, most = cover.copies.get(item, (cover.required >> item & 1, 1))
        if least < most:
            yield 1 << item


def _reduce(vector: int, rows: dict[int, int], pivots: int) -> int:
    while found := vector & pivots:
        vector ^= rows[found.bit_length() - 1]
    return vector


def _explain(packed: Packing, marked: int) -> str:
    grid = packed.grid
    target = packed.puzzle.target.cells
    marks = {cell: MARKED if marked >> grid.bit(cell) & 1 else UNMARKED for cell in target}
    number = sum(mark == MARKED for mark in marks.values())
    odd = [
        name
        for at, kind in enumerate(packed.kinds)
        if marked >> grid.volume + at & 1
        for name in kind.names
    ]
    covers = "every piece covers an even number of them"
    if odd:
        pieces = f"{len(odd)} pieces ({', '.join(dict.fromkeys(odd))})"
        covers = f"{pieces} cover an odd number of them each, all others an even number"
    together, there = ("odd" if each % 2 else "even" for each in (len(odd), number))
    return (
        f"Mark {counted(number, 'cell')}, shown as {MARKED}. In any placement {covers}: together "
        f"an {together} number, but {number} is {there}.\n"
        f"{draw(target, marks, packed.puzzle.lattice)}"
    )
