"""Ubongo cards on the page: drawn and solved, or made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from controller.dashboard.puzzles import view as views
from controller.dashboard.puzzles.library import Entry, Library
from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.worker import RestartingWorker
from solvers.drawing.export import to_pdf, to_svg
from solvers.drawing.shapes import distinct_colour, with_margin
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress
from solvers.foundation.wording import counted
from solvers.polycube.pictures.solids import Block, paint
from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.ubongo.card import Card, shapes
from solvers.polycube.ubongo.card_file import dumps
from solvers.polycube.ubongo.generator import NewCard, Wanted, generate
from solvers.polycube.ubongo.sheet import pages, stacked
from solvers.polycube.ubongo.solution import solve

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
        flattest = min(shape.rotations(), key=lambda each: sum(z for _, _, z in each.cells))
        picture = paint([Block(flattest.cells, colours[str(number)])])
        drawn[number] = to_svg(with_margin(picture, MARGIN_MM), f"Piece {number}")
    return drawn


KEY: Final = "ubongo"
ENTRY: Final = views.ListedPuzzle(KEY, "Ubongo 3-D", "cards: draw, solve, invent")
EXAMPLE: Final = Card((3, 10, 8, 5), ("##.#", "...#", "...."), name=ENTRY.title)
"""The card of docs/ubongo.md, which the page shows first."""
COLOURS: Final = {str(number): distinct_colour(number - 1) for number in shapes()}
"""As on the printed sheets."""


class Cards:
    """Cards on the page: solved, and made."""

    def __init__(self, library: Library, search: Search, worker: RestartingWorker) -> None:
        self._library = library
        self._search = search
        self._worker = worker
        self._sheets: Sheets | None = None
        self._made = 0
        # Not anybody's own, so that a solution is found when it is first looked at.
        library.add_unlisted(Entry(KEY, EXAMPLE.puzzle(), colours=COLOURS))

    def describe(self) -> dict[str, Any]:
        """Return the sixteen pieces, and the first card to show."""
        pictures = self._worker.call(pictures_of_pieces, COLOURS)
        pieces = [
            {"number": number, "cubes": shape.volume, "picture": pictures[number]}
            for number, shape in shapes().items()
        ]
        card = {"pieces": EXAMPLE.pieces, "rows": EXAMPLE.rows, "height": EXAMPLE.height}
        return {"pieces": pieces, "card": card, "made": self._made}

    def solve(self, request: views.SolveCardRequest) -> None:
        """Find a card's solutions. Raises PuzzleError for one whose cubes do not fit."""
        card = Card(request.pieces, request.rows, request.height, ENTRY.title)
        entry = Entry(KEY, card.puzzle(), is_own=True, colours=COLOURS)
        view = views.SearchView(
            puzzle=KEY, kind="cards", wanted="card", title="Ubongo card", heading="Solve the card"
        )

        def report(solved: SolvedCard) -> Outcome:
            number = len(solved.solutions)
            entry.solutions = list(solved.solutions)
            entry.has_none = number == 0
            self._library.add_unlisted(entry)
            many = "; there may be more" if number == MOST_SOLUTIONS else ""
            changes = {
                "found": number,
                "found_words": f"{views.solutions_word(number)} of the card{many}",
                "nodes": solved.nodes,
                "solutions": number,
                "share": 1.0,
            }
            return Outcome(str(number), "ok" if number else "warn", changes)

        self._search.start(
            view, lambda process: process.run(solving, card), on_event=_nothing, on_report=report
        )

    def make(self, request: views.MakeCardsRequest) -> None:
        """Make cards with exactly one solution each. Raises PuzzleError for what cannot be."""
        wanted = Wanted(request.pieces, request.height, request.grade)
        kind = f" {request.grade}" if request.grade else ""
        title = f"{counted(request.number, f'{kind} Ubongo card'.strip())}"
        view = views.SearchView(
            puzzle=KEY, kind="cards", wanted="cards", title=title, heading="Make cards"
        )

        def see(event: Progress) -> None:
            self._search.change(
                share=event.share, found=int(event.done), found_words=f"of {title} so far"
            )

        def report(sheets: Sheets) -> Outcome:
            self._sheets, self._made = sheets, self._made + 1
            listed = [
                f"{sheets.grades.count(grade)} {grade}" for grade in dict.fromkeys(sheets.grades)
            ]
            changes = {
                "found": request.number,
                "found_words": f"cards with one solution each: {', '.join(listed)}",
                "share": 1.0,
                "made": self._made,
            }
            return Outcome("PDF", changes=changes)

        self._search.start(
            view,
            lambda process: process.run(making, wanted, request.number, request.seed),
            on_event=see,
            on_report=report,
        )

    def sheets(self, ending: str) -> bytes:
        """Return the cards that were made last, as svg, pdf or toml."""
        if self._sheets is None:
            raise PuzzlerigError("No cards have been made yet.")
        content: bytes = getattr(self._sheets, ending)
        return content


def _nothing(_: Progress) -> None:
    """Ignore an event that adds nothing."""
