"""`puzzle cube solve` for a file of cubes, one a line: results as they come, progress on stderr."""

import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

import click

from solvers.cli.cube.input import SolveRequest, counted_moves, has_stickers
from solvers.cli.cube.pocket import pocket_answer
from solvers.cli.cube.solving import (
    NotReachedError,
    check_length,
    load_search,
    not_reached,
    question_about,
)
from solvers.foundation.command_line.app import print_json, stderr
from solvers.foundation.command_line.progress_view import Stopwatch, waiting
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.rubik.held_cube import read_position

USUAL_TIME_S: Final = 30.0
_POCKET_SIZE: Final = 2
_COMMENT: Final = "#"


def solve_lines(lines: Iterable[str], request: SolveRequest) -> None:
    """Solve the cube of each line; blank lines and comments (#) are skipped.

    Without a time or a length, the first solution of at most 20 moves is taken. An error in a line
    is printed with its number, and the other lines are solved; the exit code is the highest.
    """
    from solvers.rubik.two_phase.solver import USUAL_LENGTH

    max_moves = request.max_moves
    # A tenth of a second for each of a thousand cubes would be too long; 20 moves come in one
    # millisecond on average.
    if request.time_s is None and max_moves is None:
        max_moves = USUAL_LENGTH
    load_search()
    watch = Stopwatch()
    solved, total, exit_code = 0, 0, 0
    with waiting("Solving") as show:
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.lstrip().startswith(_COMMENT):
                continue
            try:
                answer = _solve_line(line, request, max_moves)
            except PuzzlerigError as error:
                exit_code = max(exit_code, error.exit_code)
                _print_error(number, error, request.as_json)
            else:
                _print_answer(number, answer, request.as_json)
                solved += 1
                total += answer["htm"]
                show(
                    f"{solved} solved, {total / solved:.1f} moves and "
                    f"{1000 * watch.wall_seconds / solved:.1f} ms on average"
                )
    if exit_code:
        raise click.exceptions.Exit(exit_code)


def _solve_line(line: str, request: SolveRequest, max_moves: int | None) -> Mapping[str, Any]:
    """Return the answer for a line of stickers or moves, with the seconds that it took."""
    from solvers.rubik.two_phase.solver import best_solution

    if has_stickers(line, _POCKET_SIZE):
        from solvers.rubik.pocket import read_pocket

        watch = Stopwatch()
        return {**pocket_answer(read_pocket(line), request), **watch.as_json()}
    question = question_about(read_position(line, request.letters), request.target, request.letters)
    check_length(question, max_moves)
    seconds = USUAL_TIME_S if request.time_s is None else request.time_s
    watch = Stopwatch()
    solution = best_solution(
        question.start,
        question.target,
        max_moves=max_moves,
        time_limit_s=seconds,
        clock=time.process_time,
    )
    if solution is None:
        raise not_reached(max_moves or 0, seconds, watch.cpu_seconds)
    return {**question.answer(solution.moves), **watch.as_json()}


def _print_answer(number: int, answer: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        print_json({"line": number, **answer})
    else:
        written = f"{answer['moves']} ({counted_moves(answer['htm'])})".lstrip()
        print(f"{number}: {written}", flush=True)


def _print_error(number: int, error: PuzzlerigError, as_json: bool) -> None:
    """Print why a line has no solution, where its solution would stand."""
    if as_json:
        print_json({"line": number, "error": str(error), "kind": type(error).__name__})
    elif isinstance(error, InvalidInputError | NotReachedError):
        stderr.print(f"Line {number}: {error}", markup=False, highlight=False, soft_wrap=True)
    else:  # not about this line alone, such as a full disk
        raise error
