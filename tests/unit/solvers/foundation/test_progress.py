"""Jobs: events, reports, and what closing one does."""

from collections.abc import Iterator

import pytest

from solvers.foundation.progress import Job, Progress, run_job, with_cancellation


def _counting(to: int, ended: list[str]) -> Job[Progress, int]:
    try:
        for done in range(to):
            yield Progress("counting", done, to, "steps")
    finally:
        ended.append("cleaned up")
    return to


def test_a_job_tells_its_events_and_returns_its_report() -> None:
    heard: list[Progress] = []
    assert run_job(_counting(3, []), heard.append) == 3
    assert [event.done for event in heard] == [0, 1, 2]


def test_a_job_cleans_up_when_its_listener_fails() -> None:
    ended: list[str] = []

    def fail(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(_counting(3, ended), fail)
    assert ended == ["cleaned up"]


def test_a_checked_job_is_closed_when_its_check_raises() -> None:
    ended: list[str] = []
    looks = iter([True, True, False])

    def check() -> None:
        if not next(looks):
            raise KeyboardInterrupt

    heard: list[Progress] = []
    with pytest.raises(KeyboardInterrupt):
        run_job(with_cancellation(_counting(5, ended), check), heard.append)
    assert [event.done for event in heard] == [0, 1]
    assert ended == ["cleaned up"]
    assert run_job(with_cancellation(_counting(2, ended), lambda: None)) == 2


def test_a_share_is_unknown_without_a_total_and_never_above_one() -> None:
    shares: Iterator[float | None] = (
        Progress("", done, total).share for done, total in ((1, None), (1, 0), (1, 4), (9, 4))
    )
    assert list(shares) == [None, None, 0.25, 1.0]
