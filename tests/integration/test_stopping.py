"""A run that is stopped at any moment: motors off soon, and what is left of it solves the cube."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest

from controller.errors import StoppedError
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, USB_LATENCY
from tests.virtual_robot import VirtualRobot, turned

LINKS: Final = {"usb": (USB_LATENCY, 0.5), "bluetooth": (BLUETOOTH_LATENCY, 1.0)}
STOPS: Final = 10
HOMING_S: Final = 20.0
LOOKED_AT_S: Final = 2.0
LOOK_INTERVAL_S: Final = 0.005


class Stop:
    """Stops a robot's job at a moment of its clock, and sees how long its motors get power."""

    def __init__(self, robot: VirtualRobot, at_s: float) -> None:
        self.driven_s = 0.0
        self._robot = robot
        self._at_s = robot.clock.now() + at_s
        self._told_s: float | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        clock = self._robot.clock
        clock.before_sleep.insert(0, self._look)
        yield
        while self._told_s is not None and clock.now() < self._told_s + LOOKED_AT_S:
            clock.sleep(LOOK_INTERVAL_S)
        clock.before_sleep.remove(self._look)

    def _look(self) -> None:
        now_s = self._robot.clock.now()
        if self._told_s is None and now_s >= self._at_s:
            self._told_s = now_s
            self._robot.controls.stop()
        if self._told_s is not None:
            self._robot.brick.advance()
            motors = self._robot.brick.machine.outputs.motors
            if motors["actual_speed"].any() or motors["regulation"].any():
                self.driven_s = now_s - self._told_s


@pytest.mark.parametrize("drive", ["program", "direct"])
@pytest.mark.parametrize("link", LINKS)
def test_ten_stops_at_random_moments(
    new_robot: Callable[..., VirtualRobot], link: str, drive: str
) -> None:
    latency, bound_s = LINKS[link]
    robot = new_robot(turned(3, turns=8), latency=latency, drive=drive)
    moments, header = random.Random(f"{link} {drive}"), robot.header()
    planned_s = HOMING_S + robot.planned_s(header)
    run: Callable[[], Any] = lambda: robot.run(header)  # noqa: E731
    stops = 0
    while stops < STOPS:
        stop = Stop(robot, moments.uniform(0, 2 * planned_s / STOPS))
        with stop.watching():
            try:
                run()
                break
            except StoppedError:
                stops += 1
        assert stop.driven_s <= bound_s
        run = robot.resume
    else:
        robot.resume()
    assert stops > STOPS // 2
    assert robot.rig.is_solved
    assert robot.rig.jams == []
