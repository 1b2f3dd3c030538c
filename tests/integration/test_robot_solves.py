"""Scrambled cubes are solved end to end through nxt-python, in virtual time."""

from collections.abc import Callable

import pytest

from controller.motion.executor import PrimitiveRetried
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, USB_LATENCY, Latency
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import parse_moves
from solvers.rubik.scramble import random_state
from tests.virtual_robot import VirtualRobot, turned

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"

CUBES = 5  # `python -m tests.benchmarks robot_seconds` drives 200
TURNS_ON_OTHER_LINES = 4


def solves(robot: VirtualRobot, name: str) -> None:
    events = robot.run()
    assert robot.rig.is_solved, name
    assert robot.rig.jams == [], name
    assert not any(isinstance(event, PrimitiveRetried) for event in events), name
    assert robot.motors_are_idle, name


def test_random_cubes(new_robot: Callable[..., VirtualRobot]) -> None:
    """All on one brick: its owner inserts one after the other."""
    robot = new_robot(random_state(0))
    for seed in range(CUBES):
        robot.put_in(random_state(seed))
        solves(robot, f"seed {seed}")


@pytest.mark.parametrize(
    ("drive", "pty", "latency"),
    [
        ("program", False, BLUETOOTH_LATENCY),
        ("program", True, USB_LATENCY),
        ("direct", False, USB_LATENCY),
        ("direct", False, BLUETOOTH_LATENCY),
        ("direct", True, BLUETOOTH_LATENCY),
    ],
)
def test_cubes_with_other_lines_and_drives(
    new_robot: Callable[..., VirtualRobot], drive: str, pty: bool, latency: Latency
) -> None:
    cube = turned(0, TURNS_ON_OTHER_LINES)
    solves(new_robot(cube, drive=drive, pty=pty, latency=latency), drive)


@pytest.mark.parametrize("scramble", ["", "R", "U2", "F' B", "R U", SUPERFLIP])
def test_cubes_that_are_special(new_robot: Callable[..., VirtualRobot], scramble: str) -> None:
    robot = new_robot(SOLVED.apply(parse_moves(scramble)))
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []


def test_any_position_can_be_the_target(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot(random_state(1))
    target = random_state(2)
    robot.run(robot.header(target))
    assert robot.rig.cube.cube == target
