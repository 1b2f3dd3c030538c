"""Counters come in as few telegrams as the link's blocks allow."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from controller.rigs.nxt_cradle.brick.counters import read_counters
from controller.rigs.nxt_cradle.motors import Motor
from tests.virtual_robot import VirtualRobot

CRADLE, ARM, PUSHER = Motor


@pytest.mark.parametrize(
    ("pty", "asked", "told"),
    [
        (False, (CRADLE,), (CRADLE,)),
        (False, (CRADLE, ARM, PUSHER), (CRADLE, ARM)),
        (False, (ARM, PUSHER), (ARM, PUSHER)),
        (False, (CRADLE, PUSHER), (CRADLE,)),
        (True, (CRADLE, ARM, PUSHER), (CRADLE, ARM, PUSHER)),
        (True, (CRADLE, PUSHER), (CRADLE, PUSHER)),
    ],
)
def test_one_telegram_tells_of_those_that_fit(
    new_robot: Callable[..., VirtualRobot],
    tmp_path: Path,
    pty: bool,
    asked: Sequence[Motor],
    told: Sequence[Motor],
) -> None:
    robot = new_robot(pty_link=tmp_path / "brick" if pty else None)
    with robot.link() as link:
        for motor, limit_deg in ((ARM, 20), (PUSHER, 40)):
            link.run(motor, 40, limit_deg)
        robot.clock.sleep(1.0)
        expected = {motor: link.tacho(motor) for motor in told}
        telegrams = robot.brick.telegrams
        assert read_counters(link, asked) == expected
        assert robot.brick.telegrams == telegrams + 1
    assert expected.get(PUSHER, 40) >= 40
