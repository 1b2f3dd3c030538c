"""The sliding puzzle on the page: the best solution so far, and what is proven."""

from typing import Any, Final

from controller.dashboard.puzzles.search import Outcome, Search
from controller.dashboard.puzzles.view import ListedPuzzle, SearchView, SlideRequest
from controller.dashboard.worker import WorkerProcess
from solvers.drawing.export import to_svg
from solvers.drawing.shapes import Polygon, distinct_colour, with_margin
from solvers.foundation.progress import Job, Progress
from solvers.foundation.wording import counted
from solvers.sliding_tile.board import Board, require_solvable, usual_goal
from solvers.sliding_tile.solver import Solution, choose, solution_so_far, solve

KEY: Final = "slide"
KIND: Final = "slide"
ENTRY: Final = ListedPuzzle(KEY, "8- and 15-puzzle", "slide, scramble, solve")


class Sliding:
    """What the desk does with sliding boards."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def solve(self, request: SlideRequest) -> None:
        """Look for ever shorter solutions. Raises UnsolvableError where there is none."""
        height = len(request.cells) // request.width
        start = Board(request.width, height, tuple(request.cells))
        goal = usual_goal(start)
        require_solvable(start, goal)
        size = f"{start.width} x {start.height}"
        view = SearchView(
            puzzle=KEY,
            kind=KIND,
            wanted="solve",
            title=f"Sliding puzzle {size}",
            heading="Solve in few moves",
            extra=_told(start, "", 0),
        )

        def job(process: WorkerProcess) -> Job[Progress, Solution]:
            return (yield from process.run(solve, start, goal))

        def see(event: Progress) -> None:
            known = solution_so_far(event, choose(start))
            if known is None:
                self._search.change(sentence=event.task)
            else:
                self._tell(start, known)

        def report(solution: Solution) -> Outcome:
            self._tell(start, solution)
            return Outcome(counted(len(solution.moves), "move"))

        self._search.start(view, job, on_event=see, on_report=report, on_stop=_kept)

    def _tell(self, start: Board, known: Solution) -> None:
        moves = len(known.moves)
        proven = "the fewest possible" if known.is_shortest else f"at least {known.least} needed"
        self._search.change(
            found=moves,
            found_words=f"{'move' if moves == 1 else 'moves'}, {proven}",
            sentence="",
            nodes=known.generated,
            extra=_told(start, known.moves, known.least),
        )


def _kept() -> dict[str, Any]:
    return {"sentence": "The best so far stays; solving again starts over."}


def _told(start: Board, moves: str, least: int) -> dict[str, Any]:
    return {"cells": start.cells, "width": start.width, "moves": moves, "least": least}


def small_picture() -> bytes:
    """Return an SVG of a board of nine cells."""
    squares = [
        Polygon(((x, y), (x + 12, y), (x + 12, y + 12), (x, y + 12)), fill=distinct_colour(number))
        for number, (x, y) in enumerate((13.0 * (n % 3), 13.0 * (n // 3)) for n in range(8))
    ]
    return to_svg(with_margin(squares, 1.0), ENTRY.title).encode()
