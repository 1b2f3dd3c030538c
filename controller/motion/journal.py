"""The record of a run on disk, from which an interrupted run is resumed.

A journal is a text file of lines `CHECKSUM JSON`. The first line says what the run is to do, each
further line what has happened. Lines are flushed one by one, so that after a crash at most the last
one is torn, and that one is cut off when the journal is opened again.

Only here primitives, moves and cubes are text; callers have the objects.
"""

import re
import tempfile
import zlib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Final, Self, TypeAlias

import msgspec
from platformdirs import user_state_path

from controller.errors import InvalidJournalError, RobotError
from controller.motion.mechanism import State
from controller.motion.primitives import Primitive, parse_primitive
from controller.motion.run_record import Recovery, RecoveryAction, RunHeader, RunRecord
from solvers.foundation.device_lock import DeviceLock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import read_bytes
from solvers.foundation.typed_files import parse_json
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import FACE_LETTERS, format_facelets, parse_facelets
from solvers.rubik.notation import Move, format_moves, parse_moves

VERSION: Final = 4

# A run has some two hundred primitives, and a line of about 300 bytes before and after each.
LARGEST_JOURNAL_BYTES: Final = 4 << 20
_MOST_LINES: Final = 10_000
_Index: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
_Colours: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[URFDLB]{6}$")]


class Versioned(msgspec.Struct):
    """The first line, as far as every version has it."""

    version: int


class HeaderLine(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: what the run is to do. `state` and `target` are facelets.

    `state` is None until the first scan. `calibration` is the rig's own format; `camera`
    names the one that looked, None if none did. `colours` are those of the centres at `state`.
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
    colours: _Colours = FACE_LETTERS


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
    """From here on the cube's position is unknown, and the plan is void."""


class Planned(
    msgspec.Struct,
    tag_field="event",
    tag="plan",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """The plan from here on, after a scan; `state` are facelets, `colours` as in the header."""

    state: str
    moves: str
    primitives: tuple[str, ...]
    colours: _Colours = FACE_LETTERS


class Recovered(msgspec.Struct, tag_field="event", tag="recovery", forbid_unknown_fields=True):
    """Something went wrong and a recovery action was tried."""

    action: RecoveryAction = msgspec.field(name="remedy")  # the name in version 4
    primitive: _Index | None
    reason: str
    seconds: float


Event: TypeAlias = HomeLine | Reached | Finished | Lost | Planned | Recovered


def line_of(entry: HeaderLine | Event) -> bytes:
    """Return a line of a journal."""
    body = msgspec.json.encode(entry)
    return b"%08x %s\n" % (zlib.crc32(body), body)


def whole_lines(path: Path) -> tuple[list[bytes], int]:
    """Return the bodies of the lines whose checksums are right, and how many bytes they take.

    A torn last line is left out. Raises InvalidJournalError for anything else that is wrong.
    """
    data = read_bytes(path, InvalidJournalError, "The journal", LARGEST_JOURNAL_BYTES)
    if data.count(b"\n") > _MOST_LINES:
        raise InvalidJournalError(f"The journal {path} has more than {_MOST_LINES} lines.")
    lines = data.splitlines(keepends=True)
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
            first = file.readline(LARGEST_JOURNAL_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        return
    except (OSError, ValueError) as error:
        raise InvalidJournalError(f"No journal can be written at {path}: {error}.") from None
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


_USUAL_BYTES: Final = 16 * 1024  # the journal of a run that goes well
_NAME: Final = re.compile(r"run-(\d+)\.journal")

KEPT_RUNS: Final = 100
"""The number of newest runs that are kept; of older ones, those that can be resumed are."""

_TOO_MANY_RUNS: Final = 120  # all have to be read to know which can be resumed


def journals_folder() -> Path:
    """Return where journals are stored unless the user names another place."""
    return user_state_path("puzzlerig") / "journals"


def check_new_journal() -> None:
    """Write something as large as a journal and remove it again. Raises RobotError."""
    folder = journals_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(_USUAL_BYTES))
    except OSError as error:
        raise _unwritable(folder, error) from None


def new_journal_path() -> Path:
    """Make an empty journal under the next number and return its path. Raises RobotError."""
    folder = journals_folder()
    number = max((number for number, _ in _numbered(folder)), default=0)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            number += 1
            path = folder / f"run-{number:06}.journal"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:  # another run has just started
                continue
            if len(_numbered(folder)) > _TOO_MANY_RUNS:
                remove_runs(KEPT_RUNS)
            return path
    except OSError as error:
        raise _unwritable(folder, error) from None


def journals_newest_first() -> list[Path]:
    """Return the journals, the highest number first; one whose run has no plan yet is empty."""
    return [path for _, path in sorted(_numbered(journals_folder()), reverse=True)]


def remove_runs(kept: int) -> list[Path]:
    """Remove all runs but the newest `kept` and those that can be resumed; return what was removed.

    A run that was cut off cannot be resumed after a newer one on the same brick was finished.
    """
    removed: list[Path] = []
    moved_since: set[str] = set()
    for index, path in enumerate(journals_newest_first()):
        try:
            record, _ = read_journal(path)
        except InvalidJournalError:  # empty, damaged, or of another version
            can_resume = False
        else:
            can_resume = not record.is_complete and record.header.brick not in moved_since
            if record.is_complete:
                moved_since.add(record.header.brick)
        if index >= kept and not can_resume:
            removed.append(path)
    # The oldest first: a run that was cut off must not outlast the newer one that was finished.
    for path in reversed(removed):
        with suppress(OSError):
            path.unlink()
    return removed


def no_journal() -> InvalidJournalError:
    """Return the error that there is no run to resume."""
    return InvalidJournalError(
        f"There is no journal of an unfinished run in {journals_folder()}. "
        "Name one: cuberobot resume JOURNAL."
    )


def _unwritable(folder: Path, error: OSError) -> RobotError:
    return RobotError(
        f"No journal can be written in {folder}: {error.strerror}. "
        "Name another place with --journal."
    )


def _numbered(folder: Path) -> list[tuple[int, Path]]:
    """Return the journals of the folder with their numbers."""
    found = [(_NAME.fullmatch(path.name), path) for path in folder.glob("*.journal")]
    return [(int(match[1]), path) for match, path in found if match]


class Journal:
    """A journal that is being written. Use as a context manager.

    All that write raise RobotError if that is not possible.
    """

    def __init__(self, path: Path, valid_bytes: int = 0) -> None:
        """Open `path` to write after `valid_bytes` bytes, and lock it.

        Raises RobotError, and InvalidJournalError if that would overwrite what is no journal.
        """
        if not valid_bytes:
            check_replaceable(path)
        self.path = path
        self._record = read_journal(path)[0] if valid_bytes else None
        self._is_new = not path.is_file() or not path.stat().st_size
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
        with suppress(OSError):  # a full disk was reported when the line was written
            self._file.close()
        self._lock.close()

    @property
    def record(self) -> RunRecord:
        """Its content by now."""
        assert self._record is not None, "the run was not started"
        return self._record

    def reread(self) -> RunRecord:
        """Return the content of the file; `record` can lack a line after an interruption.

        So a line is never written twice. A file that was removed meanwhile is not read.
        """
        try:
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None
        with suppress(InvalidJournalError):
            self._record, _ = read_journal(self.path)
        return self.record

    def start(self, header: RunHeader) -> None:
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
                colours=header.colours,
            )
        )
        self._record = RunRecord(header)

    def record_home(self, state: State) -> None:
        """Write that the mechanism has taken its home."""
        self._add(HomeLine(dict(state)))

    def record_reached(self, primitive: int, state: State) -> None:
        """Write that the mechanism is within a primitive, and its state."""
        self._add(Reached(primitive, dict(state)))

    def record_finished(
        self, index: int, primitive: Primitive, seconds: float, state: State
    ) -> None:
        """Write that a primitive is done, how long it took, and the mechanism's state."""
        self._add(Finished(index, str(primitive), round(seconds, 3), dict(state)))

    def record_lost(self) -> None:
        """Write that the cube's position is unknown from here on."""
        self._add(Lost())

    def record_plan(
        self,
        start: CubieCube,
        moves: tuple[Move, ...],
        primitives: tuple[Primitive, ...],
        colours: str = FACE_LETTERS,
    ) -> None:
        """Write the cube's position, its centres' colours and the plan from here on."""
        self._add(Planned(format_facelets(start), format_moves(moves), _names(primitives), colours))

    def record_recovery(self, recovery: Recovery) -> None:
        """Write a recovery action."""
        seconds = round(recovery.seconds, 3)
        self._add(Recovered(recovery.action, recovery.primitive, recovery.reason, seconds))

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
        if self._record is not None:
            advice = f"Make that possible; then `cuberobot resume {self.path}` continues the run."
        elif self._is_new:
            advice = "Name another place with --journal."
        else:
            advice = "Make that possible, and start again."
        return RobotError(f"The journal {self.path} cannot be written: {error.strerror}. {advice}")


def read_journal(path: Path) -> tuple[RunRecord, int]:
    """Return the content of a journal and how many of its bytes are valid.

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
            colours=line.colours,
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
        case Recovered():
            mended = Recovery(event.action, event.primitive, event.reason, event.seconds)
            return replace(record, recoveries=(*record.recoveries, mended))
        case Planned():
            return _planned(record, event, where)
    if event.primitive != record.finished or record.is_complete or not record.has_plan:
        raise InvalidJournalError(
            f"{where}: this is about primitive {event.primitive + 1}, "
            f"but {record.finished} of {len(record.header.primitives)} are done."
        )
    if isinstance(event, Finished):
        return replace(
            record,
            finished=record.finished + 1,
            is_under_way=False,
            state=event.state,
            driven_s=record.driven_s + event.seconds,
        )
    return replace(record, is_under_way=True, state=event.state)


def _planned(record: RunRecord, event: Planned, where: str) -> RunRecord:
    try:
        primitives = tuple(map(parse_primitive, event.primitives))
        start, moves = parse_facelets(event.state), parse_moves(event.moves)
        return record.planned(start, moves, primitives, event.colours)
    except (InvalidInputError, ValueError) as error:
        raise InvalidJournalError(f"{where}: {error}") from None


def _names(primitives: Iterable[Primitive]) -> tuple[str, ...]:
    return tuple(map(str, primitives))
