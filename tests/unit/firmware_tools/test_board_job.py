"""Long work over an open line: what happens in which order, and that the line is closed."""

from typing import Any

import pytest

from firmware_tools import board_job
from firmware_tools.board_job import erase_board, flash_board, flash_program, open_line
from firmware_tools.boards.facts import Board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.building.program import find_program
from firmware_tools.errors import NoAnswerError, NoValidImageError
from firmware_tools.flashing import Flasher, FlashReport, Image, plan_flash
from solvers.foundation.clock import ImmediateClock
from solvers.foundation.progress import Job, Progress, run_job

BLOCK = PROTOCOLS["block"]
CHIP = "55 C5 15 0C 01 DD"


class ClosableLink:
    """A line that says whether it was closed."""

    is_closed = False

    def write(self, data: bytes) -> None:
        del data

    def read(self, count: int, timeout_s: float) -> bytes:
        del count, timeout_s
        return b""

    def discard_input(self) -> None:
        return

    def close(self) -> None:
        self.is_closed = True


def test_the_line_is_closed_when_the_work_fails(
    aksen: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = ClosableLink()
    monkeypatch.setattr(board_job, "open_link", lambda *_: link)
    with (
        pytest.raises(NoAnswerError),
        open_line(aksen, "port", ImmediateClock()) as opened,
    ):
        run_job(erase_board(opened, aksen, BLOCK))
    assert link.is_closed


def test_a_board_is_asked_for_before_anything_is_built(
    aksen: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str] = []
    monkeypatch.setattr(board_job, "build", lambda *_: built.append("built"))
    with pytest.raises(NoAnswerError):
        run_job(flash_program(ClosableLink(), aksen, find_program(["hello"])))
    assert built == []


def test_erasing_asks_who_is_there_first(script: Any, aksen: Board) -> None:
    script.host("00").board("55").host("00 0A 00 00 00 00 00 0A").board(CHIP)
    script.host("00 04 00 00 00 00 00 04").board("55")
    events: list[Progress] = []
    run_job(erase_board(script.link(), aksen, BLOCK), events.append)
    assert [event.share for event in events] == [0.0, 1.0]


def test_a_flashed_program_is_started_only_if_asked(
    aksen: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = FlashReport(aksen.loader.chip, 3, 1, 0, 0, crc32=0, verified=True)

    def flashed(*_: object, **__: object) -> Job[Progress, FlashReport]:
        yield Progress("program", 1, 1)
        return report

    def refuse(_: Flasher) -> None:
        raise NoValidImageError("started")

    monkeypatch.setattr(Flasher, "flash", flashed)
    monkeypatch.setattr(Flasher, "run", refuse)
    plan = plan_flash(Image("test.ihx", b"\x02\x00\x30", 3), aksen, BLOCK)
    assert run_job(flash_board(ClosableLink(), aksen, plan)) == report
    with pytest.raises(NoValidImageError, match="started"):
        run_job(flash_board(ClosableLink(), aksen, plan, run=True))
