"""What can be asked of the puzzles; whatever takes long runs as the one search of the page."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any, Final

from controller.dashboard.desk import Commands, Served
from controller.dashboard.hub import Hub
from controller.dashboard.puzzles import pictures
from controller.dashboard.puzzles.packing import Packing
from controller.dashboard.puzzles.requests import Nothing, Pack, Show
from controller.dashboard.puzzles.search import Search
from controller.dashboard.puzzles.shelf import Shelf
from controller.dashboard.puzzles.worker import Worker
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.polycube.pictures.viewer import view_script

SVG: Final = "image/svg+xml"
TYPES: Final = {
    "svg": SVG,
    "pdf": "application/pdf",
    "html": "text/html",
    "xmpuzzle": "application/octet-stream",
}
PICTURE: Final = re.compile(r"(thumb|pieces)-([a-z0-9-]+)\.svg")
DOWNLOAD: Final = re.compile(r"solution-([a-z0-9-]+)-(\d{1,6})\.(svg|pdf|html|xmpuzzle)")
LONGEST_NAME: Final = 200
OPEN: Final = "open"


class PuzzlesDesk:
    """The puzzles of the dashboard; any thread may ask. Everything raises PuzzlerigError."""

    def __init__(self, hub: Hub, clock: Clock | None = None) -> None:
        self.hub = hub
        self._worker = Worker()
        self._shelf = Shelf(hub)
        self.search = Search(hub, clock)
        self._packing = Packing(self._shelf, self.search, self._worker)

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
        return {"puzzle": self._shelf.add(opened)}

    def show(self, request: Show) -> dict[str, Any]:
        """Return a puzzle and one of its solutions."""
        return self._packing.show(request)

    def pack(self, request: Pack) -> None:
        """Search a packing puzzle."""
        self._packing.search(request)

    def halt(self, _: Nothing) -> None:
        """End the search alone; the robot goes on."""
        self.stop()

    def file(self, name: str) -> Served | None:
        """Return a picture, a download, or the script that draws solutions."""
        if name == "solution_view.js":
            return Served(view_script().encode(), "text/javascript")
        if found := PICTURE.fullmatch(name):
            draw: Callable[[str], bytes] = (
                self._packing.thumbnail if found[1] == "thumb" else self._packing.pieces
            )
            return Served(draw(found[2]), SVG)
        if found := DOWNLOAD.fullmatch(name):
            content = self._packing.download(found[1], int(found[2]), found[3])
            return Served(content, TYPES[found[3]])
        return None

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
        "halt": (Nothing, PuzzlesDesk.halt),
    },
)
