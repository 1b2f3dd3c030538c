"""Runs that are cut off end with a clear error, idle motors and a journal to resume."""

from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from controller.errors import CubeUncertainError, LinkLostError, MotorStalledError
from controller.motion.executor import HomeFound, PrimitiveFinished, PrimitiveRetried
from controller.motion.journal import Journal
from controller.motion.mechanism import State
from hardware_sims.nxt_brick.faults import Faults, Stall
from solvers.rubik.cubies import CubieCube
from tests.virtual_robot import VirtualRobot, turned

TURNS: Final = 4
"""The cubes are so far from solved: a drive of some eight primitives can be cut off anywhere."""

# Where a run is cut off, in percent of the telegrams of a usual one.
DROPS: Final = (60,)

STALLED_FROM_S: Final = 6.0
"""After home was found: in the middle of the drive of such a cube."""

DIRECT: Final = pytest.mark.parametrize("new_robot", ["direct"], indirect=True)
"""For what `test_program_drive` tests of the program, more closely."""


@pytest.fixture(params=["program", "direct"])
def new_robot(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., VirtualRobot]:
    """Return a maker of robots with each of the drives."""

    def make(cube: CubieCube, **options: Any) -> VirtualRobot:
        return VirtualRobot(cube, tmp_path / "run.journal", drive=request.param, **options)

    return make


@cache
def _usual_telegrams(drive: str, folder: Path) -> int:
    robot = VirtualRobot(turned(7, TURNS), folder / f"{drive}.journal", drive=drive)
    robot.run()
    return robot.brick.telegrams


@pytest.fixture
def telegram_at(
    new_robot: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[int], int]:
    """Return a function from a percentage of a usual run of the drive to the telegram there."""
    drive, folder = new_robot(turned(7, TURNS)).drive, tmp_path_factory.getbasetemp()
    return lambda percent: _usual_telegrams(drive, folder) * percent // 100


@DIRECT
@pytest.mark.parametrize("percent", DROPS)
def test_a_pulled_plug_is_an_error_and_resume_solves(
    new_robot: Callable[..., Any], telegram_at: Callable[[int], int], percent: int
) -> None:
    robot = new_robot(turned(7, TURNS), faults=Faults(drop_at=(telegram_at(percent),)))
    with pytest.raises(LinkLostError, match="resume"):
        robot.run()
    assert not robot.rig.is_solved
    events = robot.resume()
    assert robot.rig.is_solved
    assert isinstance(events[-1], PrimitiveFinished)
    assert robot.motors_are_idle


def test_a_brick_that_falls_silent_is_given_up(
    new_robot: Callable[..., Any], telegram_at: Callable[[int], int]
) -> None:
    faults = Faults(silent_from=telegram_at(30))
    robot = new_robot(turned(7, TURNS), faults=faults, reply_timeout_s=0.3)
    with pytest.raises(LinkLostError, match="not answered"):
        robot.run()


@DIRECT
def test_a_motor_that_stalls_for_two_seconds_is_tried_again(new_robot: Callable[..., Any]) -> None:
    time_s = new_robot(turned(8, TURNS)).find_home() + STALLED_FROM_S
    stalls = (Stall(port=1, seconds=2.0, time_s=time_s),)
    robot = new_robot(turned(8, TURNS), faults=Faults(stalls=stalls))
    events = robot.run()
    assert robot.rig.is_solved
    assert sum(isinstance(event, PrimitiveRetried) for event in events) <= 1
    assert robot.clock.now() > time_s + 2.0, "it stalled after the drive"


@DIRECT
def test_a_motor_that_stays_stalled_ends_the_run(new_robot: Callable[..., Any]) -> None:
    time_s = new_robot(turned(8, TURNS)).find_home() + STALLED_FROM_S
    stalls = (Stall(port=0, seconds=1000.0, time_s=time_s),)
    robot = new_robot(turned(8, TURNS), faults=Faults(stalls=stalls))
    with pytest.raises(MotorStalledError, match=r"Motor A \(cradle\)"):
        robot.run()
    assert robot.motors_are_idle


def test_replies_that_come_late_do_no_harm(new_robot: Callable[..., Any]) -> None:
    faults = Faults(delay_s=0.06)
    robot = new_robot(turned(9, TURNS), faults=faults)
    robot.run()
    assert robot.rig.is_solved
    assert robot.rig.jams == []


def test_a_weak_battery_takes_longer_and_solves(new_robot: Callable[..., Any]) -> None:
    strong, weak = (
        new_robot(turned(10, TURNS), faults=Faults(battery_mv=volts)) for volts in (8500, 6600)
    )
    for robot in (strong, weak):
        robot.run()
        assert robot.rig.is_solved
    assert weak.clock.now() > strong.clock.now()


def run_until(robot: Any, finished: int) -> None:
    """Stop a run when a number of primitives is finished."""
    with closing(robot.running(robot.header())) as events:
        for event in events:
            if isinstance(event, PrimitiveFinished) and event.index + 1 == finished:
                break


@pytest.mark.parametrize(
    ("phase", "is_done"), [(0, False), (1, False), (0, True)], ids=["begun", "tipping", "done"]
)
def test_ctrl_c_in_any_phase_of_a_primitive_is_completed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: int, is_done: bool
) -> None:
    """Interrupt the direct drive, whose host alone knows the phase, in each of them."""
    original = Journal.record_reached
    robot = VirtualRobot(turned(21, 2), tmp_path / "run.journal", drive="direct")
    header = robot.header()
    seen = 0

    def interrupt(journal: Journal, primitive: int, state: State) -> None:
        nonlocal seen
        original(journal, primitive, state)
        seen += (state["phase"], state["is_done"]) == (phase, is_done)
        if seen == 1:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "record_reached", interrupt)
        with pytest.raises(KeyboardInterrupt):
            robot.run(header)
    assert robot.motors_are_idle
    robot.resume()
    assert robot.rig.is_solved


def test_a_restarted_brick_between_primitives_takes_a_new_home(tmp_path: Path) -> None:
    """With the program nobody knows what it did of what was ahead, see test_program_drive."""
    robot = VirtualRobot(turned(12, TURNS), tmp_path / "run.journal", drive="direct")
    run_until(robot, finished=9)
    robot.reboot()
    events = robot.resume()
    assert isinstance(events[0], HomeFound)
    assert robot.rig.is_solved


def test_a_restarted_brick_within_a_primitive_asks_how_the_cube_lies(
    new_robot: Callable[..., Any], telegram_at: Callable[[int], int]
) -> None:
    robot = new_robot(turned(7, TURNS), faults=Faults(drop_at=(telegram_at(80),)))
    with pytest.raises(LinkLostError):
        robot.run()
    robot.reboot()
    with pytest.raises(CubeUncertainError, match="--state FACELETS"):
        robot.resume()
    robot.rig.straighten()
    robot.run()  # plans anew from the facelets that the owner sees
    assert robot.rig.is_solved
