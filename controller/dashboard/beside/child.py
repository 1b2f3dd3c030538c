"""A process beside the dashboard, for whatever would keep a driving robot waiting.

A compiled search holds the interpreter for tenths of a second, and a driver sleeps for hundredths.
So searches run in a process of their own, which gives way to the others on a busy machine. It can
be ended at any moment; what it has told until then stays known.
"""

import atexit
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, ParamSpec, TypeVar

from controller.dashboard.beside.compiling import compiling_told
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job
from solvers.search.executors import end_with_parent

Event = TypeVar("Event")
Report = TypeVar("Report")
Answer = TypeVar("Answer")
Asked = ParamSpec("Asked")
Hear = Callable[[str], object]

END_SOON_S: Final = 5.0
"""A search looks up every few tenths of a second, and then ends its own processes in order."""
END_S: Final = 10.0
GIVE_WAY: Final = 5
EVENT, REPORT, ERROR, COMPILING = range(4)

_log = logging.getLogger(__name__)


def compiling_sentence(name: str) -> str:
    """Return what is said while a function is compiled; "" for none."""
    return f"Compiling, once on this computer: {name}." if name else ""


class ChildEndedError(PuzzlerigError):
    """The process is no more: it was ended, or something else has killed it."""


class Child:
    """One process, begun when it is needed; after its end there is no other. Any thread may ask."""

    def __init__(
        self, title: str, *, hear: Hear = lambda _: None, has_workers: bool = False
    ) -> None:
        """`title` is what sentences call it.

        `hear` is called with the name of each function that is compiled there, and with "" when
        nothing is compiled any more. One that `has_workers` is given time to end them.
        """
        self._title = title
        self._hear = hear
        self._has_workers = has_workers
        self._one_at_a_time = threading.Lock()
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self.is_over = False

    def run(
        self, job: Callable[Asked, Job[Event, Report]], *args: Asked.args, **named: Asked.kwargs
    ) -> Job[Event, Report]:
        """Run a job there. Raises what the job raises, or ChildEndedError after `end`."""
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

    def ask(
        self,
        most_s: float,
        function: Callable[Asked, Answer],
        *args: Asked.args,
        **named: Asked.kwargs,
    ) -> Answer:
        """Return what a function returns there. Raises PuzzlerigError if that takes `most_s`."""
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
        """Whether the process was ended, or has died by itself."""
        with self._lock:
            return self.is_over or (self._process is not None and not self._process.is_alive())

    def _received(self, line: Connection, most_s: float | None = None) -> tuple[int, Any]:
        """Wait for what is told next, at most `most_s` seconds after each function compiled."""
        while True:
            if not line.poll(most_s):
                self.end()
                raise PuzzlerigError(f"This takes the {self._title} longer than {most_s:g} s.")
            kind, value = line.recv()
            if kind != COMPILING:
                return kind, value
            self._hear(value)

    def end(self) -> None:
        """End the process, whatever it is doing; whoever waits for it hears so."""
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
                # Else an interpreter that ends without having closed this would wait for it.
                atexit.register(self.end)
                theirs.close()  # so that the line ends with the process
            return self._line

    def _ended(self) -> ChildEndedError:
        return ChildEndedError(
            f"The {self._title} has ended before its work did; the terminal in which the dashboard "
            "was started may show why."
        )


def serve(line: Connection) -> None:
    """Do what comes over the line, until it ends; what the process lives for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(GIVE_WAY)
    try:
        with compiling_told(lambda name: line.send((COMPILING, name))):
            _serve(line)
    except SystemExit:
        # A pool of processes that was left in the middle is closed once more by the interpreter
        # as it ends, which may fail and would be told on the terminal.
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
    """Do one thing; its events are told on the way."""
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
