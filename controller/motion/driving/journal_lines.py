"""What stands in the lines of a journal, `CHECKSUM JSON` each, and which of them are whole."""

import zlib
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from controller.errors import InvalidJournalError
from controller.motion.driving.recovery import Remedy

VERSION: Final = 4

_LONGEST_LINE: Final = 1_000_000
_Index: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]


class Versioned(msgspec.Struct):
    """The first line, as far as every version has it."""

    version: int


class HeaderLine(msgspec.Struct, forbid_unknown_fields=True):
    """The first line: what the run is to do. `state` and `target` are facelets.

    `state` is None where nobody has looked yet. `calibration` is the rig's own affair; `camera`
    names the one that looked, None if none did.
    """

    version: int
    rig: str
    drive: str
    brick: str
    state: str | None
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


class Lost(msgspec.Struct, tag_field="event", tag="lost", forbid_unknown_fields=True):
    """From here on nobody knows how the cube lies, and the plan is void."""


class Planned(msgspec.Struct, tag_field="event", tag="plan", forbid_unknown_fields=True):
    """Somebody has looked, and this is the plan from here on; `state` are facelets."""

    state: str
    moves: str
    primitives: tuple[str, ...]


class Mended(msgspec.Struct, tag_field="event", tag="recovery", forbid_unknown_fields=True):
    """Something went wrong and a remedy was tried."""

    remedy: Remedy
    primitive: _Index | None
    reason: str
    seconds: float


Event: TypeAlias = HomeLine | Reached | Finished | Lost | Planned | Mended


def line_of(entry: HeaderLine | Event) -> bytes:
    """Return a line of a journal."""
    body = msgspec.json.encode(entry)
    return b"%08x %s\n" % (zlib.crc32(body), body)


def whole_lines(path: Path) -> tuple[list[bytes], int]:
    """Return the bodies of the lines whose checksums are right, and how many bytes they take.

    A torn last line is left out. Raises InvalidJournalError for anything else that is wrong.
    """
    try:
        lines = path.read_bytes().splitlines(keepends=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidJournalError(f"The journal {path} cannot be read: {reason}.") from None
    bodies: list[bytes] = []
    for number, line in enumerate(lines, start=1):
        body = _body(line)
        if body is None and number == len(lines) > 1:
            return bodies, sum(map(len, lines[:-1]))
        if body is None:
            raise InvalidJournalError(f"{path}, line {number}: this is no journal, or damaged.")
        bodies.append(body)
    if not bodies:
        raise InvalidJournalError(f"{path} is empty.")
    return bodies, sum(map(len, lines))


def check_replaceable(path: Path) -> None:
    """Raise InvalidJournalError if `path` holds something else than a journal."""
    try:
        with path.open("rb") as file:
            first = file.readline(_LONGEST_LINE)
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        raise InvalidJournalError(f"No journal can be kept at {path}: {error}.") from None
    if first and _body(first) is None:
        raise InvalidJournalError(
            f"{path} is there and is no journal, so it is not overwritten. "
            "Name another place with --journal."
        )


def _body(line: bytes) -> bytes | None:
    """Return what a line says, None if it is not whole."""
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    is_whole = line.endswith(b"\n") and checksum == b"%08x" % zlib.crc32(body)
    return body if is_whole else None
