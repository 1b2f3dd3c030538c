"""What can be asked of the puzzles; whatever takes long runs as the one search of the page."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, Final

from controller.dashboard.controller import Controller, File, handler
from controller.dashboard.hub import Hub
from controller.dashboard.puzzles import cards, pictures, view
from controller.dashboard.puzzles.cards import Cards
from controller.dashboard.puzzles.library import Library
from controller.dashboard.puzzles.packing import Packing
from controller.dashboard.puzzles.search import Search
from controller.dashboard.puzzles.tiles import PREFIX, SLIDE, Sliding, TileBoards, picture_of_slide
from controller.dashboard.worker import RestartingWorker
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.polycube.pictures.viewer import view_script

SVG: Final = "image/svg+xml"
TYPES: Final = {
    "svg": SVG,
    "pdf": "application/pdf",
    "html": "text/html",
    "xmpuzzle": "application/octet-stream",
    "toml": "application/toml",
}
LONGEST_NAME: Final = 200
MOST_READING_S: Final = 20.0
"""The largest public puzzle file is read in 0.2 s."""


class PuzzlesController(Controller):
    """The puzzles of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    page = "puzzles page"

    def __init__(self, hub: Hub, clock: Clock | None = None) -> None:
        self.hub = hub
        self._worker = RestartingWorker("drawing process")
        # A file that takes long to read keeps no picture waiting, and no other file for long.
        self._reader = RestartingWorker("file reader", most_s=MOST_READING_S)
        self.search = Search(hub, clock)
        self._tiles = TileBoards(self.search, self._worker)
        self.library = Library(hub, [cards.ENTRY, *self._tiles.entries, SLIDE])
        self._packing = Packing(self.library, self.search, self._worker)
        self._cards = Cards(self.library, self.search, self._worker)
        self._sliding = Sliding(self.search)

    @handler
    def open(self, request: bytes) -> dict[str, str]:
        """Take up a puzzle file: a line with its name, and the file itself, read in memory."""
        line, _, data = request.partition(b"\n")
        name = PurePosixPath(line.decode("utf-8", errors="replace")[-LONGEST_NAME:]).name
        if not name:
            raise InvalidInputError("The file has no name.")
        try:
            opened = self._reader.call(pictures.read_puzzle, name, data)
        except PuzzlerigError as error:
            self.search.note(str(error), "", "fault")
            raise
        return {"puzzle": self.library.add(opened)}

    @handler
    def show(self, request: view.ShowRequest) -> dict[str, Any]:
        """Return a puzzle and one of its solutions."""
        return self._packing.show(request)

    @handler
    def pack(self, request: view.PackRequest) -> None:
        """Search a packing puzzle."""
        self._packing.search(request)

    @handler
    def show_tiles(self, request: view.ShowRequest) -> dict[str, Any]:
        """Return what is known of a tile puzzle."""
        return self._tiles.show(request.puzzle, request.solution)

    @handler
    def solve_tiles(self, request: view.SolveTilesRequest) -> None:
        """Search a tile puzzle."""
        self._tiles.search(request)

    @handler
    def cards(self) -> dict[str, Any]:
        """Return what cards are made of."""
        return self._cards.describe()

    @handler
    def solve_card(self, request: view.SolveCardRequest) -> None:
        """Find the solutions of a card."""
        self._cards.solve(request)

    @handler
    def make_cards(self, request: view.MakeCardsRequest) -> None:
        """Make new cards."""
        self._cards.make(request)

    @handler
    def slide(self, request: view.SlideRequest) -> None:
        """Solve a sliding board."""
        self._sliding.solve(request)

    @handler
    def halt(self) -> None:
        """End the search alone; the robot goes on."""
        self.stop()

    def file(self, name: str) -> File | None:
        """Return a picture, a download, or the script that draws solutions."""
        if name == "solution_view.js":
            return File(view_script().encode(), "text/javascript")
        for pattern, serve in _FILES:
            if found := pattern.fullmatch(name):
                return serve(self, *found.groups())
        return None

    def _thumb(self, key: str) -> File:
        if key == SLIDE.key:
            return File(picture_of_slide(), SVG)
        if key.startswith(PREFIX):
            return File(self._tiles.picture(key, 0), SVG)
        return File(self._packing.thumbnail(key), SVG)

    def _pieces(self, key: str) -> File:
        return File(self._packing.pieces(key), SVG)

    def _tiles_picture(self, key: str, number: str) -> File:
        return File(self._tiles.picture(key, int(number)), SVG)

    def _solution(self, key: str, number: str, ending: str) -> File:
        content = self._packing.download(key, int(number), ending)
        return File(content, TYPES[ending])

    def _sheets(self, ending: str) -> File:
        return File(self._cards.sheets(ending), TYPES[ending])

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self.search.stop()

    def close(self) -> None:
        """End the search and the worker processes."""
        self.search.close()
        self._worker.close()
        self._reader.close()


_FILES: Final[tuple[tuple[re.Pattern[str], Callable[..., File]], ...]] = (
    (re.compile(r"thumb-([a-z0-9-]+)\.svg"), PuzzlesController._thumb),
    (re.compile(r"pieces-([a-z0-9-]+)\.svg"), PuzzlesController._pieces),
    (re.compile(r"(tiles-[a-z0-9-]+)-(\d{1,6})\.svg"), PuzzlesController._tiles_picture),
    (
        re.compile(r"solution-([a-z0-9-]+)-(\d{1,6})\.(svg|pdf|html|xmpuzzle)"),
        PuzzlesController._solution,
    ),
    (re.compile(r"cards\.(svg|pdf|toml)"), PuzzlesController._sheets),
)
