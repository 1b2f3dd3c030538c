"""Searches for the cube commands: under a moving mark, with the tables that pay."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solvers.cli.cube.input import counted_moves
from solvers.foundation.command_line.progress_view import waiting
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import PuzzlerigError

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube
    from solvers.rubik.two_phase.solver import Solution

# Means of 60 random cubes: 19.00 moves after 0.05 s, 18.78 after 0.1, 18.67 after 0.2, 18.43 after
# 0.5. The whole command then takes 0.4 s; half a second more would save a third of a move, which
# is what `--time` is for.
DEFAULT_TIME_S = 0.1
# How long to try for a given number of moves if no time is given: all but a few in a thousand
# positions are solved in 20 moves in a tenth of a second, some in 18 only after minutes.
DEFAULT_TIME_FOR_MAX_MOVES_S = 30.0
# Without the exact tables, try that long before building them, if enough time is left to profit.
QUICK_TRY_S = 1.0
PROFITABLE_S = 4.0
# Up to so many moves the search leaves nothing out, so that its end proves that there are none.
LONGEST_PROOF = 11


class NotReachedError(PuzzlerigError):
    """No solution was found within the number of moves and the time."""


@dataclass(frozen=True, slots=True)
class Found:
    """A solution, and what the stopwatch said when it was found."""

    solution: "Solution"
    after: dict[str, float]


def best_found(
    start: "CubieCube", target: "CubieCube", time_s: float | None, max_moves: int | None
) -> Found:
    """Return the shortest solution found; builds the exact tables if that will pay.

    Raises NotReachedError.
    """
    from solvers.cli.cube.loading import build_exact_tables, load_search
    from solvers.rubik.two_phase import solver as two_phase

    if time_s is None:
        time_s = DEFAULT_TIME_S if max_moves is None else DEFAULT_TIME_FOR_MAX_MOVES_S
    load_search()
    check_length(start, target, max_moves)
    watch = Stopwatch()
    will_build = not two_phase.is_prepared() and time_s >= QUICK_TRY_S + PROFITABLE_S
    best = _best(start, target, QUICK_TRY_S if will_build else time_s, max_moves)
    if will_build and (best is None or max_moves is None) and watch.cpu_seconds >= QUICK_TRY_S:
        build_exact_tables()
        better = _best(start, target, time_s - QUICK_TRY_S, max_moves)
        if better is not None and (best is None or len(better.solution) < len(best.solution)):
            best = better
    if best is None:
        raise not_reached(max_moves or 0, time_s, watch.cpu_seconds)
    return best


def check_length(start: "CubieCube", target: "CubieCube", max_moves: int | None) -> None:
    """Raise NotReachedError at once if so few moves cannot do."""
    from solvers.rubik.two_phase.solver import fewest_moves

    fewest = fewest_moves(start, target)
    if max_moves is not None and max_moves < fewest:
        raise NotReachedError(
            f"There is no solution of at most {counted_moves(max_moves)}: this position needs at "
            f"least {fewest}."
        )


def not_reached(max_moves: int, time_s: float, used_s: float) -> NotReachedError:
    """Return the error about a search that found nothing in `used_s` of `time_s` seconds."""
    if used_s < time_s and max_moves <= LONGEST_PROOF:
        return NotReachedError(
            f"There is no solution of at most {counted_moves(max_moves)}: all were tried."
        )
    return NotReachedError(
        f"No solution of at most {counted_moves(max_moves)} was found in {time_s:g} s. "
        "Allow more moves with --max-moves or more time with --time."
    )


def _best(
    start: "CubieCube", target: "CubieCube", time_s: float, max_moves: int | None
) -> Found | None:
    from solvers.rubik.two_phase.solver import Solution, best_solution

    watch = Stopwatch()
    after = watch.as_json()
    with waiting("Looking for a solution") as show:

        def hear(better: Solution) -> None:
            nonlocal after
            after = watch.as_json()
            show(f"Looking for less than {counted_moves(len(better))}")

        found = best_solution(
            start,
            target,
            max_moves=max_moves,
            time_limit_s=time_s,
            clock=time.process_time,
            on_better=hear,
        )
    if found is None:
        return None
    return Found(found, after if max_moves is None else watch.as_json())
