"""What can be asked of the puzzles; whatever takes long runs as the one search of the page."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, Final

from controller.dashboard.beside.worker import Worker
from controller.dashboard.desk import Commands, Served
from controller.dashboard.hub import Hub
from controller.dashboard.puzzles import cards, sliding
from controller.dashboard.puzzles.beside import pictures
from controller.dashboard.puzzles.cards import Cards
from controller.dashboard.puzzles.packing import Packing
from controller.dashboard.puzzles.requests import (
    Lay,
    MakeCards,
    Nothing,
    Pack,
    Show,
    Slide,
    SolveCard,
)
from controller.dashboard.puzzles.search import Search
from controller.dashboard.puzzles.shelf import Shelf
from controller.dashboard.puzzles.sliding import Sliding
from controller.dashboard.puzzles.tile_boards import PREFIX, TileBoards
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
OPEN: Final = "open"


class PuzzlesDesk:
    """The puzzles of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    def __init__(self, hub: Hub, clock: Clock | None = None) -> None:
        self.hub = hub
        self._worker = Worker("drawing process")
        self.search = Search(hub, clock)
        self._tiles = TileBoards(self.search, self._worker)
        self.shelf = Shelf(hub, [cards.ENTRY, *self._tiles.entries, sliding.ENTRY])
        self._packing = Packing(self.shelf, self.search, self._worker)
        self._cards = Cards(self.shelf, self.search, self._worker)
        self._sliding = Sliding(self.search)

    def ask(self, command: str, words: bytes) -> object:
        """Carry out a command of the page. Raises InvalidInputError for one that there is not."""
        if command == OPEN:
            return self.open(words)
        return _COMMANDS.carry_out(self, command, words)

    def open(self, words: bytes) -> dict[str, str]:
        """Take up a puzzle file: a line with its name, and the file itself, read in memory."""
        line, _, data = words.partition(b"\n")
        name = PurePosixPath(line.decode("utf-8", errors="replace")[-LONGEST_NAME:]).name
        if not name:
            raise InvalidInputError("The file has no name.")
        try:
            opened = self._worker.ask(pictures.read_puzzle, name, data)
        except PuzzlerigError as error:
            self.search.note(str(error), "", "fault")
            raise
        return {"puzzle": self.shelf.add(opened)}

    def show(self, request: Show) -> dict[str, Any]:
        """Return a puzzle and one of its solutions."""
        return self._packing.show(request)

    def pack(self, request: Pack) -> None:
        """Search a packing puzzle."""
        self._packing.search(request)

    def show_tiles(self, request: Show) -> dict[str, Any]:
        """Return what is known of a tile puzzle."""
        return self._tiles.show(request.puzzle, request.solution)

    def lay(self, request: Lay) -> None:
        """Search a tile puzzle."""
        self._tiles.search(request)

    def cards(self, _: Nothing) -> dict[str, Any]:
        """Return what cards are made of."""
        return self._cards.begin()

    def solve_card(self, request: SolveCard) -> None:
        """Find the solutions of a card."""
        self._cards.solve(request)

    def make_cards(self, request: MakeCards) -> None:
        """Make new cards."""
        self._cards.make(request)

    def slide(self, request: Slide) -> None:
        """Solve a sliding board."""
        self._sliding.solve(request)

    def halt(self, _: Nothing) -> None:
        """End the search alone; the robot goes on."""
        self.stop()

    def file(self, name: str) -> Served | None:
        """Return a picture, a download, or the script that draws solutions."""
        if name == "solution_view.js":
            return Served(view_script().encode(), "text/javascript")
        for pattern, serve in _FILES:
            if found := pattern.fullmatch(name):
                return serve(self, *found.groups())
        return None

    def _thumb(self, key: str) -> Served:
        if key == sliding.KEY:
            return Served(sliding.small_picture(), SVG)
        if key.startswith(PREFIX):
            return Served(self._tiles.picture(key, 0), SVG)
        return Served(self._packing.thumbnail(key), SVG)

    def _pieces(self, key: str) -> Served:
        return Served(self._packing.pieces(key), SVG)

    def _tiles_picture(self, key: str, number: str) -> Served:
        return Served(self._tiles.picture(key, int(number)), SVG)

    def _solution(self, key: str, number: str, ending: str) -> Served:
        content = self._packing.download(key, int(number), ending)
        return Served(content, TYPES[ending])

    def _sheets(self, ending: str) -> Served:
        return Served(self._cards.sheets(ending), TYPES[ending])

    def stop(self) -> None:
        """End the search; what it has found is kept."""
        self.search.stop()

    def close(self) -> None:
        """End the search and the process that draws."""
        self.search.close()
        self._worker.close()


_COMMANDS: Final[Commands[PuzzlesDesk]] = Commands(
    "puzzles desk",
    {
        "show": (Show, PuzzlesDesk.show),
        "pack": (Pack, PuzzlesDesk.pack),
        "show_tiles": (Show, PuzzlesDesk.show_tiles),
        "lay": (Lay, PuzzlesDesk.lay),
        "cards": (Nothing, PuzzlesDesk.cards),
        "solve_card": (SolveCard, PuzzlesDesk.solve_card),
        "make_cards": (MakeCards, PuzzlesDesk.make_cards),
        "slide": (Slide, PuzzlesDesk.slide),
        "halt": (Nothing, PuzzlesDesk.halt),
    },
)

_FILES: Final[tuple[tuple[re.Pattern[str], Callable[..., Served]], ...]] = (
    (re.compile(r"thumb-([a-z0-9-]+)\.svg"), PuzzlesDesk._thumb),
    (re.compile(r"pieces-([a-z0-9-]+)\.svg"), PuzzlesDesk._pieces),
    (re.compile(r"(tiles-[a-z0-9-]+)-(\d{1,6})\.svg"), PuzzlesDesk._tiles_picture),
    (
        re.compile(r"solution-([a-z0-9-]+)-(\d{1,6})\.(svg|pdf|html|xmpuzzle)"),
        PuzzlesDesk._solution,
    ),
    (re.compile(r"cards\.(svg|pdf|toml)"), PuzzlesDesk._sheets),
)
