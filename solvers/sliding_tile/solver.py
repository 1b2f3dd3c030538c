"""Optimal solutions of sliding-tile puzzles by a choice of algorithms."""

from dataclasses import dataclass

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.algorithm import Algorithm
from solvers.sliding_tile.board import MOVES, Board, require_solvable
from solvers.sliding_tile.placement import place


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


def choose(board: Board) -> Algorithm:
    """Return what `auto` stands for: the fastest algorithm for the size of the board."""
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

    Nothing bounds the time: random boards of more than 5 x 5 cells are beyond every known method.
    The job can be closed between two events; after less than a second each event is `Known`, which
    has a solution and how many moves are needed at least (`so_far`).

    Raises InvalidBoardError for boards of two sizes, UnsolvableError if no moves lead from start
    to goal, InvalidInputError if the algorithm does not take boards of that size.
    """
    require_solvable(start, goal)
    if algorithm is Algorithm.AUTO:
        algorithm = choose(start)
    if algorithm in (Algorithm.WHOLE_SPACE, Algorithm.POLICY):
        moves = _look_up(start, goal, algorithm)
        return Solution(moves, algorithm, 0, len(moves))
    from solvers.sliding_tile.anytime.approach import approach
    from solvers.sliding_tile.heuristics.registry import HEURISTICS

    path = yield from approach(place(start, goal), HEURISTICS[algorithm])
    return Solution(path.moves, algorithm, path.generated, len(path.moves))


def so_far(event: Progress, algorithm: Algorithm) -> Solution | None:
    """Return the solution that an event of `solve` tells of, if it does."""
    from solvers.sliding_tile.anytime.approach import Known

    if not isinstance(event, Known):
        return None
    return Solution(event.moves, algorithm, int(event.done), event.least)


def warm_up(goal: Board, algorithm: Algorithm = Algorithm.AUTO) -> Job[Progress, None]:
    """Get ready to solve boards with that goal at once: compile the search and make its tables."""
    if algorithm is Algorithm.AUTO:
        algorithm = choose(goal)
    if algorithm in (Algorithm.WHOLE_SPACE, Algorithm.POLICY):
        return
    from solvers.sliding_tile.heuristics.registry import HEURISTICS
    from solvers.sliding_tile.ida_star import ida_star

    move = next(move for move in MOVES if goal.target(goal.blank, move) is not None)
    yield from ida_star(place(goal.moved(move), goal), HEURISTICS[algorithm])


def _look_up(start: Board, goal: Board, algorithm: Algorithm) -> str:
    if (start.width, start.height) != (3, 3):
        raise InvalidInputError(f"The algorithm {algorithm} takes boards of 3 x 3 cells only.")
    from solvers.sliding_tile.policy_walk import policy_moves
    from solvers.sliding_tile.whole_space import downhill

    if algorithm is Algorithm.POLICY:
        return policy_moves(start, goal)
    return downhill(place(start, goal))
