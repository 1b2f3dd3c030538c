"""Long work on a command line: its progress bar, its time, and Ctrl-C.

Nothing is drawn in the first 0.4 s: most work is over by then, and the library that draws takes
longer to import. Where stderr is no screen, as in a pipe or a build server's log, work that takes
long gets a line now and then instead of a bar.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from threading import Lock, Timer
from types import FrameType
from typing import Any, Final, TypeVar

from solvers.foundation.command_line.app import print_json, stderr
from solvers.foundation.progress import Job, Progress, run_job

Report = TypeVar("Report")
Event = TypeVar("Event", bound=Progress)
Item = TypeVar("Item")

PATIENCE_S: Final = 0.4
"""How long a command may say nothing."""

PATIENCE_WITHOUT_SCREEN_S = 4.0
"""How long it may where each word is a line in a log that stays."""

LINES_EVERY_S = 15.0


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

    While the caller works on items, the bar makes room if both use the same screen. Then stdout
    is flushed; Ctrl-C waits for that, so that no item is printed by half.
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
    """Return what `work` returns; it reports no progress, so a moving mark is drawn."""
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
    """A progress bar, which the timer's thread draws from `PATIENCE_S` on; or lines."""

    def __init__(self, title: str) -> None:
        self._shown: dict[str, Any] = {"description": title, "completed": 0, "total": None}
        self._lock = Lock()
        self._bars: Any = None
        self._timer: Timer | None = None
        self._started_s = time.monotonic()

    def show(self, description: str, done: float, total: float | None) -> None:
        self._shown = {"description": description, "completed": done, "total": total}
        if self._bars is not None:
            self._bars.update(self._task, **self._shown)

    def come(self) -> None:
        """Appear after a while."""
        if sys.stderr.isatty():
            self._start_timer(PATIENCE_S, self._draw)
        else:
            self._start_timer(PATIENCE_WITHOUT_SCREEN_S, self._print_line)

    def _start_timer(self, delay_s: float, then: Callable[[], None]) -> None:
        self._timer = Timer(delay_s, then)
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
        if not (sys.stdout.isatty() and sys.stderr.isatty()):
            yield
            return
        self.go()
        yield
        self.come()

    def _draw(self) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        with self._lock:
            if self._timer is None:
                return
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            # What is printed meanwhile goes where it was sent, not to the bar's own stream.
            whole_screen = sys.stdout.isatty()
            bars = Bars(*columns, console=stderr, transient=True, redirect_stdout=whole_screen)
            self._task = bars.add_task(**self._shown)
            bars.start()
            self._bars = bars

    def _print_line(self) -> None:
        """Print how far the work is, and do so again later."""
        with self._lock:
            if self._timer is None:
                return
            event = Progress("", self._shown["completed"], self._shown["total"])
            share = "" if event.share is None else f"{event.share:.0%}, "
            after = f"{time.monotonic() - self._started_s:.0f} s"
            with suppress(OSError, ValueError):  # nobody reads it any more
                print(f"{self._shown['description']}: {share}{after}", file=sys.stderr, flush=True)
            self._start_timer(LINES_EVERY_S, self._print_line)


class Stopwatch:
    """The time since it was made: after everything is loaded and compiled.

    CPU seconds are those of this process and of the child processes that have ended.
    """

    def __init__(self) -> None:
        self._cpu_s = _cpu_s()
        self._wall_s = time.perf_counter()

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds since the start."""
        return _cpu_s() - self._cpu_s

    @property
    def wall_seconds(self) -> float:
        """Seconds since the start by the clock on the wall."""
        return time.perf_counter() - self._wall_s

    def as_json(self) -> dict[str, float]:
        """Return both under the keys that every command's `--json` uses."""
        return {
            "cpu_seconds": round(self.cpu_seconds, 6),
            "wall_seconds": round(self.wall_seconds, 6),
        }


def _cpu_s() -> float:
    used = os.times()
    return time.process_time() + used.children_user + used.children_system


# Windows has no SIGHUP.
_ENDINGS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def interrupted_once() -> Iterator[None]:
    """Turn the first of SIGINT, SIGTERM and SIGHUP into KeyboardInterrupt; ignore further ones.

    So a second Ctrl-C does not keep motors from being switched off. Signals that were ignored
    (`nohup`) stay ignored.
    """
    before = {number: signal.getsignal(number) for number in _ENDINGS}

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; a second one interrupts at once."""
    came = False

    def wait(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal came
        if came:
            raise KeyboardInterrupt
        came = True

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        # Ctrl-C is ignored (`nohup`), or has another handler.
        yield
        return
    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt
