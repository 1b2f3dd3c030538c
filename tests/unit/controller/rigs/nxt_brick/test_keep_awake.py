"""The brick's sleep timer is put back while nothing moves, and between motions."""

import time
from collections.abc import Callable

import pytest

from controller.errors import LinkLostError
from controller.motion.primitives import Spin
from controller.rigs.nxt_brick.brick_link import KeepAwake
from controller.rigs.nxt_cradle.rig import RIG as NXT_CRADLE
from hardware_sims.nxt_brick.faults import SLEEP_TIMEOUT_S
from hardware_sims.nxt_brick.server import BrickServer
from tests.virtual_robot import RIG, VirtualRobot

INTERVAL_S = 20.0
PATIENCE_S = 30.0


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait for the background thread, however busy the computer is."""
    end_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end_s
        time.sleep(0.001)


def test_it_is_kept_awake_while_nobody_asks_for_anything(robot: VirtualRobot) -> None:
    with robot.link() as link:
        keep_awake = KeepAwake(link, robot.clock, INTERVAL_S, look_interval_s=0.001)
        with keep_awake.in_background():
            for _ in range(5):  # a search of half an hour
                told = robot.brick.telegrams
                robot.clock.sleep(0.6 * SLEEP_TIMEOUT_S)
                wait_until(lambda told=told: robot.brick.telegrams > told)  # type: ignore[misc]
        assert link.battery().volts > 0
        robot.clock.sleep(1.1 * SLEEP_TIMEOUT_S)
        with pytest.raises(LinkLostError):
            link.battery()


def test_it_is_told_at_once_when_the_connection_begins(robot: VirtualRobot) -> None:
    robot.clock.sleep(0.9 * SLEEP_TIMEOUT_S)
    with robot.link() as link, KeepAwake(link, robot.clock, INTERVAL_S).in_background():
        robot.clock.sleep(0.2 * SLEEP_TIMEOUT_S)
        assert link.battery().volts > 0


def test_it_is_told_no_more_often_than_needed(robot: VirtualRobot) -> None:
    with robot.link() as link:
        keep_awake = KeepAwake(link, robot.clock, INTERVAL_S)
        for _ in range(100):
            keep_awake.if_due()
            robot.clock.sleep(1.0)
    assert robot.brick.telegrams == 5


def test_a_rig_is_kept_awake_from_connecting_to_closing(robot: VirtualRobot) -> None:
    setup = NXT_CRADLE.setup_of(RIG)
    with (
        BrickServer(robot.brick) as server,
        setup.connected(server.address, "direct", robot.clock) as mechanism,
    ):
        for _ in range(3):
            told = robot.brick.telegrams
            robot.clock.sleep(0.6 * SLEEP_TIMEOUT_S)
            wait_until(lambda told=told: robot.brick.telegrams > told)  # type: ignore[misc]
        mechanism.set_home()


def test_a_drive_keeps_it_awake_between_its_motions(robot: VirtualRobot) -> None:
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        for quarters in (1, -1, 1, -1):
            robot.clock.sleep(0.6 * SLEEP_TIMEOUT_S)
            mechanism.perform(Spin(quarters))
        mechanism.release()


def test_a_dead_line_ends_it_quietly(robot: VirtualRobot) -> None:
    with robot.link() as link:
        keep_awake = KeepAwake(link, robot.clock, INTERVAL_S, look_interval_s=0.001)
        with keep_awake.in_background():
            robot.clock.sleep(1.1 * SLEEP_TIMEOUT_S)
            wait_until(lambda: robot.brick.is_off)
            with pytest.raises(LinkLostError):
                link.battery()
