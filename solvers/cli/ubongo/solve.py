"""`puzzle ubongo solve`: one card from the command line, or a file of cards."""

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.foundation.command_line.app import JsonOption, print_json
from solvers.foundation.command_line.options import output_file
from solvers.foundation.command_line.stopwatch import Stopwatch

if TYPE_CHECKING:
    from solvers.polycube.ubongo.card import Card
    from solvers.polycube.ubongo.solve import Solved


def solve(
    file: Annotated[
        Path | None, typer.Argument(help="Cards as TOML, or a game's tasks as JSON.")
    ] = None,
    pieces: Annotated[
        str | None, typer.Option(help="Piece numbers, as 3,10,8,5.", metavar="NUMBERS")
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(help="Base area row by row, '.' a field: '##.#,...#,....'", metavar="ROWS"),
    ] = None,
    height: Annotated[int, typer.Option(help="Layers, for --board.")] = 2,
    only_count: Annotated[bool, typer.Option("--count", help="Only count.")] = False,
    svg: Annotated[
        Path | None, output_file("--svg", help="Draw the first solution step by step.")
    ] = None,
    html: Annotated[
        Path | None, output_file("--html", help="Show the solutions in the browser.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find all solutions of a card, or of every card of a file. Exits with 1 if one has none.

    Examples:
      puzzle ubongo solve --pieces 3,10,8,5 --board "##.#,...#,...."
      puzzle ubongo solve cards.toml --count
    """
    from solvers.cli.loading import load_search
    from solvers.cli.pictures import write_pictures
    from solvers.cli.ubongo.output import print_solved, solved_as_json
    from solvers.polycube.ubongo.solve import solve as solve_card

    cards = _cards(file, pieces, board, height)
    load_search()
    # What loading left behind stays for ever; without this, every few dozen cards the garbage
    # collector would look through all of it, which takes longer than the cards.
    gc.freeze()
    watch = Stopwatch()
    solved = [solve_card(card) for card in cards]
    taken = watch.as_json()
    found = [(one.card.puzzle(), solution) for one in solved for solution in one.solutions]
    write_pictures(found, cards[0].name, svg, html)
    if file is not None:
        _show_file(solved, taken, only_count=only_count, as_json=as_json)
    elif as_json:
        print_json(solved_as_json(solved[0], only_count=only_count) | taken)
    else:
        print_solved(solved[0], only_count=only_count)
    if not all(one.solutions for one in solved):
        raise typer.Exit(1)


def _cards(
    file: Path | None, pieces: str | None, board: str | None, height: int
) -> "tuple[Card, ...]":
    from solvers.polycube.errors import PuzzleError
    from solvers.polycube.ubongo.card import Card
    from solvers.polycube.ubongo.task_file import load_cards

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
    from solvers.cli.ubongo.output import print_solved, solved_as_json
    from solvers.foundation.wording import counted

    total = sum(len(one.solutions) for one in solved)
    if as_json:
        print_json(
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
