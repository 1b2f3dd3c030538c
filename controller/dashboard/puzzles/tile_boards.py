"""Edge-matching puzzles on the page: the samples by name, laid and drawn."""

from functools import partial
from typing import Any, Final

from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.puzzles.view import LayRequest, ListedPuzzle, SearchView, solutions_word
from controller.dashboard.worker import RestartingWorker, WorkerProcess
from solvers.drawing.export import to_svg
from solvers.edge_matching.picture import to_drawing
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle, sample_names
from solvers.edge_matching.solution import PlacedTile, TileSolution
from solvers.edge_matching.solver import First, Found, find_first, solve
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from solvers.search.executors import processes

PREFIX: Final = "tiles-"
KIND: Final = "tiles"
MOST_KEPT: Final = 1000
TITLES: Final = {"all": "Find all solutions", "first": "Find one"}


class TileBoards:
    """What the desk does with tiles."""

    def __init__(self, search: Search, worker: RestartingWorker) -> None:
        self._search = search
        self._worker = worker
        self._puzzles = {f"{PREFIX}{name}": load_puzzle(name) for name in sample_names()}
        self._laid: dict[str, list[TileSolution]] = {key: [] for key in self._puzzles}
        self.entries = [
            ListedPuzzle(
                key, _title(puzzle), f"{len(puzzle.tiles.tiles)} {puzzle.board.lattice.name}"
            )
            for key, puzzle in self._puzzles.items()
        ]

    def show(self, key: str, number: int) -> dict[str, Any]:
        """Return how many solutions can be looked at; the picture is a file."""
        puzzle, laid = self._named(key), self._laid[key]
        return {
            "title": _title(puzzle),
            "solutions": len(laid),
            "number": max(1, min(number, len(laid))),
            "is_there": number <= len(laid),
        }

    def search(self, request: LayRequest) -> None:
        """Look for solutions."""
        key, puzzle = request.puzzle, self._named(request.puzzle)
        view = SearchView(
            puzzle=key,
            kind=KIND,
            wanted=request.wanted,
            title=f"{_title(puzzle)}, {request.wanted}",
            heading=TITLES[request.wanted],
            workers=request.workers if request.wanted == "all" else 1,
            solutions=len(self._laid[key]),
        )

        def job(process: WorkerProcess) -> Job[Progress, Found | First]:
            if request.wanted == "first":
                return (yield from process.run(find_first, puzzle))
            return (yield from process.run(laying, puzzle, request.workers))

        def see(event: Progress) -> None:
            nodes = int(event.done) if event.unit == "nodes" else 0
            self._search.change(share=event.share, sentence=event.task, nodes=nodes)

        self._search.start(view, job, on_event=see, on_report=partial(self._report, key))

    def picture(self, key: str, number: int) -> bytes:
        """Return an SVG of a solution, or of the tiles in their order for number 0."""
        puzzle, laid = self._named(key), self._laid[key]
        solution = laid[number - 1] if 0 < number <= len(laid) else None
        return self._worker.call(drawn, puzzle, solution)

    def _named(self, key: str) -> TilePuzzle:
        if key not in self._puzzles:
            raise InvalidInputError(f"There is no tile puzzle {key!r}.")
        return self._puzzles[key]

    def _report(self, key: str, found: Found | First) -> Outcome:
        match found:
            case Found():
                laid = list(found.solutions[:MOST_KEPT])
                turns = len(self._puzzles[key].turns)
                number = found.count_up_to_turns
                turned = f", the board's {turns} turns as one" if turns > 1 else ""
                changes: dict[str, Any] = {
                    "found": number,
                    "found_words": f"{solutions_word(number)}{turned}",
                    "total": found.count_total,
                }
                result = f"{found.count_up_to_turns:,}"
            case First():
                laid = [] if found.solution is None else [found.solution]
                changes = {"found": len(laid), "found_words": "solution to look at"}
                result = "found" if laid else "none"
        self._laid[key] = laid or self._laid[key]
        changes |= {
            "nodes": found.nodes,
            "share": 1.0,
            "sentence": "",
            "solutions": len(self._laid[key]),
        }
        return Outcome(result, "ok" if laid else "warn", changes)


def laying(puzzle: TilePuzzle, workers: int) -> Job[Progress, Found]:
    """Find all solutions in `workers` processes; work for a `Child`, which is one itself."""
    opened = partial(processes, workers) if workers > 1 else None
    return (yield from solve(puzzle, workers=opened))


def drawn(puzzle: TilePuzzle, solution: TileSolution | None) -> bytes:
    """Return an SVG of a solution, or of the tiles in their order without one."""
    if solution is None:
        tiles = puzzle.tiles.tiles[: len(puzzle.board.cells)]
        solution = tuple(PlacedTile(n, tile) for n, tile in enumerate(tiles, start=1))
    return to_svg(to_drawing(solution, puzzle.board), puzzle.board.title).encode()


def _title(puzzle: TilePuzzle) -> str:
    title = puzzle.board.title
    return title[0].upper() + title[1:].partition(",")[0]
