"""Draws the progress of a job on stderr while it runs.

Nothing is drawn where stderr is no screen, nor before a moment has passed: most work is over by
then, and the library that draws takes longer to import.
"""

import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from threading import Lock, Timer
from typing import Any, Final, TypeVar

from solvers.foundation.command_line.app import print_json, stderr
from solvers.foundation.command_line.interruption import interrupted_later
from solvers.foundation.progress import Job, Progress, run_job

Report = TypeVar("Report")
Event = TypeVar("Event", bound=Progress)
Item = TypeVar("Item")

PATIENCE_S: Final = 0.4
"""How long a command may say nothing."""


def show_progress(job: Job[Progress, Report], title: str) -> Report:
    """Run a job to its end under a bar that bears `title`; return its report.

    The bar is gone when the job ends.
    """
    with _bar(title) as bar:

        def draw(event: Progress) -> None:
            name = f"{title}: {event.task}" if event.task else title
            bar.show(name, event.done, event.total)

        return run_job(job, draw)


def shown_items(
    job: Job[Event, Report], title: str, items: Callable[[Event], Sequence[Item]]
) -> Generator[Sequence[Item], None, Report]:
    """Run a job under a bar as far as it is asked for the `items` that its events bring.

    The bar makes room while whoever asks is at work, if that may be on the same screen. Then what
    was printed goes out; Ctrl-C waits for that, so that nothing is printed by half.
    """
    with _bar(title) as bar, closing(job):
        while True:
            try:
                event = next(job)
            except StopIteration as end:
                report: Report = end.value
                return report
            bar.show(title, event.done, event.total)
            if brought := items(event):
                with bar.aside(), interrupted_later():
                    yield brought
                    sys.stdout.flush()


def show_waiting(work: Callable[[], Report], title: str) -> Report:
    """Do something that cannot tell how far it is, under a moving mark."""
    with _bar(title):
        return work()


def prepare_all(steps: Mapping[str, Callable[[], object]], title: str, *, as_json: bool) -> None:
    """Do each of the named steps under one bar, and print what is prepared."""
    prepared = show_progress(_steps(steps), title)
    if as_json:
        print_json({"prepared": list(prepared)})
    else:
        print(f"Prepared: {', '.join(prepared)}.")


def _steps(steps: Mapping[str, Callable[[], object]]) -> Job[Progress, tuple[str, ...]]:
    for done, (name, work) in enumerate(steps.items()):
        yield Progress(name, done, len(steps), "steps")
        work()
    return tuple(steps)


@contextmanager
def waiting(title: str) -> Iterator[Callable[[str], None]]:
    """Show a moving mark while the block runs, which is given a call that changes its words."""
    with _bar(title) as bar:
        yield lambda text: bar.show(text, 0, None)


@contextmanager
def _bar(title: str) -> "Iterator[_Bar]":
    bar = _Bar(title)
    bar.come()
    try:
        yield bar
    finally:
        bar.go()


class _Bar:
    """What is to be drawn, and the drawing of it once it has begun, on the timer's thread."""

    def __init__(self, title: str) -> None:
        self._shown: dict[str, Any] = {"description": title, "completed": 0, "total": None}
        self._lock = Lock()
        self._bars: Any = None
        self._timer: Timer | None = None

    def show(self, description: str, done: float, total: float | None) -> None:
        self._shown = {"description": description, "completed": done, "total": total}
        if self._bars is not None:
            self._bars.update(self._task, **self._shown)

    def come(self) -> None:
        """Appear in a moment, if there is a screen."""
        if sys.stderr.isatty():
            self._timer = Timer(PATIENCE_S, self._begin)
            self._timer.daemon = True
            self._timer.start()

    def go(self) -> None:
        """Disappear, or do not appear."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = None
            if self._bars is not None:
                self._bars.stop()
            self._bars = None

    @contextmanager
    def aside(self) -> "Iterator[None]":
        """Make room for what a block prints on the same screen."""
        if not sys.stdout.isatty():
            yield
            return
        self.go()
        yield
        self.come()

    def _begin(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._timer is None:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            # What is printed meanwhile goes where it was sent, not to the bar's own stream.
            whole_screen = sys.stdout.isatty()
            bars = Progress(*columns, console=stderr, transient=True, redirect_stdout=whole_screen)
            self._task = bars.add_task(**self._shown)
            bars.start()
            self._bars = bars
