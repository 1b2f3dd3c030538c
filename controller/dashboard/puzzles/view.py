"""Requests and view of the Puzzles page: plain values, as they go over the wire."""

from enum import StrEnum
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from controller.dashboard.controller import Request
from controller.dashboard.hub import Hub
from solvers.polycube.ubongo.card import Grade

MOST_WORKERS: Final = 64

Key = Annotated[str, Meta(max_length=60)]
Workers = Annotated[int, Meta(ge=1, le=MOST_WORKERS)]


class ShowRequest(Request, frozen=True):
    """A puzzle and one of its solutions, from 1."""

    puzzle: Key
    solution: Annotated[int, Meta(ge=1, le=10**9)] = 1


class PackRequest(Request, frozen=True):
    """Search a packing puzzle; parts that an earlier search has finished are not searched again."""

    puzzle: Key
    wanted: Literal["count", "all", "first"] = "count"
    workers: Workers = 1


class SolveCardRequest(Request, frozen=True):
    """A card: piece numbers, and the base area row by row, `.` a field and `#` none."""

    pieces: Annotated[tuple[int, ...], Meta(max_length=16)]
    rows: Annotated[tuple[Annotated[str, Meta(max_length=12)], ...], Meta(max_length=12)]
    height: Annotated[int, Meta(ge=1, le=12)] = 2


class MakeCardsRequest(Request, frozen=True):
    """New cards, each with exactly one solution; the same seed makes the same cards."""

    number: Annotated[int, Meta(ge=1, le=80)] = 8
    pieces: Annotated[int, Meta(ge=1, le=16)] = 3
    height: Annotated[int, Meta(ge=1, le=12)] = 2
    grade: Grade | None = None
    seed: Annotated[int, Meta(ge=0, le=10**9)] = 1


class SolveTilesRequest(Request, frozen=True):
    """Search a tile puzzle."""

    puzzle: Key
    wanted: Literal["all", "first"] = "all"
    workers: Workers = 1


class SlideRequest(Request, frozen=True):
    """A sliding board, row by row, 0 being the blank; solved to its usual goal."""

    cells: Annotated[list[int], Meta(min_length=4, max_length=100)]
    width: Annotated[int, Meta(ge=2, le=10)]


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


class ListedPuzzle(msgspec.Struct, frozen=True):
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
    nodes_before: int = 0
    """Of them by an earlier search, which this one resumes; `seconds` are this one's alone."""
    share_before: float = 0.0
    total: int | None = None
    """With all turned images."""
    seconds: float = 0.0
    left_s: float | None = None
    workers: int = 0
    solutions: int = 0
    """How many can be looked at."""
    can_resume: bool = False
    made: int = 0
    """How often cards were made, so that a page sees when new ones are there."""
    extra: object = None
    """Further fields of a kind of puzzle."""


def solutions_word(number: int) -> str:
    """Return the noun after a number of solutions."""
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
        hub.publish(RECENT, [])

    def add(self, text: str, result: str, kind: str = "ok") -> None:
        """Publish one more."""
        self._results = [Recent(text, result, kind), *self._results][:MOST_RECENT]
        self._hub.publish(RECENT, self._results)
