"""One job at a time on its own thread; the device is free before its end is told."""

import threading
from collections.abc import Callable

import pytest

from controller.controls import Controls
from controller.dashboard.jobs import DeviceBusyError, DeviceJobs
from controller.errors import StoppedError
from hardware_sims.clock import VirtualClock
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

LONGEST_S = 10.0


class Heard:
    """What a job told, and its end."""

    def __init__(self, jobs: DeviceJobs) -> None:
        self.events: list[int] = []
        self.end: object = None
        self.was_free = False
        self._jobs = jobs

    def on_end(self, end: object) -> None:
        self.end, self.was_free = end, not self._jobs.is_running


def new_jobs() -> DeviceJobs:
    return DeviceJobs("robot", lambda: "16:10:00")


def start(jobs: DeviceJobs, job: Callable[[], Job[int, str]], controls: Controls) -> Heard:
    heard = Heard(jobs)
    jobs.start(
        "solving",
        controls,
        job,
        on_event=heard.events.append,
        on_report=heard.on_end,
        on_error=heard.on_end,
    )
    return heard


def test_events_and_report_come_from_a_thread() -> None:
    jobs, threads = new_jobs(), []

    def job() -> Job[int, str]:
        threads.append(threading.current_thread())
        yield from (1, 2)
        return "done"

    heard = start(jobs, job, Controls(VirtualClock()))
    assert jobs.wait(LONGEST_S)
    assert (heard.events, heard.end, heard.was_free) == ([1, 2], "done", True)
    assert threads != [threading.current_thread()]
    assert not jobs.stop(), "nothing runs any more"


def test_wait_includes_the_callback_at_the_end_but_does_not_block_it() -> None:
    jobs, calls = new_jobs(), list[object]()
    is_called, may_return = threading.Event(), threading.Event()

    def job() -> Job[int, str]:
        yield 1
        return "done"

    def on_end(end: object) -> None:
        is_called.set()
        may_return.wait(LONGEST_S)
        calls.extend((end, jobs.wait()))

    controls = Controls(VirtualClock())
    jobs.start("solving", controls, job, on_event=calls.append, on_report=on_end, on_error=on_end)
    assert is_called.wait(LONGEST_S)
    assert not jobs.is_running
    assert not jobs.wait(0)
    may_return.set()
    assert jobs.wait(LONGEST_S)
    assert calls == [1, "done", True]


def test_a_second_job_is_refused_with_the_first_ones_name_and_does_not_disturb_it() -> None:
    jobs, controls, begun = new_jobs(), Controls(VirtualClock()), threading.Event()
    controls.pause()

    def job() -> Job[int, str]:
        begun.set()
        controls.wait()
        yield 1
        return "done"

    heard = start(jobs, job, controls)
    assert begun.wait(LONGEST_S)
    with pytest.raises(DeviceBusyError, match=r"^The robot is busy: solving, since 16:10:00\."):
        start(jobs, job, Controls(VirtualClock()))
    jobs.resume()
    assert jobs.wait(LONGEST_S)
    assert heard.end == "done"


def test_stop_ends_a_paused_job_through_its_cleaning_up() -> None:
    jobs, controls, cleaned = new_jobs(), Controls(VirtualClock()), []
    begun = threading.Event()

    def job() -> Job[int, str]:
        try:
            jobs.pause()
            begun.set()
            controls.wait()
            yield 1
        finally:
            controls.sleep(0.2)  # motors are braked
            cleaned.append(True)
        return "done"

    heard = start(jobs, job, controls)
    assert begun.wait(LONGEST_S)
    assert jobs.stop()
    assert jobs.wait(LONGEST_S)
    assert isinstance(heard.end, StoppedError)
    assert (cleaned, heard.was_free) == ([True], True)


def test_a_bug_is_told_as_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    jobs = new_jobs()

    def job() -> Job[int, str]:
        yield 1
        raise ZeroDivisionError("by zero")

    heard = start(jobs, job, Controls(VirtualClock()))
    assert jobs.wait(LONGEST_S)
    assert isinstance(heard.end, PuzzlerigError)
    assert "ZeroDivisionError: by zero" in str(heard.end)
    assert "solving failed" in caplog.text
