"""Earlier runs, solves and calibrated prices, as the Robot page lists them."""

import zlib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec
from platformdirs import user_state_path

from controller.dashboard.hub import Hub
from controller.errors import InvalidJournalError, RobotError
from controller.motion.journal import journals_newest_first, read_journal
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.registry import DEFAULT_RIG, get_rig
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import read_bytes, write_bytes

VERSION: Final = 1
MOST_SOLVES: Final = 300
"""The oldest are dropped; a page plots a hundred or two."""


class PastSolve(msgspec.Struct, frozen=True):
    """One run from the first primitive to the last; seconds of the robot.

    `planned_s` is what the plan promised. `seen` says how sure the camera was in the end, None
    where none looked.
    """

    when: str
    robot: str
    drive: str
    moves: int
    primitives: int
    planned_s: float
    measured_s: float
    retries: int
    seen: float | None


class _File(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    checksum: int
    solves: msgspec.Raw


def history_path() -> Path:
    """Return the path of the history."""
    return user_state_path("puzzlerig") / "history.json"


class History:
    """The last solves, oldest first."""

    def __init__(self, path: Path) -> None:
        """Read what is there; raises nothing: `trouble` says why a file could not be read."""
        self.trouble = ""
        self._path = path
        self.solves: tuple[PastSolve, ...] = ()
        try:
            self.solves = _read(path)
        except RobotError as error:
            self.trouble = f"{error} A new history was started; the old file was renamed."

    def add(self, solve: PastSolve) -> None:
        """Store a solve. Raises RobotError if it cannot be written; it is shown then, too."""
        if self.trouble and self._path.exists():
            self._path.replace(self._path.with_suffix(".unreadable.json"))
            self.trouble = ""
        self.solves = (*self.solves, solve)[-MOST_SOLVES:]
        solves = msgspec.json.encode(self.solves)
        content = _File(VERSION, zlib.crc32(solves), msgspec.Raw(solves))
        write_bytes(self._path, msgspec.json.encode(content), error=RobotError)


def _read(path: Path) -> tuple[PastSolve, ...]:
    if not path.exists():
        return ()
    data = read_bytes(path, RobotError, "The history of solves")
    try:
        content = msgspec.json.decode(data, type=_File)
        if content.version != VERSION:
            raise RobotError(f"The history of solves {path} is of version {content.version}.")
        if zlib.crc32(bytes(content.solves)) != content.checksum:
            raise RobotError(f"The history of solves {path} is damaged.")
        return msgspec.json.decode(content.solves, type=tuple[PastSolve, ...])
    except msgspec.DecodeError:
        raise RobotError(f"{path} is no history of solves.") from None


MOST_SHOWN: Final = 12


class EarlierRun(msgspec.Struct, frozen=True):
    """Summary of a run's journal; `can_resume` if its robot is connected."""

    name: str
    when: str
    robot: str
    finished: int
    total: int
    state: str
    can_resume: bool


def earlier_runs(address: str | None) -> list[EarlierRun]:
    """Return the newest runs; those that the robot at `address` can resume are marked.

    A newer run of the same robot has moved the cube since.
    """
    shown: list[EarlierRun] = []
    for path in journals_newest_first():
        if len(shown) == MOST_SHOWN:
            break
        is_newest = all(run.robot != address for run in shown)
        shown.extend(_summary(path, address if is_newest else None))
    return shown


def _summary(path: Path, address: str | None) -> Iterator[EarlierRun]:
    """Yield the summary of a journal, nothing if it cannot be read."""
    try:
        record, _ = read_journal(path)
        when = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    except (InvalidJournalError, OSError):
        return
    if record.is_complete:
        state = "finished"
    elif not record.has_plan:
        state = "position unknown"
    else:
        state = "cut off within a primitive" if record.is_under_way else "stopped"
    header = record.header
    yield EarlierRun(
        name=path.stem,
        when=when,
        robot=header.brick,
        finished=record.finished,
        total=len(header.primitives),
        state=state,
        can_resume=not record.is_complete and header.brick == address,
    )


def find_journal(name: str) -> Path:
    """Return the journal of a run. Raises InvalidInputError if there is none of that name."""
    for path in journals_newest_first():
        if path.stem == name:
            return path
    raise InvalidInputError(f"There is no journal called {name[:40]!r}.")


SHOWN: Final[tuple[Primitive, ...]] = (Tilt(), Spin(1), Spin(2), TurnLayer(1), TurnLayer(2))


class Price(msgspec.Struct, frozen=True):
    """A primitive from home, and the robot's seconds for it."""

    primitive: str
    seconds: float


def calibrated(rig: str) -> list[Price]:
    """Return prices as they are calibrated now; none if the owner's file cannot be read."""
    try:
        costs = get_rig(rig).setup().costs
    except PuzzlerigError:  # connecting reports it
        return []
    return [Price(str(each), round(costs.price(each, None), 2)) for each in SHOWN]


RUNS: Final = "runs"
HISTORY: Final = "history"
PRICES: Final = "prices"


class Records:
    """Records on disk, as the page shows them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._history = History(history_path())
        self.trouble = self._history.trouble
        """Why the history could not be read, if so."""
        self._hub.publish(HISTORY, self._history.solves)
        self.refresh(None)

    def refresh(self, address: str | None, rig: str = DEFAULT_RIG) -> None:
        """Publish the runs, for the robot at an address or for none, and a rig's prices."""
        self._hub.publish(RUNS, earlier_runs(address))
        self._hub.publish(PRICES, calibrated(rig))

    def add(self, solve: PastSolve) -> str:
        """Store a solve; return a sentence if it could not be written to disk."""
        try:
            self._history.add(solve)
        except (RobotError, OSError) as error:
            return f"{error} It is shown until the dashboard ends."
        finally:
            self._hub.publish(HISTORY, self._history.solves)
        return ""
