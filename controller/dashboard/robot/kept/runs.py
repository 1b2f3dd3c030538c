"""Earlier runs by their journals, and which of them a robot can go on with."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import msgspec

from controller.errors import InvalidJournalError
from controller.motion.driving.journal import read_journal
from controller.motion.driving.journals import journals_newest_first
from solvers.foundation.errors import InvalidInputError

MOST_SHOWN: Final = 12


class EarlierRun(msgspec.Struct, frozen=True):
    """A run as its journal tells it. `can_resume` by the robot at its address."""

    name: str
    when: str
    robot: str
    finished: int
    total: int
    state: str
    can_resume: bool


def earlier_runs(address: str | None) -> list[EarlierRun]:
    """Return the newest runs; those that the robot at `address` can go on with are marked.

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
    """Yield what a journal tells, nothing if it tells nothing."""
    try:
        record, _ = read_journal(path)
        when = datetime.fromtimestamp(path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
    except (InvalidJournalError, OSError):
        return
    if record.is_complete:
        state = "finished"
    elif not record.has_plan:
        state = "nobody knows how the cube lies"
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


def journal_called(name: str) -> Path:
    """Return the journal of a run. Raises InvalidInputError if there is none of that name."""
    for path in journals_newest_first():
        if path.stem == name:
            return path
    raise InvalidInputError(f"There is no journal called {name[:40]!r}.")
