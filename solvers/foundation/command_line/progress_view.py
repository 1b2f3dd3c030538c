"""Draws the progress of a job on stderr while it runs.

Nothing is drawn where stderr is no screen, nor before a moment has passed: most work is over by
then, and the library that draws takes longer to import.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any, Final, TypeVar

from solvers.foundation.command_line.app import stderr
from solvers.foundation.progress import Job, Progress, run_job

Report = TypeVar("Report")

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


def show_waiting(work: Callable[[], Report], title: str) -> Report:
    """Do something that cannot tell how far it is, under a moving mark."""
    with _bar(title):
        return work()


@contextmanager
def waiting(title: str) -> Iterator[Callable[[str], None]]:
    """Show a moving mark while the block runs, which is given a call that changes its words."""
    with _bar(title) as bar:
        yield lambda text: bar.show(text, 0, None)


@contextmanager
def _bar(title: str) -> "Iterator[_Bar]":
    bar = _Bar(title)
    timer = Timer(PATIENCE_S, bar.begin)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        bar.end()


class _Bar:
    """What is to be drawn, and the drawing of it once it has begun, on the timer's thread."""

    def __init__(self, title: str) -> None:
        self._shown: dict[str, Any] = {"description": title, "completed": 0, "total": None}
        self._lock = Lock()
        self._bars: Any = None
        self._ended = False

    def show(self, description: str, done: float, total: float | None) -> None:
        self._shown = {"description": description, "completed": done, "total": total}
        if self._bars is not None:
            self._bars.update(self._task, **self._shown)

    def begin(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._ended:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            bars = Progress(*columns, console=stderr, transient=True)
            self._task = bars.add_task(**self._shown)
            bars.start()
            self._bars = bars

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._bars is not None:
                self._bars.stop()
