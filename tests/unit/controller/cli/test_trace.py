"""The trace of telegrams."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.options import start_trace
from solvers.foundation.errors import InvalidInputError
from tests.full_disk import full_disk


@pytest.fixture
def rigs_log() -> Iterator[logging.Logger]:
    log = logging.getLogger("controller.rigs")
    before = log.level
    yield log
    log.setLevel(before)
    for handler in list(log.handlers):
        log.removeHandler(handler)
        handler.close()


def test_what_the_rigs_log_is_written_with_its_time(
    tmp_path: Path, rigs_log: logging.Logger
) -> None:
    start_trace(None)
    assert rigs_log.handlers == []
    start_trace(tmp_path / "trace.txt")
    logging.getLogger("controller.rigs.nxt_brick.brick_link").debug("-> 00 0d KEEP_ALIVE")
    assert "ms  -> 00 0d KEEP_ALIVE\n" in (tmp_path / "trace.txt").read_text()


@pytest.mark.usefixtures("rigs_log")
def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot be written"):
        start_trace(tmp_path / "nowhere" / "trace.txt")


def test_a_full_disk_ends_the_trace_and_not_the_robot(
    tmp_path: Path, rigs_log: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    start_trace(tmp_path / "trace.txt")
    with full_disk():
        for _ in range(500):
            rigs_log.debug("-> 00 0d and some more of a telegram")
    (warning,) = (each.getMessage() for each in caplog.records if each.levelname == "WARNING")
    assert "cannot be written any more" in warning
    assert rigs_log.handlers == []
