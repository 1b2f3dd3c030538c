"""Connects to a brick and shows a run while it goes on."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_state_path
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from controller.errors import InvalidJournalError, StoppedError
from solvers.foundation.command_line.app import stderr

if TYPE_CHECKING:
    from controller.calibration.calibration import Calibration
    from controller.drivers.mechanism import Mechanism
    from controller.session import SessionEvent
    from solvers.foundation.clock import Clock


DRY_RUN = "dry-run"
"""Stands in for the address of a brick where nothing is to move."""


@dataclass(slots=True)
class DriveSummary:
    """What a run came to."""

    finished: int = 0
    retries: int = 0
    measured_seconds: float = 0.0
    notes: list[str] = field(default_factory=list)


def journals_folder() -> Path:
    """Return where journals are kept unless the user names another place."""
    return user_state_path("puzzlerig") / "journals"


def new_journal_path() -> Path:
    """Return a name for a new journal, sorted by time."""
    return journals_folder() / f"run-{datetime.now():%Y%m%d-%H%M%S-%f}.journal"


def newest_journal_path() -> Path:
    """Return the journal written last. Raises InvalidJournalError if there is none."""
    journals = sorted(journals_folder().glob("*.journal"))
    if not journals:
        raise InvalidJournalError(
            f"There is no journal in {journals_folder()}. Name one: cuberobot resume JOURNAL."
        )
    return journals[-1]


@contextmanager
def connected(
    brick: str, motor_control: bool, calibration: "Calibration", clock: "Clock"
) -> "Iterator[Mechanism]":
    """Connect to a brick and yield its mechanism; DRY_RUN is a mechanism without a brick."""
    from controller.drivers.brick_address import parse_address
    from controller.drivers.dry_run import DryRunMechanism

    if brick == DRY_RUN:
        yield DryRunMechanism(calibration.costs, clock)
        return
    address = parse_address(brick)
    from controller.drivers.brick_link import BrickLink
    from controller.drivers.direct_drive import DirectDrive
    from controller.drivers.motor_control_drive import MotorControlDrive
    from controller.drivers.nxt_mechanism import NxtMechanism

    with BrickLink(address) as link:
        kind = MotorControlDrive if motor_control else DirectDrive
        drive = kind(link, clock, calibration.patience.stall_s)
        yield NxtMechanism(link, drive, clock, calibration)


def show_run(events: "Iterator[SessionEvent]", total: int, journal: Path) -> DriveSummary:
    """Play a run to its end and draw its progress. Raises StoppedError on Ctrl-C or SIGTERM."""
    columns: list[Any] = [
        TextColumn("{task.description:<22}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[remaining]}"),
    ]
    summary = DriveSummary()
    with _interrupt_on_termination(), Progress(*columns, console=stderr) as progress:
        task = progress.add_task("driving", total=total, remaining="")
        try:
            for event in events:
                _show(event, summary, progress, task)
        except KeyboardInterrupt:
            events.close()  # type: ignore[attr-defined]  # they come from a generator
            raise StoppedError(
                f"Stopped by you after {summary.finished} of {total} primitives; the motors are "
                f"off. `cuberobot resume {journal}` goes on."
            ) from None
    return summary


def _show(event: "SessionEvent", summary: DriveSummary, progress: Progress, task: Any) -> None:
    from controller.motion.executor import PrimitiveFinished, PrimitiveRetried, PrimitiveStarted

    match event:
        case PrimitiveStarted():
            progress.update(
                task,
                description=f"drive: {event.primitive}",
                completed=event.index,
                remaining=f"about {event.remaining_s:.0f} robot seconds left",
            )
        case PrimitiveFinished():
            summary.finished = event.index + 1
            summary.measured_seconds += event.seconds
            progress.update(task, completed=event.index + 1)
        case PrimitiveRetried():
            summary.retries += 1
            progress.console.print(f"Trying once more: {event.reason}", highlight=False)
        case _ if event.after_restart:
            note = "The brick was restarted; the rig's present pose was taken as home."
            summary.notes.append(note)
            progress.console.print(note)


@contextmanager
def _interrupt_on_termination() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that the motors stop then too."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
