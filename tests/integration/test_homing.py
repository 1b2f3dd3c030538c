"""Home is found from where the rig happens to stand, so that one run may follow another."""

from collections.abc import Callable
from contextlib import closing
from math import remainder

import pytest

from controller.errors import LinkLostError, MotorStalledError
from controller.motion.primitives import Tilt, TurnLayer
from controller.rigs.nxt_brick import player
from controller.rigs.nxt_brick.direct_player import DirectPlayer
from controller.rigs.nxt_brick.motion import Known, Motor
from controller.rigs.nxt_cradle.homing import HeldCube, Homing
from controller.robot_jobs import RobotJob, Task, scan_by_robot
from hardware_sims.nxt_brick.faults import Faults, Stall
from hardware_sims.rigs.cradle.faults import Build, RigFaults
from hardware_sims.rigs.cradle.mechanics import ARM_CLOSED_DEG, LAYER_SETTLES_DEG
from hardware_sims.rigs.faults import Short
from solvers.foundation.progress import run_job
from solvers.rubik.scramble import random_state
from tests.camera_above import CameraAbove
from tests.virtual_robot import RIG, VirtualRobot, turned

# Cradle, arm and pusher in degrees from home. A cube askew lets the arm forward only to its corner.
STARTS = [
    (0, 0, 0),
    (30, 0, 0),
    (-30, 0, 0),
    (0, 30, 0),
    (0, -30, 0),
    (0, 0, 30),
    (20, -15, 25),
    (-30, -30, 30),
    (30, -30, 15),
    (10, 0, 0),
    (0, 0, 160),
]


def bring(robot: VirtualRobot, start: tuple[int, int, int]) -> None:
    """Let the rig stand off its home, motors off."""
    with robot.link() as link:
        player = DirectPlayer(link, robot.controls, (30, 30, 30), stall_s=1.0)
        for motor, angle_deg in reversed(list(zip(Motor, start, strict=True))):
            player.go(motor, angle_deg, within_deg=1)
            link.coast(motor)


@pytest.mark.parametrize("start", STARTS)
def test_home_is_found_to_one_degree(
    new_robot: Callable[..., VirtualRobot], start: tuple[int, int, int]
) -> None:
    robot = new_robot(random_state(1))
    bring(robot, start)
    with robot.link() as link:
        away = Homing(link, robot.controls, RIG).home_from_here()
    assert robot.motors_are_idle
    stands_at = robot.brick.machine.outputs.motors["shaft_deg"]
    for deg, missing_deg in zip(stands_at, away, strict=False):
        assert deg + missing_deg == pytest.approx(0, abs=1)
        assert deg == pytest.approx(0, abs=3)
    assert robot.rig.jams == []
    assert robot.rig.cube.cube == random_state(1)
    assert robot.rig.pose.cube_deg == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("cradle_deg", [-120, 157])
def test_home_is_found_where_a_spin_was_cut_off(
    new_robot: Callable[..., VirtualRobot], cradle_deg: int
) -> None:
    robot = new_robot(random_state(1))
    bring(robot, (cradle_deg, -40, 0))
    with robot.link() as link:
        cradle, _, _ = Homing(link, robot.controls, RIG).home_from_here()
    stands_at = robot.brick.machine.outputs.motors["shaft_deg"][0]
    quarter_deg = RIG.cradle.quarter_deg
    off_deg = (stands_at + cradle + quarter_deg / 2) % quarter_deg - quarter_deg / 2
    assert off_deg == pytest.approx(0, abs=1)
    assert robot.rig.pose.cube_deg == pytest.approx(0, abs=0.5)
    assert robot.brick.machine.outputs.motors["shaft_deg"][1] > ARM_CLOSED_DEG + 0.5
    assert robot.motors_are_idle


def test_a_cradle_that_does_not_turn_is_not_taken_for_straight(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(1), faults=Faults(stalls=(Stall(port=0, seconds=99, time_s=0),)))
    with robot.link() as link, pytest.raises(MotorStalledError, match=r"\(cradle\) does not turn"):
        Homing(link, robot.controls, RIG).home_from_here()
    assert robot.motors_are_idle


def test_what_is_no_end_by_its_counter_is_refused(new_robot: Callable[..., VirtualRobot]) -> None:
    """The arm is held where it stands, which by feeling alone would be its back end."""
    robot = new_robot(random_state(1), faults=Faults(stalls=(Stall(port=1, seconds=99, time_s=0),)))
    with robot.link() as link, pytest.raises(MotorStalledError, match=r"stopped \d+ degrees from"):
        Homing(link, robot.controls, RIG).home_from_here(Known(0, 0, 0))
    assert robot.motors_are_idle


def test_an_end_farther_back_than_the_known_one_is_the_true_one(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """As after a search for home in which the arm was stuck at the cube."""
    robot = new_robot(random_state(1))
    with robot.link() as link:
        away = Homing(link, robot.controls, RIG).home_from_here(Known(0, 45, 0))
    stands_at = robot.brick.machine.outputs.motors["shaft_deg"]
    for deg, missing_deg in zip(stands_at, away, strict=False):
        assert deg + missing_deg == pytest.approx(0, abs=1)


@pytest.mark.parametrize("stiffness", [1.0, 2.5])
def test_a_layer_that_is_felt_askew_is_brought_straight(
    new_robot: Callable[..., VirtualRobot], stiffness: float
) -> None:
    faults = RigFaults(short=(Short(turn=1, degrees=12.0),), rig=Build(stiffness=stiffness))
    robot = new_robot(random_state(8), rig_faults=faults)
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        mechanism.perform(TurnLayer(1))
        assert abs(robot.rig.pose.layer_deg) > 8
        assert mechanism.straighten(None)
        mechanism.release()
    assert abs(robot.rig.pose.layer_deg) < LAYER_SETTLES_DEG
    assert robot.rig.pose.cube_deg == pytest.approx(0, abs=1)


@pytest.mark.parametrize("turned_deg", [-100, 40])
def test_a_cradle_without_a_count_is_levelled_by_lifting_the_cube(
    new_robot: Callable[..., VirtualRobot], turned_deg: int
) -> None:
    """Layer and cradle stand as a turn left them that was cut off by a restart of the brick."""
    robot = new_robot(random_state(1))
    with robot.link() as link:
        player = DirectPlayer(link, robot.controls, (30, 30, 30), stall_s=1.0)
        held = HeldCube(link, player, player, RIG, arm=0, pusher=0)
        held.hold()
        held.turn_layer(turned_deg, 1 if turned_deg > 0 else -1)
    robot.reboot()
    with robot.link() as link:
        cradle, _, _ = Homing(link, robot.controls, RIG).home_from_here(by_lifting=True)
    assert robot.motors_are_idle
    shaft_deg = robot.brick.machine.outputs.motors["shaft_deg"][0]
    quarter_deg = RIG.cradle.quarter_deg
    assert shaft_deg + cradle == pytest.approx(quarter_deg * round(turned_deg / quarter_deg), abs=4)
    assert robot.rig.pose.layer_deg == pytest.approx(0, abs=1.5)


def test_a_cube_whose_other_layers_are_askew_can_be_lifted_nowhere_and_is_left_as_it_is(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(1))
    robot.rig._mechanics["skew_deg"] = 8.0
    with robot.link() as link, pytest.raises(MotorStalledError, match="Straighten the cube's"):
        Homing(link, robot.controls, RIG).home_from_here(by_lifting=True)
    assert robot.motors_are_idle
    assert robot.rig.pose.cradle_deg == pytest.approx(0, abs=3)
    assert robot.rig.pose.layer_deg == pytest.approx(0, abs=3)


def test_a_rig_that_cannot_be_homed_is_refused_with_a_sentence(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """The arm hangs in the open: where it stands is no end, and it cannot close from there."""
    faults = Faults(stalls=(Stall(port=1, seconds=1000.0, time_s=3.0),))
    robot = new_robot(random_state(1), faults=faults)
    bring(robot, (0, -30, 0))
    robot.clock.sleep(3.0)
    with robot.link() as link, pytest.raises(MotorStalledError, match=r"arm \(motor B\) cannot"):
        Homing(link, robot.controls, RIG).home_from_here()
    assert robot.motors_are_idle


@pytest.mark.parametrize("off_deg", [-7, 7])
def test_what_may_be_the_layer_or_the_cradle_is_half_of_each(
    new_robot: Callable[..., VirtualRobot], off_deg: int
) -> None:
    robot = new_robot(random_state(1))
    bring(robot, (off_deg, 0, 0))
    with robot.link() as link:
        away = Homing(link, robot.controls, RIG).home_from_here()
    cradle_deg = robot.brick.machine.outputs.motors["shaft_deg"][0]
    assert cradle_deg + away[0] == pytest.approx(off_deg / 2, abs=2)


def test_runs_and_scans_follow_each_other_on_one_brick(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(2))
    camera = CameraAbove(robot, level=1, seed=2)
    scan = run_job(scan_by_robot(robot.robot, lambda: closing(camera)))
    assert scan.outcome.result.facelets == robot.rig.facelets
    for seed in range(2):
        robot.put_in(turned(seed, turns=4))
        robot.run()
        assert robot.rig.is_solved
        assert robot.motors_are_idle
    robot.put_in(turned(4, turns=4))
    job = RobotJob(robot.robot, Task(search_s=0.0, journal=robot.journal), robot.clock)
    report = run_job(job.solve_seen(lambda: closing(camera)))
    assert report.seen is not None
    assert report.seen.target_reached
    assert robot.rig.jams == []


@pytest.mark.parametrize("drive", ["program", "direct"])
def test_a_layer_that_the_last_turn_left_short_does_not_move_home(
    new_robot: Callable[..., VirtualRobot], drive: str
) -> None:
    """Half way to what is felt, home would wander from run to run until a tilt jams.

    That gives 4.5 to 4.8 degrees here; so it is -0.3 to 2.8, by the instants of the looks.
    """
    short = RigFaults(short=(Short(turn=1, degrees=2.7),))
    robot = new_robot(random_state(1), drive=drive, rig_faults=short)
    for turn in (TurnLayer(1), Tilt()):
        with robot.mechanism() as mechanism:
            mechanism.set_home()
            shaft_deg = robot.brick.machine.outputs.motors["shaft_deg"][0]
            assert remainder(shaft_deg, RIG.cradle.quarter_deg) == pytest.approx(0, abs=3.5)
            assert robot.rig.pose.layer_deg == pytest.approx(0, abs=1.5)
            mechanism.perform(turn)
            mechanism.release()
    assert robot.rig.jams == []


def test_the_program_counts_from_zero_again_before_its_orders_overflow(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot(random_state(1), drive="program")
    for seed in range(7):  # without it, the seventh has an order that is too large
        robot.put_in(random_state(seed))
        robot.run()
        assert robot.rig.is_solved
    assert robot.rig.jams == []


def test_home_stays_where_it_is_however_often_the_program_counts_from_zero(
    new_robot: Callable[..., VirtualRobot], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A motor stands a degree off; home would go there each time, and a tilt jam 7 degrees on."""
    monkeypatch.setattr(player, "FARTHEST_COUNT", -1)
    robot = new_robot(random_state(1), drive="program")
    bring(robot, (1, 0, 0))
    homes = []
    for _ in range(5):
        with robot.mechanism() as mechanism:
            mechanism.set_home()
            cradle = robot.brick.machine.outputs.motors[0]
            homes.append(mechanism.state["home"][0] + cradle["encoder_deg"] - cradle["tacho_count"])
    assert homes == [homes[0]] * len(homes)


@pytest.mark.parametrize("telegram", [60, 150, 160, 185])
def test_home_is_found_after_a_search_that_lost_its_link(
    new_robot: Callable[..., VirtualRobot], telegram: int
) -> None:
    """The motor that felt for its end still pushes, and would turn the cube once it is let go."""
    robot = new_robot(random_state(1), faults=Faults(drop_at=(telegram,)))
    with pytest.raises(LinkLostError):
        robot.find_home()
    robot.clock.sleep(5.0)
    robot.find_home()
    assert robot.motors_are_idle
    assert robot.brick.machine.outputs.motors["shaft_deg"] == pytest.approx((0, 0, 0), abs=3)
