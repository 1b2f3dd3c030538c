"""Designs sets of pieces: one climb after the other, in this process or by workers.

Climbs are numbered and know nothing of each other, and they are taken in in their order. So the
same seed gives the same designs after the same number of climbs, whoever does them.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeAlias

from solvers.foundation.progress import Job, Progress, retold
from solvers.foundation.wording import counted
from solvers.polycube.design.climbing import Climbed, climb, climbing
from solvers.polycube.design.gallery import Design, Gallery
from solvers.polycube.design.kept_climbs import MOST_CLIMBS, KeptClimbs
from solvers.polycube.design.task import Task
from solvers.polycube.errors import LostWorkerError
from solvers.search.executors import Workers

AHEAD: Final = 16
"""Climbs that workers are given at most before they are over."""
HEARTBEAT_S: Final = 0.2

Climber: TypeAlias = Callable[[int], Job[Progress | Climbed, Climbed]]


def designing(
    gallery: Gallery, climbs: int, workers: Workers | None = None, kept: KeptClimbs | None = None
) -> Job[Progress | Design, Gallery]:
    """Climb until there were so many climbs in all, or nothing can be better any more.

    The best are in `gallery` as soon as they are found, and each is an event. Climbs that `kept`
    knows are not done again; new ones are put there, and written whenever one of the best is among
    them. Closing the job stops the workers.
    """
    known = kept.load(MOST_CLIMBS) if kept else {}
    todo = [number for number in range(climbs) if number not in known]
    with _climber(gallery.task, todo, workers) as climber:
        for number in range(climbs):
            if gallery.is_full:
                break
            found = known.get(number)
            if found is None:
                found = yield from retold(climber(number), partial(_told, gallery, climbs))
                if kept:
                    kept.add(number, found)
            design = gallery.add(found)
            if design is not None:
                if kept:
                    kept.save()
                yield design
    return gallery


def _told(gallery: Gallery, climbs: int, within: Progress | Climbed) -> Progress:
    """Tell how many climbs are over: nobody knows how long the one at work takes."""
    if isinstance(within, Climbed):
        gallery.under_way = within
    task = counted(len(gallery.designs), "set")
    return Progress(task, gallery.climbs, climbs, "climbs")


@contextmanager
def _climber(task: Task, todo: Sequence[int], workers: Workers | None) -> Iterator[Climber]:
    """Provide what does the climbs of `todo`, which are asked for in their order."""
    if workers is None:
        yield partial(climbing, task)
    else:
        with workers() as executor:
            ahead = _Ahead(executor, task, todo)
            try:
                yield ahead.climbing
            finally:
                ahead.cancel()


class _Ahead:
    """Gives climbs to an executor before they are asked for."""

    def __init__(self, executor: Executor, task: Task, todo: Sequence[int]) -> None:
        self._executor = executor
        self._task = task
        self._todo = deque(todo)
        self._given: dict[int, Future[Climbed]] = {}

    def climbing(self, number: int) -> Job[Progress | Climbed, Climbed]:
        """Wait for a climb; the events only show that somebody is at work."""
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
        """Begin no further climb."""
        for future in self._given.values():
            future.cancel()
