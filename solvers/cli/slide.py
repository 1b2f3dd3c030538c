"""`puzzle slide solve`: the fewest moves from one board to another."""

from typing import Annotated, Final

import typer

from solvers.foundation.command_line.app import JsonOption, print_json
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.sliding_tile.algorithm import Algorithm
from solvers.sliding_tile.board import Board, as_written, parse_board, require_solvable
from solvers.sliding_tile.solver import Solution

# The largest boards whose shortest solutions are found by now are those of the 24-puzzle; larger
# ones are solved where they are a few dozen moves away, or never.
MOST_CELLS_WITHOUT_LIMIT: Final = 25
DEFAULT_TIME_FOR_LARGE_BOARDS_S: Final = 60.0


class NotSolvedInTimeError(PuzzlerigError):
    """The time was over before a shortest solution was found."""


def solve(
    start: Annotated[str, typer.Argument(help="Letters a to h and o (the blank), or numbers.")],
    goal: Annotated[str, typer.Argument(help="The board to end with.")],
    algorithm: Annotated[
        Algorithm, typer.Option(help="All find a shortest solution.")
    ] = Algorithm.AUTO,
    width: Annotated[
        int | None, typer.Option(min=2, help="Cells in a row, of a board that is not square.")
    ] = None,
    time_s: Annotated[
        float | None,
        typer.Option(
            "--time",
            min=0,
            help="Give up after so many CPU seconds; default: never up to 25 cells, then 60.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Solve a sliding-tile puzzle in the fewest moves; u, d, l, r say where the blank goes.

    Examples:
      puzzle slide solve gaefdboch doefgbcah
    """
    from solvers.sliding_tile.solver import solve as find_solution
    from solvers.sliding_tile.solver import warm_up

    first, last = parse_board(start, width), parse_board(goal, width)
    require_solvable(first, last)
    if time_s is None and len(first.cells) > MOST_CELLS_WITHOUT_LIMIT:
        time_s = DEFAULT_TIME_FOR_LARGE_BOARDS_S
    show_progress(warm_up(last, algorithm), "Loading the search")
    watch = Stopwatch()
    job = find_solution(first, last, algorithm)
    if time_s is not None:
        job = _limited(job, time_s, watch)
    solution = show_progress(job, "Looking for a solution")
    _show(first, last, solution, watch, as_json=as_json)


def _limited(
    job: Job[Progress, Solution], time_s: float, watch: Stopwatch
) -> Job[Progress, Solution]:
    """Return a job that is closed when the time is over. Raises NotSolvedInTimeError then."""
    while True:
        try:
            event = next(job)
        except StopIteration as end:
            solution: Solution = end.value
            return solution
        yield event
        if watch.cpu_seconds > time_s:
            job.close()
            raise NotSolvedInTimeError(_too_hard(event, time_s))


def _too_hard(last: Progress, time_s: float) -> str:
    from solvers.sliding_tile.ida_star import Deepening

    least = f" It takes at least {last.bound} moves." if isinstance(last, Deepening) else ""
    return (
        f"No shortest solution was found in {time_s:g} s.{least} A large board that is well mixed "
        "is beyond every known method for shortest solutions; where it is not, give it more time "
        "with --time."
    )


def _show(
    first: Board, last: Board, solution: Solution, watch: Stopwatch, *, as_json: bool
) -> None:
    taken = watch.as_json()
    replayed = first.moved(solution.moves) == last
    if as_json:
        result = {
            "start": as_written(first),
            "goal": as_written(last),
            "moves": solution.moves,
            "length": len(solution.moves),
            "algorithm": solution.algorithm.value,
            "generated": solution.generated,
            "replayed": replayed,
        }
        print_json(result | taken)
        return
    print(solution.moves or "Nothing to do: start and goal are the same.")
    print(
        f"{len(solution.moves)} moves, the fewest possible ({solution.algorithm.value}, "
        f"{solution.generated:,} positions, {taken['cpu_seconds']:.2f} s), checked by replaying."
    )
