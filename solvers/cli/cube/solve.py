"""`puzzle cube solve`: few moves from one position to another."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.cli.cube.input import (
    FaceletsArgument,
    NotationName,
    NotationOption,
    ScrambleOption,
    notation_called,
    read_cube,
)
from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import PuzzlerigError

if TYPE_CHECKING:
    from solvers.rubik.cubies import CubieCube
    from solvers.rubik.two_phase.solver import Solution

DEFAULT_TIME_S = 0.5
# How long to try for a given number of moves if no time is given: all but a few in a thousand
# positions are solved in 20 moves in a tenth of a second, some in 18 only after minutes.
DEFAULT_TIME_FOR_MAX_MOVES_S = 30.0
# Without the exact table, try that long before building it, if enough time is left to profit.
QUICK_TRY_S = 1.0
PROFITABLE_S = 4.0


class NotReachedError(PuzzlerigError):
    """No solution was found within the number of moves and the time."""


@dataclass(frozen=True, slots=True)
class Found:
    """A solution, and what the stopwatch said when it was found."""

    solution: "Solution"
    after: dict[str, float]


def solve(
    facelets: FaceletsArgument = None,
    scramble: ScrambleOption = None,
    target: Annotated[
        str | None, typer.Option(help="54 stickers to end with; default: solved.")
    ] = None,
    time_s: Annotated[
        float | None,
        typer.Option("--time", min=0, help="CPU seconds to look for ever shorter solutions."),
    ] = None,
    max_moves: Annotated[
        int | None, typer.Option(min=0, help="Stop as soon as a solution is at most this long.")
    ] = None,
    notation: NotationOption = NotationName.STANDARD,
    as_json: JsonOption = False,
) -> None:
    """Solve a cube, or lead it from any position to any other.

    Examples:
      puzzle cube solve --scramble "R U R' U'"
      puzzle cube solve UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB --max-moves 1
    """
    from solvers.rubik.cubies import SOLVED
    from solvers.rubik.facelets import format_facelets, parse_facelets
    from solvers.rubik.notation import format_moves, quarter_turn_metric

    letters = notation_called(notation)
    start = read_cube(facelets, scramble, letters)
    goal = SOLVED if target is None else parse_facelets(target)
    if time_s is None:
        time_s = DEFAULT_TIME_S if max_moves is None else DEFAULT_TIME_FOR_MAX_MOVES_S
    found = _search(start, goal, time_s, max_moves)
    moves = found.solution.moves
    replayed = start.apply(moves) == goal
    text = format_moves(moves, letters)
    if as_json:
        result: dict[str, Any] = {
            "moves": text,
            "htm": len(moves),
            "qtm": quarter_turn_metric(moves),
            "replayed": replayed,
            "start": format_facelets(start),
            "target": format_facelets(goal),
            **found.after,
        }
        print_json(result)
    else:
        print(text or "Nothing to do: the cube is there already.")
        seconds = found.after["cpu_seconds"]
        print(f"{len(moves)} moves, found after {seconds:.3f} s, checked by replaying.")


def _search(start: "CubieCube", target: "CubieCube", time_s: float, max_moves: int | None) -> Found:
    """Return the shortest solution found; builds the exact table if that will pay."""
    from solvers.cli.cube.loading import build_exact_table, load_search
    from solvers.rubik.two_phase import solver as two_phase

    load_search()
    will_build = not two_phase.is_prepared() and time_s >= QUICK_TRY_S + PROFITABLE_S
    best = _best(start, target, QUICK_TRY_S if will_build else time_s, max_moves)
    if will_build and (best is None or max_moves is None):
        build_exact_table()
        better = _best(start, target, time_s - QUICK_TRY_S, max_moves)
        if better is not None and (best is None or len(better.solution) < len(best.solution)):
            best = better
    if best is None:
        raise NotReachedError(
            f"No solution of at most {max_moves} moves was found in {time_s:g} s. "
            "Allow more moves with --max-moves or more time with --time."
        )
    return best


def _best(
    start: "CubieCube", target: "CubieCube", time_s: float, max_moves: int | None
) -> Found | None:
    """Return the first solution if a length is asked for, else the last and shortest one."""
    from solvers.rubik.two_phase import solver as two_phase

    best = None
    watch = Stopwatch()
    with stderr.status("Looking for a solution") as status:
        found = two_phase.solve(
            start, target, max_moves=max_moves, time_limit_s=time_s, clock=time.process_time
        )
        for solution in found:
            best = Found(solution, watch.as_json())
            if max_moves is not None:
                break
            status.update(f"Looking for less than {len(solution)} moves")
    return best
