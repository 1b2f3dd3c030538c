"""What the Puzzles page may ask for, as it comes over the wire."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from solvers.polycube.ubongo.grade import Grade

MOST_WORKERS: Final = 64

Key = Annotated[str, Meta(max_length=60)]
Workers = Annotated[int, Meta(ge=1, le=MOST_WORKERS)]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No further words."""


class Show(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle and one of its solutions, from 1."""

    puzzle: Key
    solution: Annotated[int, Meta(ge=1, le=10**9)] = 1


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Search a packing puzzle; what an earlier search has kept is not searched again."""

    puzzle: Key
    wanted: Literal["count", "all", "first"] = "count"
    workers: Workers = 1


class SolveCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card: piece numbers, and the base area row by row, `.` a field and `#` none."""

    pieces: Annotated[tuple[int, ...], Meta(max_length=16)]
    rows: Annotated[tuple[Annotated[str, Meta(max_length=12)], ...], Meta(max_length=12)]
    height: Annotated[int, Meta(ge=1, le=12)] = 2


class MakeCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """New cards, each with exactly one solution; the same seed makes the same cards."""

    number: Annotated[int, Meta(ge=1, le=80)] = 8
    pieces: Annotated[int, Meta(ge=1, le=16)] = 3
    height: Annotated[int, Meta(ge=1, le=12)] = 2
    grade: Grade | None = None
    seed: Annotated[int, Meta(ge=0, le=10**9)] = 1


class Lay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Search a tile puzzle."""

    puzzle: Key
    wanted: Literal["all", "first"] = "all"
    workers: Workers = 1


class Slide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sliding board, row by row, 0 being the blank; solved to its usual goal."""

    cells: Annotated[list[int], Meta(min_length=4, max_length=100)]
    width: Annotated[int, Meta(ge=2, le=10)]
