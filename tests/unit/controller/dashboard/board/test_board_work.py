"""What is done on a board, against a simulated one in virtual time."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from controller.controls import Controls
from controller.dashboard.board import work
from controller.dashboard.board.devices import BoardDevices
from controller.dashboard.board.view import SolveRequest
from controller.dashboard.board.work import Found, flash, solve
from controller.errors import StoppedError
from firmware_tools.boards.facts import load_board
from firmware_tools.bootloader import protocol_for
from firmware_tools.bootloader.loader import ImageStatus
from firmware_tools.errors import NoAnswerError
from firmware_tools.flashing import FlashPlan, Image, Phase, Programmed, plan_flash
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from firmware_tools.puzzle8.session import GaveUpError
from hardware_sims.aksen_board.board import Board
from hardware_sims.clock import VirtualClock
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress, run_job
from solvers.sliding_tile.board import UnsolvableError

FACTS = load_board()
PROTOCOL = protocol_for(FACTS)
STEP_US = 1000


class VirtualBoard:
    """A simulated board as the devices of a desk; time passes only in reads."""

    def __init__(self) -> None:
        self.facts, self.protocol = FACTS, PROTOCOL
        self.board = Board()
        self.pressed = 0
        self._received = b""

    @property
    def line(self) -> "VirtualBoard":
        return self

    @contextmanager
    def acquire(self) -> Iterator[ByteLink]:
        yield self

    def make_listen(self) -> None:
        self.pressed += 1

    def write(self, data: bytes) -> None:
        self.board.send(data)

    def read(self, count: int, timeout_s: float) -> bytes:
        left_us = round(timeout_s * 1e6)
        while len(self._received) < count and left_us > 0:
            self.board.run_us(STEP_US)
            self._received += self.board.take_serial()
            left_us -= STEP_US
        data, self._received = self._received[:count], self._received[count:]
        return data

    def discard_input(self) -> None:
        self._received = b""

    def close(self) -> None:
        return

    @property
    def devices(self) -> BoardDevices:
        return cast(BoardDevices, self)


def plan() -> FlashPlan:
    image = Image("x.ihx", bytes(range(1, 125)) * 4, 496)
    return plan_flash(image, FACTS, PROTOCOL)


def test_an_image_arrives() -> None:
    virtual = VirtualBoard()
    job = flash(virtual.devices, Controls(VirtualClock()), plan(), run=False)
    assert run_job(job).verified
    assert virtual.board.flash.info is not None
    assert virtual.pressed == 1


@pytest.mark.parametrize(
    ("last", "found"),
    [
        (Phase.ERASE, ImageStatus.EMPTY),
        (Phase.PROGRAM, ImageStatus.INCOMPLETE),
        (Phase.VERIFY, ImageStatus.VALID),
    ],
)
def test_a_board_that_was_cut_off_says_what_is_in_its_flash(
    last: Phase, found: ImageStatus
) -> None:
    virtual, controls = VirtualBoard(), Controls(VirtualClock())
    events: list[Progress] = []

    def stop(event: Progress) -> None:
        events.append(event)
        is_there = isinstance(event, Programmed) if last is Phase.PROGRAM else event.task == last
        if is_there and not isinstance(event, Found):
            controls.stop()

    with pytest.raises(StoppedError):
        run_job(flash(virtual.devices, controls, plan(), run=True), stop)
    last_event = events[-1]
    assert isinstance(last_event, Found)
    assert last_event.info is not None
    assert last_event.info.flash.image is found
    assert not virtual.board.is_running


def test_a_board_that_was_not_touched_is_not_asked() -> None:
    virtual, controls = VirtualBoard(), Controls(VirtualClock())
    events: list[Progress] = []

    def stop(event: Progress) -> None:
        events.append(event)
        controls.stop()

    with pytest.raises(StoppedError):
        run_job(flash(virtual.devices, controls, plan(), run=False), stop)
    assert [event.task for event in events] == ["plan"]


@pytest.mark.parametrize(
    ("error", "is_told_alone"),
    [
        (NoAnswerError("The board is silent."), False),
        (GaveUpError("It gave up."), True),
        (UnsolvableError("There is no way."), True),
    ],
)
def test_a_silent_board_ends_a_search_of_its_own_and_is_an_answer_beside_others(
    monkeypatch: pytest.MonkeyPatch, error: PuzzlerigError, is_told_alone: bool
) -> None:
    def refuse(*_: object) -> Job[Progress, object]:
        yield from ()
        raise error

    monkeypatch.setattr(work, "solve_on_board", refuse)

    def errors(*algorithms: Puzzle8Algorithm) -> list[str | None]:
        request = SolveRequest("123456780", "123456780", algorithms)
        controls = Controls(VirtualClock())
        return [each.error for each in run_job(solve(VirtualBoard().devices, controls, request))]

    two = (Puzzle8Algorithm.ASTAR, Puzzle8Algorithm.IDDFS_V1)
    assert errors(*two) == [str(error)] * 2
    if is_told_alone:
        assert errors(Puzzle8Algorithm.ASTAR) == [str(error)]
    else:
        with pytest.raises(type(error), match=str(error)):
            errors(Puzzle8Algorithm.ASTAR)
