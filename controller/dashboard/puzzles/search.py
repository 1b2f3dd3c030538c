"""The one search of the page: it runs in a process of its own, and Stop ends it at any moment."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import msgspec

from controller.dashboard.beside.child import Child, compiling_sentence
from controller.dashboard.beside.ending import Ending
from controller.dashboard.hub import Hub
from controller.dashboard.jobs import DeviceJobs
from controller.dashboard.puzzles.view import SEARCH, Phase, RecentResults, SearchView
from solvers.foundation.clock import Clock, SystemClock, time_of_day
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

Event = TypeVar("Event")
Report = TypeVar("Report")

ENDING_S: Final = 15.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search came to: a line for the recent results, and what changes in the view."""

    result: str
    kind: str = "ok"
    changes: dict[str, Any] = field(default_factory=dict)


class Search:
    """Runs one search at a time, and tells of it."""

    def __init__(self, hub: Hub, clock: Clock | None = None) -> None:
        self._hub = hub
        self._clock = SystemClock() if clock is None else clock
        self._jobs = DeviceJobs("puzzle search", time_of_day)
        self._recent = RecentResults(hub)
        self._lock = threading.Lock()
        self._began_s = 0.0
        self._current: Ending | None = None
        self.view = SearchView()
        self.change()

    def start(
        self,
        view: SearchView,
        job: Callable[[Child], Job[Event, Report]],
        *,
        on_event: Callable[[Event], object],
        on_report: Callable[[Report], Outcome],
        on_stop: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        """Begin a search that is shown as `view`; its job is given the process to run in.

        `on_stop` keeps what is found when the search is stopped or fails, and returns what changes
        in the view. Raises DeviceBusyError while another search runs.
        """
        child = Child("search", hear=self._compiling, has_workers=True)
        switch = Ending(child)

        def begun() -> Job[Event, Report]:
            with self._lock:
                self._began_s, self._current = self._clock.now(), switch
                self.view = view
            self.change(phase=Phase.RUNNING)
            return (yield from job(child))

        def reported(report: Report) -> None:
            child.end()
            outcome = on_report(report)
            self._recent.add(view.title, outcome.result, outcome.kind)
            if self._current is switch:  # else the next one is running already
                self.change(phase=Phase.FINISHED, **outcome.changes)

        def failed(error: PuzzlerigError) -> None:
            child.end()
            changes = on_stop()
            phase, kept = Phase.STOPPED, changes.pop("sentence", "")
            if switch.was_used:
                self._recent.add(view.title, "stopped", "warn")
            else:
                phase, kept = Phase.FAULT, f"{error} {kept}".strip()
                self._recent.add(f"{view.title}: {error}", "", "fault")
            if self._current is switch:
                self.change(phase=phase, sentence=kept, **changes)

        self._jobs.start(
            view.title, switch, begun, on_event=on_event, on_report=reported, on_error=failed
        )

    def change(self, **fields: Any) -> None:
        """Show something else of the search."""
        with self._lock:
            if self.view.phase is Phase.RUNNING:
                fields["seconds"] = round(self._clock.now() - self._began_s, 3)
            self.view = msgspec.structs.replace(self.view, **fields)
            self._hub.tell(SEARCH, self.view)

    def _compiling(self, name: str) -> None:
        self.change(sentence=compiling_sentence(name))

    def begin_to_measure(self) -> None:
        """Count the seconds from now on: the process is there."""
        with self._lock:
            self._began_s = self._clock.now()

    def note(self, text: str, result: str, kind: str) -> None:
        """Add a line to the recent results."""
        self._recent.add(text, result, kind)

    def stop(self) -> None:
        """End the search; what it has found is kept."""
        self._jobs.stop()

    @property
    def is_running(self) -> bool:
        """Whether a search has not ended yet."""
        return self._jobs.is_running

    def close(self) -> None:
        """End the search and wait for it."""
        self.stop()
        self._jobs.wait(ENDING_S)

    def wait(self, seconds: float) -> bool:
        """Return whether the search has ended within `seconds`."""
        return self._jobs.wait(seconds)
