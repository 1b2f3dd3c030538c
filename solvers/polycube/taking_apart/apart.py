"""Takes a solution apart: the shortest way to the first separation, then each part on its own.

A part that cannot be taken apart cannot in the whole either, because pieces that are gone hinder
nobody. So one shortest way is enough for the answer, and a part that is locked proves the whole so.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, Lattice, both
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.taking_apart.disassembly import Disassembly, Hindrance, Move, Separation
from solvers.polycube.taking_apart.expansion import fall_apart
from solvers.polycube.taking_apart.grouping import Grouping
from solvers.polycube.taking_apart.reach import Geometry, ReachTables
from solvers.polycube.taking_apart.search import MOST_BYTES, MOST_PIECES, Leg, separate


class _StuckError(Exception):
    """Some pieces do not come apart."""

    def __init__(self, found: Disassembly) -> None:
        super().__init__()
        self.found = found


class TakingApart:
    """Takes solutions apart one after another; what it learns about pairs of shapes is kept."""

    def __init__(self, most_bytes: int = MOST_BYTES, lattice: Lattice = CUBES) -> None:
        self._tables = ReachTables(lattice)
        self._ways = both(lattice.ways)
        self._most_bytes = most_bytes

    def take_apart(
        self, solution: PackingSolution, grouping: Grouping | None = None
    ) -> Job[Progress, Disassembly]:
        """Find the shortest way apart; pieces are numbered as the solution's placements.

        `grouping` says which may stay together. The events tell how deep the search of the part
        at hand is.
        """
        count = len(solution.placements)
        if count > MOST_PIECES:
            raise InvalidInputError(
                f"The solution has {count} pieces; at most {MOST_PIECES} can be taken apart."
            )
        if count < 2:
            return Disassembly(Separation(tuple(range(count)), ()))
        geometry = self._tables.geometry([placement.cells for placement in solution.placements])
        grouping = grouping or Grouping.none(count)
        whole = _Whole(geometry, self._ways, grouping, self._most_bytes)
        try:
            start = np.zeros((count, 3), dtype=np.int64)
            return Disassembly((yield from whole.fallen(tuple(range(count)), start)))
        except _StuckError as stuck:
            return stuck.found


class _Whole:
    """The pieces of one solution; parts are named by the numbers of their pieces."""

    def __init__(
        self, geometry: Geometry, ways: Sequence[Cell], grouping: Grouping, most_bytes: int
    ) -> None:
        self._geometry = geometry
        self._ways = ways
        self._grouping = grouping
        self._most_bytes = most_bytes
        count = len(geometry.lows)
        self._reach = np.zeros((len(ways) // 2, count, count), dtype=np.int64)
        self._rows = np.zeros((2 * count, 3), dtype=np.int64)

    def fallen(self, numbers: tuple[int, ...], places: Int64Array) -> Job[Progress, Separation]:
        """Take a part to pieces that have moved to `places` (n x 3, of all pieces)."""
        present = sum(1 << number for number in numbers)
        found = fall_apart(self._geometry, places, self._reach, present, self._rows)
        splits = {each: (members, way) for each, members, way in self._rows[:found].tolist()}
        return (yield from self._part(numbers, places, splits))

    def _part(
        self,
        numbers: tuple[int, ...],
        places: Int64Array,
        splits: Mapping[int, tuple[int, int]],
    ) -> Job[Progress, Separation]:
        """Take a part apart, the first move being known where it is in `splits`."""
        members, way = splits[sum(1 << number for number in numbers)]
        if not members:
            return (yield from self._searched(numbers, places))
        out = tuple(number for number in numbers if members >> number & 1)
        parts: list[Separation | None] = []
        for part in (_others(out, numbers), out):
            parts.append((yield from self._rest(part, places, splits)))
        return Separation(numbers, (Move(out, self._ways[way], None),), parts[0], parts[1])

    def _rest(
        self,
        part: tuple[int, ...],
        places: Int64Array,
        splits: Mapping[int, tuple[int, int]],
    ) -> Job[Progress, Separation | None]:
        """Take a part of a part apart, unless it is one piece or may stay together."""
        if len(part) == 1 or self._grouping.is_one(part):
            return None
        try:
            return (yield from self._part(part, places, splits))
        except _StuckError:
            if self._grouping.takes(part):
                return None
            raise

    def _searched(self, numbers: tuple[int, ...], places: Int64Array) -> Job[Progress, Separation]:
        """Take a part apart that takes more than one move to its first separation."""
        chosen = list(numbers)
        leg = yield from separate(self._geometry.of(chosen, places[chosen]), self._most_bytes)
        if not isinstance(leg, Leg):
            why = Hindrance.LOCKED if leg.proven else Hindrance.GIVEN_UP
            raise _StuckError(Disassembly(None, why, numbers, leg.positions))
        after = places.copy()
        after[chosen] += leg.places[-1]
        fallen = yield from self.fallen(numbers, after)
        return Separation(
            numbers, (*self._moves(numbers, leg), *fallen.moves), fallen.left, fallen.removed
        )

    def _moves(self, numbers: tuple[int, ...], leg: Leg) -> Iterator[Move]:
        """Yield the moves between positions: what moves against the first piece, or the rest."""
        for before, after in zip(leg.places, leg.places[1:], strict=False):
            change = after - before
            rows = np.flatnonzero(change.any(axis=1))
            movers = tuple(numbers[row] for row in rows)
            way, steps = self._way(change[rows[0]])
            if 2 * len(movers) > len(numbers):
                movers, way = _others(movers, numbers), way ^ 1
            yield Move(movers, self._ways[way], steps)

    def _way(self, change: Int64Array) -> tuple[int, int]:
        """Return the number of the way that leads to a change of place, and how many moves do."""
        for number, way in enumerate(self._geometry.ways):
            axis = int(np.flatnonzero(way)[0])
            times = int(change[axis] // way[axis])
            if times and np.array_equal(times * way, change):
                return 2 * number + (times < 0), abs(times)
        raise AssertionError("a move goes along a way")


def _others(members: tuple[int, ...], numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number not in members)


def load_kernels() -> None:
    """Load the compiled search, or compile it if this is its first use on this machine."""
    rod = Placement("rod", 0, frozenset({(1, 1, 1)}))
    box = frozenset(product(range(3), range(3), range(3))) - rod.cells
    run_job(TakingApart().take_apart(PackingSolution((rod, Placement("box", 0, box)))))
