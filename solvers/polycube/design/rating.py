"""How good a set of pieces is for a goal.

A score is a tuple of whole numbers, the greater the better, of three stages that never mix:

    (-clashes,)                 so many pieces too many are the same as others
    (0, 0, nodes a solution)    it has more solutions, or takes more nodes, than are looked at
    (0, 1, ...)                 as the goal says
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from solvers.foundation.progress import run_job
from solvers.polycube.design.cutting import Cut
from solvers.polycube.design.exits import exits
from solvers.polycube.design.goal import Goal
from solvers.polycube.design.task import Task, own_solution
from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.shape import Shape
from solvers.polycube.solving.problem import problem
from solvers.polycube.taking_apart.apart import TakingApart
from solvers.search.exact_cover.search import Search, as_solutions, growing_portions

Score = tuple[int, ...]

MOST_SOLUTIONS: Final = 300
MOST_NODES: Final = 5_000_000
"""Some tenths of a second, for pieces of about six cubes in 4 x 4 x 4."""
MOST_BYTES: Final = 1 << 24
"""Of the positions of one search for a way apart; what needs more counts as not coming apart."""
CHOSEN: Final = (0, 1)
CROWDED: Final = (0, 0)


@dataclass(frozen=True, slots=True)
class Rating:
    """A score, and what it comes from: solutions up to symmetry, nodes, and the level if asked for.

    `nodes` are those of the search for all solutions.
    """

    score: Score
    solutions: int = 0
    nodes: int = 0
    level: str | None = None

    @property
    def clashes(self) -> int:
        """How many pieces are the same as others although they should not."""
        return -self.score[0]

    @property
    def is_counted(self) -> bool:
        """Whether the goal has been measured: no pieces clash, and all solutions are known."""
        return self.score[:2] == CHOSEN


@dataclass(frozen=True, slots=True)
class _Searched:
    """All solutions, one of each class, or those found until there were too many."""

    solutions: tuple[PackingSolution, ...]
    nodes: int
    complete: bool


class Judge:
    """Rates sets of pieces for one task; what it learns about shapes is kept."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._taking = TakingApart(MOST_BYTES)
        self._rate: Mapping[Goal, Callable[[Cut, Score], Rating | None]] = {
            Goal.UNIQUE: self._by_number,
            Goal.LEVEL: self._by_level,
            Goal.HARD: self._by_nodes,
        }

    def rate(self, cut: Cut, least: Score = ()) -> Rating | None:
        """Rate a set; None as soon as it is known to be worse than the score `least`."""
        clashes = self._clashes(cut)
        if clashes:
            rating: Rating | None = Rating((-clashes,))
        else:
            rating = self._rate[self._task.goal](cut, least)
        return rating if rating and rating.score >= least else None

    def _clashes(self, cut: Cut) -> int:
        if not self._task.distinct:
            return 0
        alike = Counter(
            Shape(piece).canonical(reflections=not self._task.mirrored) for piece in cut
        )
        return len(cut) - len(alike)

    def _by_number(self, cut: Cut, least: Score) -> Rating | None:
        most = -least[2] if least[:2] == CHOSEN else MOST_SOLUTIONS
        found = self._search(cut, most)
        if not found.complete:
            return _crowded(found)
        count = len(found.solutions)
        return Rating((*CHOSEN, -count), count, found.nodes)

    def _by_nodes(self, cut: Cut, least: Score) -> Rating | None:  # noqa: ARG002
        found = self._search(cut, MOST_SOLUTIONS)
        if not found.complete:
            return _crowded(found)
        count = len(found.solutions)
        return Rating((*CHOSEN, found.nodes // count), count, found.nodes)

    def _by_level(self, cut: Cut, least: Score) -> Rating | None:
        """Take the set's own solution apart first: none of the others can make it better."""
        if (*CHOSEN, *self._apart(own_solution(cut))[0]) < least:
            return None
        found = self._search(cut, MOST_SOLUTIONS)
        if not found.complete:
            return _crowded(found)
        soonest: tuple[Score, str | None] = ((), None)
        for solution in found.solutions:
            apart = self._apart(solution)
            if apart[0] and (not soonest[0] or apart[0] < soonest[0]):
                soonest = apart
                if (*CHOSEN, *apart[0]) < least:
                    return None
        return Rating((*CHOSEN, *soonest[0]), len(found.solutions), found.nodes, soonest[1])

    def _apart(self, solution: PackingSolution) -> tuple[Score, str | None]:
        """Return how hard a solution is to take apart, and its level; nothing if it is locked.

        Of the same moves to the first piece out, fewer ways to begin are harder.
        """
        found = run_job(self._taking.take_apart(solution))
        if not found.rank:
            return (), None
        first, *rest = found.rank
        begin = exits(tuple(placement.cells for placement in solution.placements))
        return (first, -begin, *rest), found.level

    def _search(self, cut: Cut, most: int) -> _Searched:
        """Find all solutions, or somewhat more than `most`, or what MOST_NODES lead to."""
        ready = problem(self._task.puzzle(cut))
        solutions: list[PackingSolution] = []
        nodes = 0
        for part in ready.group.reduce():
            search = Search(ready.packed.cover, part.part, encoding=ready.encoding)
            portions = growing_portions()
            while not search.finished:
                rows = search.advance_rows(next(portions))
                if len(part.left) > 1:
                    rows = ready.group.compare(rows, part).smallest
                solutions += map(ready.packed.solution, as_solutions(rows, ready.encoding.options))
                if len(solutions) > most or nodes + search.nodes > MOST_NODES:
                    return _Searched(tuple(solutions), nodes + search.nodes, complete=False)
            nodes += search.nodes
        return _Searched(tuple(solutions), nodes, complete=True)


def _crowded(found: _Searched) -> Rating:
    return Rating((*CROWDED, found.nodes // (len(found.solutions) + 1)))
