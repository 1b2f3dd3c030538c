"""The record of a run on disk, from which an interrupted run goes on.

A journal is a text file of lines `CHECKSUM JSON`. The first line says what the run is to do, each
further line what has happened. Lines are flushed one by one, so that after a crash at most the last
one is torn, and that one is cut off when the journal is opened again.

Only here primitives, moves and cubes are text; whoever writes or reads a journal has the objects.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from controller.errors import InvalidJournalError, RobotError
from controller.motion.driving.journal_lines import (
    VERSION,
    Event,
    Finished,
    HeaderLine,
    HomeLine,
    Lost,
    Mended,
    Planned,
    Reached,
    Versioned,
    check_replaceable,
    line_of,
    whole_lines,
)
from controller.motion.driving.recovery import Recovery
from controller.motion.driving.run_record import RunHeader, RunRecord
from controller.motion.mechanism import State
from controller.motion.primitives import Primitive, parse_primitive
from solvers.foundation.device_lock import DeviceLock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.typed_files import parse_json
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.notation import Move, format_moves, parse_moves


class Journal:
    """A journal that is being written. Use as a context manager.

    All that write raise RobotError if that is not possible.
    """

    def __init__(self, path: Path, valid_bytes: int = 0) -> None:
        """Open `path` to write after `valid_bytes` bytes, for nobody else meanwhile.

        Raises RobotError, and InvalidJournalError if that would overwrite what is no journal.
        """
        if not valid_bytes:
            check_replaceable(path)
        self.path = path
        self._record = read_journal(path)[0] if valid_bytes else None
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
        with suppress(OSError):  # what a full disk did not take was told when it was written
            self._file.close()
        self._lock.close()

    @property
    def record(self) -> RunRecord:
        """What it tells by now."""
        assert self._record is not None, "nothing was begun"
        return self._record

    def reread(self) -> RunRecord:
        """Return what the file tells; `record` may lack a line after an interruption at any moment.

        So a line is never written twice. A file that somebody has taken away is not asked.
        """
        try:
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        with suppress(InvalidJournalError):
            self._record, _ = read_journal(self.path)
        return self.record

    def begin(self, header: RunHeader) -> None:
        """Write what the run is to do."""
        self._write(
            HeaderLine(
                version=VERSION,
                rig=header.rig,
                drive=header.drive,
                brick=header.brick,
                state=None if header.start is None else format_facelets(header.start),
                target=format_facelets(header.target),
                moves=format_moves(header.moves),
                primitives=_names(header.primitives),
                calibration=dict(header.calibration),
                camera=header.camera,
            )
        )
        self._record = RunRecord(header)

    def take_home(self, state: State) -> None:
        """Write that the mechanism has taken its home."""
        self._add(HomeLine(dict(state)))

    def reach(self, primitive: int, state: State) -> None:
        """Write that the mechanism is within a primitive, and its state."""
        self._add(Reached(primitive, dict(state)))

    def finish(self, index: int, primitive: Primitive, seconds: float, state: State) -> None:
        """Write that a primitive is done, how long it took, and the mechanism's state."""
        self._add(Finished(index, str(primitive), round(seconds, 3), dict(state)))

    def lose(self) -> None:
        """Write that nobody knows any more how the cube lies."""
        self._add(Lost())

    def plan(
        self, start: CubieCube, moves: tuple[Move, ...], primitives: tuple[Primitive, ...]
    ) -> None:
        """Write how the cube lies and what is to be done from here on."""
        self._add(Planned(format_facelets(start), format_moves(moves), _names(primitives)))

    def mend(self, recovery: Recovery) -> None:
        """Write what was done about something that went wrong."""
        seconds = round(recovery.seconds, 3)
        self._add(Mended(recovery.remedy, recovery.primitive, recovery.reason, seconds))

    def _add(self, event: Event) -> None:
        self._write(event)
        self._record = _after(self.record, event, str(self.path))

    def _write(self, line: HeaderLine | Event) -> None:
        try:
            self._file.write(line_of(line))
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError) -> RobotError:
        return RobotError(
            f"The journal {self.path} cannot be written: {error.strerror}. "
            "Name another place with --journal."
        )


def read_journal(path: Path) -> tuple[RunRecord, int]:
    """Return what a journal tells and how many of its bytes are valid.

    A torn last line is left out. Raises InvalidJournalError for anything else that is wrong.
    """
    bodies, valid_bytes = whole_lines(path)
    record = RunRecord(_header(bodies[0], f"{path}, line 1"))
    for number, body in enumerate(bodies[1:], start=2):
        where = f"{path}, line {number}"
        # mypy has no name for "any type"; a union is one too.
        event: Event = parse_json(body, Event, where, InvalidJournalError)  # type: ignore[arg-type]
        record = _after(record, event, where)
    return record, valid_bytes


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
            start=None if line.state is None else parse_facelets(line.state),
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
    match event:
        case HomeLine():
            return replace(record, state=event.state)
        case Lost():
            return replace(record, is_lost=True)
        case Mended():
            mended = Recovery(event.remedy, event.primitive, event.reason, event.seconds)
            return replace(record, recoveries=(*record.recoveries, mended))
        case Planned():
            return _planned(record, event, where)
    if event.primitive != record.finished or record.is_complete or not record.has_plan:
        raise InvalidJournalError(
            f"{where}: this tells of primitive {event.primitive + 1}, "
            f"but {record.finished} of {len(record.header.primitives)} are done."
        )
    if isinstance(event, Finished):
        done = record.finished + 1
        return replace(record, finished=done, is_under_way=False, state=event.state)
    return replace(record, is_under_way=True, state=event.state)


def _planned(record: RunRecord, event: Planned, where: str) -> RunRecord:
    try:
        primitives = tuple(map(parse_primitive, event.primitives))
        return record.planned(parse_facelets(event.state), parse_moves(event.moves), primitives)
    except (InvalidInputError, ValueError) as error:
        raise InvalidJournalError(f"{where}: {error}") from None


def _names(primitives: Iterable[Primitive]) -> tuple[str, ...]:
    return tuple(map(str, primitives))
