"""What the Puzzles page may ask for, as it comes over the wire."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

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
