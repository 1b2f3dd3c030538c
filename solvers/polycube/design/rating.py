"""Rating of a set of pieces for a goal.

A score is a tuple of integers, the greater the better, of three kinds that never mix:

    (-clashes,)                   that many pieces too many are equal to others
    (0, 0, nodes per solution)    more solutions or nodes than are examined
    (0, 1, ...)                   as the goal says
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from solvers.foundation.progress import run_job
from solvers.polycube.design.cutting import Cut
from solvers.polycube.design.task import Goal, Task, own_solution
from solvers.polycube.lattice import Cell, with_opposites
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import PackingSolution, Shape
from solvers.polycube.solving.problem import problem
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.search.exact_cover.search import Search, as_solutions, growing_portions


def count_exits(pieces: Cut) -> int:
    """Return the number of pieces and directions in which a piece leaves without all others.

    It takes along whatever is in its way. A level says nothing about how close a set is to the next
    one, but this does: with no such exit, a second move is needed, or nothing comes apart at all.
    """
    owner = {cell: number for number, piece in enumerate(pieces) for cell in piece}
    longest = max(max(axis) - min(axis) for axis in zip(*owner, strict=True))
    return sum(
        len(_all_pushed(number, blockers)) < len(pieces)
        for way in with_opposites(CUBES.ways)
        for blockers in [[set(_pieces_met(piece, way, longest, owner)) for piece in pieces]]
        for number in range(len(pieces))
    )


def _pieces_met(
    piece: frozenset[Cell], way: Cell, longest: int, owner: dict[Cell, int]
) -> Iterator[int]:
    """Yield the owners of the cells that a piece meets on its way out, itself included."""
    dx, dy, dz = way
    for x, y, z in piece:
        for step in range(1, longest + 1):
            met = owner.get((x + step * dx, y + step * dy, z + step * dz))
            if met is not None:
                yield met


def _all_pushed(first: int, blockers: list[set[int]]) -> set[int]:
    """Return all pieces that have to move when one does."""
    pushed, waiting = {first}, [first]
    while waiting:
        found = blockers[waiting.pop()] - pushed
        pushed |= found
        waiting += found
    return pushed


Score = tuple[int, ...]

MOST_SOLUTIONS: Final = 300
# Some tenths of a second, for pieces of about six cubes in 4 x 4 x 4.
MOST_NODES: Final = 5_000_000
# Bytes for the positions of one search; what needs more counts as not coming apart.
MOST_BYTES: Final = 1 << 24
CHOSEN: Final = (0, 1)
CROWDED: Final = (0, 0)


@dataclass(frozen=True, slots=True)
class Rating:
    """A score, with solutions up to symmetry, nodes, and the level if it was computed.

    `nodes` are those of the search for all solutions.
    """

    score: Score
    solutions: int = 0
    nodes: int = 0
    level: str | None = None

    @property
    def clashes(self) -> int:
        """Number of pieces that are equal to others although they must not be."""
        return -self.score[0]

    @property
    def is_counted(self) -> bool:
        """Whether the goal was measured: no pieces clash, and all solutions are known."""
        return self.score[:2] == CHOSEN


@dataclass(frozen=True, slots=True)
class _Searched:
    """All solutions, one of each class, or those found before there were too many."""

    solutions: tuple[PackingSolution, ...]
    nodes: int
    complete: bool


class Judge:
    """Rates sets of pieces for one task; tables about shapes are reused."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._disassembler = Disassembler(MOST_BYTES)
        self._rate: Mapping[Goal, Callable[[Cut, Score], Rating | None]] = {
            Goal.UNIQUE: self._by_number,
            Goal.LEVEL: self._by_level,
            Goal.HARD: self._by_nodes,
        }

    def rate(self, cut: Cut, least: Score = ()) -> Rating | None:
        """Rate a set; return None as soon as it is known to score below `least`."""
        clashes = self._clashes(cut)
        if clashes:
            rating: Rating | None = Rating((-clashes,))
        else:
            rating = self._rate[self._task.goal](cut, least)
        return rating if rating and rating.score >= least else None

    def _clashes(self, cut: Cut) -> int:
        if not self._task.distinct:
            return 0
        shapes = Counter(
            Shape(piece).canonical(reflections=not self._task.mirrored) for piece in cut
        )
        return len(cut) - len(shapes)

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
        """Take the set's own solution apart first: none of the others can raise the score."""
        if (*CHOSEN, *self._disassemble(own_solution(cut))[0]) < least:
            return None
        found = self._search(cut, MOST_SOLUTIONS)
        if not found.complete:
            return _crowded(found)
        soonest: tuple[Score, str | None] = ((), None)
        for solution in found.solutions:
            apart = self._disassemble(solution)
            if apart[0] and (not soonest[0] or apart[0] < soonest[0]):
                soonest = apart
                if (*CHOSEN, *apart[0]) < least:
                    return None
        return Rating((*CHOSEN, *soonest[0]), len(found.solutions), found.nodes, soonest[1])

    def _disassemble(self, solution: PackingSolution) -> tuple[Score, str | None]:
        """Return how hard a solution is to take apart, and its level; empty if it is locked.

        For equal moves to the first piece out, fewer first exits are harder.
        """
        found = run_job(self._disassembler.take_apart(solution))
        if not found.rank:
            return (), None
        first, *rest = found.rank
        ways_out = count_exits(tuple(placement.cells for placement in solution.placements))
        return (first, -ways_out, *rest), found.level

    def _search(self, cut: Cut, most: int) -> _Searched:
        """Find all solutions, or somewhat more than `most`, or those found within MOST_NODES."""
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
