"""Disassembly of all solutions of a puzzle, keeping the hardest."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from solvers.foundation.progress import Job, Progress
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.parts import Found
from solvers.polycube.solving.problem import Count
from solvers.polycube.solving.solver import list_job, solutions
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.polycube.taking_apart.disassembly import Disassembly, Grouping, Hindrance

PROGRESS_EVERY = 100


@dataclass(frozen=True, slots=True)
class Apart:
    """A solution and its disassembly; `number` counts the solutions from 1 as they are found."""

    number: int
    solution: PackingSolution
    found: Disassembly

    @property
    def order(self) -> tuple[tuple[int, ...], int]:
        """Sort key: the hardest first, then as found; those that do not come apart are last."""
        return tuple(-length for length in self.found.rank) or (1,), self.number


@dataclass(slots=True)
class Collection:
    """The results so far; they can be read while the job is running and after it was stopped.

    `keep` is how many solutions are stored, the hardest ones; None stores all, 0 only counts.
    With `sort` they are in order of hardness, otherwise as they were found.
    """

    keep: int | None = None
    sort: bool = False
    solutions: int = 0
    levels: Counter[str] = field(default_factory=Counter)
    ranks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    hindered: Counter[Hindrance] = field(default_factory=Counter)
    counted: Count | None = None
    _chosen: list[Apart] = field(default_factory=list)

    def add(self, solution: PackingSolution, found: Disassembly) -> None:
        """Add a solution."""
        self.solutions += 1
        if found.level is not None:
            self.levels[found.level] += 1
            self.ranks[found.level] = max(found.rank, self.ranks.get(found.level, ()))
        elif found.hindrance is not None:
            self.hindered[found.hindrance] += 1
        if self.keep != 0:
            self._chosen.append(Apart(self.solutions, solution, found))
        # Dropping at twice the bound makes the cost of sorting negligible.
        if self.keep is not None and len(self._chosen) > 2 * self.keep:
            self._drop(self.keep)

    def chosen(self) -> list[Apart]:
        """Return the chosen solutions, in their order."""
        if self.keep is not None:
            self._drop(self.keep)
        if self.sort:
            return sorted(self._chosen, key=lambda each: each.order)
        return list(self._chosen)

    def hardest_levels(self) -> Iterator[tuple[str, int]]:
        """Yield the levels and their frequencies, the hardest first."""
        for level in sorted(self.levels, key=self.ranks.__getitem__, reverse=True):
            yield level, self.levels[level]

    @property
    def come_apart(self) -> int:
        """Number of solutions that come apart."""
        return self.levels.total()

    def _drop(self, keep: int) -> None:
        hardest = sorted(self._chosen, key=lambda each: each.order)[:keep]
        self._chosen = sorted(hardest, key=lambda each: each.number)


def collect_job(
    puzzle: PackingPuzzle,
    collection: Collection,
    *,
    rotations: bool = False,
    clearance: float = 0,
) -> Job[Progress, Collection]:
    """Find all solutions, one of each class, and take each apart.

    With `rotations` pieces turn, too, with a clearance in sides of a cube.
    The events give the share of the search for solutions that is done. `collection.counted` is set
    only in the end, when all were found.
    """
    taking = Disassembler(lattice=puzzle.lattice, rotations=rotations, clearance=clearance)
    with closing(list_job(puzzle)) as job:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                collection.counted = end.value
                return collection
            yield Progress(_status(collection), event.done, event.total)
            for solution in event.solutions if isinstance(event, Found) else ():
                yield from _add(taking, puzzle, solution, collection, event.done, event.total)


def first_apart_job(
    puzzle: PackingPuzzle,
    collection: Collection,
    *,
    rotations: bool = False,
    clearance: float = 0,
) -> Job[Progress, Collection]:
    """Find solutions until one comes apart; the events give how many were examined."""
    taking = Disassembler(lattice=puzzle.lattice, rotations=rotations, clearance=clearance)
    for solution in solutions(puzzle):
        yield from _add(taking, puzzle, solution, collection, 0.0, None)
        if collection.come_apart:
            break
    return collection


def _add(
    taking: Disassembler,
    puzzle: PackingPuzzle,
    solution: PackingSolution,
    collection: Collection,
    share: float,
    whole: float | None,
) -> Job[Progress, None]:
    """Take one solution apart and add it to the collection."""
    status = _status(collection)
    job = taking.take_apart(solution, Grouping.of(puzzle, solution))
    while True:
        try:
            within = next(job)
        except StopIteration as end:
            collection.add(solution, end.value)
            break
        yield Progress(f"{status}; {within.task}", share, whole)
    if collection.solutions % PROGRESS_EVERY == 0:
        yield Progress(status, share, whole)


def _status(collection: Collection) -> str:
    hardest = next(collection.hardest_levels(), None)
    status = f"{collection.solutions} found, {collection.come_apart} come apart"
    return f"{status}, hardest {hardest[0]}" if hardest else status
