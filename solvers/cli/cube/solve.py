"""`puzzle cube solve`: few moves from one position to another, for one cube or many."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from solvers.cli.cube import input as cube_input
from solvers.cli.cube.pocket import solve_pocket_cube
from solvers.cli.cube.solving import solve_in_few_moves, solve_in_stages, solve_optimally
from solvers.cli.cube.stream import solve_lines
from solvers.foundation.command_line.app import OUTPUT_FILE, Command, EnumChoice, json_option
from solvers.foundation.errors import InvalidInputError


@click.command("solve", cls=Command)
@cube_input.facelets_argument
@cube_input.scramble_option
@click.option("--target", help="Stickers or moves to end with; default: solved.")
@click.option(
    "--time",
    "time_s",
    type=click.FloatRange(min=0),
    help="CPU seconds to look for ever shorter solutions.",
)
@click.option(
    "--max-moves",
    type=click.IntRange(min=0),
    help="Stop as soon as a solution is at most this long.",
)
@click.option(
    "--optimal", is_flag=True, help="Prove that no solution is shorter: about a minute or two."
)
@click.option(
    "--method",
    type=EnumChoice(cube_input.Method),
    default=cube_input.Method.TWO_PHASE.value,
    help="two-phase: few moves; beginner: layer by layer, in stages.",
)
@click.option(
    "--size",
    type=int,
    help="2 for a 2x2x2 cube; with 24 stickers it is implied.",
)
@click.option(
    "--html", type=OUTPUT_FILE, help="Write a page that plays the solution, stage by stage."
)
@cube_input.notation_option
@json_option
def solve(
    facelets: str | None,
    scramble: str | None,
    target: str | None,
    time_s: float | None,
    max_moves: int | None,
    optimal: bool,
    method: cube_input.Method,
    size: int | None,
    html: Path | None,
    notation: cube_input.NotationName,
    as_json: bool,
) -> None:
    """Solve a cube, from any position to any other; or many cubes, from a file or stdin.

    Examples:
      puzzle cube solve --scramble "R U R' U'"
      puzzle cube solve --scramble "R U R' U'" --method beginner --html cube.html
      puzzle cube solve UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB --max-moves 1
    """
    request = cube_input.SolveRequest(
        facelets,
        scramble,
        target,
        time_s,
        max_moves,
        optimal,
        method,
        size,
        html,
        cube_input.get_notation(notation),
        as_json,
    )
    _solver_for(request)(request)


def _solver_for(request: cube_input.SolveRequest) -> Callable[[cube_input.SolveRequest], None]:
    """Return the program that gives the kind of answer the options ask for.

    Raises InvalidInputError for options that do not go together.
    """
    in_stages = request.method is cube_input.Method.BEGINNER
    if request.optimal and (request.max_moves is not None or in_stages):
        raise InvalidInputError("--optimal goes with --time and --target alone.")
    # With both given there is no file to read: `read_cube` refuses them further down.
    facelets = request.facelets if request.scramble is None else None
    if facelets is not None and (lines := cube_input.read_lines(facelets)):
        if request.optimal or request.html or in_stages:
            raise InvalidInputError(
                "--optimal, --method and --html take one cube, not a file of many."
            )
        return partial(solve_lines, lines)
    if request.size not in (None, 2, 3):
        raise InvalidInputError(
            f"A cube of size {request.size} is not supported; --size is 2 or 3: cubes of 2x2x2 and "
            "3x3x3."
        )
    # After the files, whose lines may be 2x2x2 cubes as well.
    if request.size == 2 or (
        request.facelets is not None and cube_input.has_stickers(request.facelets, 2)
    ):
        if request.html is not None or in_stages:
            raise InvalidInputError(
                "A 2x2x2 cube is solved by a table of all its positions: --method and --html are "
                "for 3x3x3 cubes."
            )
        return solve_pocket_cube
    if request.optimal:
        return solve_optimally
    return solve_in_stages if in_stages else solve_in_few_moves
