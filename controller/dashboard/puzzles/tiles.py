"""Puzzles of tiles on the page: edge-matching samples by name, and sliding boards."""

from functools import partial
from typing import Any, Final

from controller.dashboard.puzzles import view as views
from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.worker import RestartingWorker, WorkerProcess
from solvers.drawing.export import to_svg
from solvers.drawing.shapes import Polygon, distinct_colour, with_margin
from solvers.edge_matching.picture import to_drawing
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle, sample_names
from solvers.edge_matching.solution import PlacedTile, TileSolution
from solvers.edge_matching.solver import First, Found, find_first, solve
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from solvers.foundation.wording import counted
from solvers.search.executors import processes
from solvers.sliding_tile.board import Board, require_solvable, usual_goal
from solvers.sliding_tile.solver import Solution, choose, solution_so_far
from solvers.sliding_tile.solver import solve as solve_board

PREFIX: Final = "tiles-"
MAX_SOLUTIONS: Final = 1000
TITLES: Final = {"all": "Find all solutions", "first": "Find one"}


class TileBoards:
    """Edge-matching puzzles on the page."""

    def __init__(self, search: Search, worker: RestartingWorker) -> None:
        self._search = search
        self._worker = worker
        self._puzzles = {f"{PREFIX}{name}": load_puzzle(name) for name in sample_names()}
        self._placed: dict[str, list[TileSolution]] = {key: [] for key in self._puzzles}
        self.entries = [
            views.ListedPuzzle(
                key, _title(puzzle), f"{len(puzzle.tiles.tiles)} {puzzle.board.lattice.name}"
            )
            for key, puzzle in self._puzzles.items()
        ]

    def show(self, key: str, number: int) -> dict[str, Any]:
        """Return how many solutions can be looked at; the picture is a file."""
        puzzle, placed = self._named(key), self._placed[key]
        return {
            "title": _title(puzzle),
            "solutions": len(placed),
            "number": max(1, min(number, len(placed))),
            "is_there": number <= len(placed),
        }

    def search(self, request: views.SolveTilesRequest) -> None:
        """Look for solutions."""
        key, puzzle = request.puzzle, self._named(request.puzzle)
        view = views.SearchView(
            puzzle=key,
            kind="tiles",
            wanted=request.wanted,
            title=f"{_title(puzzle)}, {request.wanted}",
            heading=TITLES[request.wanted],
            workers=request.workers if request.wanted == "all" else 1,
            solutions=len(self._placed[key]),
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
        puzzle, placed = self._named(key), self._placed[key]
        solution = placed[number - 1] if 0 < number <= len(placed) else None
        return self._worker.call(drawn, puzzle, solution)

    def _named(self, key: str) -> TilePuzzle:
        if key not in self._puzzles:
            raise InvalidInputError(f"There is no tile puzzle {key!r}.")
        return self._puzzles[key]

    def _report(self, key: str, found: Found | First) -> Outcome:
        match found:
            case Found():
                placed = list(found.solutions[:MAX_SOLUTIONS])
                turns = len(self._puzzles[key].turns)
                number = found.count_up_to_turns
                turned = f", the board's {turns} turns as one" if turns > 1 else ""
                changes: dict[str, Any] = {
                    "found": number,
                    "found_words": f"{views.solutions_word(number)}{turned}",
                    "total": found.count_total,
                }
                result = f"{found.count_up_to_turns:,}"
            case First():
                placed = [] if found.solution is None else [found.solution]
                changes = {"found": len(placed), "found_words": "solution to look at"}
                result = "found" if placed else "none"
        self._placed[key] = placed or self._placed[key]
        changes |= {
            "nodes": found.nodes,
            "share": 1.0,
            "sentence": "",
            "solutions": len(self._placed[key]),
        }
        return Outcome(result, "ok" if placed else "warn", changes)


def laying(puzzle: TilePuzzle, workers: int) -> Job[Progress, Found]:
    """Find all solutions in `workers` processes, which a worker process starts."""
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


SLIDE: Final = views.ListedPuzzle("slide", "8- and 15-puzzle", "slide, scramble, solve")


class Sliding:
    """Sliding boards on the page."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def solve(self, request: views.SlideRequest) -> None:
        """Look for ever shorter solutions. Raises UnsolvableError where there is none."""
        height = len(request.cells) // request.width
        start = Board(request.width, height, tuple(request.cells))
        goal = usual_goal(start)
        require_solvable(start, goal)
        size = f"{start.width} x {start.height}"
        view = views.SearchView(
            puzzle=SLIDE.key,
            kind="slide",
            wanted="solve",
            title=f"Sliding puzzle {size}",
            heading="Solve in few moves",
            extra=_extra(start, "", 0),
        )

        def job(process: WorkerProcess) -> Job[Progress, Solution]:
            return (yield from process.run(solve_board, start, goal))

        def see(event: Progress) -> None:
            known = solution_so_far(event, choose(start))
            if known is None:
                self._search.change(sentence=event.task)
            else:
                self._show(start, known)

        def report(solution: Solution) -> Outcome:
            self._show(start, solution)
            return Outcome(counted(len(solution.moves), "move"))

        self._search.start(view, job, on_event=see, on_report=report, on_stop=_stopped)

    def _show(self, start: Board, known: Solution) -> None:
        moves = len(known.moves)
        proven = "the fewest possible" if known.is_shortest else f"at least {known.least} needed"
        self._search.change(
            found=moves,
            found_words=f"{'move' if moves == 1 else 'moves'}, {proven}",
            sentence="",
            nodes=known.generated,
            extra=_extra(start, known.moves, known.least),
        )


def _stopped() -> dict[str, Any]:
    return {"sentence": "The best so far stays; solving again starts over."}


def _extra(start: Board, moves: str, least: int) -> dict[str, Any]:
    return {"cells": start.cells, "width": start.width, "moves": moves, "least": least}


def picture_of_slide() -> bytes:
    """Return an SVG of a board of nine cells."""
    squares = [
        Polygon(((x, y), (x + 12, y), (x + 12, y + 12), (x, y + 12)), fill=distinct_colour(number))
        for number, (x, y) in enumerate((13.0 * (n % 3), 13.0 * (n // 3)) for n in range(8))
    ]
    return to_svg(with_margin(squares, 1.0), SLIDE.title).encode()
