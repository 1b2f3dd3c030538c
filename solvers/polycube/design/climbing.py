"""One climb: from a cut by chance to better and better ones, by small changes.

A change that is no worse is taken, so that a climb also wanders between sets of the same score. It
ends when nothing got better for long.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.design.cutting import Cut, cut, exchange, recut
from solvers.polycube.design.goal import Goal
from solvers.polycube.design.rating import Judge, Rating
from solvers.polycube.design.task import Task
from solvers.polycube.errors import PuzzleError

PATIENCE: Final = 150
"""Sets looked at without a better one. Of 12 climbs for six pieces of 3 x 3 x 3, 11 reached a
single solution within 60 sets, one after 228."""

Change = Callable[[Cut, random.Random], Cut]
CHANGES: Final[Mapping[Goal, tuple[Change, ...]]] = {
    Goal.UNIQUE: (recut,),
    Goal.LEVEL: (recut, exchange),
    Goal.HARD: (recut,),
}
"""Small changes lead to higher levels (of 8 climbs with three pieces of twenty cubes 3 reached four
moves, none without them), to a single solution they take longer."""


@dataclass(frozen=True, slots=True)
class Climbed:
    """The best set of a climb; its pieces are in order of size, then of place."""

    rating: Rating
    pieces: Cut

    @property
    def nodes(self) -> int:
        """Nodes of the search for its solutions."""
        return self.rating.nodes


def climbing(task: Task, number: int) -> Job[Progress | Climbed, Climbed]:
    """Climb once, by the task's seed and the climb's number alone.

    The events count the sets looked at, and tell of each that is better.
    """
    rng = random.Random(f"{task.seed} {number}")
    judge = Judge(task)
    pieces = cut(task.target.required, task.sizes, rng)
    if pieces is None:
        raise PuzzleError(
            "No way was found to cut the target into connected pieces of these sizes; take others."
        )
    rating = judge.rate(pieces)
    assert rating is not None, "nothing is worse than no score"
    best = _climbed(rating, pieces)
    looked_at = better_at = 0
    while looked_at - better_at < PATIENCE and not _is_reached(task, best.rating):
        yield Progress("", looked_at, None, "sets")
        looked_at += 1
        changed = rng.choice(CHANGES[task.goal])(pieces, rng)
        rating = judge.rate(changed, best.rating.score)
        if rating is None:
            continue
        pieces = changed
        if rating.score > best.rating.score:
            better_at, best = looked_at, _climbed(rating, changed)
            yield best
    return best


def _climbed(rating: Rating, pieces: Cut) -> Climbed:
    return Climbed(rating, tuple(sorted(pieces, key=lambda piece: (len(piece), sorted(piece)))))


def climb(task: Task, number: int) -> Climbed:
    """Climb once without a word in between; what a worker is given to do."""
    return run_job(climbing(task, number))


def _is_reached(task: Task, rating: Rating) -> bool:
    """Tell whether nothing can be better."""
    return task.goal is Goal.UNIQUE and rating.is_counted and rating.solutions == 1
