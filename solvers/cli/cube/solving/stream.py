"""Many cubes, one a line: a result line for each as soon as it is there, progress on stderr."""

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import typer

from solvers.cli.cube.input import counted_moves, has_stickers
from solvers.cli.cube.solving.question import asked
from solvers.cli.cube.solving.searching import NotReachedError, check_length, not_reached
from solvers.foundation.command_line.app import print_json, stderr
from solvers.foundation.command_line.progress_view import waiting
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

if TYPE_CHECKING:
    from solvers.rubik.notation import Notation

USUAL_TIME_S = 30.0
POCKET: Final = 2
_COMMENT = "#"


def solve_lines(
    lines: Iterable[str],
    target: str | None,
    time_s: float | None,
    max_moves: int | None,
    letters: "Notation",
    as_json: bool,
) -> None:
    """Solve the cube of each line; blank lines and such with # are passed over.

    Without a time or a length the first solution of at most 20 moves will do. What is wrong with a
    line is told with its number, and the others are solved; the exit code is that of the worst.
    """
    from solvers.cli.cube.loading import load_search
    from solvers.rubik.two_phase.solver import USUAL_LENGTH

    if time_s is None and max_moves is None:
        max_moves = USUAL_LENGTH
    load_search()
    watch = Stopwatch()
    solved, total, exit_code = 0, 0, 0
    with waiting("Solving") as show:
        for number, line in enumerate(lines, start=1):
            if not line.strip() or line.lstrip().startswith(_COMMENT):
                continue
            try:
                total += _solve_line(number, line, target, time_s, max_moves, letters, as_json)
            except PuzzlerigError as error:
                exit_code = max(exit_code, error.exit_code)
                _tell(number, error, as_json)
            else:
                solved += 1
                show(
                    f"{solved} solved, {total / solved:.1f} moves and "
                    f"{1000 * watch.wall_seconds / solved:.1f} ms on average"
                )
    if exit_code:
        raise typer.Exit(exit_code)


def _solve_line(
    number: int,
    line: str,
    target: str | None,
    time_s: float | None,
    max_moves: int | None,
    letters: "Notation",
    as_json: bool,
) -> int:
    """Print the solution of one line and return its length."""
    from solvers.rubik.held_cube import read_position
    from solvers.rubik.two_phase.solver import best_solution

    if has_stickers(line, POCKET):
        return _solve_pocket_line(number, line, target, max_moves, letters, as_json)
    question = asked(read_position(line, letters), target, letters)
    check_length(question.start, question.target, max_moves)
    seconds = USUAL_TIME_S if time_s is None else time_s
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
    return _show(number, question.answer(solution.moves), watch, as_json)


def _solve_pocket_line(
    number: int,
    line: str,
    target: str | None,
    max_moves: int | None,
    letters: "Notation",
    as_json: bool,
) -> int:
    """As `_solve_line`, for the 24 stickers of a 2x2x2 cube."""
    from solvers.cli.cube.solving.pocket import pocket_answer
    from solvers.rubik.pocket.pocket_cube import read_pocket

    watch = Stopwatch()
    answer = pocket_answer(read_pocket(line), target, max_moves, letters)
    return _show(number, answer, watch, as_json)


def _show(number: int, answer: Mapping[str, Any], watch: Stopwatch, as_json: bool) -> int:
    """Print a line's answer and return its length."""
    if as_json:
        print_json({"line": number, **answer, **watch.as_json()})
    else:
        written = f"{answer['moves']} ({counted_moves(answer['htm'])})".lstrip()
        print(f"{number}: {written}", flush=True)
    return int(answer["htm"])


def _tell(number: int, error: PuzzlerigError, as_json: bool) -> None:
    """Name a line that gave no solution, where its solution would stand."""
    if as_json:
        print_json({"line": number, "error": str(error), "kind": type(error).__name__})
    elif isinstance(error, InvalidInputError | NotReachedError):
        stderr.print(f"Line {number}: {error}", markup=False, highlight=False, soft_wrap=True)
    else:
        raise error
