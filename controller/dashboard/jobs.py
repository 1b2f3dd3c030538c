"""One job at a time for a device, on a thread, so that no closed tab ends it."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, run_job

Event = TypeVar("Event")
Report = TypeVar("Report")

_log = logging.getLogger(__name__)


class DeviceBusyError(PuzzlerigError):
    """A job of the same device has not ended yet."""


class JobControls(Protocol):
    """Controls of a job, for any thread."""

    def pause(self) -> None:
        """Let it wait at the next place where it can."""

    def resume(self) -> None:
        """End a pause."""

    def stop(self) -> None:
        """End it, soon and in order."""


class _NullControls:
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def stop(self) -> None: ...


NULL_CONTROLS: Final[JobControls] = _NullControls()
"""Of jobs that move nothing and are over soon."""


@dataclass(frozen=True, slots=True)
class _Running:
    title: str
    controls: JobControls


class DeviceJobs:
    """The jobs of one device, which is called `device` in sentences."""

    def __init__(self, device: str, time_of_day: Callable[[], str]) -> None:
        self._device = device
        self._time_of_day = time_of_day
        self._lock = threading.Lock()
        self._running: _Running | None = None
        self._thread: threading.Thread | None = None  # of the last job, which may be ending

    def start(
        self,
        title: str,
        controls: JobControls,
        job: Callable[[], Job[Event, Report]],
        *,
        on_event: Callable[[Event], object],
        on_report: Callable[[Report], object],
        on_error: Callable[[PuzzlerigError], object],
    ) -> None:
        """Run a job on a thread; the callbacks are called there.

        When `on_report` or `on_error` is called the device is free for the next job. Raises
        DeviceBusyError, with the title of the job that runs.
        """

        def work() -> None:
            try:
                report = run_job(job(), on_event)
            except PuzzlerigError as error:
                self._end()
                on_error(error)
            except Exception as error:  # whatever it was, the page has to say so
                _log.exception("%s failed", title)
                self._end()
                on_error(_internal(error))
            else:
                self._end()
                on_report(report)

        with self._lock:
            self._check_free()
            self._thread = threading.Thread(target=work, name=self._device)
            self._running = _Running(f"{title}, since {self._time_of_day()}", controls)
            self._thread.start()

    def check_free(self) -> None:
        """Raise DeviceBusyError, with the title of the job that runs, if there is one."""
        with self._lock:
            self._check_free()

    def pause(self) -> None:
        """Let the running job wait, if there is one."""
        self._control(lambda controls: controls.pause())

    def resume(self) -> None:
        """End a pause."""
        self._control(lambda controls: controls.resume())

    def stop(self) -> bool:
        """End the running job; return whether there was one."""
        return self._control(lambda controls: controls.stop())

    @property
    def is_running(self) -> bool:
        """Whether a job has not ended yet."""
        with self._lock:
            return self._running is not None

    def wait(self, seconds: float | None = None) -> bool:
        """Return whether the last job, its callback included, has ended within `seconds`.

        In that callback it has.
        """
        with self._lock:
            thread = self._thread
        if thread is None or thread is threading.current_thread():
            return True
        thread.join(seconds)
        return not thread.is_alive()

    def _control(self, order: Callable[[JobControls], object]) -> bool:
        with self._lock:
            if self._running is None:
                return False
            order(self._running.controls)
            return True

    def _check_free(self) -> None:
        if self._running is not None:
            raise DeviceBusyError(
                f"The {self._device} is busy: {self._running.title}. Stop that first, or wait."
            )

    def _end(self) -> None:
        with self._lock:
            self._running = None


def _internal(error: Exception) -> PuzzlerigError:
    return PuzzlerigError(
        f"Internal error: {type(error).__name__}: {error}. This is a bug; the terminal in which "
        "the dashboard was started shows where."
    )
