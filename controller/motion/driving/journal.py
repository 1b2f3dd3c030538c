"""The record of a run on disk, from which an interrupted run goes on.

A journal is a text file of lines `CHECKSUM JSON`. The first line says what the run is to do, each
further line what has happened. Lines are flushed one by one, so that after a crash at most the last
one is torn, and that one is cut off when the journal is opened again.

Only here primitives, moves and cubes are text; whoever writes or reads a journal has the objects.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import msgspec

from controller.errors import InvalidJournalError, RobotError
from controller.motion.driving.journal_lines import (
    VERSION,
    Event,
    Finished,
    HeaderLine,
    HomeLine,
    Reached,
    Versioned,
)
from controller.motion.mechanism import State
from controller.motion.primitives import Primitive, parse_primitive
from solvers.foundation.device_lock import DeviceLock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.typed_files import parse_json
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.notation import Move, format_moves, parse_moves

_LONGEST_LINE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run is to do, and on which robot: its rig, the drive and the brick's address.

    `calibration` is that which the plan was made with, as the rig gave it; `camera` looks at the
    cube, None if nobody does.
    """

    start: CubieCube
    target: CubieCube
    moves: tuple[Move, ...]
    primitives: tuple[Primitive, ...]
    rig: str
    drive: str
    brick: str
    calibration: Mapping[str, Any]
    camera: str | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a journal tells of a run.

    `finished` primitives are certainly done; `is_under_way` says whether the next one was begun.
    `state` is the last one of the mechanism, None if it had not yet taken its home.
    """

    header: RunHeader
    finished: int = 0
    is_under_way: bool = False
    state: State | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every primitive is done."""
        return self.finished == len(self.header.primitives)


class Journal:
    """A journal that is being written. Use as a context manager."""

    def __init__(self, path: Path, valid_bytes: int = 0) -> None:
        """Open `path` to write after `valid_bytes` bytes, for nobody else meanwhile.

        Raises RobotError, and InvalidJournalError if that would overwrite what is no journal.
        """
        if not valid_bytes:
            check_replaceable(path)
        self.path = path
        self._lock = DeviceLock(f"The journal {path.absolute()}", RobotError)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+b" if valid_bytes else "wb")
            self._file.truncate(valid_bytes)
            self._file.seek(valid_bytes)
        except OSError as error:
            self._lock.close()
            raise self._unwritable(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()
        self._lock.close()

    def begin(self, header: RunHeader) -> None:
        """Write what the run is to do. All that write raise RobotError if that is not possible."""
        self._write(
            HeaderLine(
                version=VERSION,
                rig=header.rig,
                drive=header.drive,
                brick=header.brick,
                state=format_facelets(header.start),
                target=format_facelets(header.target),
                moves=format_moves(header.moves),
                primitives=tuple(map(str, header.primitives)),
                calibration=dict(header.calibration),
                camera=header.camera,
            )
        )

    def take_home(self, state: State) -> None:
        """Write that the mechanism has taken its home."""
        self._write(HomeLine(dict(state)))

    def reach(self, primitive: int, state: State) -> None:
        """Write that the mechanism is within a primitive, and its state."""
        self._write(Reached(primitive, dict(state)))

    def finish(self, index: int, primitive: Primitive, seconds: float, state: State) -> None:
        """Write that a primitive is done, how long it took, and the mechanism's state."""
        self._write(Finished(index, str(primitive), round(seconds, 3), dict(state)))

    def _write(self, line: HeaderLine | Event) -> None:
        body = msgspec.json.encode(line)
        try:
            self._file.write(b"%08x %s\n" % (zlib.crc32(body), body))
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> RobotError:
        return RobotError(
            f"The journal {self.path} cannot be written: {error.strerror}. "
            "Name another place with --journal."
        )


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


def read_journal(path: Path) -> tuple[RunRecord, int]:
    """Return what a journal tells and how many of its bytes are valid.

    A torn last line is left out. Raises InvalidJournalError for anything else that is wrong.
    """
    bodies, valid_bytes = _whole_lines(path)
    header = _header(bodies[0], f"{path}, line 1")
    record = RunRecord(header)
    for number, body in enumerate(bodies[1:], start=2):
        where = f"{path}, line {number}"
        # mypy has no name for "any type"; a union is one too.
        event: Event = parse_json(body, Event, where, InvalidJournalError)  # type: ignore[arg-type]
        record = _after(record, event, where)
    return record, valid_bytes


def _whole_lines(path: Path) -> tuple[list[bytes], int]:
    """Return the bodies of the lines whose checksums are right, and how many bytes they take."""
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


def _body(line: bytes) -> bytes | None:
    """Return what a line says, None if it is not whole."""
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    is_whole = line.endswith(b"\n") and checksum == b"%08x" % zlib.crc32(body)
    return body if is_whole else None


def _header(body: bytes, where: str) -> RunHeader:
    version = parse_json(body, Versioned, where, InvalidJournalError).version
    if version != VERSION:
        raise InvalidJournalError(
            f"{where}: this is a journal of version {version}, not of version {VERSION}. "
            "Start a new run."
        )
    line = parse_json(body, HeaderLine, where, InvalidJournalError)
    try:
        return RunHeader(
            start=parse_facelets(line.state),
            target=parse_facelets(line.target),
            moves=parse_moves(line.moves),
            primitives=tuple(map(parse_primitive, line.primitives)),
            rig=line.rig,
            drive=line.drive,
            brick=line.brick,
            calibration=line.calibration,
            camera=line.camera,
        )
    except (InvalidInputError, ValueError) as error:
        raise InvalidJournalError(f"{where}: {error}") from None


def _after(record: RunRecord, event: Event, where: str) -> RunRecord:
    """Return what is known after one more event."""
    if isinstance(event, HomeLine):
        return RunRecord(record.header, record.finished, record.is_under_way, event.state)
    if event.primitive != record.finished or record.is_complete:
        raise InvalidJournalError(
            f"{where}: this tells of primitive {event.primitive + 1}, "
            f"but {record.finished} of {len(record.header.primitives)} are done."
        )
    if isinstance(event, Finished):
        return RunRecord(record.header, record.finished + 1, False, event.state)
    return RunRecord(record.header, record.finished, True, event.state)
