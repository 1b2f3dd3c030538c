"""Keeps what the climbs of a design have found in a file, so that a stopped design can go on."""

import hashlib
from pathlib import Path
from typing import Any, Final

from solvers.polycube.design.climbing import Climbed
from solvers.polycube.design.rating import Rating
from solvers.polycube.design.task import Task
from solvers.search.kept_parts import KeptParts

# Raise this when climbs go other ways, so that old files are not taken for new.
VERSION: Final = 1
MOST_CLIMBS: Final = 100_000


class KeptClimbs(KeptParts[Climbed]):
    """A file in `folder` that belongs to one task, by a hash of all that decides its climbs."""

    def __init__(self, folder: Path, task: Task, *, resume: bool) -> None:
        super().__init__(
            folder / f"{_task_hash(task)}.json", VERSION, resume=resume, row=_row, read=_climbed
        )


def _row(found: Climbed) -> list[Any]:
    rating = found.rating
    pieces = [sorted(piece) for piece in found.pieces]
    return [list(rating.score), rating.solutions, rating.nodes, rating.level, pieces]


def _climbed(row: list[Any]) -> Climbed:
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
        )
    )
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
