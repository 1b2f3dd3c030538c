"""What a drive through one plan or several came to."""

from dataclasses import dataclass
from typing import TypeVar

from controller.motion.driving.executor import ExecutionEvent, PrimitiveFinished, PrimitiveRetried
from controller.motion.driving.recovery import Recovered, Recovery, RecoveryBegan
from solvers.foundation.progress import Job, overheard

Event = TypeVar("Event")
Report = TypeVar("Report")


@dataclass(frozen=True, slots=True)
class HomeTaken:
    """Home was found."""

    after_restart: bool


DriveEvent = HomeTaken | RecoveryBegan | ExecutionEvent


@dataclass(frozen=True, slots=True)
class DriveReport:
    """What a drive came to; `after_restart` if home had to be found again.

    `recoveries` are the remedies that were carried out, the retries of primitives among them.
    """

    finished: int
    retries: int
    measured_seconds: float
    after_restart: bool = False
    recoveries: tuple[Recovery, ...] = ()


class DriveTally:
    """Adds up the events of a drive."""

    def __init__(self) -> None:
        self._finished = self._retries = 0
        self._seconds, self._after_restart = 0.0, False
        self._recoveries: list[Recovery] = []

    def following(self, job: Job[Event, Report]) -> Job[Event, Report]:
        """Hand on a job's events, and note them."""
        return overheard(job, self._note)

    @property
    def report(self) -> DriveReport:
        """What it came to so far."""
        return DriveReport(
            self._finished,
            self._retries,
            self._seconds,
            self._after_restart,
            tuple(self._recoveries),
        )

    def _note(self, event: object) -> None:
        match event:
            case PrimitiveFinished():
                self._finished += 1
                self._seconds += event.seconds
            case PrimitiveRetried():
                self._retries += 1
            case HomeTaken():
                self._after_restart |= event.after_restart
            case Recovered():
                self._recoveries.append(event.recovery)
