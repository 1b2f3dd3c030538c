"""The shape of all long work: a generator of events that ends with a report.

The caller decides what to do with the events: a command line draws them, a dashboard publishes
them, a test collects them. A job is stopped by closing its generator, which raises
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
Mapped = TypeVar("Mapped")

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
        """Return the share that is done, 0 to 1, or None if it is unknown."""
        return None if not self.total else min(1.0, self.done / self.total)


def map_events(job: Job[Event, Report], function: Callable[[Event], Mapped]) -> Job[Mapped, Report]:
    """Run a job and yield `function` of each event; an exception of it closes the job."""
    with closing(job):
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                report: Report = end.value
                return report
            yield function(event)


def tap(job: Job[Event, Report], listener: Callable[[Event], object]) -> Job[Event, Report]:
    """Pass a job's events on, each after `listener`; an exception of it closes the job."""

    def listen(event: Event) -> Event:
        listener(event)
        return event

    return map_events(job, listen)


def with_cancellation(job: Job[Event, Report], check: Callable[[], object]) -> Job[Event, Report]:
    """Run a job that does not check by itself whether to pause or stop.

    `check` is called before each event; it may wait, or raise, which closes the job.
    """
    return tap(job, lambda _: check())


def run_job(
    job: Job[Event, Report], on_event: Callable[[Event], object] = lambda _: None
) -> Report:
    """Run a job to its end and return its report; `on_event` is called with every event.

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
