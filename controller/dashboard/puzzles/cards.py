"""Ubongo on the page: cards that are drawn and solved, cards that are made."""

from typing import Any, Final

from controller.dashboard.beside.worker import Worker
from controller.dashboard.puzzles.beside.card_work import (
    MOST_SOLUTIONS,
    Sheets,
    SolvedCard,
    making,
    pictures_of_pieces,
    solving,
)
from controller.dashboard.puzzles.requests import MakeCards, SolveCard
from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.puzzles.shelf import Shelf, Shelved
from controller.dashboard.puzzles.view import Entry, SearchView, solutions_word
from solvers.drawing.palette import distinct
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Progress
from solvers.foundation.wording import counted
from solvers.polycube.ubongo.card import Card, shapes
from solvers.polycube.ubongo.generator import Wanted

KEY: Final = "ubongo"
KIND: Final = "cards"
ENTRY: Final = Entry(KEY, "Ubongo 3-D", "cards: draw, solve, invent")
EXAMPLE: Final = Card((3, 10, 8, 5), ("##.#", "...#", "...."), name=ENTRY.title)
"""The card of docs/ubongo.md, which the page begins with."""
COLOURS: Final = {str(number): distinct(number - 1) for number in shapes()}
"""As on the printed sheets."""


class Cards:
    """What the desk does with cards."""

    def __init__(self, shelf: Shelf, search: Search, worker: Worker) -> None:
        self._shelf = shelf
        self._search = search
        self._worker = worker
        self._sheets: Sheets | None = None
        self._made = 0
        # Not anybody's own, so that a solution is found when it is first looked at.
        shelf.put_aside(Shelved(KEY, EXAMPLE.puzzle(), colours=COLOURS))

    def begin(self) -> dict[str, Any]:
        """Return the sixteen pieces, and the card to begin with."""
        pictures = self._worker.ask(pictures_of_pieces, COLOURS)
        pieces = [
            {"number": number, "cubes": shape.volume, "picture": pictures[number]}
            for number, shape in shapes().items()
        ]
        card = {"pieces": EXAMPLE.pieces, "rows": EXAMPLE.rows, "height": EXAMPLE.height}
        return {"pieces": pieces, "card": card, "made": self._made}

    def solve(self, request: SolveCard) -> None:
        """Find a card's solutions. Raises PuzzleError for one whose cubes do not fit."""
        card = Card(request.pieces, request.rows, request.height, ENTRY.title)
        shelved = Shelved(KEY, card.puzzle(), is_own=True, colours=COLOURS)
        view = SearchView(
            puzzle=KEY, kind=KIND, wanted="card", title="Ubongo card", heading="Solve the card"
        )

        def report(solved: SolvedCard) -> Outcome:
            number = len(solved.solutions)
            shelved.solutions = list(solved.solutions)
            shelved.has_none = number == 0
            self._shelf.put_aside(shelved)
            many = "; there may be more" if number == MOST_SOLUTIONS else ""
            changes = {
                "found": number,
                "found_words": f"{solutions_word(number)} of the card{many}",
                "nodes": solved.nodes,
                "solutions": number,
                "share": 1.0,
            }
            return Outcome(str(number), "ok" if number else "warn", changes)

        self._search.start(
            view, lambda child: child.run(solving, card), on_event=_nothing, on_report=report
        )

    def make(self, request: MakeCards) -> None:
        """Make cards with exactly one solution each. Raises PuzzleError for what cannot be."""
        wanted = Wanted(request.pieces, request.height, request.grade)
        kind = f" {request.grade}" if request.grade else ""
        title = f"{counted(request.number, f'{kind} Ubongo card'.strip())}"
        view = SearchView(puzzle=KEY, kind=KIND, wanted="cards", title=title, heading="Make cards")

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
            lambda child: child.run(making, wanted, request.number, request.seed),
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
    """Hear an event that says nothing new."""
