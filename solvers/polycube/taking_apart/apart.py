"""Disassembly of a solution: the shortest way to the first separation, then each part on its own.

A part that cannot be taken apart cannot be within the whole either, because pieces that are gone
block nothing. So one shortest way is enough for the answer, and a part that is locked proves that
the whole is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.lattice import Cell, Lattice, with_opposites
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.taking_apart.disassembly import (
    MOST_PIECES,
    Disassembly,
    Grouping,
    Hindrance,
    Move,
    Separation,
    Turn,
)
from solvers.polycube.taking_apart.positions import MOST_BYTES, NoRoute, Route, Search
from solvers.polycube.taking_apart.reach import Geometry, ReachTables


class _StuckError(Exception):
    """Some pieces do not come apart."""

    def __init__(self, found: Disassembly) -> None:
        super().__init__()
        self.found = found


LARGEST_CLEARANCE: Final = 0.2
"""With 0.21 a lone cube would turn in a hole of its own size."""


class Disassembler:
    """Takes solutions apart; tables for pairs of shapes are reused from one to the next.

    With `rotations` pieces also turn, by right angles; this is for cubes. Turns have a clearance in
    sides of a cube, 0 to 0.2.
    """

    def __init__(
        self,
        most_bytes: int = MOST_BYTES,
        lattice: Lattice = CUBES,
        *,
        rotations: bool = False,
        clearance: float = 0,
    ) -> None:
        if rotations and lattice != CUBES:
            raise InvalidInputError(
                f"Only cubes can be turned; these pieces are made of {lattice.cells}."
            )
        if not 0 <= clearance <= LARGEST_CLEARANCE:
            raise InvalidInputError(
                f"A clearance is 0 to {LARGEST_CLEARANCE:g} sides of a cube, not {clearance:g}: "
                "with more, a cube would turn in a hole of its own size."
            )
        self._tables = ReachTables(lattice)
        self._ways = with_opposites(lattice.ways)
        self._search = Search(most_bytes)
        self._most_bytes = most_bytes
        self._rotations = rotations
        self._clearance = clearance

    def take_apart(
        self, solution: PackingSolution, grouping: Grouping | None = None
    ) -> Job[Progress, Disassembly]:
        """Find the shortest way apart; pieces are numbered as the solution's placements.

        `grouping` lists pieces that may stay together. The events give the depth of the current
        search.
        """
        pieces = [placement.cells for placement in solution.placements]
        count = len(pieces)
        if count > MOST_PIECES:
            raise InvalidInputError(
                f"The solution has {count} pieces; at most {MOST_PIECES} can be taken apart."
            )
        if count < 2:
            return Disassembly(Separation(tuple(range(count)), ()))
        # Without groups every piece must come apart.
        grouping = grouping or Grouping.none(count)
        try:
            if self._rotations:
                turning = _Turning(self._most_bytes, self._clearance)
                parts: _Parts[Any] = _Parts(turning, grouping)
                start: Any = pieces
            else:
                sliding = _Sliding(self._tables.geometry(pieces), self._ways, self._search)
                parts = _Parts(sliding, grouping)
                start = np.zeros((count, 3), dtype=np.int64)
            return Disassembly((yield from parts.take_apart(tuple(range(count)), start)))
        except _StuckError as stuck:
            return stuck.found


# What leaves a part, and along which way, for a part and each that comes of it; nobody leaves one
# that no single move separates.
Splits = Mapping[tuple[int, ...], tuple[tuple[int, ...], Cell]]


Places = TypeVar("Places")


class Finder(Protocol[Places]):
    """Finds how some pieces separate; `places` say where all pieces are."""

    def find(
        self, numbers: tuple[int, ...], places: Places
    ) -> Job[Progress, "Found[Places] | NoRoute"]:
        """Find the shortest way."""
        ...


@dataclass(frozen=True, slots=True)
class Found(Generic[Places]):
    """The moves until some pieces can leave, where all pieces are then, and what leaves."""

    moves: tuple[Move | Turn, ...]
    places: Places
    splits: Splits


class _Parts(Generic[Places]):
    """The pieces of one solution; parts are tuples of piece numbers."""

    def __init__(self, finder: Finder[Places], grouping: Grouping) -> None:
        self._finder = finder
        self._grouping = grouping

    def take_apart(self, numbers: tuple[int, ...], places: Places) -> Job[Progress, Separation]:
        """Take apart some pieces that have moved to `places`."""
        found = yield from self._finder.find(numbers, places)
        if not isinstance(found, Found):
            why = Hindrance.LOCKED if found.proven else Hindrance.GIVEN_UP
            raise _StuckError(Disassembly(None, why, numbers, found.positions))
        last = yield from self._split(numbers, found.places, found.splits)
        return Separation(numbers, (*found.moves, *last.moves), last.left, last.removed)

    def _split(
        self, numbers: tuple[int, ...], places: Places, splits: Splits
    ) -> Job[Progress, Separation]:
        """Take a part apart; its first move is in `splits` if one move separates it."""
        out, way = splits[numbers]
        if not out:
            return (yield from self.take_apart(numbers, places))
        parts: list[Separation | None] = []
        # First the part that stays, as BurrTools does; levels list it first.
        for part in (_others(out, numbers), out):
            parts.append((yield from self._rest(part, places, splits)))
        return Separation(numbers, (Move(out, way, None),), parts[0], parts[1])

    def _rest(
        self, part: tuple[int, ...], places: Places, splits: Splits
    ) -> Job[Progress, Separation | None]:
        """Take apart what a separation leaves, unless it is one piece or may stay together."""
        if len(part) == 1 or self._grouping.is_single_group(part):
            return None
        try:
            return (yield from self._split(part, places, splits))
        except _StuckError:
            if self._grouping.accept(part):
                return None
            raise


class _Sliding:
    """Finds ways apart of pieces that slide; places are n x 3 displacements."""

    def __init__(self, geometry: Geometry, ways: Sequence[Cell], search: Search) -> None:
        self._geometry = geometry
        self._ways = ways
        self._search = search

    def find(
        self, numbers: tuple[int, ...], places: Int64Array
    ) -> Job[Progress, "Found[Int64Array] | NoRoute"]:
        chosen = list(numbers)
        route = yield from self._search.separate(self._geometry.of(chosen, places[chosen]))
        if isinstance(route, NoRoute):
            return route
        after = places.copy()
        after[chosen] += route.places[-1]
        splits = {
            _members(part, numbers): (_members(members, numbers), self._ways[way])
            for part, (members, way) in route.splits.items()
        }
        return Found(tuple(self._moves(numbers, route)), after, splits)

    def _moves(self, numbers: tuple[int, ...], route: Route) -> Iterator[Move]:
        """Yield the moves between positions, each of at most half the pieces."""
        for before, after in zip(route.places, route.places[1:], strict=False):
            change = after - before
            rows = np.flatnonzero(change.any(axis=1))
            movers = tuple(numbers[row] for row in rows)
            way, steps = self._way(change[rows[0]])
            # Moving most of the pieces one way is the same as moving the others the opposite way.
            if 2 * len(movers) > len(numbers):
                movers, way = _others(movers, numbers), way ^ 1
            yield Move(movers, self._ways[way], steps)

    def _way(self, change: Int64Array) -> tuple[int, int]:
        """Return the number of the way along which a place changed, and by how many steps."""
        for number, way in enumerate(self._geometry.ways):
            axis = int(np.flatnonzero(way)[0])
            times = int(change[axis] // way[axis])
            if times and np.array_equal(times * way, change):
                return 2 * number + (times < 0), abs(times)
        raise AssertionError("a move goes along a way")


class _Turning:
    """Finds ways apart of cubes that slide and turn; places are the cells of all pieces."""

    def __init__(self, most_bytes: int, clearance: float) -> None:
        self._most_bytes = most_bytes
        self._clearance = clearance

    def find(
        self, numbers: tuple[int, ...], places: Sequence[frozenset[Cell]]
    ) -> Job[Progress, "Found[Sequence[frozenset[Cell]]] | NoRoute"]:
        from solvers.polycube.taking_apart.turn_search import separate

        order = sorted(numbers, key=lambda number: -len(places[number]))
        pieces = [places[number] for number in order]
        route = yield from separate(pieces, self._most_bytes, self._clearance)
        if isinstance(route, NoRoute):
            return route
        after = list(places)
        for number, cells in zip(order, route.cells, strict=True):
            after[number] = cells
        moves = (
            replace(move, pieces=tuple(sorted(order[piece] for piece in move.pieces)))
            for move in route.moves
        )
        splits = {
            tuple(sorted(_members(part, order))): (tuple(sorted(_members(members, order))), way)
            for part, (members, way) in route.splits.items()
        }
        return Found(tuple(moves), after, splits)


def _members(bits: int, numbers: Sequence[int]) -> tuple[int, ...]:
    """Return those of some pieces whose bits, in their order, are set."""
    return tuple(number for index, number in enumerate(numbers) if bits >> index & 1)


def _others(members: tuple[int, ...], numbers: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number not in members)


def load_kernels(*, rotations: bool = False) -> None:
    """Load the compiled search, or compile it if this is its first use on this machine."""
    rod = Placement("rod", 0, frozenset({(1, 1, 1)}))
    box = frozenset(product(range(3), range(3), range(3))) - rod.cells
    solution = PackingSolution((rod, Placement("box", 0, box)))
    run_job(Disassembler(rotations=rotations).take_apart(solution))
