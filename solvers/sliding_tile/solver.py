"""Optimal solutions of sliding-tile puzzles by a choice of algorithms."""

from collections.abc import Callable
from dataclasses import dataclass

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.table_cache import Progress
from solvers.sliding_tile.algorithm import Algorithm
from solvers.sliding_tile.board import Board, require_solvable
from solvers.sliding_tile.placement import Placement, place


@dataclass(frozen=True)
class Solution:
    """`generated` counts the positions that the search made; 0 where it only looked up."""

    moves: str
    algorithm: Algorithm
    generated: int


OnProgress = Callable[[int, int], None]
"""Hears the bound on moves that is being searched and the positions generated so far."""


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
    start: Board,
    goal: Board,
    algorithm: Algorithm = Algorithm.AUTO,
    on_progress: OnProgress | None = None,
    on_table: Progress | None = None,
) -> Solution:
    """Return a shortest solution.

    Raises InvalidBoardError for boards of two sizes, UnsolvableError if no moves lead from start
    to goal, InvalidInputError if the algorithm does not take boards of that size.
    """
    require_solvable(start, goal)
    if algorithm is Algorithm.AUTO:
        algorithm = choose(start)
    if algorithm in (Algorithm.WHOLE_SPACE, Algorithm.POLICY):
        return Solution(_look_up(start, goal, algorithm), algorithm, 0)
    return _search(place(start, goal), algorithm, on_progress, on_table)


def _look_up(start: Board, goal: Board, algorithm: Algorithm) -> str:
    if (start.width, start.height) != (3, 3):
        raise InvalidInputError(f"The algorithm {algorithm} takes boards of 3 x 3 cells only.")
    from solvers.sliding_tile.policy_walk import policy_moves
    from solvers.sliding_tile.whole_space import downhill

    if algorithm is Algorithm.POLICY:
        return policy_moves(start, goal)
    return downhill(place(start, goal))


def _search(
    task: Placement,
    algorithm: Algorithm,
    on_progress: OnProgress | None,
    on_table: Progress | None,
) -> Solution:
    from solvers.sliding_tile.ida_star import IdaStar
    from solvers.sliding_tile.pattern_database import database_tables, manhattan_tables

    walking = algorithm is Algorithm.WALKING_DISTANCE
    if walking and max(task.width, task.height) > 4:
        raise InvalidInputError("The algorithm walking-distance takes boards of up to 4 x 4 cells.")
    if algorithm is Algorithm.PATTERN_DATABASE:
        patterns = database_tables(task, on_table)
    else:
        patterns = manhattan_tables(task)
    conflicts = algorithm is Algorithm.LINEAR_CONFLICT
    search = IdaStar(task, patterns, linear_conflicts=conflicts, walking=walking)
    for progress in search.run():
        if on_progress is not None:
            on_progress(progress.bound, progress.generated)
        if progress.moves is not None:
            return Solution(progress.moves, algorithm, progress.generated)
    raise AssertionError("a solvable task has a solution")
