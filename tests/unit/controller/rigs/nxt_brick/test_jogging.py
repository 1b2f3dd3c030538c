"""One motor is turned by hand."""

import pytest

from controller.rigs.nxt_brick.brick_link import parse_address
from controller.rigs.nxt_brick.direct_player import jog_motor, motor_called
from controller.rigs.nxt_brick.motion import MOTOR_NAMES
from controller.rigs.rig import Jogged
from hardware_sims.nxt_brick.server import BrickServer
from solvers.foundation.errors import InvalidInputError
from tests.virtual_robot import VirtualRobot


def jogged(robot: VirtualRobot, motor: str, angle_deg: int) -> Jogged:
    with BrickServer(robot.brick) as server:
        which = motor_called(motor, MOTOR_NAMES)
        address = parse_address(server.address)
        return jog_motor(address, which, MOTOR_NAMES, angle_deg, 30, robot.clock, 0.6)


@pytest.mark.parametrize(
    ("name", "motor", "angle_deg"), [("arm", "arm", -30), ("B", "arm", -30), ("C", "pusher", 40)]
)
def test_a_motor_goes_as_far_as_it_is_told_and_coasts(
    robot: VirtualRobot, name: str, motor: str, angle_deg: int
) -> None:
    moved = jogged(robot, name, angle_deg)
    assert moved.motor == motor
    assert abs(moved.after - moved.before - angle_deg) <= 2
    assert robot.motors_are_idle


@pytest.mark.parametrize(("name", "angle_deg"), [("wheel", 5), ("arm", 1261), ("arm", -1261)])
def test_what_cannot_be_meant_is_refused_before_anything_moves(
    robot: VirtualRobot, name: str, angle_deg: int
) -> None:
    with pytest.raises(InvalidInputError, match=r"no motor|too far"):
        jogged(robot, name, angle_deg)
    assert robot.brick.telegrams == 0
