"""Shortest solutions of sliding-tile puzzles by a choice of algorithms."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.board import MOVES, Board, place, require_solvable

if TYPE_CHECKING:
    from solvers.sliding_tile.ida_star import Heuristic


class Algorithm(StrEnum):
    """Every one finds a shortest solution; they differ in time and in the boards they take."""

    AUTO = "auto"
    WHOLE_SPACE = "whole-space"
    POLICY = "policy"
    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    WALKING_DISTANCE = "walking-distance"
    PATTERN_DATABASE = "pattern-database"


@dataclass(frozen=True)
class Solution:
    """`generated` counts the positions that the search made; 0 where it only looked up.

    Every solution has at least `least` moves, so it is a shortest one if it has no more.
    """

    moves: str
    algorithm: Algorithm
    generated: int
    least: int

    @property
    def is_shortest(self) -> bool:
        """Whether no shorter one exists, as far as is proven."""
        return len(self.moves) == self.least


def heuristics() -> Mapping[Algorithm, "Heuristic"]:
    """Return the lower bound that each searching algorithm uses.

    Another heuristic is a module in `heuristics` and a line here.
    """
    from solvers.sliding_tile.heuristics.additive import MANHATTAN, PATTERN_DATABASE
    from solvers.sliding_tile.heuristics.linear_conflict import LINEAR_CONFLICT
    from solvers.sliding_tile.heuristics.walking_distance import WALKING_DISTANCE

    return {
        Algorithm.MANHATTAN: MANHATTAN,
        Algorithm.LINEAR_CONFLICT: LINEAR_CONFLICT,
        Algorithm.WALKING_DISTANCE: WALKING_DISTANCE,
        Algorithm.PATTERN_DATABASE: PATTERN_DATABASE,
    }


def choose(board: Board) -> Algorithm:
    """Return the algorithm of `auto`: the fastest for the size of the board."""
    if (board.width, board.height) == (3, 3):
        return Algorithm.WHOLE_SPACE
    if (board.width, board.height) == (4, 4):
        return Algorithm.PATTERN_DATABASE
    if max(board.width, board.height) <= 4:
        return Algorithm.WALKING_DISTANCE
    return Algorithm.LINEAR_CONFLICT


def solve(
    start: Board, goal: Board, algorithm: Algorithm = Algorithm.AUTO
) -> Job[Progress, Solution]:
    """Find a shortest solution.

    The time has no bound: random boards of more than 5 x 5 cells are beyond every known method.
    The job can be closed between two events; after less than a second each event is `Known`, which
    has a solution and the proven bound (`solution_so_far`).

    Raises InvalidBoardError for boards of two sizes, UnsolvableError if no moves lead from start
    to goal, InvalidInputError if the algorithm does not take boards of that size.
    """
    require_solvable(start, goal)
    if algorithm is Algorithm.AUTO:
        algorithm = choose(start)
    if algorithm in (Algorithm.WHOLE_SPACE, Algorithm.POLICY):
        moves = _look_up(start, goal, algorithm)
        return Solution(moves, algorithm, 0, len(moves))
    from solvers.sliding_tile.anytime import solve_anytime

    path = yield from solve_anytime(place(start, goal), heuristics()[algorithm])
    return Solution(path.moves, algorithm, path.generated, len(path.moves))


def solution_so_far(event: Progress, algorithm: Algorithm) -> Solution | None:
    """Return the solution in an event of `solve`, None if it has none."""
    from solvers.sliding_tile.anytime import Known

    if not isinstance(event, Known):
        return None
    return Solution(event.moves, algorithm, int(event.done), event.least)


def warm_up(goal: Board, algorithm: Algorithm = Algorithm.AUTO) -> Job[Progress, None]:
    """Compile the search and build its tables for this goal, so that solving starts at once."""
    if algorithm is Algorithm.AUTO:
        algorithm = choose(goal)
    if algorithm in (Algorithm.WHOLE_SPACE, Algorithm.POLICY):
        return  # plain Python and numpy, nothing to compile
    from solvers.sliding_tile.ida_star import ida_star

    # Solving a board one move away compiles all that a search needs.
    move = next(move for move in MOVES if goal.target(goal.blank, move) is not None)
    yield from ida_star(place(goal.moved(move), goal), heuristics()[algorithm])


def _look_up(start: Board, goal: Board, algorithm: Algorithm) -> str:
    if (start.width, start.height) != (3, 3):
        raise InvalidInputError(f"The algorithm {algorithm} takes boards of 3 x 3 cells only.")
    from solvers.sliding_tile.policy import policy_moves
    from solvers.sliding_tile.whole_space import downhill

    if algorithm is Algorithm.POLICY:
        return policy_moves(start, goal)
    return downhill(place(start, goal))
