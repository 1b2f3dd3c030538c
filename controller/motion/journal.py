"""The record of a run on disk, from which an interrupted run goes on.

A journal is a text file of lines `CHECKSUM JSON`. The first line says what the run is to do, each
further line what has happened. Lines are flushed one by one, so that after a crash at most the last
one is torn, and that one is cut off when the journal is opened again.
"""

import json
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from controller.drivers.mechanism import HomeAngles
from controller.drivers.rig_steps import cradle_change
from controller.errors import InvalidJournalError, RobotError
from controller.motion.primitives import Primitive, parse_primitive

VERSION = 1


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run is to do. `state` and `target` are facelets, `moves` standard notation."""

    state: str
    target: str
    moves: str
    primitives: tuple[str, ...]
    brick: str
    motor_control: bool
    version: int = VERSION

    def parsed_primitives(self) -> tuple[Primitive, ...]:
        """Return the primitives; ValueError if one is none."""
        return tuple(map(parse_primitive, self.primitives))


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a journal tells of a run.

    `finished` primitives are certainly done; if `step` is not None the next one was under way, at
    that step. `home` was taken when `home_at` primitives were done.
    """

    header: RunHeader
    finished: int = 0
    step: int | None = None
    home: HomeAngles = (0, 0, 0)
    home_at: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every primitive is done."""
        return self.finished == len(self.header.primitives)

    @property
    def cradle_quarters(self) -> int:
        """Where the cradle stands, in quarters from home."""
        done = self.header.parsed_primitives()[self.home_at : self.finished]
        return sum(map(cradle_change, done))


class Journal:
    """A journal that is being written. Use as a context manager."""

    def __init__(self, path: Path, valid_bytes: int = 0) -> None:
        """Open `path` for writing after its first `valid_bytes` bytes. Raises RobotError."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("r+b" if valid_bytes else "wb")
            self._file.truncate(valid_bytes)
            self._file.seek(valid_bytes)
        except OSError as error:
            raise RobotError(
                f"The journal {path} cannot be written: {error.strerror}. "
                "Name another place with --journal."
            ) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def begin(self, header: RunHeader) -> None:
        """Write what the run is to do."""
        self._write(asdict(header))

    def home(self, home: HomeAngles, finished: int) -> None:
        """Write that home was taken with `finished` primitives done."""
        self._write({"event": "home", "angles": home, "finished": finished})

    def step(self, primitive: int, step: int) -> None:
        """Write that a step of a primitive begins."""
        self._write({"event": "step", "primitive": primitive, "step": step})

    def finish(self, primitive: int, name: str, seconds: float) -> None:
        """Write that a primitive is done, and how long it took."""
        record = {"event": "finished", "primitive": primitive, "name": name}
        self._write({**record, "seconds": round(seconds, 3)})

    def _write(self, record: dict[str, Any]) -> None:
        body = json.dumps(record, separators=(",", ":")).encode()
        self._file.write(b"%08x %s\n" % (zlib.crc32(body), body))
        self._file.flush()


def read_journal(path: Path) -> tuple[RunRecord, int]:
    """Return what a journal tells and how many of its bytes are valid.

    A torn last line is left out. Raises InvalidJournalError for anything else that is wrong.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidJournalError(f"The journal {path} cannot be read: {error.strerror}.") from None
    records, valid_bytes = [], 0
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines, start=1):
        record = _parse_line(line)
        if record is None and number == len(lines) > 1:
            break
        if record is None:
            raise InvalidJournalError(f"{path}, line {number}: this is no journal, or damaged.")
        records.append(record)
        valid_bytes += len(line)
    if not records:
        raise InvalidJournalError(f"{path} is empty.")
    try:
        return _replay(records), valid_bytes
    except (TypeError, ValueError, KeyError) as error:
        raise InvalidJournalError(
            f"{path} is not a journal of version {VERSION} ({error}). Start a new run."
        ) from None


def _parse_line(line: bytes) -> dict[str, Any] | None:
    checksum, _, body = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(body):
        return None
    record = json.loads(body)
    return record if isinstance(record, dict) else None


def _replay(records: list[dict[str, Any]]) -> RunRecord:
    header_fields = {**records[0], "primitives": tuple(records[0]["primitives"])}
    header = RunHeader(**header_fields)
    if header.version != VERSION:
        raise ValueError(f"its version is {header.version}")
    total = len(header.parsed_primitives())
    finished, step, home, home_at = 0, None, (0, 0, 0), 0
    for record in records[1:]:
        match record["event"]:
            case "home":
                cradle, arm, pusher = record["angles"]
                home, home_at = (cradle, arm, pusher), record["finished"]
            case "step":
                step = record["step"]
            case "finished":
                finished, step = record["primitive"] + 1, None
            case other:
                raise ValueError(f"unknown event {other!r}")
    if not 0 <= home_at <= finished <= total:
        raise ValueError("it has done more than it was to do")
    return RunRecord(header, finished, step, home, home_at)
