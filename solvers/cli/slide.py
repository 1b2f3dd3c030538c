"""`puzzle slide solve`: few moves from one board to another, the fewest if there is time."""

from typing import Final

import click

from solvers.foundation.command_line.app import Command, EnumChoice, json_option, print_json
from solvers.foundation.command_line.progress_view import Stopwatch, show_progress
from solvers.foundation.progress import Job, Progress
from solvers.foundation.wording import counted
from solvers.sliding_tile.board import Board, as_written, parse_board, require_solvable, usual_goal
from solvers.sliding_tile.solver import Algorithm, Solution, choose, solution_so_far, warm_up
from solvers.sliding_tile.solver import solve as find_solution

# Shortest solutions of boards up to 4 x 4 take seconds at most, those of larger ones perhaps days.
LARGEST_SIDE_WITHOUT_LIMIT: Final = 4
DEFAULT_TIME_FOR_LARGE_BOARDS_S: Final = 10.0


@click.command("solve", cls=Command)
@click.argument("start", help="Letters a to h and o (the blank), or numbers.")
@click.argument(
    "goal", required=False, help="The board to end with; default: in order, blank last."
)
@click.option(
    "--algorithm",
    type=EnumChoice(Algorithm),
    default=Algorithm.AUTO.value,
    help="How the fewest moves are found, or proven.",
)
@click.option(
    "--width", type=click.IntRange(min=2), help="Cells in a row, of a board that is not square."
)
@click.option(
    "--time",
    "time_s",
    type=click.FloatRange(min=0),
    help="CPU seconds, after which the best solution so far is printed; default: 10 with a side of "
    "more than 4 cells, else as long as it takes.",
)
@json_option
def solve(
    start: str,
    goal: str | None,
    algorithm: Algorithm,
    width: int | None,
    time_s: float | None,
    as_json: bool,
) -> None:
    """Solve a sliding-tile puzzle of up to 10 x 10 in few moves; u, d, l, r move the blank.

    The moves are the fewest if the time is enough to find and prove them; otherwise the output says
    how many too many they can be. Ctrl-C ends the search with the best so far.

    Examples:
      puzzle slide solve gaefdboch doefgbcah
      puzzle slide solve "5 1 2 4, 9 6 3 8, 13 10 7 11, 14 15 0 12"
      puzzle slide solve "2 3 4 0, 1 5 6 7" --width 4
    """
    first = parse_board(start, width)
    last = usual_goal(first) if goal is None else parse_board(goal, width)
    require_solvable(first, last)
    if time_s is None and max(first.width, first.height) > LARGEST_SIDE_WITHOUT_LIMIT:
        time_s = DEFAULT_TIME_FOR_LARGE_BOARDS_S
    chosen = choose(first) if algorithm is Algorithm.AUTO else algorithm
    # Before the stopwatch starts: compiling and tables are paid for once per machine.
    show_progress(warm_up(last, chosen), "Loading the search")
    watch = Stopwatch()
    job = _limited(find_solution(first, last, chosen), chosen, time_s, watch)
    solution = show_progress(job, "Looking for a solution")
    _show(first, last, solution, watch, as_json=as_json)


def _limited(
    job: Job[Progress, Solution], algorithm: Algorithm, time_s: float | None, watch: Stopwatch
) -> Job[Progress, Solution]:
    """Return a job that ends with the best known solution when the time is over, or at Ctrl-C."""
    best: Solution | None = None
    try:
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                solution: Solution = end.value
                return solution
            best = solution_so_far(event, algorithm) or best
            yield event
            # Without a solution there is nothing to print, so the first one is waited for.
            if time_s is not None and best is not None and watch.cpu_seconds > time_s:
                job.close()
                return best
    except KeyboardInterrupt:
        if best is None:
            raise
        return best


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
            "least": solution.least,
            "shortest": solution.is_shortest,
            "generated": solution.generated,
            "replayed": replayed,
        }
        print_json(result | taken)
        return
    print(solution.moves or "Nothing to do: start and goal are the same.")
    how = f"{solution.algorithm.value}, {solution.generated:,} positions"
    print(
        f"{counted(len(solution.moves), 'move')}, {_how_good(solution)} "
        f"({how}, {taken['cpu_seconds']:.2f} s), checked by replaying."
    )


def _how_good(solution: Solution) -> str:
    if solution.is_shortest:
        return "the fewest possible"
    gap = len(solution.moves) - solution.least
    return f"at most {gap} more than needed: {solution.least} at least"
