"""The packing puzzles of the page: the library's, those that were dropped on it, what is found."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.dashboard.hub import Hub
from controller.dashboard.puzzles.pictures import TIMES, Opened
from controller.dashboard.puzzles.view import LIBRARY, ListedPuzzle
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.wording import counted
from solvers.polycube import library as puzzle_files
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution
from solvers.polycube.solving.problem import PartCount

FIRST_SHOWN: Final = ("bedlam", "soma")
MOST_OWN: Final = 30
"""Files at a time; the oldest goes when another comes."""


@dataclass
class Entry:
    """A puzzle, and what is known of its solutions: those of `ordered` parts are there."""

    key: str
    puzzle: PackingPuzzle
    is_own: bool = False
    left_out: tuple[str, ...] = ()
    first: PackingSolution | None = None
    has_none: bool = False
    solutions: list[PackingSolution] = field(default_factory=list)
    counts: dict[int, PartCount] = field(default_factory=dict)
    ordered: int = 0
    count: int | None = None
    pictures: int = 0
    colours: Mapping[str, str] = field(default_factory=dict)
    """Of pieces that always have the same, by their names."""

    @property
    def shown(self) -> list[PackingSolution]:
        """The solutions that can be looked at."""
        return self.solutions or ([] if self.first is None else [self.first])


class Library:
    """All puzzles by their keys; any thread may ask."""

    def __init__(self, hub: Hub, others: Sequence[ListedPuzzle] = ()) -> None:
        """`others` are puzzles of other kinds, which stand among these."""
        self._hub = hub
        self._others = tuple(others)
        self._unlisted: dict[str, Entry] = {}
        self._lock = threading.Lock()
        self._opened = 0
        rest = [name for name in puzzle_files.names() if name not in FIRST_SHOWN]
        named = {name: puzzle_files.load(name) for name in (*FIRST_SHOWN, *rest)}
        self._puzzles = {name: Entry(name, puzzle) for name, puzzle in named.items()}
        self.publish()

    def named(self, key: str) -> Entry:
        """Return a puzzle. Raises InvalidInputError if there is none of that name."""
        with self._lock:
            found = self._puzzles.get(key) or self._unlisted.get(key)
        if found is None:
            raise InvalidInputError(
                f"There is no puzzle {key!r} here. A file has to be opened again after the "
                "dashboard was restarted."
            )
        return found

    def add(self, opened: Opened) -> str:
        """Take up a file's puzzle, first of all; return its key."""
        with self._lock:
            self._opened += 1
            key = f"file-{self._opened}"
            new = Entry(key, opened.puzzle, is_own=True, left_out=opened.left_out)
            self._puzzles = {key: new, **self._puzzles}
            own = [each.key for each in self._puzzles.values() if each.is_own]
            for old in own[MOST_OWN:]:
                del self._puzzles[old]
        self.publish()
        return key

    def add_unlisted(self, entry: Entry) -> None:
        """Add a puzzle that is not listed, under its key."""
        with self._lock:
            self._unlisted[entry.key] = entry

    def publish(self) -> None:
        """Publish the list: own files, the best known, other kinds, the rest."""
        with self._lock:
            listed = {key: _listed(entry) for key, entry in self._puzzles.items()}
            first = [e for key, e in listed.items() if e.is_own or key in FIRST_SHOWN]
            rest = [entry for entry in listed.values() if entry not in first]
            self._hub.publish(LIBRARY, [*first, *self._others, *rest])


def _listed(entry: Entry) -> ListedPuzzle:
    puzzle = entry.puzzle
    return ListedPuzzle(entry.key, puzzle.title, _note(entry), entry.pictures, entry.is_own)


def _note(entry: Entry) -> str:
    puzzle = entry.puzzle
    pieces = sum(piece.copies_max for piece in puzzle.pieces)
    if entry.count is not None:
        return f"{counted(pieces, 'piece')} · {entry.count:,} solutions"
    low, high = puzzle.target.bounding_box
    size = f" {TIMES} ".join(str(b - a + 1) for a, b in zip(low, high, strict=True))
    return f"{counted(pieces, 'piece')} · {size}"
