"""Ubongo cards, as work for a `Child`: solved, made, drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from solvers.drawing.pdf import to_pdf
from solvers.drawing.shapes import framed
from solvers.drawing.svg import to_svg
from solvers.foundation.progress import Job, Progress
from solvers.polycube.pictures.solids import Block, paint
from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.ubongo.card import Card, shapes
from solvers.polycube.ubongo.generator import NewCard, Wanted, generate
from solvers.polycube.ubongo.sheet import pages, stacked
from solvers.polycube.ubongo.solve import solve
from solvers.polycube.ubongo.task_file import dumps

MOST_SOLUTIONS: Final = 1000
MARGIN_MM: Final = 1.0
TITLE: Final = "Cards with exactly one solution"


@dataclass(frozen=True, slots=True)
class SolvedCard:
    """A card's solutions, at most MOST_SOLUTIONS; `nodes` were visited to find them."""

    solutions: tuple[PackingSolution, ...]
    nodes: int


@dataclass(frozen=True, slots=True)
class Sheets:
    """New cards to be printed, and as a file that is read again."""

    svg: bytes
    pdf: bytes
    toml: bytes
    grades: tuple[str, ...]


def solving(card: Card) -> Job[Progress, SolvedCard]:
    """Find a card's solutions; ended with its process alone."""
    yield Progress("solving the card", 0, None)
    solved = solve(card, at_most=MOST_SOLUTIONS)
    return SolvedCard(solved.solutions, solved.nodes)


def making(wanted: Wanted, number: int, seed: int) -> Job[Progress, Sheets]:
    """Make cards with one solution each, and draw them."""
    cards = yield from generate(wanted, number, seed)
    sheets = pages(cards, with_solutions=True)
    remarks = [new.difficulty.words for new in cards]
    return Sheets(
        svg=to_svg(stacked(sheets), TITLE).encode(),
        pdf=to_pdf(sheets, TITLE),
        toml=dumps([new.card for new in cards], remarks).encode(),
        grades=_grades(cards),
    )


def _grades(cards: Sequence[NewCard]) -> tuple[str, ...]:
    return tuple(new.difficulty.grade.value for new in cards)


def pictures_of_pieces(colours: Mapping[str, str]) -> dict[int, str]:
    """Return an SVG of each of the sixteen pieces, by their numbers."""
    drawn = {}
    for number, shape in shapes().items():
        lying = min(shape.rotations(), key=lambda each: sum(z for _, _, z in each.cells))
        picture = paint([Block(lying.cells, colours[str(number)])])
        drawn[number] = to_svg(framed(picture, MARGIN_MM), f"Piece {number}")
    return drawn
