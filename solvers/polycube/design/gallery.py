"""The best sets of pieces so far, none twice."""

from dataclasses import dataclass, field

from solvers.polycube.design.climbing import Climbed
from solvers.polycube.design.goal import Goal
from solvers.polycube.design.task import Task
from solvers.polycube.shape import Shape

Look = tuple[tuple[tuple[int, int, int], ...], ...]


@dataclass(frozen=True, slots=True)
class Design:
    """A set of pieces, and the number of the climb that led to it, from 1."""

    climb: int
    found: Climbed


@dataclass(slots=True)
class Gallery:
    """The `keep` best designs; it may be read while the job goes on, and after it was stopped.

    `climbs` counts those that are over, `nearest` is the best that any of them reached. What the
    climb at work has reached is `under_way`, and counts as long as it is.
    """

    task: Task
    keep: int = 1
    climbs: int = 0
    nearest: Climbed | None = None
    under_way: Climbed | None = None
    _kept: list[Design] = field(default_factory=list)

    def add(self, found: Climbed) -> Design | None:
        """Take in what the next climb found; return it if it is one of the best."""
        self.climbs += 1
        self.under_way = None
        if self.nearest is None or found.rating.score > self.nearest.rating.score:
            self.nearest = found
        if not self._reaches(found):
            return None
        new = Design(self.climbs, found)
        self._kept = self._best([*self._kept, new])
        return new if new in self._kept else None

    @property
    def designs(self) -> list[Design]:
        """The best designs first, and of equal ones the earliest."""
        if self.under_way is None or not self._reaches(self.under_way):
            return list(self._kept)
        return self._best([*self._kept, Design(self.climbs + 1, self.under_way)])

    def _best(self, designs: list[Design]) -> list[Design]:
        """Return the best of designs in their order, leaving out what comes again."""
        ordered = sorted(designs, key=lambda each: each.climb)
        first = {_look(each.found): each for each in reversed(ordered)}
        best = sorted(first.values(), key=lambda each: each.climb)
        best.sort(key=lambda each: each.found.rating.score, reverse=True)
        return best[: self.keep]

    @property
    def is_full(self) -> bool:
        """Whether nothing can be better any more: so many sets with one solution as are kept."""
        return self.task.goal is Goal.UNIQUE and len(self._kept) == self.keep

    def _reaches(self, found: Climbed) -> bool:
        """Tell whether a set reaches the goal at all."""
        rating = found.rating
        if not rating.is_counted:
            return False
        if self.task.goal is Goal.UNIQUE:
            return rating.solutions == 1
        return self.task.goal is Goal.HARD or rating.level is not None


def _look(found: Climbed) -> Look:
    """Return what is equal for sets of the same pieces, or of all their mirror images."""
    mirrored = [frozenset((-x, y, z) for x, y, z in piece) for piece in found.pieces]
    return min(
        tuple(sorted(Shape(piece).canonical() for piece in pieces))
        for pieces in (found.pieces, mirrored)
    )
