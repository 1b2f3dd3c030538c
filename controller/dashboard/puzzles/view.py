"""What the Puzzles page shows, as plain values; the page's scripts draw them and know no more."""

from enum import StrEnum
from typing import Final

import msgspec

from controller.dashboard.hub import Hub

SEARCH: Final = "puzzles"
LIBRARY: Final = "puzzles-library"
RECENT: Final = "puzzles-recent"
MOST_RECENT: Final = 8


class Phase(StrEnum):
    """What state the search is in; the same words stand in the page."""

    READY = "ready"
    RUNNING = "running"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAULT = "fault"


class Entry(msgspec.Struct, frozen=True):
    """A puzzle of the library. `pictures` is the number of its thumbnail, which may change."""

    key: str
    title: str
    note: str
    pictures: int = 0
    is_own: bool = False


class SearchView(msgspec.Struct, frozen=True, kw_only=True):
    """The one search of the page: whose, of which kind, how far, what it has found."""

    phase: Phase = Phase.READY
    puzzle: str = ""
    kind: str = ""
    wanted: str = ""
    title: str = ""
    heading: str = ""
    sentence: str = ""
    share: float | None = None
    parts: str = ""
    """One letter for each part: d done, n now, w waiting."""
    found: int | None = None
    found_words: str = ""
    nodes: int = 0
    total: int | None = None
    """With all turned images."""
    seconds: float = 0.0
    left_s: float | None = None
    workers: int = 0
    solutions: int = 0
    """So many can be looked at."""
    can_go_on: bool = False
    made: int = 0
    """How often cards were made, so that a page sees when new ones are there."""
    extra: object = None
    """What a kind of puzzle tells besides."""


def solutions_word(number: int) -> str:
    """Return the noun beside a number of solutions."""
    return "solution" if number == 1 else "solutions"


class Recent(msgspec.Struct, frozen=True):
    """What a search came to; `kind` is ok, warn or fault."""

    text: str
    result: str
    kind: str = "ok"


class RecentResults:
    """The last results, the newest first."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._results: list[Recent] = []
        hub.tell(RECENT, [])

    def add(self, text: str, result: str, kind: str = "ok") -> None:
        """Tell of one more."""
        self._results = [Recent(text, result, kind), *self._results][:MOST_RECENT]
        self._hub.tell(RECENT, self._results)
