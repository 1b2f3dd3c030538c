"""`puzzle ubongo ask`: a dialogue that explains wrong entries and goes on."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file
from solvers.foundation.command_line.stopwatch import Stopwatch

if TYPE_CHECKING:
    from solvers.polycube.ubongo.card import Card


def ask(
    height: Annotated[int, typer.Option(min=1, max=12, help="Layers of the card.")] = 2,
    svg: Annotated[
        Path | None, output_file("--svg", help="Draw the first solution step by step.")
    ] = None,
    html: Annotated[
        Path | None, output_file("--html", help="Show the solutions in the browser.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask for a card (pieces, then the base area row by row) and find all its solutions.

    A wrong answer is explained and asked for again; "back" takes the last answer away.

    Examples:
      puzzle ubongo ask --html card.html
    """
    from solvers.cli.loading import load_search
    from solvers.cli.pictures import write_pictures
    from solvers.cli.ubongo.output import print_solved, solved_as_json
    from solvers.polycube.ubongo.solve import solve

    card = _dialogue(height)
    load_search()
    watch = Stopwatch()
    solved = solve(card)
    taken = watch.as_json()
    found = [(card.puzzle(), solution) for solution in solved.solutions]
    write_pictures(found, card.name, svg, html)
    if as_json:
        print_json(solved_as_json(solved, only_count=False) | taken)
    else:
        print_solved(solved, only_count=False)
    if not solved.solutions:
        raise typer.Exit(1)


def _dialogue(height: int) -> "Card":
    from solvers.polycube.errors import PuzzleError
    from solvers.polycube.ubongo.dialogue import Dialogue

    dialogue = Dialogue(height)
    while not dialogue.finished:
        # The prompts go to stderr, so that stdout carries the solutions alone.
        stderr.print(dialogue.question, end="", markup=False, highlight=False, soft_wrap=True)
        line = sys.stdin.readline()
        if not line:
            stderr.print()
            raise PuzzleError(f"The input ended too early. {dialogue.missing}")
        explanation = dialogue.answer(line)
        if explanation is not None:
            stderr.print(explanation, style="yellow", markup=False, highlight=False, soft_wrap=True)
    return dialogue.card()
