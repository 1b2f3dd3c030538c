"""`puzzle ubongo generate`: new cards with exactly one solution."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from solvers.foundation.command_line.app import JsonOption, print_json, stderr
from solvers.foundation.command_line.options import output_file
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.command_line.stopwatch import Stopwatch
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.wording import counted
from solvers.polycube.ubongo.grade import Grade

if TYPE_CHECKING:
    from solvers.polycube.ubongo.generator import NewCard


def generate(
    pieces: Annotated[int, typer.Option(help="Pieces per card.")] = 3,
    height: Annotated[int, typer.Option(help="Layers per card.")] = 2,
    number: Annotated[
        int, typer.Option("--number", "--count", "-n", min=1, max=1000, help="How many cards.")
    ] = 8,
    seed: Annotated[int, typer.Option(help="The same seed makes the same cards.")] = 1,
    grade: Annotated[Grade | None, typer.Option(help="How hard they are; else any.")] = None,
    svg: Annotated[
        Path | None, output_file("--svg", help="Draw the sheets below one another.")
    ] = None,
    pdf: Annotated[
        Path | None, output_file("--pdf", help="Print the sheets, eight cards a page.")
    ] = None,
    out: Annotated[Path | None, output_file("--out", help="Write the cards as TOML.")] = None,
    solutions: Annotated[
        bool, typer.Option(help="Add sheets with the solutions to --svg and --pdf.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Make new cards for a number of pieces and a height, each with exactly one solution.

    Ctrl-C ends it with the cards made so far.

    Examples:
      puzzle ubongo generate --pdf cards.pdf --out cards.toml
      puzzle ubongo generate --pieces 4 --grade hard --number 2
    """
    from solvers.cli.loading import load_search
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
        print_json(result | stopped | taken)
    else:
        _print(cards)
    if ended is not None:
        said = f"{ended} These are the ones so far."
        stderr.print(said, markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1)


def _print(cards: "Sequence[NewCard]") -> None:
    from solvers.cli.ubongo.output import card_title

    for new in cards:
        print(f"{card_title(new.card)}: {new.difficulty.words}")


def _as_json(new: "NewCard") -> dict[str, Any]:
    from solvers.cli.ubongo.output import card_as_json, solution_as_json

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
    from solvers.drawing.pdf import to_pdf
    from solvers.drawing.svg import to_svg
    from solvers.foundation.files import write_bytes, write_text
    from solvers.polycube.ubongo.sheet import pages, stacked
    from solvers.polycube.ubongo.task_file import dumps

    title = "Cards with exactly one solution"
    if svg is not None:
        write_text(svg, to_svg(stacked(pages(cards, with_solutions=with_solutions)), title))
    if pdf is not None:
        write_bytes(pdf, to_pdf(pages(cards, with_solutions=with_solutions), title))
    if out is not None:
        remarks = [new.difficulty.words for new in cards]
        write_text(out, dumps([new.card for new in cards], remarks))
