"""`puzzle ubongo`: the pieces of Ubongo 3-D, cards solved, entered by hand and generated."""

import gc
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from solvers.cli.pictures import write_pictures
from solvers.cli.searches import load_search
from solvers.foundation.command_line import app as cli
from solvers.foundation.command_line.progress_view import Stopwatch, show_progress
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.files import LONGEST_LINE, write_bytes, write_text
from solvers.foundation.wording import counted
from solvers.polycube.errors import PuzzleError
from solvers.polycube.ubongo.card import Card, Grade

if TYPE_CHECKING:
    from solvers.polycube.puzzle import PackingSolution
    from solvers.polycube.ubongo.generator import NewCard
    from solvers.polycube.ubongo.solution import Solved


def card_as_json(card: Card) -> dict[str, Any]:
    """Return the card's own keys."""
    return {
        "name": card.name,
        "pieces": list(card.pieces),
        "board": list(card.rows),
        "height": card.height,
    }


def solution_as_json(solution: "PackingSolution") -> list[dict[str, Any]]:
    """Return each piece's number and cubes [x, y, z]: column, row and layer from 0."""
    return [
        {"piece": int(placement.piece), "cells": sorted(map(list, placement.cells))}
        for placement in solution.placements
    ]


def solved_as_json(solved: "Solved", *, only_count: bool) -> dict[str, Any]:
    """Return a card with its solutions, or their number."""
    found = solved.solutions
    return {
        **card_as_json(solved.card),
        "solutions": [] if only_count else [solution_as_json(s) for s in found],
        "count": len(found),
        "count_up_to_symmetry": solved.count_up_to_symmetry,
        "count_total": len(found),
        "nodes": solved.nodes,
    }


def print_solved(solved: "Solved", *, only_count: bool) -> None:
    """Print the solutions layer by layer, and how many there are."""
    from solvers.polycube.text_drawing import to_text

    if not only_count:
        for number, solution in enumerate(solved.solutions, start=1):
            print(f"Solution {number}, layers from below:\n\n{to_text(solution)}\n")
    found = counted(len(solved.solutions), "solution") if solved.solutions else "no solution"
    print(f"{card_title(solved.card)}: {found}.")


def card_title(card: Card) -> str:
    """Return the card in one line."""
    pieces = ", ".join(map(str, card.pieces))
    return f"{card.name}, pieces {pieces} on {' '.join(card.rows)}, {card.height} high"


# `puzzle ubongo pieces`.

GAP: Final = "   "
PIECES_A_ROW: Final = 4


@click.command("pieces", cls=cli.Command)
@cli.json_option
def show_pieces(
    as_json: bool,
) -> None:
    """Show the pieces with the numbers that cards name them by, layer by layer, the lowest first.

    Examples:
      puzzle ubongo pieces
    """
    from solvers.polycube.library import ubongo_pieces

    pieces = ubongo_pieces()
    if as_json:
        rows = [
            {"piece": int(each.name), "cells": sorted(map(list, each.shape.cells))}
            for each in pieces
        ]
        cli.print_json({"pieces": rows})
        return
    pictures = [_picture(each.name, each.shape.cells) for each in pieces]
    rows_of_four = range(0, len(pictures), PIECES_A_ROW)
    print("\n\n".join(_side_by_side(pictures[at : at + PIECES_A_ROW]) for at in rows_of_four))


def _picture(name: str, cells: frozenset[tuple[int, int, int]]) -> list[str]:
    from solvers.polycube.lattices import CUBES
    from solvers.polycube.text_drawing import draw

    text = draw(cells, dict.fromkeys(cells, "#"), CUBES)
    return [f"piece {name}", *(line.rstrip() for line in text.strip("\n").splitlines())]


def _side_by_side(pictures: Sequence[list[str]]) -> str:
    width = max(len(line) for picture in pictures for line in picture)
    height = max(map(len, pictures))
    lines = (
        GAP.join((each[row] if row < len(each) else "").ljust(width) for each in pictures)
        for row in range(height)
    )
    return "\n".join(line.rstrip() for line in lines)


# `puzzle ubongo solve`.


@click.command("solve", cls=cli.Command)
@click.argument(
    "file", type=cli.PATH, required=False, help="Cards as TOML, or a game's tasks as JSON."
)
@click.option("--pieces", metavar="NUMBERS", help="Piece numbers, as 3,10,8,5.")
@click.option("--board", metavar="ROWS", help="Base area row by row, '.' a field: '##.#,...#,....'")
@click.option("--height", type=int, default=2, help="Layers, for --board.")
@click.option("--count", "only_count", is_flag=True, help="Only count.")
@click.option("--svg", type=cli.OUTPUT_FILE, help="Draw the first solution step by step.")
@click.option("--html", type=cli.OUTPUT_FILE, help="Show the solutions in the browser.")
@cli.json_option
def solve(
    file: Path | None,
    pieces: str | None,
    board: str | None,
    height: int,
    only_count: bool,
    svg: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Find all solutions of a card, or of every card of a file. Exits with 1 if one has none.

    Examples:
      puzzle ubongo solve --pieces 3,10,8,5 --board "##.#,...#,...."
      puzzle ubongo solve cards.toml --count
    """
    from solvers.polycube.ubongo.solution import solve as solve_card

    cards = _cards(file, pieces, board, height)
    load_search()
    # Objects from loading are never freed. Without this, the garbage collector would visit all of
    # them every few dozen cards, which takes longer than the cards.
    gc.freeze()
    watch = Stopwatch()
    solved = [solve_card(card) for card in cards]
    taken = watch.as_json()
    found = [(one.card.puzzle(), solution) for one in solved for solution in one.solutions]
    write_pictures(found, cards[0].name, svg, html)
    if file is not None:
        _show_file(solved, taken, only_count=only_count, as_json=as_json)
    elif as_json:
        cli.print_json(solved_as_json(solved[0], only_count=only_count) | taken)
    else:
        print_solved(solved[0], only_count=only_count)
    if not all(one.solutions for one in solved):
        raise click.exceptions.Exit(1)


def _cards(
    file: Path | None, pieces: str | None, board: str | None, height: int
) -> tuple[Card, ...]:
    from solvers.polycube.ubongo.card_file import load_cards

    if file is not None:
        if pieces is not None or board is not None:
            raise PuzzleError("Give either a file of cards, or --pieces and --board.")
        return load_cards(file)
    if pieces is None or board is None:
        raise PuzzleError("Give a file of cards, or both --pieces and --board.")
    try:
        numbers = tuple(int(number) for number in pieces.replace(",", " ").split())
    except ValueError:
        raise PuzzleError(f"--pieces takes numbers as 3,10,8, not {pieces!r}.") from None
    return (Card(numbers, tuple(board.replace(",", " ").replace("/", " ").split()), height),)


def _show_file(
    solved: "list[Solved]", taken: dict[str, float], *, only_count: bool, as_json: bool
) -> None:
    total = sum(len(one.solutions) for one in solved)
    if as_json:
        cli.print_json(
            {
                "tasks": [solved_as_json(one, only_count=only_count) for one in solved],
                "count": total,
                "count_up_to_symmetry": sum(one.count_up_to_symmetry for one in solved),
                "count_total": total,
                "nodes": sum(one.nodes for one in solved),
                **taken,
            }
        )
        return
    for one in solved:
        print_solved(one, only_count=only_count)
    solvable = sum(bool(one.solutions) for one in solved)
    print(
        f"{solvable} of {counted(len(solved), 'card')} can be solved, "
        f"{counted(total, 'solution')} in all; found in {taken['wall_seconds']:.2f} s."
    )


# `puzzle ubongo ask`.


@click.command("ask", cls=cli.Command)
@click.option("--height", type=click.IntRange(min=1, max=12), default=2, help="Layers of the card.")
@click.option("--svg", type=cli.OUTPUT_FILE, help="Draw the first solution step by step.")
@click.option("--html", type=cli.OUTPUT_FILE, help="Show the solutions in the browser.")
@cli.json_option
def ask(
    height: int,
    svg: Path | None,
    html: Path | None,
    as_json: bool,
) -> None:
    """Ask for a card (pieces, then the base area row by row) and find all its solutions.

    A wrong answer is explained and asked for again; "back" takes the last answer away.

    Examples:
      puzzle ubongo ask --html card.html
    """
    from solvers.polycube.ubongo.solution import solve as solve_card

    card = _dialogue(height)
    load_search()
    watch = Stopwatch()
    solved = solve_card(card)
    taken = watch.as_json()
    found = [(card.puzzle(), solution) for solution in solved.solutions]
    write_pictures(found, card.name, svg, html)
    if as_json:
        cli.print_json(solved_as_json(solved, only_count=False) | taken)
    else:
        print_solved(solved, only_count=False)
    if not solved.solutions:
        raise click.exceptions.Exit(1)


def _dialogue(height: int) -> Card:
    from solvers.polycube.ubongo.dialogue import Dialogue

    dialogue = Dialogue(height)
    while not dialogue.finished:
        # The prompts go to stderr, so that stdout carries the solutions alone.
        cli.stderr.print(dialogue.question, end="", markup=False, highlight=False, soft_wrap=True)
        line = sys.stdin.readline(LONGEST_LINE)
        if not line:
            cli.stderr.print()
            raise PuzzleError(f"The input ended too early. {dialogue.missing}")
        explanation = dialogue.answer(line)
        if explanation is not None:
            cli.stderr.print(
                explanation, style="yellow", markup=False, highlight=False, soft_wrap=True
            )
    return dialogue.card()


# `puzzle ubongo generate`.


@click.command("generate", cls=cli.Command)
@click.option("--pieces", type=int, default=3, help="Pieces per card.")
@click.option("--height", type=int, default=2, help="Layers per card.")
@click.option(
    "--number",
    "--count",
    "-n",
    type=click.IntRange(min=1, max=1000),
    default=8,
    help="How many cards.",
)
@click.option("--seed", type=int, default=1, help="The same seed makes the same cards.")
@click.option("--grade", type=cli.EnumChoice(Grade), help="How hard they are; else any.")
@click.option("--svg", type=cli.OUTPUT_FILE, help="Draw the sheets below one another.")
@click.option("--pdf", type=cli.PDF_FILE, help="Print the sheets, eight cards a page.")
@click.option("--out", type=cli.OUTPUT_FILE, help="Write the cards as TOML.")
@click.option(
    "--solutions/--no-solutions",
    default=True,
    help="Add sheets with the solutions to --svg and --pdf.",
)
@cli.json_option
def generate(
    pieces: int,
    height: int,
    number: int,
    seed: int,
    grade: Grade | None,
    svg: Path | None,
    pdf: Path | None,
    out: Path | None,
    solutions: bool,
    as_json: bool,
) -> None:
    """Make new cards for a number of pieces and a height, each with exactly one solution.

    Ctrl-C ends it with the cards made so far.

    Examples:
      puzzle ubongo generate --pdf cards.pdf --out cards.toml
      puzzle ubongo generate --pieces 4 --grade hard --number 2
    """
    from solvers.polycube.ubongo.generator import NoCardFoundError, Wanted
    from solvers.polycube.ubongo.generator import generate as make_cards

    wanted = Wanted(pieces, height, grade)
    load_search()
    watch = Stopwatch()
    cards: list[NewCard] = []
    ended: str | None = None
    try:
        show_progress(make_cards(wanted, number, seed, cards), "Making cards")
    except KeyboardInterrupt:
        ended = f"Stopped with {len(cards)} of {counted(number, 'card')} made."
    except NoCardFoundError as error:
        ended = str(error)
    taken = watch.as_json()
    if ended is not None and not cards:
        raise PuzzlerigError(ended)
    _write(cards, svg, pdf, out, with_solutions=solutions)
    if as_json:
        result = {"seed": seed, "cards": [_as_json(new) for new in cards]}
        stopped = {} if ended is None else {"stopped": True}
        cli.print_json(result | stopped | taken)
    else:
        _print(cards)
    if ended is not None:
        said = f"{ended} These are the ones so far."
        cli.stderr.print(said, markup=False, highlight=False, soft_wrap=True)
        raise click.exceptions.Exit(1)


def _print(cards: "Sequence[NewCard]") -> None:

    for new in cards:
        print(f"{card_title(new.card)}: {new.difficulty.words}")


def _as_json(new: "NewCard") -> dict[str, Any]:

    return {
        **card_as_json(new.card),
        "grade": new.difficulty.grade.value,
        "expected_tries": new.difficulty.expected_tries,
        "nodes": new.nodes,
        "solution": solution_as_json(new.solution),
    }


def _write(
    cards: "Sequence[NewCard]",
    svg: Path | None,
    pdf: Path | None,
    out: Path | None,
    *,
    with_solutions: bool,
) -> None:
    from solvers.drawing.export import to_pdf, to_svg
    from solvers.polycube.ubongo.card_file import dumps
    from solvers.polycube.ubongo.sheet import pages, stacked

    title = "Cards with exactly one solution"
    if svg is not None:
        write_text(svg, to_svg(stacked(pages(cards, with_solutions=with_solutions)), title))
    if pdf is not None:
        write_bytes(pdf, to_pdf(pages(cards, with_solutions=with_solutions), title))
    if out is not None:
        remarks = [new.difficulty.words for new in cards]
        write_text(out, dumps([new.card for new in cards], remarks))
