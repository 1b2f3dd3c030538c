"""A process beside the dashboard: what it tells, how it fails, how it ends."""

import os
import time
from collections.abc import Iterator

import pytest

from controller.dashboard.worker import WorkerEndedError, WorkerProcess
from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.progress import Job, run_job

FOR_EVER_S = 600


def counting_to(number: int) -> Job[int, str]:
    yield from range(number)
    return f"counted to {number} by {os.getpid()}"


def refusing() -> Job[int, None]:
    yield 1
    raise InvalidInputError("That is no puzzle.")


def breaking() -> None:
    raise ValueError("a bug")


def waiting_for_ever() -> Job[int, None]:
    yield os.getpid()
    time.sleep(FOR_EVER_S)


@pytest.fixture(scope="module")
def process() -> Iterator[WorkerProcess]:
    process = WorkerProcess("counter")
    yield process
    process.end()


def test_events_and_the_report_come_from_another_process(process: WorkerProcess) -> None:
    events: list[int] = []
    report = run_job(process.run(counting_to, 3), events.append)
    assert events == [0, 1, 2]
    assert report.startswith("counted to 3 by ")
    assert not report.endswith(f" {os.getpid()}")


def test_errors_arrive_as_their_sentences_and_the_process_goes_on(process: WorkerProcess) -> None:
    with pytest.raises(InvalidInputError, match=r"^That is no puzzle\.$"):
        run_job(process.run(refusing))
    with pytest.raises(PuzzlerigError, match="Internal error: ValueError: a bug"):
        process.call(60, breaking)
    assert process.call(60, max, 3, 4) == 4


def test_an_ended_process_is_gone_and_whoever_waits_hears_so() -> None:
    process = WorkerProcess("sleeper")
    job = process.run(waiting_for_ever)
    number = next(job)
    process.end()
    with pytest.raises(WorkerEndedError, match="The sleeper has ended before its work did"):
        next(job)
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)
    with pytest.raises(WorkerEndedError):
        process.call(1, max, 1, 2)


def test_what_takes_too_long_is_given_up() -> None:
    process = WorkerProcess("sleeper")
    assert process.call(60, max, 1, 2) == 2
    with pytest.raises(PuzzlerigError, match=r"longer than 0\.05 s"):
        process.call(0.05, time.sleep, FOR_EVER_S)
    assert process.is_over
