"""One hill climb: from a random cut of the target to better ones by small changes.

A change that is no worse is accepted, so a climb also wanders between sets of the same score. It
ends when nothing has improved for a long time.
"""

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube.design.cutting import Cut, cut_target, exchange, recut, shift
from solvers.polycube.design.rating import Judge, Rating
from solvers.polycube.design.task import Goal, Task
from solvers.polycube.errors import PuzzleError
from solvers.search.parts import PartStore

# Sets examined without improvement before a climb ends.
# Of 12 climbs for six pieces of 3 x 3 x 3, 11 reached a single solution within 60 sets, one after
# 228.
PATIENCE: Final = 150

Change = Callable[[Cut, random.Random], Cut]
# Small changes lead to higher levels but take longer to reach a single solution.
# Of 8 climbs with three pieces of twenty cubes 3 reached four moves, none without them.
CHANGES: Final[Mapping[Goal, tuple[Change, ...]]] = {
    Goal.UNIQUE: (recut,),
    Goal.LEVEL: (recut, exchange),
    Goal.HARD: (recut,),
}


@dataclass(frozen=True, slots=True)
class Climbed:
    """The best set of a climb; its pieces are in order of size, then of place."""

    rating: Rating
    pieces: Cut

    @property
    def nodes(self) -> int:
        """Nodes of the search for its solutions."""
        return self.rating.nodes


def climb_job(task: Task, number: int) -> Job[Progress | Climbed, Climbed]:
    """Climb once; the result depends only on the task and the climb's number.

    The events count the sets examined, and contain each better one.
    """
    # Climbs are independent of each other, so that workers can do them in any order.
    rng = random.Random(f"{task.seed} {number}")
    judge = Judge(task)
    changes = CHANGES[task.goal]
    if task.cubes < len(task.target.cells):
        changes = (*changes, partial(shift, optional=task.target.optional))
    pieces = cut_target(task.target, task.sizes, rng)
    if pieces is None:
        raise PuzzleError(
            "The target could not be cut into connected pieces of these sizes; choose others."
        )
    rating = judge.rate(pieces)
    assert rating is not None, "nothing is worse than no score"
    best = _climbed(rating, pieces)
    looked_at = better_at = 0
    while looked_at - better_at < PATIENCE and not _is_reached(task, best.rating):
        yield Progress("", looked_at, None, "sets")
        looked_at += 1
        changed = rng.choice(changes)(pieces, rng)
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
    """Climb once without progress events; the function that workers run."""
    return run_job(climb_job(task, number))


def _is_reached(task: Task, rating: Rating) -> bool:
    """Return whether no set can be better."""
    return task.goal is Goal.UNIQUE and rating.is_counted and rating.solutions == 1


# Finished climbs of a design, so that a stopped design can be resumed.

# Increase this when climbs take other paths, so that old files are ignored.
VERSION: Final = 1
MOST_CLIMBS: Final = 100_000


class ClimbStore(PartStore[Climbed]):
    """A file in `folder` that belongs to one task, named by a hash of the task."""

    def __init__(self, folder: Path, task: Task, *, resume: bool) -> None:
        super().__init__(
            folder / f"{_task_hash(task)}.json", VERSION, resume=resume, row=_row, read=_from_row
        )


def _row(found: Climbed) -> list[Any]:
    rating = found.rating
    pieces = [sorted(piece) for piece in found.pieces]
    return [list(rating.score), rating.solutions, rating.nodes, rating.level, pieces]


def _from_row(row: list[Any]) -> Climbed:
    score, solutions, nodes, level, pieces = row
    cut = tuple(frozenset((x, y, z) for x, y, z in piece) for piece in pieces)
    return Climbed(Rating(tuple(score), solutions, nodes, level), cut)


def _task_hash(task: Task) -> str:
    text = repr(
        (
            sorted(task.target.required),
            sorted(task.sizes),
            task.goal.value,
            task.seed,
            task.distinct,
            task.mirrored,
            *([sorted(task.target.optional)] if task.target.optional else ()),
        )
    )
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
