"""The shape of all long work: a generator of events that ends with a report.

Whoever runs a job decides what becomes of its events: a command line draws them, a dashboard hands
them on, a test collects them. A job is stopped by closing its generator, which raises
`GeneratorExit` where it waits, or by a clock whose `sleep` raises; it then cleans up and ends.

    def count(puzzle) -> Job[Progress, Count]:
        for done, part in enumerate(parts):
            yield Progress("counting", done, len(parts), "parts")
            ...
        return Count(...)

    report = run_job(count(puzzle), on_event=draw)
"""

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

Event = TypeVar("Event")
Report = TypeVar("Report")
Told = TypeVar("Told")

Job: TypeAlias = Generator[Event, None, Report]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a job has come: `done` of `total` of what `unit` names; `total` None if unknown."""

    task: str
    done: float
    total: float | None
    unit: str = ""

    @property
    def share(self) -> float | None:
        """Return the share that is done, 0 to 1, or None if nobody knows."""
        return None if not self.total else min(1.0, self.done / self.total)


def retold(job: Job[Event, Report], tell: Callable[[Event], Told]) -> Job[Told, Report]:
    """Run a job and tell its events otherwise: what `tell` raises closes the job."""
    with closing(job):
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                report: Report = end.value
                return report
            yield tell(event)


def overheard(job: Job[Event, Report], hear: Callable[[Event], object]) -> Job[Event, Report]:
    """Hand on a job's events, each after `hear` was told of it; what that raises closes the job."""

    def heard(event: Event) -> Event:
        hear(event)
        return event

    return retold(job, heard)


def checked(job: Job[Event, Report], check: Callable[[], object]) -> Job[Event, Report]:
    """Run a job that does not ask by itself whether it should pause or stop.

    `check` is called before each event is handed on; it may wait, or raise, which closes the job.
    """
    return overheard(job, lambda _: check())


def run_job(
    job: Job[Event, Report], on_event: Callable[[Event], object] = lambda _: None
) -> Report:
    """Run a job to its end and return its report; `on_event` hears every event.

    Whatever ends it early (an error, Ctrl-C, an exception of `on_event`) closes the job first.
    """
    with closing(job):
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                report: Report = end.value
                return report
            on_event(event)
