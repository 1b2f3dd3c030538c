"""Cuts connected cells at random into connected pieces of given sizes."""

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, both

Cut = tuple[frozenset[Cell], ...]
"""The pieces, each where it lies."""

BESIDE: Final = both(CUBES.ways)
ATTEMPTS: Final = 100
GROWTHS: Final = 20
CHANGES: Final = 100
"""After so many vain tries the pieces hardly leave a choice."""


def neighbours(cell: Cell) -> Iterator[Cell]:
    """Yield the six cells that share a face with this one."""
    x, y, z = cell
    for dx, dy, dz in BESIDE:
        yield x + dx, y + dy, z + dz


def are_connected(cells: Collection[Cell]) -> bool:
    """Tell whether some cells hang together by their faces; none do."""
    return sum(1 for _ in _parts(cells)) == 1


def cut(cells: Collection[Cell], sizes: Sequence[int], rng: random.Random) -> Cut | None:
    """Cut cells into pieces of these sizes, in an order by chance; None if no attempt went well."""
    for _ in range(ATTEMPTS):
        order = list(sizes)
        rng.shuffle(order)
        if pieces := _attempt(cells, order, rng):
            return pieces
    return None


def recut(before: Cut, rng: random.Random) -> Cut:
    """Cut two pieces that touch anew; the same pieces again where that is not possible."""
    pairs = _touching(before)
    for _ in range(CHANGES):
        a, b = rng.choice(pairs)
        order = [len(before[a]), len(before[b])]
        rng.shuffle(order)
        pieces = _attempt(before[a] | before[b], order, rng)
        if pieces and set(pieces) != {before[a], before[b]}:
            return _replaced(before, a, b, pieces)
    return before


def exchange(before: Cut, rng: random.Random) -> Cut:
    """Let two pieces that touch give each other one cell; the same pieces again if none can."""
    pairs = _touching(before)
    for _ in range(CHANGES):
        a, b = rng.choice(pairs)
        given, taken = (rng.choice(_edge(before[i], before[j])) for i, j in ((a, b), (b, a)))
        pieces = before[a] - {given} | {taken}, before[b] - {taken} | {given}
        if all(map(are_connected, pieces)):
            return _replaced(before, a, b, pieces)
    return before


def _edge(piece: frozenset[Cell], other: frozenset[Cell]) -> list[Cell]:
    """Return the cells of a piece that touch another."""
    return sorted(cell for cell in piece if any(each in other for each in neighbours(cell)))


def _replaced(before: Cut, a: int, b: int, pieces: Cut) -> Cut:
    rest = (piece for number, piece in enumerate(before) if number not in (a, b))
    return (*rest, *pieces)


def _attempt(cells: Collection[Cell], sizes: Sequence[int], rng: random.Random) -> Cut | None:
    """Grow one piece after the other, each from the narrowest place that is left.

    A piece is grown anew while what it leaves cannot be made of the sizes to come.
    """
    free, pieces = set(cells), []
    for number, size in enumerate(sizes):
        sums = _sums(sizes[number + 1 :])
        for _ in range(GROWTHS):
            piece = _grown(free, size, rng)
            left = free - piece
            if len(piece) == size and all(sums >> len(part) & 1 for part in _parts(left)):
                break
        else:
            return None
        free = left
        pieces.append(piece)
    return tuple(pieces)


def _sums(sizes: Sequence[int]) -> int:
    """Return all sums of some of these sizes, as bits."""
    sums = 1
    for size in sizes:
        sums |= sums << size
    return sums


def _grown(free: set[Cell], size: int, rng: random.Random) -> frozenset[Cell]:
    """Return a connected piece of free cells, a smaller one if it cannot grow on.

    It begins at one of the cells with the fewest free neighbours, which would be cut off first.
    """
    room = {cell: sum(each in free for each in neighbours(cell)) for cell in free}
    fewest = min(room.values())
    start = rng.choice(sorted(cell for cell in free if room[cell] == fewest))
    piece, rim = {start}, {start}
    while len(piece) < size:
        rim = {each for cell in piece for each in neighbours(cell) if each in free} - piece
        if not rim:
            break
        piece.add(rng.choice(sorted(rim)))
    return frozenset(piece)


def _touching(pieces: Cut) -> list[tuple[int, int]]:
    """Return which two of a connected whole's pieces share a face."""
    return [
        (a, b)
        for a, b in combinations(range(len(pieces)), 2)
        if any(each in pieces[b] for cell in pieces[a] for each in neighbours(cell))
    ]


def _parts(cells: Collection[Cell]) -> Iterator[set[Cell]]:
    """Yield the connected parts of some cells."""
    left = set(cells)
    while left:
        part, edge = set(), [left.pop()]
        while edge:
            cell = edge.pop()
            part.add(cell)
            found = [each for each in neighbours(cell) if each in left]
            left.difference_update(found)
            edge += found
        yield part
