"""However a host ends, no motor is under power three seconds later."""

from collections.abc import Callable

import pytest

from solvers.rubik.scramble import random_state
from tests.stops.vanishing import OFF_WITHIN_S, vanish
from tests.virtual_robot import VirtualRobot

MOMENTS_S = (0.2, 0.9, 1.7, 2.6, 3.3, 4.1, 4.9, 6.3, 7.1, 8.8, 10.7)
"""In the search for home, which takes about five seconds, and while it drives."""


@pytest.mark.parametrize("after_s", MOMENTS_S)
@pytest.mark.parametrize("drive", ["program", "direct"])
def test_motors_are_off_after_the_host_has_vanished(
    new_robot: Callable[..., VirtualRobot], drive: str, after_s: float
) -> None:
    robot = new_robot(random_state(5), drive=drive)
    header = robot.header()
    left = vanish(robot, header, after_s)
    assert left.is_off
    assert left.power_s <= OFF_WITHIN_S - 0.3
    if drive == "direct":
        assert left.motion_s <= 1.0
