"""Packing puzzles on the page: what is shown of them, and their searches."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from controller.dashboard.beside.worker import Worker
from controller.dashboard.puzzles.beside import pictures
from controller.dashboard.puzzles.beside.part_search import finding_one, first_solution
from controller.dashboard.puzzles.packing_show import PartSearch
from controller.dashboard.puzzles.requests import Pack, Show
from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.puzzles.shelf import Shelf, Shelved
from controller.dashboard.puzzles.view import SearchView
from solvers.foundation.errors import PuzzlerigError
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution

KIND: Final = "packing"
TITLES: Final = {"count": "Count all solutions", "all": "Find all solutions", "first": "Find one"}
MOST_ON_A_PAGE: Final = 100
OF_A_SOLUTION: Final[dict[str, Callable[[PackingPuzzle, PackingSolution], bytes]]] = {
    "svg": pictures.steps_as_svg,
    "pdf": pictures.steps_as_pdf,
}


class Packing:
    """What the desk does with packing puzzles."""

    def __init__(self, shelf: Shelf, search: Search, worker: Worker) -> None:
        self._shelf = shelf
        self._search = search
        self._worker = worker

    def show(self, request: Show) -> dict[str, Any]:
        """Return a puzzle and the story of one of its solutions, for the viewer.

        One solution of a puzzle of the library is found when it is first looked at; who drops a
        file asks for its first search himself, which may take any time.
        """
        shelved = self._shelf.named(request.puzzle)
        if not shelved.is_own:
            self._find_first(shelved)
        solutions = shelved.shown
        number = max(1, min(request.solution, len(solutions)))
        story = None
        if solutions:
            story = self._worker.ask(
                pictures.told_story, shelved.puzzle, solutions[number - 1], shelved.colours
            )
        return {
            "puzzle": shelved.key,
            "title": shelved.puzzle.title,
            "solutions": len(solutions),
            "number": number,
            "is_there": request.solution <= len(solutions),
            "story": story,
            "left_out": shelved.left_out,
            "has_none": shelved.has_none,
        }

    def search(self, request: Pack) -> None:
        """Look for solutions; raises what is wrong with the puzzle before anything is searched."""
        shelved = self._shelf.named(request.puzzle)
        shelved.puzzle.check_volume()
        view = SearchView(
            puzzle=shelved.key,
            kind=KIND,
            title=f"{shelved.puzzle.title}, {request.wanted}",
            workers=request.workers,
            solutions=len(shelved.shown),
            heading=TITLES[request.wanted],
            wanted=request.wanted,
        )
        if request.wanted == "first":
            self._search.start(
                view,
                lambda child: child.run(finding_one, shelved.puzzle),
                on_event=lambda _: None,
                on_report=partial(self._found_first, shelved),
            )
        else:
            PartSearch(self._shelf, self._search, shelved, request).start(view)

    def thumbnail(self, key: str) -> bytes:
        """Return a small SVG of a puzzle."""
        shelved = self._shelf.named(key)
        if not shelved.is_own:
            self._find_first(shelved)
        shown = shelved.shown[:1]
        solution = shown[0] if shown else None
        return self._worker.ask(pictures.small_picture, shelved.puzzle, solution, shelved.colours)

    def pieces(self, key: str) -> bytes:
        """Return an SVG of a puzzle's pieces."""
        shelved = self._shelf.named(key)
        return self._worker.ask(pictures.picture_of_pieces, shelved.puzzle, shelved.colours)

    def download(self, key: str, number: int, ending: str) -> bytes:
        """Return a puzzle's solution as a file of that kind."""
        shelved = self._shelf.named(key)
        puzzle, shown = shelved.puzzle, shelved.shown
        solution: PackingSolution | None = shown[number - 1] if 0 < number <= len(shown) else None
        if ending == "xmpuzzle":
            return self._worker.ask(pictures.as_burrtools, puzzle)
        if solution is None:
            raise PuzzlerigError(f"No solution {number} of {puzzle.title} is found yet.")
        if ending == "html":
            return self._worker.ask(pictures.page_to_turn, puzzle, shown[:MOST_ON_A_PAGE])
        return self._worker.ask(OF_A_SOLUTION[ending], puzzle, solution)

    def _find_first(self, shelved: Shelved) -> None:
        if shelved.shown or shelved.has_none:
            return
        solution, _ = self._worker.ask(first_solution, shelved.puzzle)
        shelved.first, shelved.has_none = solution, solution is None

    def _found_first(self, shelved: Shelved, found: tuple[PackingSolution | None, int]) -> Outcome:
        solution, nodes = found
        if solution is None:
            shelved.has_none = True
            none = {"found": 0, "found_words": "solutions: there is none", "nodes": nodes}
            return Outcome("none", "warn", none)
        if not shelved.solutions:
            shelved.first = solution
        shelved.pictures += 1
        self._shelf.tell()
        changes = {
            "found": 1,
            "found_words": "solution to look at",
            "nodes": nodes,
            "solutions": len(shelved.shown),
            "share": 1.0,
        }
        return Outcome("found", changes=changes)
