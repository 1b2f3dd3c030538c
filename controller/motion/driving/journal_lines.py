"""What stands in the lines of a journal."""

from typing import Annotated, Any, Final, TypeAlias

import msgspec

VERSION: Final = 3

_Index: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class Versioned(msgspec.Struct):
    """The first line, as far as every version has it."""

    version: int


class HeaderLine(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: what the run is to do. `state` and `target` are facelets.

    `calibration` is the rig's own affair; `camera` names the one that looked, None if none did.
    """

    version: int
    rig: str
    drive: str
    brick: str
    state: str
    target: str
    moves: str
    primitives: tuple[str, ...]
    calibration: dict[str, Any]
    camera: str | None


class HomeLine(msgspec.Struct, tag_field="event", tag="home", forbid_unknown_fields=True):
    """The mechanism has taken its home."""

    state: dict[str, Any]


class Reached(msgspec.Struct, tag_field="event", tag="reached", forbid_unknown_fields=True):
    """Primitive number `primitive`, from 0, is under way."""

    primitive: _Index
    state: dict[str, Any]


class Finished(msgspec.Struct, tag_field="event", tag="finished", forbid_unknown_fields=True):
    """Primitive number `primitive`, from 0, is done."""

    primitive: _Index
    name: str
    seconds: float
    state: dict[str, Any]


Event: TypeAlias = HomeLine | Reached | Finished
