"""Random cuts of connected cells into connected pieces of given sizes."""

import random
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from solvers.polycube.lattice import Cell, with_opposites
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import Target

# The pieces, each at its place.
Cut = tuple[frozenset[Cell], ...]

DIRECTIONS: Final = with_opposites(CUBES.ways)
ATTEMPTS: Final = 100
GROWTHS: Final = 20
FILLINGS: Final = 20
# After this many failed tries the pieces leave hardly any choice.
CHANGES: Final = 100


def neighbours(cell: Cell) -> Iterator[Cell]:
    """Yield the six cells that share a face with this one."""
    x, y, z = cell
    for dx, dy, dz in DIRECTIONS:
        yield x + dx, y + dy, z + dz


def are_connected(cells: Collection[Cell]) -> bool:
    """Return whether some cells are connected by their faces; no cells are not."""
    return sum(1 for _ in _parts(cells)) == 1


def cut(cells: Collection[Cell], sizes: Sequence[int], rng: random.Random) -> Cut | None:
    """Cut cells into pieces of these sizes, in random order; None if no attempt succeeds."""
    for _ in range(ATTEMPTS):
        order = list(sizes)
        rng.shuffle(order)
        if pieces := _attempt(cells, order, rng):
            return pieces
    return None


def cut_target(target: Target, sizes: Sequence[int], rng: random.Random) -> Cut | None:
    """Cut a target into pieces of these sizes, without some of the cells that may stay empty.

    Returns None if no attempt succeeds.
    """
    holes = len(target.cells) - sum(sizes)
    for _ in range(FILLINGS if holes else 1):
        filled = _without(target, holes, rng)
        if filled and (pieces := cut(filled, sizes, rng)):
            return pieces
    return None


def _without(target: Target, holes: int, rng: random.Random) -> frozenset[Cell] | None:
    """Return a target's cells, still connected, without this many of those that may stay empty."""
    filled, optional = target.cells, sorted(target.optional)
    rng.shuffle(optional)
    for cell in optional:
        if len(filled) == len(target.cells) - holes:
            break
        if are_connected(filled - {cell}):
            filled -= {cell}
    return filled if len(filled) == len(target.cells) - holes else None


def recut(before: Cut, rng: random.Random) -> Cut:
    """Cut two touching pieces again; return the same pieces if that is not possible."""
    pairs = _touching_pairs(before)
    for _ in range(CHANGES):
        a, b = rng.choice(pairs)
        order = [len(before[a]), len(before[b])]
        rng.shuffle(order)
        pieces = _attempt(before[a] | before[b], order, rng)
        if pieces and set(pieces) != {before[a], before[b]}:
            return _replace(before, a, b, pieces)
    return before


def exchange(before: Cut, rng: random.Random) -> Cut:
    """Exchange a cell between two touching pieces; return the same pieces if none can."""
    pairs = _touching_pairs(before)
    for _ in range(CHANGES):
        a, b = rng.choice(pairs)
        given, taken = (rng.choice(_edge(before[i], before[j])) for i, j in ((a, b), (b, a)))
        pieces = before[a] - {given} | {taken}, before[b] - {taken} | {given}
        if all(map(are_connected, pieces)):
            return _replace(before, a, b, pieces)
    return before


def shift(before: Cut, rng: random.Random, *, optional: frozenset[Cell]) -> Cut:
    """Let a piece take an empty cell for one of its own; return the same pieces if none can.

    `optional` has the cells that may stay empty; those that no piece covers are empty.
    """
    filled = frozenset().union(*before)
    empty = sorted(optional - filled)
    for _ in range(CHANGES):
        taken, number = rng.choice(empty), rng.randrange(len(before))
        spare = sorted(before[number] & optional)
        if not spare or all(each not in before[number] for each in neighbours(taken)):
            continue
        given = rng.choice(spare)
        piece = before[number] - {given} | {taken}
        if are_connected(piece) and are_connected(filled - {given} | {taken}):
            return (*before[:number], piece, *before[number + 1 :])
    return before


def _edge(piece: frozenset[Cell], other: frozenset[Cell]) -> list[Cell]:
    """Return the cells of a piece that touch another."""
    return sorted(cell for cell in piece if any(each in other for each in neighbours(cell)))


def _replace(before: Cut, a: int, b: int, pieces: Cut) -> Cut:
    rest = (piece for number, piece in enumerate(before) if number not in (a, b))
    return (*rest, *pieces)


def _attempt(cells: Collection[Cell], sizes: Sequence[int], rng: random.Random) -> Cut | None:
    """Grow one piece after the other, each from the narrowest place that is left.

    A piece is grown again while what it leaves cannot be made of the remaining sizes.
    """
    free, pieces = set(cells), []
    for number, size in enumerate(sizes):
        sums = _sums(sizes[number + 1 :])
        for _ in range(GROWTHS):
            piece = _grow(free, size, rng)
            left = free - piece
            # Each remaining part must have a size that the remaining pieces can add up to.
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


def _grow(free: set[Cell], size: int, rng: random.Random) -> frozenset[Cell]:
    """Return a connected piece of free cells, smaller if it cannot grow further.

    It starts at one of the cells with the fewest free neighbours, which would be cut off first.
    """
    room = {cell: sum(each in free for each in neighbours(cell)) for cell in free}
    fewest = min(room.values())
    # Sorted, because sets have no reproducible order.
    start = rng.choice(sorted(cell for cell in free if room[cell] == fewest))
    piece, rim = {start}, {start}
    while len(piece) < size:
        rim = {each for cell in piece for each in neighbours(cell) if each in free} - piece
        if not rim:
            break
        piece.add(rng.choice(sorted(rim)))
    return frozenset(piece)


def _touching_pairs(pieces: Cut) -> list[tuple[int, int]]:
    """Return the pairs of a connected whole's pieces that share a face."""
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
