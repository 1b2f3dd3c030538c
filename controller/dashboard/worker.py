"""Worker processes: whatever computes for long runs in one, so that no driving robot waits for it.

A compiled search holds the interpreter for tenths of a second, and a driver sleeps for hundredths.
A worker gives way to other processes on a busy machine and can be ended at any moment; what it
reported until then stays known.
"""

import atexit
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, ParamSpec, TypeVar

from controller.dashboard.jobs import DeviceJobs
from solvers.foundation.clock import time_of_day
from solvers.foundation.compiled import once_numba_is_loaded
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job
from solvers.search.executors import end_with_parent

Event = TypeVar("Event")
Report = TypeVar("Report")
Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")
OnCompile = Callable[[str], object]

END_SOON_S: Final = 5.0
"""A search looks up every few tenths of a second, and then ends its own processes in order."""
END_S: Final = 10.0
MOST_S: Final = 120.0
"""Of a call; compiling a function, once on a computer, takes less."""
GIVE_WAY: Final = 5
EVENT, REPORT, ERROR, COMPILING = range(4)

_log = logging.getLogger(__name__)


def compiling_sentence(name: str) -> str:
    """Return the sentence shown while a function is compiled; "" for none."""
    return f"Compiling, once on this computer: {name}." if name else ""


class WorkerEndedError(PuzzlerigError):
    """The process has ended: it was stopped, or something else has killed it."""


class WorkerProcess:
    """One process, started by its first call; once ended it stays so. Any thread may call."""

    def __init__(
        self, title: str, *, on_compile: OnCompile = lambda _: None, has_workers: bool = False
    ) -> None:
        """`title` is what sentences call it.

        `on_compile` is called with the name of each function that is compiled there, and with ""
        when compiling is over. A process that `has_workers` is given time to end them.
        """
        self._title = title
        self._on_compile = on_compile
        self._has_workers = has_workers
        self._one_at_a_time = threading.Lock()
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self.is_over = False

    def run(
        self, job: Callable[Asked, Job[Event, Report]], *args: Asked.args, **named: Asked.kwargs
    ) -> Job[Event, Report]:
        """Run a job there. Raises what the job raises, or WorkerEndedError after `end`."""
        with self._one_at_a_time:
            line, is_done = self._opened(), False
            try:
                line.send((job, args, named))
                while True:
                    kind, value = self._received(line)
                    is_done = kind != EVENT
                    if kind == REPORT:
                        report: Report = value
                        return report
                    if kind == ERROR:
                        raise value
                    yield value
            except (EOFError, OSError) as error:
                raise self._ended() from error
            finally:
                if not is_done:
                    self.end()

    def call(
        self,
        most_s: float,
        function: Callable[Asked, Answer],
        *args: Asked.args,
        **named: Asked.kwargs,
    ) -> Answer:
        """Return what a function returns there. Raises PuzzlerigError after `most_s` seconds."""
        with self._one_at_a_time:
            line = self._opened()
            try:
                line.send((function, args, named))
                kind, value = self._received(line, most_s)
            except (EOFError, OSError) as error:
                self.end()
                raise self._ended() from error
            if kind == ERROR:
                raise value
            answer: Answer = value
            return answer

    @property
    def is_gone(self) -> bool:
        """Whether the process was ended, or has died."""
        with self._lock:
            return self.is_over or (self._process is not None and not self._process.is_alive())

    def _received(self, line: Connection, most_s: float | None = None) -> tuple[int, Any]:
        """Wait for the next message, at most `most_s` seconds after each compiled function."""
        while True:
            if not line.poll(most_s):
                self.end()
                raise PuzzlerigError(f"This takes the {self._title} longer than {most_s:g} s.")
            kind, value = line.recv()
            if kind != COMPILING:
                return kind, value
            self._on_compile(value)

    def end(self) -> None:
        """End the process, whatever it is doing; a call under way raises WorkerEndedError."""
        with self._lock:
            process, self._process, self.is_over = self._process, None, True
        if process is not None:
            atexit.unregister(self.end)
            if self._has_workers:
                process.terminate()
                process.join(END_SOON_S)
            if process.is_alive():
                process.kill()
                process.join(END_S)

    def _opened(self) -> Connection:
        with self._lock:
            if self.is_over:
                raise self._ended()
            if self._line is None:
                context = multiprocessing.get_context("spawn")
                self._line, theirs = context.Pipe()
                self._process = context.Process(target=serve, args=(theirs,), name=self._title)
                self._process.start()
                # Otherwise an interpreter that exits without closing this would wait for it.
                atexit.register(self.end)
                theirs.close()  # so that the line ends with the process
            return self._line

    def _ended(self) -> WorkerEndedError:
        return WorkerEndedError(
            f"The {self._title} has ended before its work did; the terminal in which the dashboard "
            "was started may show why."
        )


def serve(line: Connection) -> None:
    """Serve calls from a connection until it closes: the main function of the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(GIVE_WAY)
    try:
        with report_compiling(lambda name: line.send((COMPILING, name))):
            _serve(line)
    except SystemExit:
        # A pool of processes that was left in the middle is closed once more by the interpreter
        # as it exits, which may fail and would show on the terminal.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        raise


def _serve(line: Connection) -> None:
    while True:
        try:
            function, args, named = line.recv()
        except EOFError:
            return
        line.send(_outcome(line, function, args, named))


def _outcome(line: Connection, function: Any, args: Any, named: Any) -> tuple[int, object]:
    """Carry out one call and return its outcome; send its events meanwhile."""
    try:
        result = function(*args, **named)
        if not isinstance(result, Generator):
            return REPORT, result
        while True:
            try:
                event = next(result)
            except StopIteration as end:
                return REPORT, end.value
            line.send((EVENT, event))
    except InvalidInputError as error:
        return ERROR, InvalidInputError(str(error))
    except PuzzlerigError as error:
        return ERROR, PuzzlerigError(str(error))
    except Exception as error:  # whatever it was, the page has to say so
        _log.exception("%s failed", function)
        return ERROR, PuzzlerigError(
            f"Internal error: {type(error).__name__}: {error}. This is a bug; the terminal in "
            "which the dashboard was started shows where."
        )


def _leave(_number: int, _frame: object) -> None:
    raise SystemExit(0)


class RestartingWorker:
    """A worker process that is replaced when it has ended."""

    def __init__(
        self, title: str, *, on_compile: OnCompile = lambda _: None, most_s: float = MOST_S
    ) -> None:
        """`title` and `on_compile` are the process's; a call may take `most_s`."""
        self._title = title
        self._on_compile = on_compile
        self._most_s = most_s
        self._lock = threading.Lock()
        self._process = WorkerProcess(title, on_compile=on_compile)
        self._is_closed = False

    @property
    def process(self) -> WorkerProcess:
        """The present process; it starts with its first call."""
        with self._lock:
            if self._process.is_gone and not self._is_closed:
                self._process.end()
                self._process = WorkerProcess(self._title, on_compile=self._on_compile)
            return self._process

    def call(
        self, function: Callable[Asked, Answer], *args: Asked.args, **named: Asked.kwargs
    ) -> Answer:
        """Return what a function returns there. Raises PuzzlerigError if that takes too long."""
        return self.process.call(self._most_s, function, *args, **named)

    def close(self) -> None:
        """End the process for good."""
        with self._lock:
            self._is_closed = True
        self._process.end()


class WorkerRunner:
    """Runs one job at a time in a worker process; the controls of `DeviceJobs` end the process."""

    def __init__(self, device: str) -> None:
        """`device` is what sentences call it."""
        self._jobs = DeviceJobs(device, time_of_day)

    def start(
        self,
        title: str,
        process: WorkerProcess,
        job: Callable[[], Job[Event, Report]],
        *,
        on_event: Callable[[Event], object],
        on_report: Callable[[Report], object],
        on_stop: Callable[[], object],
        on_error: Callable[[PuzzlerigError], object],
    ) -> None:
        """Run a job; `on_stop` is called instead of `on_error` if it was stopped.

        Raises DeviceBusyError while another one runs.
        """
        cancellation = Cancellation(process)

        def ended(error: PuzzlerigError) -> None:
            if cancellation.was_requested:
                on_stop()
            else:
                on_error(error)

        self._jobs.start(
            title, cancellation, job, on_event=on_event, on_report=on_report, on_error=ended
        )

    def stop(self) -> None:
        """Stop the job; what it has reported stays known."""
        self._jobs.stop()

    @property
    def is_running(self) -> bool:
        """Whether a job has not ended yet."""
        return self._jobs.is_running

    def wait(self, seconds: float) -> bool:
        """Return whether the job has ended within `seconds`."""
        return self._jobs.wait(seconds)


class Cancellation:
    """Job controls of a worker process: stop ends it. It cannot pause; it can be started again."""

    def __init__(self, process: WorkerProcess) -> None:
        self._process = process
        self.was_requested = False

    def pause(self) -> None: ...

    def resume(self) -> None: ...

    def stop(self) -> None:
        """End the process, without waiting until it has ended."""
        self.was_requested = True
        threading.Thread(target=self._process.end).start()


@contextmanager
def report_compiling(on_compile: OnCompile) -> Iterator[None]:
    """Call `on_compile` with the name of each function to be compiled, and with "" at the end.

    Code from the cache is not reported. numba is not imported for this alone: that takes longer
    than most searches. `on_compile` is called in the thread that compiles.
    """
    with (
        ExitStack() as stack,
        once_numba_is_loaded(lambda: stack.enter_context(_by_numba(on_compile))),
    ):
        yield


@contextmanager
def _by_numba(on_compile: OnCompile) -> Iterator[None]:
    from numba.core import event

    class Listener(event.Listener):
        def __init__(self) -> None:
            self._depth = 0  # compiling one function compiles those that it calls

        def on_start(self, event: Any) -> None:
            self._depth += 1
            on_compile(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event: Any) -> None:  # noqa: ARG002 - the listener's own shape
            self._depth -= 1
            if not self._depth:
                on_compile("")

    with event.install_listener("numba:compile", Listener()):
        yield
