"""Design of sets of pieces: climbs in this process or by workers, and the best sets so far.

Climbs are numbered, independent of each other, and added in their order. So the same seed gives the
same designs after the same number of climbs, with any number of workers.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

from solvers.foundation.progress import Job, Progress, map_events
from solvers.foundation.wording import counted
from solvers.polycube.design.climbing import MOST_CLIMBS, Climbed, ClimbStore, climb, climb_job
from solvers.polycube.design.task import Goal, Task
from solvers.polycube.errors import LostWorkerError
from solvers.polycube.puzzle import Shape
from solvers.search.executors import Workers

Look = tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Design:
    """A set of pieces, and the number of the climb that found it, from 1."""

    climb: int
    found: Climbed


@dataclass(slots=True)
class Gallery:
    """The `keep` best designs; it can be read while the job is running and after it was stopped.

    `climbs` counts those finished, `nearest` is the best set that any of them reached. The best of
    the climb in progress is `under_way`; it counts among the designs.
    """

    task: Task
    keep: int = 1
    climbs: int = 0
    nearest: Climbed | None = None
    under_way: Climbed | None = None
    _best_designs: list[Design] = field(default_factory=list)

    def add(self, found: Climbed) -> Design | None:
        """Add the result of the next climb; return it if it is one of the best."""
        self.climbs += 1
        self.under_way = None
        if self.nearest is None or found.rating.score > self.nearest.rating.score:
            self.nearest = found
        if not self._reaches(found):
            return None
        new = Design(self.climbs, found)
        self._best_designs = self._best([*self._best_designs, new])
        return new if new in self._best_designs else None

    @property
    def designs(self) -> list[Design]:
        """The best designs first, and among equal ones the earliest."""
        if self.under_way is None or not self._reaches(self.under_way):
            return list(self._best_designs)
        return self._best([*self._best_designs, Design(self.climbs + 1, self.under_way)])

    def _best(self, designs: list[Design]) -> list[Design]:
        """Return the best of some designs in order, without repetitions."""
        ordered = sorted(designs, key=lambda each: each.climb)
        first = {_canonical(each.found): each for each in reversed(ordered)}
        best = sorted(first.values(), key=lambda each: each.climb)
        best.sort(key=lambda each: each.found.rating.score, reverse=True)
        return best[: self.keep]

    @property
    def is_full(self) -> bool:
        """Whether nothing can be better: enough sets with one solution were found."""
        return self.task.goal is Goal.UNIQUE and len(self._best_designs) == self.keep

    def _reaches(self, found: Climbed) -> bool:
        """Return whether a set reaches the goal at all."""
        rating = found.rating
        if not rating.is_counted:
            return False
        if self.task.goal is Goal.UNIQUE:
            return rating.solutions == 1
        return self.task.goal is Goal.HARD or rating.level is not None


def _canonical(found: Climbed) -> Look:
    """Return a canonical form, equal for sets of the same pieces, or of all their mirror images."""
    # Reflecting all pieces of a set gives a set with mirrored solutions.
    mirrored = [frozenset((-x, y, z) for x, y, z in piece) for piece in found.pieces]
    return min(
        tuple(sorted(Shape(piece).canonical() for piece in pieces))
        for pieces in (found.pieces, mirrored)
    )


# Climbs that are given to workers in advance.
AHEAD: Final = 16
HEARTBEAT_S: Final = 0.2

Climber: TypeAlias = Callable[[int], Job[Progress | Climbed, Climbed]]


def design_job(
    gallery: Gallery, climbs: int, workers: Workers | None = None, store: ClimbStore | None = None
) -> Job[Progress | Design, Gallery]:
    """Climb until `climbs` climbs are finished, or nothing can be better.

    The best are in `gallery` as soon as they are found, and each is an event. Climbs known to
    `store` are not repeated; new ones are added, and the file is written whenever one of the best
    is among them. Closing the job stops the workers.
    """
    known = store.load(MOST_CLIMBS) if store else {}
    todo = [number for number in range(climbs) if number not in known]
    with _climber(gallery.task, todo, workers) as climber:
        for number in range(climbs):
            if gallery.is_full:
                break
            found = known.get(number)
            if found is None:
                found = yield from map_events(climber(number), partial(_progress, gallery, climbs))
                if store:
                    store.add(number, found)
            design = gallery.add(found)
            if design is not None:
                if store:
                    store.save()
                yield design
    return gallery


def _progress(gallery: Gallery, climbs: int, within: Progress | Climbed) -> Progress:
    """Return how many climbs are finished; how long the current one takes is unknown."""
    if isinstance(within, Climbed):
        gallery.under_way = within
    task = counted(len(gallery.designs), "set")
    return Progress(task, gallery.climbs, climbs, "climbs")


@contextmanager
def _climber(task: Task, todo: Sequence[int], workers: Workers | None) -> Iterator[Climber]:
    """Provide a function that runs the climbs of `todo`, to be called in their order."""
    if workers is None:
        yield partial(climb_job, task)
    else:
        with workers() as executor:
            ahead = _Prefetcher(executor, task, todo)
            try:
                yield ahead.climb_job
            finally:
                ahead.cancel()


class _Prefetcher:
    """Submits climbs to an executor before they are needed."""

    def __init__(self, executor: Executor, task: Task, todo: Sequence[int]) -> None:
        self._executor = executor
        self._task = task
        self._todo = deque(todo)
        self._given: dict[int, Future[Climbed]] = {}

    def climb_job(self, number: int) -> Job[Progress | Climbed, Climbed]:
        """Wait for a climb; the events only show that it is running."""
        try:
            while self._todo and len(self._given) < AHEAD:
                given = self._todo.popleft()
                self._given[given] = self._executor.submit(climb, self._task, given)
            future = self._given.pop(number)
            while not wait([future], HEARTBEAT_S).done:
                yield Progress("", 0, None)
            return future.result()
        except (BrokenExecutor, CancelledError) as error:
            raise LostWorkerError(
                "A worker ended before its climb did; it may have been killed or run out of memory."
            ) from error

    def cancel(self) -> None:
        """Cancel the climbs that have not started."""
        for future in self._given.values():
            future.cancel()
