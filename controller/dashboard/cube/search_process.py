"""The process in which searches run, from where they are asked for."""

import multiprocessing
import threading
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Final

from controller.dashboard.cube.searcher import Answered, Question, SearchEvent, serve
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

ENDING_S: Final = 5.0


class SearchStoppedError(PuzzlerigError):
    """Somebody stopped the search."""


class SearchProcess:
    """Begun with the first question and kept, because it takes a second or two to be there.

    It is also the switch by which its job is stopped: the process then ends, and the next question
    begins another.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: SpawnProcess | None = None
        self._line: Connection | None = None
        self._is_stopped = False

    def ask(self, question: Question) -> Job[SearchEvent, Answered]:
        """Answer a question. Raises SearchStoppedError when `stop` is called meanwhile."""
        line = self._connected()
        has_ended = False
        try:
            line.send(question)
            while True:
                event = line.recv()
                if isinstance(event, Answered | PuzzlerigError):
                    has_ended = True
                    break
                yield event
        except (EOFError, OSError):
            if self._is_stopped:
                raise SearchStoppedError("The search was stopped.") from None
            raise PuzzlerigError(
                "The search's process has ended; the terminal in which the dashboard was started "
                "may show why. Begin the search again."
            ) from None
        finally:
            if not has_ended:  # what is still in the pipe belongs to no other question
                self.close()
        if isinstance(event, PuzzlerigError):
            raise event
        return event

    def pause(self) -> None:
        """Do nothing: a search moves nothing and is over soon."""

    def go_on(self) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """End the process, whatever it does."""
        with self._lock:
            self._is_stopped = True
            if self._process is not None:
                self._process.terminate()

    def close(self) -> None:
        """End the process and wait for that; nothing is being asked."""
        with self._lock:
            process, self._process = self._process, None
            line, self._line = self._line, None
        if process is not None and line is not None:
            process.terminate()
            process.join(ENDING_S)
            line.close()

    def _connected(self) -> Connection:
        with self._lock:
            self._is_stopped = False
            if self._line is None or self._process is None or not self._process.is_alive():
                context = multiprocessing.get_context("spawn")
                self._line, theirs = context.Pipe()
                self._process = context.Process(
                    target=serve, args=(theirs,), name="search", daemon=True
                )
                self._process.start()
                theirs.close()  # so that its end is seen here
            return self._line
