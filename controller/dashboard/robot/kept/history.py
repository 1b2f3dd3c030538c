"""The robot's solves, kept over restarts in a file with version and checksum."""

import zlib
from pathlib import Path
from typing import Final

import msgspec
from platformdirs import user_state_path

from controller.errors import RobotError
from solvers.foundation.files import write_bytes
from solvers.foundation.typed_files import read_bytes

VERSION: Final = 1
MOST_SOLVES: Final = 300
"""The oldest are dropped; a page plots a hundred or two."""


class Solve(msgspec.Struct, frozen=True):
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
    """Return where the history is kept."""
    return user_state_path("puzzlerig") / "history.json"


class History:
    """The last solves, oldest first."""

    def __init__(self, path: Path) -> None:
        """Read what is there; raises nothing: `trouble` says why a file could not be read."""
        self.trouble = ""
        self._path = path
        self.solves: tuple[Solve, ...] = ()
        try:
            self.solves = _read(path)
        except RobotError as error:
            self.trouble = f"{error} A new history is begun; the old file is kept beside it."

    def add(self, solve: Solve) -> None:
        """Keep a solve. Raises RobotError if it cannot be written; it is shown then, too."""
        if self.trouble and self._path.exists():
            self._path.replace(self._path.with_suffix(".unreadable.json"))
            self.trouble = ""
        self.solves = (*self.solves, solve)[-MOST_SOLVES:]
        solves = msgspec.json.encode(self.solves)
        content = _File(VERSION, zlib.crc32(solves), msgspec.Raw(solves))
        write_bytes(self._path, msgspec.json.encode(content), error=RobotError)


def _read(path: Path) -> tuple[Solve, ...]:
    if not path.exists():
        return ()
    data = read_bytes(path, RobotError, "The history of solves")
    try:
        content = msgspec.json.decode(data, type=_File)
        if content.version != VERSION:
            raise RobotError(f"The history of solves {path} is of version {content.version}.")
        if zlib.crc32(bytes(content.solves)) != content.checksum:
            raise RobotError(f"The history of solves {path} is damaged.")
        return msgspec.json.decode(content.solves, type=tuple[Solve, ...])
    except msgspec.DecodeError:
        raise RobotError(f"{path} is no history of solves.") from None
