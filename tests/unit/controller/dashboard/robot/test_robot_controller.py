"""The robot's desk in virtual time: long pauses, stops, a connection given up, the battery."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.dashboard.camera_hub import CameraHub
from controller.dashboard.hub import LOG, Hub
from controller.dashboard.jobs import DeviceBusyError
from controller.dashboard.robot.controller import CANCELLED, RobotController
from controller.dashboard.robot.history import PRICES, calibrated
from controller.dashboard.robot.view import (
    CalibrateRequest,
    ConnectRequest,
    JogRequest,
    Phase,
    ResumeRequest,
    RobotView,
    SolveRequest,
)
from controller.job_events import RobotEvent
from controller.motion.executor import PrimitiveStarted
from controller.rigs.nxt_cradle.calibration.values import FILES
from controller.rigs.registry import DEFAULT_RIG
from hardware_sims.nxt_brick.commands import Link
from hardware_sims.nxt_brick.faults import Faults
from hardware_sims.nxt_brick.server import BrickServer
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.virtual_robot import VirtualRobot

LONGEST_S = 60.0
CUBE = random_state(31)
STICKERS = format_facelets(CUBE)
PAUSE_S = 180.0
STEP_S = 45.0
SLEEPS_AFTER_S = 120.0
KEEP_ALIVE = 0x0D


class Room:
    """A desk, and a brick that shares its clock."""

    def __init__(self, folder: Path, faults: Faults) -> None:
        self.hub, self.robot = Hub(), VirtualRobot(CUBE, folder / "run.journal", faults=faults)
        self.clock = self.robot.clock
        self.controller = RobotController(
            self.hub, CameraHub(self.clock), clock_at=lambda _: self.clock
        )
        self.opcodes: list[int] = []

    @property
    def view(self) -> RobotView:
        view = self.hub.value("robot")
        assert isinstance(view, RobotView)
        return view

    @property
    def lines(self) -> list[str]:
        """What the log says."""
        messages = self.hub.subscribe(lambda: None).take()
        return [line["text"] for each in messages if each.topic == LOG for line in each.value]

    def connect(self, address: str) -> None:
        self.controller.connect(ConnectRequest(address))
        assert self.controller.wait(LONGEST_S)
        assert self.view.phase is Phase.READY, self.view.sentence

    def on(self, wanted: Callable[[RobotEvent], bool], then: Callable[[], object]) -> None:
        """Do something, once, at the first event that is wanted."""
        is_waiting = True

        def hear(event: RobotEvent) -> None:
            nonlocal is_waiting
            if is_waiting and wanted(event):
                is_waiting = False
                then()

        self.controller.on_event = hear

    def count_telegrams(self) -> None:
        """Note from now on what the brick is told."""
        brick = self.robot.brick
        original = brick.handle

        def handle(telegram: bytes, link: Link = Link.USB) -> bytes | None:
            self.opcodes.append(telegram[1])
            return original(telegram, link)

        brick.handle = handle  # type: ignore[method-assign]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Room]]:
    """Return a maker of rooms whose journals and locks are their own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    made: list[Room] = []

    def make(faults: Faults = Faults()) -> Room:  # noqa: B008 - frozen
        made.append(Room(tmp_path, faults))
        return made[-1]

    yield make
    for each in made:
        each.controller.close()


def started(index: int) -> Callable[[RobotEvent], bool]:
    return lambda event: isinstance(event, PrimitiveStarted) and event.index == index


def wait_until(condition: Callable[[], bool]) -> None:
    end_s = time.monotonic() + LONGEST_S
    while not condition():
        assert time.monotonic() < end_s
        time.sleep(0.002)


def test_a_pause_of_minutes_keeps_the_brick_awake_with_nothing_else(
    room: Callable[..., Room],
) -> None:
    here = room(Faults(sleep_timeout_s=SLEEPS_AFTER_S))
    with BrickServer(here.robot.brick) as server:
        here.connect(server.address)
        here.on(started(6), lambda: here.controller.pause())
        here.controller.solve(SolveRequest(STICKERS, search_s=0))
        wait_until(lambda: here.view.phase is Phase.PAUSED)
        with pytest.raises(DeviceBusyError, match="busy: solving the cube, since"):
            here.controller.solve(SolveRequest(STICKERS))
        here.count_telegrams()
        for step in range(int(PAUSE_S / STEP_S)):
            here.clock.sleep(STEP_S)
            wait_until(lambda step=step: len(here.opcodes) > step)  # type: ignore[misc]
        assert here.opcodes == [KEEP_ALIVE] * int(PAUSE_S / STEP_S)
        here.controller.end_pause()
        assert here.controller.wait(LONGEST_S)
        assert here.view.phase is Phase.FINISHED, here.view.sentence
        assert here.robot.rig.is_solved


def test_stopped_jogged_and_gone_on_with(room: Callable[..., Room]) -> None:
    here = room()
    with BrickServer(here.robot.brick) as server:
        here.connect(server.address)
        here.on(started(4), here.controller.stop)
        here.controller.solve(SolveRequest(STICKERS, search_s=0))
        assert here.controller.wait(LONGEST_S)
        assert (here.view.phase, bool(here.view.cut_off)) == (Phase.STOPPED, True)
        with pytest.raises(InvalidInputError, match="was cut off midway"):
            here.controller.solve(SolveRequest(STICKERS))
        here.controller.jog(JogRequest("arm", -20))
        assert here.controller.wait(LONGEST_S)
        here.controller.resume(ResumeRequest())
        assert here.controller.wait(LONGEST_S)
        assert here.view.phase is Phase.FINISHED, here.view.sentence
        assert here.robot.rig.is_solved


def test_the_battery_is_shown_and_a_low_one_told(room: Callable[..., Room]) -> None:
    here = room(Faults(battery_mv=6700))
    with BrickServer(here.robot.brick) as server:
        here.connect(server.address)
    assert here.view.battery is not None
    assert here.view.battery.volts == pytest.approx(6.7, abs=0.05)
    assert here.view.battery.is_low
    assert any("the battery is low (6.7 V)" in line for line in here.lines)


def test_a_silent_brick_is_given_up_at_once(room: Callable[..., Room]) -> None:
    here = room()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"ip:127.0.0.1:{silent.getsockname()[1]}"
        here.controller.connect(ConnectRequest(address))
        connection, _ = silent.accept()
        with connection:
            assert here.view.phase is Phase.CONNECTING
            here.controller.cancel()
            assert here.controller.wait(LONGEST_S)
            assert (here.view.phase, here.view.sentence) == (Phase.NONE, "")
            assert here.lines[-1] == CANCELLED
    with BrickServer(here.robot.brick) as server:  # the desk is free for another
        here.connect(server.address)


def test_calibrated_prices_are_shown(room: Callable[..., Room]) -> None:
    here = room(Faults(battery_mv=7200))  # slower than the default prices, which are for 8 V
    before = here.hub.value(PRICES)
    assert [each.primitive for each in before][:2] == ["tilt", "spin +90"]
    with BrickServer(here.robot.brick) as server:
        here.connect(server.address)
        here.controller.calibrate(CalibrateRequest(rounds=1, drive="program"))
        assert here.controller.wait(LONGEST_S)
        assert here.view.phase is Phase.READY, here.view.sentence
    assert "the times are written to" in here.view.sentence
    after = here.hub.value(PRICES)
    assert all(
        1.0 < new.seconds / old.seconds < 1.3 for new, old in zip(after, before, strict=True)
    )
    FILES.user_path.write_text("tilt = ")
    assert calibrated(DEFAULT_RIG) == []
