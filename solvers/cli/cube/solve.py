"""`puzzle cube solve`: few moves from one position to another, for one cube or many."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from solvers.cli.cube.input import (
    FaceletsArgument,
    NotationName,
    NotationOption,
    ScrambleOption,
    counted_moves,
    has_stickers,
    many_cubes,
    notation_called,
    read_cube,
)
from solvers.cli.cube.solving.page import write_page
from solvers.cli.cube.solving.question import asked
from solvers.cli.cube.solving.searching import best_found
from solvers.foundation.command_line.app import JsonOption, print_json
from solvers.foundation.command_line.options import output_file
from solvers.foundation.errors import InvalidInputError


class Method(StrEnum):
    """The ways to solve a cube."""

    TWO_PHASE = "two-phase"
    BEGINNER = "beginner"


def solve(
    facelets: FaceletsArgument = None,
    scramble: ScrambleOption = None,
    target: Annotated[
        str | None, typer.Option(help="Stickers or moves to end with; default: solved.")
    ] = None,
    time_s: Annotated[
        float | None,
        typer.Option("--time", min=0, help="CPU seconds to look for ever shorter solutions."),
    ] = None,
    max_moves: Annotated[
        int | None, typer.Option(min=0, help="Stop as soon as a solution is at most this long.")
    ] = None,
    optimal: Annotated[
        bool,
        typer.Option("--optimal", help="Prove that no solution is shorter: about a minute or two."),
    ] = False,
    method: Annotated[
        Method, typer.Option(help="two-phase: few moves; beginner: layer by layer, in stages.")
    ] = Method.TWO_PHASE,
    size: Annotated[
        int | None, typer.Option(min=2, max=3, help="2 for a 2x2x2 cube; 24 stickers tell it.")
    ] = None,
    html: Annotated[
        Path | None,
        output_file("--html", help="Write a page that plays the solution, stage by stage."),
    ] = None,
    notation: NotationOption = NotationName.STANDARD,
    as_json: JsonOption = False,
) -> None:
    """Solve a cube, or lead it from any position to any other; or many, from a file or stdin.

    Examples:
      puzzle cube solve --scramble "R U R' U'"
      puzzle cube solve --scramble "R U R' U'" --method beginner --html cube.html
      puzzle cube solve UUFUUFUUFRRRRRRRRRFFDFFDFFDDDBDDBDDBLLLLLLLLLUBBUBBUBB --max-moves 1
    """
    letters = notation_called(notation)
    if optimal and (max_moves is not None or method is not Method.TWO_PHASE):
        raise InvalidInputError("--optimal goes with --time and --target alone.")
    if scramble is None and facelets is not None and (lines := many_cubes(facelets)):
        from solvers.cli.cube.solving.stream import solve_lines

        if optimal or html or method is not Method.TWO_PHASE:
            raise InvalidInputError(
                "--optimal, --method and --html take one cube, not a file of many."
            )
        solve_lines(lines, target, time_s, max_moves, letters, as_json)
        return
    if size == 2 or (facelets is not None and has_stickers(facelets, 2)):
        if html is not None or method is not Method.TWO_PHASE:
            raise InvalidInputError(
                "A 2x2x2 cube is solved by a table of all its positions: --method and --html are "
                "for 3x3x3 cubes."
            )
        from solvers.cli.cube.solving.pocket import pocket_called, solve_pocket

        cube = pocket_called(facelets, scramble, letters)
        solve_pocket(cube, target, max_moves, letters, as_json)
        return
    question = asked(read_cube(facelets, scramble, letters), target, letters)
    if optimal:
        from solvers.cli.cube.solving.optimal import solve_proven

        solve_proven(question, time_s, html, as_json)
        return
    if method is Method.BEGINNER:
        from solvers.cli.cube.solving.beginner import show_stages

        show_stages(question, html, as_json)
        return
    found = best_found(question.start, question.target, time_s, max_moves)
    answer = question.answer(found.solution.moves)
    write_page(html, question, found.solution.moves)
    if as_json:
        print_json({**answer, **found.after})
        return
    if not question.held.is_upright:
        print(f"For the cube held with {question.held.how}:")
    print(answer["moves"] or "Nothing to do: the cube is there already.")
    seconds = found.after["cpu_seconds"]
    print(f"{counted_moves(answer['htm'])}, found after {seconds:.3f} s, checked by replaying.")
