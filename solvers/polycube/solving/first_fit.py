"""A first solution without a table of all placements: pieces are tried where they are needed.

Cells are filled in a fixed order, slice after slice across the longest side of the target: every
piece that is left is tried at the first cell that is free. So memory does not grow with the number
of placements, which for a hundred pieces or thousands of cells is beyond an exact cover. A piece
that cuts off cells which no pieces can fill is taken back at once.

The order in which pieces are tried is free, and much depends on it: awkward ones come first, so
that the last ones fit anywhere, and the search is restarted in random orders; see `find_one_job`.
"""

import random
from collections.abc import Collection
from itertools import combinations
from math import gcd, prod
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt8Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.lattice import Cell
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import (
    PackingPuzzle,
    PackingSolution,
    Piece,
    Placement,
    Shape,
    Target,
    orientations,
)
from solvers.polycube.solving.placements import kinds_of

LEVEL: Final = 0
NODES: Final = 1
FOUND: Final = 2
HOLES: Final = 3
"""Cells that may still be left empty."""
NEEDED: Final = 4
"""Cells of copies that must still be used."""
FREE: Final = 5
STAMP: Final = 6
STATE_ENTRIES: Final = 7

AT: Final = 0
NEXT: Final = 1
TAKEN: Final = 2
LEVEL_ENTRIES: Final = 3

NONE: Final = -1


class Plan(NamedTuple):
    """Constant arrays of a search of c cells, k kinds and o oriented kinds of up to v cells.

    Cells are numbers in a box that is larger than the target, so that no piece leaves it. `pockets`
    has the largest number of cells cut off that is examined, 0 for none, the smallest that pieces
    can fill, and what it must be divisible by.
    """

    cells: Int64Array  # (c,): in the order in which they are filled
    optional: UInt8Array  # of the box
    offsets: Int64Array  # (o, v): from the first cell of a piece
    sizes: Int64Array  # (o,)
    kinds: Int64Array  # (o,)
    spare: Int64Array  # (k,): copies that need not be used
    ways: Int64Array  # (6,): to the neighbours of a cell
    pockets: Int64Array  # (3,)


class Work(NamedTuple):
    """Arrays that change; `order` is the one in which oriented kinds are tried."""

    free: UInt8Array  # of the box
    left: Int64Array  # (k,): copies
    order: Int64Array  # (o,)
    stack: Int64Array  # (c + 1, 3)
    seen: Int64Array  # of the box: the stamp of the last examination
    queue: Int64Array  # room for a pocket
    state: Int64Array


@kernel
def _put(plan: Plan, work: Work, at: int, taken: int, put: bool) -> None:
    """Put a piece at a cell, or leave the cell empty; or undo that."""
    state, cell, sign = work.state, plan.cells[at], 1 if put else -1
    if taken == len(plan.sizes):
        work.free[cell] = 0 if put else 1
        state[HOLES] -= sign
        state[FREE] -= sign
        return
    size, kind = plan.sizes[taken], plan.kinds[taken]
    for number in range(size):
        work.free[cell + plan.offsets[taken, number]] = 0 if put else 1
    state[FREE] -= sign * size
    # Copies that must be used come before those that need not.
    if put and work.left[kind] > plan.spare[kind]:
        state[NEEDED] -= size
    work.left[kind] -= sign
    if not put and work.left[kind] > plan.spare[kind]:
        state[NEEDED] += size


@kernel
def _fits(plan: Plan, work: Work, cell: int, taken: int) -> bool:
    """Return whether a copy is left, fits, and leaves room for those that must be used."""
    kind, size = plan.kinds[taken], plan.sizes[taken]
    if work.left[kind] == 0:
        return False
    for number in range(size):
        if not work.free[cell + plan.offsets[taken, number]]:
            return False
    if work.left[kind] > plan.spare[kind]:
        return True
    return work.state[NEEDED] + size <= work.state[FREE]  # type: ignore[no-any-return]


@kernel
def _pocket(plan: Plan, work: Work, cell: int) -> int:
    """Return the number of free cells connected to one, 0 if they are too many to examine."""
    work.queue[0] = cell
    work.seen[cell] = work.state[STAMP]
    first, found = 0, 1
    while first < found:
        for way in plan.ways:
            other = work.queue[first] + way
            if work.free[other] and work.seen[other] != work.state[STAMP]:
                if found == plan.pockets[0]:
                    return 0
                work.seen[other] = work.state[STAMP]
                work.queue[found] = other
                found += 1
        first += 1
    return found


@kernel
def _cuts_off(plan: Plan, work: Work, at: int, taken: int) -> bool:
    """Return whether a piece that was put has cut off cells that no pieces can fill."""
    if not plan.pockets[0] or taken == len(plan.sizes):
        return False
    before = work.state[STAMP]
    for number in range(plan.sizes[taken]):
        for way in plan.ways:
            cell = plan.cells[at] + plan.offsets[taken, number] + way
            if not work.free[cell] or work.seen[cell] > before:
                continue
            work.state[STAMP] += 1
            size = _pocket(plan, work, cell)
            if size and (size < plan.pockets[1] or size % plan.pockets[2]):
                return True
    return False


@kernel(entry=True, error_model="numpy")
def advance(plan: Plan, work: Work, limit: int) -> None:
    """Resume the search until a solution (`FOUND`), `limit` nodes, or the end (level -1)."""
    state, count = work.state, len(plan.sizes)
    while state[LEVEL] >= 0 and state[NODES] < limit:
        here = work.stack[state[LEVEL]]
        at, choice, cell = here[AT], here[NEXT], plan.cells[here[AT]]
        if here[TAKEN] != NONE:
            _put(plan, work, at, here[TAKEN], False)
        taken = NONE
        while choice < count and taken == NONE:
            if _fits(plan, work, cell, work.order[choice]):
                taken = work.order[choice]
            choice += 1
        if taken == NONE and choice == count:
            choice += 1
            if plan.optional[cell] and state[HOLES] and state[NEEDED] < state[FREE]:
                taken = count
        here[NEXT], here[TAKEN] = choice, taken
        if taken == NONE:
            state[LEVEL] -= 1
            continue
        state[NODES] += 1
        _put(plan, work, at, taken, True)
        if _cuts_off(plan, work, at, taken):
            continue
        while at < len(plan.cells) and not work.free[plan.cells[at]]:
            at += 1
        if at < len(plan.cells):
            state[LEVEL] += 1
            work.stack[state[LEVEL], AT] = at
            work.stack[state[LEVEL], NEXT] = 0
            work.stack[state[LEVEL], TAKEN] = NONE
        elif state[NEEDED] == 0:
            state[FOUND] = 1
            return


# Pockets of more pieces than this are not examined.
PIECES_IN_A_POCKET: Final = 4
NODES_AT_ONCE: Final = 1_000_000
# Nodes of the first random orders; as many orders get the same number before it doubles.
NODES_OF_FIRST_TRY: Final = 100_000
TRIES_AS_LONG: Final = 4


class FirstFit:
    """The search of one puzzle; `nodes` were visited so far, `finished` if no solution is left."""

    def __init__(self, puzzle: PackingPuzzle) -> None:
        self._puzzle = puzzle
        self._kinds = kinds_of(puzzle)
        self._box = _Box(puzzle.target)
        self._oriented = [
            (number, turned.number, offsets)
            for number, kind in enumerate(self._kinds)
            for turned in orientations(kind.piece, mirrored=puzzle.mirror_pieces)
            if (offsets := self._box.offsets(turned.shape.cells)) is not None
        ]
        self._awkward = [_awkwardness(kind.piece.shape.cells) for kind in self._kinds]
        self._plan = self._make_plan()
        self._steady = self._start()
        self._nodes_of_tries = self._tries = 0

    @staticmethod
    def takes(puzzle: PackingPuzzle) -> bool:
        """Return whether a puzzle is of a kind that this search knows: of plain cubes."""
        fixed = any(piece.fixed_at is not None for piece in puzzle.pieces)
        return puzzle.lattice == CUBES and not puzzle.marks and not fixed

    @property
    def nodes(self) -> int:
        """Nodes visited so far."""
        return int(self._steady.state[NODES]) + self._nodes_of_tries

    @property
    def finished(self) -> bool:
        """Whether it is proven that there is no solution."""
        return bool(self._steady.state[LEVEL] < 0)

    def search(self, most_nodes: int | None = None) -> Job[Progress, PackingSolution | None]:
        """Search for a solution; None if there is none, or none within about `most_nodes`."""
        while not self.finished and (most_nodes is None or self.nodes < most_nodes):
            limit = NODES_OF_FIRST_TRY << self._tries // TRIES_AS_LONG
            if (yield from self._advance(self._steady, limit)):
                return self._solution(self._steady)
            work = self._start(random.Random(self._tries))
            self._tries += 1
            found = yield from self._advance(work, limit)
            self._nodes_of_tries += int(work.state[NODES])
            if found:
                return self._solution(work)
        return None

    def _advance(self, work: Work, nodes: int) -> Job[Progress, bool]:
        state, end = work.state, work.state[NODES] + nodes
        while state[LEVEL] >= 0 and state[NODES] < end and not state[FOUND]:
            advance(self._plan, work, int(min(end, state[NODES] + NODES_AT_ONCE)))
            yield Progress("", self.nodes, None, "nodes")
        return bool(state[FOUND])

    def _make_plan(self) -> Plan:
        box, puzzle, count = self._box, self._puzzle, len(self._oriented)
        sizes = np.array([len(offsets) for _, _, offsets in self._oriented], dtype=np.int64)
        offsets = np.zeros((count, sizes.max(initial=1)), dtype=np.int64)
        for row, (_, _, listed) in zip(offsets, self._oriented, strict=True):
            row[: len(listed)] = listed
        optional = np.zeros(box.volume, dtype=np.uint8)
        optional[[box.number(cell) for cell in puzzle.target.optional]] = 1
        volumes = [kind.piece.shape.volume for kind in self._kinds]
        # With cells that may stay empty, pockets can be as small as they like.
        most = 0 if puzzle.holes else PIECES_IN_A_POCKET * max(volumes)
        return Plan(
            cells=np.array(sorted(map(box.number, puzzle.target.cells)), dtype=np.int64),
            optional=optional,
            offsets=offsets,
            sizes=sizes,
            kinds=np.array([kind for kind, _, _ in self._oriented], dtype=np.int64),
            spare=np.array([kind.most - kind.least for kind in self._kinds], dtype=np.int64),
            ways=np.array([sign * step for step in box.steps for sign in (1, -1)], dtype=np.int64),
            pockets=np.array([most, min(volumes), gcd(*volumes)], dtype=np.int64),
        )

    def _start(self, draw: random.Random | None = None) -> Work:
        """Return the work at the start, with equally awkward pieces in random order if drawn."""
        plan, cells = self._plan, len(self._plan.cells)
        order = list(range(len(self._oriented)))
        if draw:
            draw.shuffle(order)
        order.sort(key=lambda number: self._awkward[self._oriented[number][0]], reverse=True)
        free = np.zeros(self._box.volume, dtype=np.uint8)
        free[plan.cells] = 1
        state = np.zeros(STATE_ENTRIES, dtype=np.int64)
        state[HOLES], state[FREE] = self._puzzle.holes, cells
        state[NEEDED] = sum(kind.least * kind.piece.shape.volume for kind in self._kinds)
        stack = np.zeros((cells + 1, LEVEL_ENTRIES), dtype=np.int64)
        stack[0, TAKEN] = NONE
        return Work(
            free=free,
            left=np.array([kind.most for kind in self._kinds], dtype=np.int64),
            order=np.array(order, dtype=np.int64),
            stack=stack,
            seen=np.zeros(self._box.volume, dtype=np.int64),
            queue=np.zeros(max(1, int(plan.pockets[0])), dtype=np.int64),
            state=state,
        )

    def _solution(self, work: Work) -> PackingSolution:
        """Return the placements on the stack, in the order of the puzzle's pieces."""
        used = [0] * len(self._kinds)
        placements = []
        for at, _, taken in work.stack[: work.state[LEVEL] + 1].tolist():
            if taken == len(self._oriented):
                continue
            kind, orientation, offsets = self._oriented[taken]
            cells = [self._box.cell(int(self._plan.cells[at]) + offset) for offset in offsets]
            name = self._kinds[kind].names[used[kind]]
            placements.append(Placement(name, orientation, frozenset(cells)))
            used[kind] += 1
        places = {piece.name: number for number, piece in enumerate(self._puzzle.pieces)}
        return PackingSolution(tuple(sorted(placements, key=lambda each: places[each.piece])))


class _Box:
    """Numbers for the cells of a target and its surroundings, ascending slice after slice.

    The slices are across its longest side. On every side there is room for a piece as long as the
    target, which keeps other cells apart from those outside.
    """

    def __init__(self, target: Target) -> None:
        low, high = target.bounding_box
        self._low = low
        self._extent = [b - a + 1 for a, b in zip(low, high, strict=True)]
        self._sides = [3 * length for length in self._extent]
        # The first axis changes slowest.
        self._axes = sorted(range(3), key=lambda axis: -self._extent[axis])
        self.steps = [0, 0, 0]
        step = 1
        for axis in reversed(self._axes):
            self.steps[axis] = step
            step *= self._sides[axis]
        self.volume = prod(self._sides)

    def number(self, cell: Cell) -> int:
        """Return the number of a cell."""
        return sum(
            step * (at - low + length)
            for step, at, low, length in zip(self.steps, cell, self._low, self._extent, strict=True)
        )

    def cell(self, number: int) -> Cell:
        """Return the cell of a number."""
        found = [0, 0, 0]
        for axis in self._axes:
            at, number = divmod(number, self.steps[axis])
            found[axis] = at + self._low[axis] - self._extent[axis]
        return found[0], found[1], found[2]

    def offsets(self, cells: Collection[Cell]) -> list[int] | None:
        """Return the numbers of a piece's cells from its first; None if it is too long."""
        for axis, length in enumerate(self._extent):
            along = [cell[axis] for cell in cells]
            if max(along) - min(along) >= length:
                return None
        numbers = sorted(
            sum(step * at for step, at in zip(self.steps, cell, strict=True)) for cell in cells
        )
        return [number - numbers[0] for number in numbers]


def _awkwardness(cells: Collection[Cell]) -> tuple[int, int]:
    """Return how hard a piece is to fit in: its free faces, then its inner corners.

    Of 24 random orders of the 107 heptominoes without a hole in 7 x 107, 7 led to a solution within
    100,000 nodes; by the free faces alone, or without any rule, none did.
    """
    ways = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
    beside = {
        cell: [way for way in ways if tuple(map(sum, zip(cell, way, strict=True))) in cells]
        for cell in cells
    }
    faces = sum(len(ways) - len(there) for there in beside.values())
    corners = sum(
        tuple(map(sum, zip(cell, one, other, strict=True))) not in cells
        for cell, there in beside.items()
        for one, other in combinations(there, 2)
        if any(map(sum, zip(one, other, strict=True)))
    )
    return faces, corners


def load_kernels() -> None:
    """Load the compiled search, or compile it if this is its first use on this machine."""
    stone = Piece("stone", Shape.of([(0, 0, 0)]))
    run_job(FirstFit(PackingPuzzle("stone", "stone", Target.box(1, 1), (stone,))).search())
