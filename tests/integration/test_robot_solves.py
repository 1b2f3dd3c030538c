"""Scrambled cubes are solved end to end through nxt-python, in virtual time."""

from collections.abc import Callable
from typing import Any

import pytest

from controller.motion.executor import PrimitiveRetried
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"

LINES = [
    pytest.param({}, id="TCP"),
    pytest.param({"pty": True}, id="a pty"),
]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("seeds", [range(start, start + 10) for start in range(0, 100, 10)])
def test_a_hundred_random_cubes(
    new_robot: Callable[..., Any], line: dict[str, bool], seeds: range
) -> None:
    for seed in seeds:
        robot = new_robot(random_state(seed), **line)
        events = robot.run()
        assert robot.rig.is_solved, f"seed {seed}"
        assert robot.rig.jams == [], f"seed {seed}"
        assert not any(isinstance(event, PrimitiveRetried) for event in events), f"seed {seed}"
        assert robot.motors_are_idle, f"seed {seed}"


@pytest.mark.parametrize("scramble", ["", "R", "U2", "F' B", "R U", SUPERFLIP])
def test_cubes_that_are_special(new_robot: Callable[..., Any], scramble: str) -> None:
    robot = new_robot(SOLVED.apply(parse_moves(scramble)))
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []


def test_any_position_can_be_the_target(new_robot: Callable[..., Any]) -> None:
    robot = new_robot(random_state(1))
    target = random_state(2)
    robot.run(robot.header(target))
    assert robot.rig.cube.cube == target
