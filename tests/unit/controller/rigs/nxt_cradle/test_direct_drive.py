"""What the rig promises around its motions; that these are right, the solves show."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from controller.errors import InvalidJournalError, StoppedError
from controller.motion.mechanism import MotorSeen, State
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_brick.calibration import TimedMechanism, measure_seconds
from controller.rigs.nxt_brick.direct_player import DirectPlayer
from controller.rigs.nxt_brick.motion import TIPPING, Motor, cradle_change
from controller.rigs.nxt_brick.programs import Heartbeat
from controller.rigs.nxt_cradle.direct_drive import DirectMechanism
from controller.rigs.nxt_cradle.homing import HeldCube
from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_brick.faults import BLUETOOTH_LATENCY, Faults
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.rotations import UPRIGHT
from tests.virtual_robot import RIG, VirtualRobot

FULL_POWER = 100
FAR_DEG = 10_000


def test_releasing_brakes_a_running_motor_before_it_coasts(robot: VirtualRobot) -> None:
    warm_up()  # compiled while the driver waits, free motors would take longer than its patience
    robot.brick = SimulatedBrick(robot.clock)  # its motors turn freely
    with robot.mechanism() as mechanism:
        assert isinstance(mechanism, DirectMechanism)
        link = mechanism._link
        link.run(Motor.CRADLE, FULL_POWER, FAR_DEG)
        robot.clock.sleep(0.5)
        at_stop = link.tacho(Motor.CRADLE)
        mechanism.release()
        robot.clock.sleep(1.0)
        braked_deg = link.tacho(Motor.CRADLE) - at_stop
        link.run(Motor.CRADLE, FULL_POWER, FAR_DEG)
        robot.clock.sleep(0.5)
        at_stop = link.tacho(Motor.CRADLE)
        link.coast(Motor.CRADLE)
        robot.clock.sleep(1.0)
        coasted_deg = link.tacho(Motor.CRADLE) - at_stop
    assert robot.motors_are_idle
    assert braked_deg < coasted_deg / 2


@pytest.mark.parametrize("drive", ["direct", "program"])
def test_a_stop_while_it_releases_lets_all_motors_go_and_is_told(
    new_robot: Callable[..., VirtualRobot], drive: str
) -> None:
    robot = new_robot(drive=drive)
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        mechanism.perform(Tilt(), ahead=(Tilt(),))
        robot.controls.stop()
        with pytest.raises(StoppedError):
            mechanism.release()
    assert robot.motors_are_idle


@pytest.mark.parametrize(
    ("drive", "battery_mv", "gripping", "turning"),
    [
        ("direct", 7_200, 78, 78),
        ("direct", 8_000, 70, 70),
        ("direct", 8_900, 63, 63),
        ("program", 7_200, 78, 66),
        ("program", 8_000, 70, 60),
        ("program", 8_900, 63, 54),
    ],
)
def test_the_arm_presses_alike_whatever_the_battery_gives(
    new_robot: Callable[..., VirtualRobot],
    drive: str,
    battery_mv: int,
    gripping: int,
    turning: int,
) -> None:
    robot = new_robot(drive=drive, faults=Faults(battery_mv=battery_mv))
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        motors = robot.brick.machine.outputs.motors
        seen: list[int] = []
        robot.clock.before_sleep.append(lambda: seen.append(int(motors["actual_speed"][1])))
        mechanism.perform(TurnLayer(1))
        mechanism.release()
    assert gripping in seen
    assert seen.count(turning) > 10


@pytest.mark.parametrize("before", [Tilt(), Spin(1), TurnLayer(1)])
def test_the_pusher_is_at_home_until_the_arm_has_tipped_the_cube(
    new_robot: Callable[..., VirtualRobot], before: Primitive
) -> None:
    robot = new_robot(drive="program")
    motors = robot.brick.machine.outputs.motors
    seen: list[tuple[float, float]] = []

    def look() -> None:
        _, arm, pusher = motors["shaft_deg"].tolist()
        seen.append((arm, pusher))

    with robot.mechanism() as mechanism:
        mechanism.set_home()
        robot.clock.before_sleep.append(look)
        mechanism.perform(before, ahead=(Tilt(),))
        mechanism.perform(Tilt())
        mechanism.release()
    tips = RIG.geometry.arm_tips
    _, after = next(pair for pair in pairwise(seen) if pair[0][0] < tips <= pair[1][0])
    assert after[0] < tips + 3
    assert after[1] < RIG.geometry.pusher_home


@pytest.mark.parametrize(("volts", "power"), [(9.3, 60), (5.0, 93), (0.0, 93)])
def test_no_battery_makes_the_arm_press_with_nonsense(volts: float, power: int) -> None:
    assert RIG.at_volts(volts).arm.press_power == power
    assert RIG.at_volts(volts).seconds == RIG.seconds


@pytest.mark.parametrize("drive", ["direct", "program"])
def test_both_drives_tell_where_the_motors_stand_and_are_sent(
    new_robot: Callable[..., VirtualRobot], drive: str
) -> None:
    told: list[dict[str, MotorSeen]] = []
    robot = new_robot(
        drive=drive, on_motors=lambda motors: told.append({each.name: each for each in motors})
    )
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        told.clear()
        mechanism.perform(Spin(1))
        mechanism.release()
    quarter = -robot.calibration.cradle.quarter_deg
    assert all(set(look) == {"cradle", "arm", "pusher"} for look in told)
    assert len({look["cradle"].angle_deg for look in told}) > 1
    assert told[-1]["cradle"].angle_deg == pytest.approx(quarter, abs=3)
    assert told[-1]["arm"].angle_deg == pytest.approx(0, abs=3)
    goals = {look["cradle"].goal_deg for look in told}
    assert any(goal is not None and abs(goal - quarter) <= 1 for goal in goals)


@pytest.mark.parametrize(
    ("primitive", "phases"),
    [
        (Spin(1), [(0, False), (0, True)]),
        (TurnLayer(2), [(0, False), (0, True)]),
        (Tilt(), [(0, False), (TIPPING, False), (0, True)]),
    ],
    ids=str,
)
def test_the_state_tells_where_the_cradle_stands_and_how_far_a_primitive_came(
    robot: VirtualRobot, primitive: Primitive, phases: list[tuple[int, bool]]
) -> None:
    states: list[State] = []
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        home = mechanism.state["home"]
        mechanism.perform(primitive, on_state=states.append)
        assert [(state["phase"], state["is_done"]) for state in states] == phases
        assert {state["cradle_quarters"] for state in states} == {0}
        assert mechanism.state == {
            "home": home,
            "cradle_quarters": cradle_change(primitive),
            "phase": None,
            "is_done": False,
        }
        mechanism.release()


def test_an_earlier_run_is_taken_up_only_if_the_brick_stayed_on(robot: VirtualRobot) -> None:
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        mechanism.perform(Spin(1))
        state = mechanism.state
        mechanism.release()
    with robot.mechanism() as mechanism:
        assert mechanism.restore(state)
        assert mechanism.state == state
    robot.reboot()
    with robot.mechanism() as mechanism:
        assert not mechanism.restore(state)


@pytest.mark.parametrize(
    ("left_deg", "stayed_on", "moved_deg"),
    [(5, True, 0), (-5, True, 0), (5, False, 5), (14, True, 14)],
)
def test_home_does_not_wander_with_what_a_run_leaves(
    robot: VirtualRobot, left_deg: int, stayed_on: bool, moved_deg: int
) -> None:
    """The layer that was turned last and the cradle are off by the same; no play tells that."""
    with robot.mechanism() as mechanism:
        mechanism.set_home()
    with robot.link() as link:
        beat = Heartbeat(link, robot.controls).beat
        player = DirectPlayer(link, robot.controls, (30, 30, 30), stall_s=1.0, beat=beat)
        held = HeldCube(link, player, player, RIG, arm=0, pusher=0)
        held.hold()
        held.turn_layer(left_deg, 1 if left_deg > 0 else -1)
        held.come_to(left_deg)
    if not stayed_on:
        robot.reboot()
    shaft_deg = robot.brick.machine.outputs.motors["shaft_deg"][0]
    began_at = shaft_deg if not stayed_on else 0  # where the counter showed zero
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        assert began_at + mechanism.state["home"][0] == pytest.approx(moved_deg, abs=1.5)
        mechanism.release()


@pytest.mark.parametrize(
    "state", [{"home": [0, 0]}, {"home": "here"}, {"holder": 1}, {"phase": "third"}]
)
def test_a_state_of_another_rig_is_refused(robot: VirtualRobot, state: State) -> None:
    with (
        robot.mechanism() as mechanism,
        pytest.raises(InvalidJournalError, match="The state in the journal"),
    ):
        mechanism.restore(state)


def test_single_primitives_end_at_home(robot: VirtualRobot) -> None:
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        for primitive in (Tilt(), Spin(1), TurnLayer(-1), Spin(2), TurnLayer(2)):
            mechanism.perform(primitive)
            assert abs(robot.rig.pose.arm_deg) <= 3
            assert abs(robot.rig.pose.pusher_deg) <= 3
            assert robot.rig.pose.phase == "seated"
        mechanism.release()
    assert robot.rig.jams == []


def test_what_was_done_already_is_only_counted(robot: VirtualRobot) -> None:
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        assert mechanism.restore({**mechanism.state, "phase": 0, "is_done": True})
        telegrams = robot.brick.telegrams
        mechanism.perform(Spin(1))
        assert robot.brick.telegrams - telegrams <= 1  # the one that keeps awake
        assert mechanism.state["cradle_quarters"] == -1
        assert not mechanism.state["is_done"]
        mechanism.release()
    assert robot.rig.cube.orientation == UPRIGHT


def test_a_turn_that_was_cut_off_meets_its_layer_from_behind(robot: VirtualRobot) -> None:
    began: list[float] = []
    for phase in (None, 0):
        with robot.mechanism() as mechanism:
            mechanism.set_home()
            assert mechanism.restore({**mechanism.state, "phase": phase})
            began_s = robot.clock.now()
            mechanism.perform(TurnLayer(1))
            began.append(robot.clock.now() - began_s)
            mechanism.release()
    assert began[1] > began[0] + 0.1
    assert robot.rig.jams == []


def test_a_tilt_that_was_cut_off_after_the_cube_rolled_is_not_done_twice(
    robot: VirtualRobot,
) -> None:
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        with pytest.raises(KeyboardInterrupt):
            mechanism.perform(Tilt(), on_state=stop_when_done)
        mechanism.release()
        state = {**mechanism.state, "phase": TIPPING, "is_done": False}  # it did not reach the disk
    with robot.mechanism() as mechanism:
        assert mechanism.restore(state)
        mechanism.perform(Tilt())
        mechanism.release()
    assert robot.rig.cube.orientation == CradledCube().tilted().orientation
    assert robot.rig.pose.phase == "seated"


def stop_when_done(state: State) -> None:
    """Be interrupted where the cube has rolled."""
    if state["is_done"]:
        raise KeyboardInterrupt


def test_tilts_are_measured_over_bluetooth_too(tmp_path: Path) -> None:
    # An arm that stands behind its motor by the gears' backlash tips no cube, and stops the pusher.
    robot = VirtualRobot(SOLVED, tmp_path / "unused", drive="direct", latency=BLUETOOTH_LATENCY)
    with robot.mechanism() as mechanism:
        assert isinstance(mechanism, TimedMechanism)
        mechanism.set_home()
        seconds = run_job(measure_seconds(mechanism, rounds=1))
        mechanism.release()
    assert seconds.tilt > 0
