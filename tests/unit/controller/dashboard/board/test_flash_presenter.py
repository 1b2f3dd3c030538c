"""What is shown of flashing: squares and phases, what is left, and how it has ended."""

import pytest

from controller.dashboard.board.devices import Console
from controller.dashboard.board.presenter import FLASH, FlashPresenter
from controller.dashboard.board.view import FlashView
from controller.dashboard.hub import Hub
from firmware_tools.boards.facts import load_board
from firmware_tools.bootloader import PROTOCOLS
from firmware_tools.bootloader.loader import FlashStatus, ImageStatus
from firmware_tools.flashing import (
    BoardInfo,
    FlashReport,
    Image,
    Phase,
    Planned,
    Programmed,
    plan_flash,
)
from hardware_sims.clock import VirtualClock
from solvers.foundation.progress import Progress

IMAGE = Image("x.ihx", bytes(range(1, 125)) * 3, 372)
PLAN = plan_flash(IMAGE, load_board(), PROTOCOLS["block"])
CHIP = b"\xc5\x15\x0c\x01"


class Shown:
    """A flashing and what is told of it."""

    def __init__(self) -> None:
        self.hub, self.clock = Hub(), VirtualClock()
        self.console = Console(self.hub, self.clock)
        self.show = FlashPresenter(self.hub, self.console, self.clock)

    def begin(self) -> None:
        self.show.see(Planned("plan", 0, PLAN.programmed_bytes, "bytes", plan=PLAN))
        for phase in (Phase.CONNECT, Phase.ERASE):
            self.show.see(Progress(phase, 0, 1))
            self.show.see(Progress(phase, 1, 1))
        self.show.see(Progress(Phase.PROGRAM, 0, 372, "bytes"))

    def block(self, number: int, silent: int = 0, refused: int = 0) -> None:
        self.clock.sleep(2)
        address, done = 124 * number, 124 * (number + 1)
        self.show.see(
            Programmed(
                Phase.PROGRAM, done, 372, "bytes", address=address, silent=silent, refused=refused
            )
        )

    @property
    def view(self) -> FlashView:
        view = self.hub.value(FLASH)
        assert isinstance(view, FlashView)
        return view

    @property
    def states(self) -> str:
        return " ".join(each.state for each in self.view.phases)


def test_every_block_has_its_square_and_every_repeat_its_line() -> None:
    shown = Shown()
    shown.begin()
    assert shown.view.addresses == (0, 124, 248)
    assert shown.states == "done done now waiting waiting"
    shown.block(0)
    shown.block(1, silent=2, refused=1)
    view = shown.view
    assert (view.done, view.bytes, view.repeats) == (2, 248, {1: 3})
    assert view.elapsed_s == pytest.approx(4)
    assert view.left_s == pytest.approx(2)
    assert [each.text for each in shown.console.since(1)] == [
        "no answer at 007Ch, sent again 2 times",
        "refused at 007Ch, sent again",
    ]


def test_it_is_complete_after_verifying_and_not_before() -> None:
    shown = Shown()
    shown.begin()
    for number in range(3):
        shown.block(number)
    shown.show.see(Progress(Phase.CHECK, 1, 1))
    shown.show.see(Progress(Phase.VERIFY, 0, 1))
    assert (shown.view.outcome, shown.view.crc32) == ("", "")
    shown.show.see(Progress(Phase.VERIFY, 1, 1))
    assert (shown.view.outcome, shown.view.crc32) == ("complete", f"{IMAGE.crc32:08X}")
    shown.show.finish(FlashReport(CHIP, 372, 3, 1, 0, IMAGE.crc32, verified=True))
    assert (shown.view.silent, shown.view.elsewhere) == (1, 1), "repeated, but not in programming"
    shown.show.cut_off()  # what comes later is no fault of this one
    assert (shown.view.outcome, shown.states) == ("complete", "done done done done done")


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (ImageStatus.INCOMPLETE, "incomplete"),
        (ImageStatus.EMPTY, "empty"),
        (ImageStatus.VALID, "unverified"),
        (None, "unknown"),
    ],
)
def test_what_was_cut_off_is_what_the_board_says(status: ImageStatus | None, outcome: str) -> None:
    shown = Shown()
    shown.begin()
    shown.block(0)
    shown.show.find(None if status is None else BoardInfo(CHIP, FlashStatus(status)))
    shown.show.cut_off()
    assert shown.view.outcome == outcome
    assert shown.states == "done done failed waiting waiting"


def test_a_board_that_never_answered_was_not_touched() -> None:
    shown = Shown()
    shown.show.see(Planned("plan", 0, PLAN.programmed_bytes, "bytes", plan=PLAN))
    shown.show.see(Progress(Phase.CONNECT, 0, 1))
    shown.show.cut_off()
    assert (shown.view.outcome, shown.states) == (
        "untouched",
        "failed waiting waiting waiting waiting",
    )


def test_a_new_start_clears_what_was_there() -> None:
    shown = Shown()
    shown.begin()
    shown.block(0, silent=1)
    shown.show.cut_off()
    assert shown.view.outcome == "unknown", "erased, and nobody could ask the board"
    shown.begin()
    assert (shown.view.outcome, shown.view.repeats, shown.view.done) == ("", {}, 0)
    shown.show.clear()
    assert shown.view == FlashView()
