"""The one search of the page: it runs in a worker process, and Stop ends it at any moment."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from controller.dashboard.hub import Hub, Topic
from controller.dashboard.puzzles.view import SEARCH, Phase, RecentResults, SearchView
from controller.dashboard.worker import WorkerProcess, WorkerRunner, compiling_sentence
from solvers.foundation.clock import Clock, SystemClock
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
    """Runs one search at a time, and publishes it."""

    def __init__(self, hub: Hub, clock: Clock | None = None) -> None:
        self._topic = Topic(hub, SEARCH, SearchView())
        self._clock = SystemClock() if clock is None else clock
        self._runner = WorkerRunner("puzzle search")
        self._recent = RecentResults(hub)
        self._started_s = 0.0
        self._current: WorkerProcess | None = None

    def start(
        self,
        view: SearchView,
        job: Callable[[WorkerProcess], Job[Event, Report]],
        *,
        on_event: Callable[[Event], object],
        on_report: Callable[[Report], Outcome],
        on_stop: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        """Start a search that is shown as `view`; its job is given the process to run in.

        `on_stop` stores what is found when the search is stopped or fails, and returns what changes
        in the view. Raises DeviceBusyError while another search runs.
        """
        process = WorkerProcess("search", on_compile=self._compiling, has_workers=True)

        def run() -> Job[Event, Report]:
            with self._topic.lock:
                self._started_s, self._current = self._clock.now(), process
                self._topic.show(view)
            self.change(phase=Phase.RUNNING)
            return (yield from job(process))

        def show(phase: Phase, changes: dict[str, Any]) -> None:
            if self._current is process:  # otherwise the next search is running already
                self.change(phase=phase, **changes)

        def reported(report: Report) -> None:
            process.end()
            outcome = on_report(report)
            self._recent.add(view.title, outcome.result, outcome.kind)
            show(Phase.FINISHED, outcome.changes)

        def stopped() -> None:
            process.end()
            changes = on_stop()
            self._recent.add(view.title, "stopped", "warn")
            show(Phase.STOPPED, {"sentence": ""} | changes)

        def failed(error: PuzzlerigError) -> None:
            process.end()
            changes = on_stop()
            self._recent.add(f"{view.title}: {error}", "", "fault")
            sentence = f"{error} {changes.get('sentence', '')}".strip()
            show(Phase.FAULT, changes | {"sentence": sentence})

        self._runner.start(
            view.title,
            process,
            run,
            on_event=on_event,
            on_report=reported,
            on_stop=stopped,
            on_error=failed,
        )

    def change(self, **fields: Any) -> None:
        """Show something else of the search."""
        with self._topic.lock:
            if self.view.phase is Phase.RUNNING:
                fields["seconds"] = round(self._clock.now() - self._started_s, 3)
            self._topic.change(**fields)

    @property
    def view(self) -> SearchView:
        """What is shown of the search."""
        return self._topic.view

    def _compiling(self, name: str) -> None:
        self.change(sentence=compiling_sentence(name))

    def start_timing(self) -> None:
        """Count the seconds from now on: the process is there."""
        with self._topic.lock:
            self._started_s = self._clock.now()

    def note(self, text: str, result: str, kind: str) -> None:
        """Add a line to the recent results."""
        self._recent.add(text, result, kind)

    def stop(self) -> None:
        """End the search; what it has found stays."""
        self._runner.stop()

    @property
    def is_running(self) -> bool:
        """Whether a search has not ended yet."""
        return self._runner.is_running

    def close(self) -> None:
        """End the search and wait for it."""
        self.stop()
        self._runner.wait(ENDING_S)

    def wait(self, seconds: float) -> bool:
        """Return whether the search has ended within `seconds`."""
        return self._runner.wait(seconds)
