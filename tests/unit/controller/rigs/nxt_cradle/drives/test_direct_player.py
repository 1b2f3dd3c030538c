"""Motors come to where motions send them over direct commands, or it is said which does not."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import mean

import pytest

from controller.errors import MotorStalledError
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.drives.direct_player import (
    BEYOND_DEG,
    NEAR_DEG,
    SQUARE_DEG,
    DirectPlayer,
)
from controller.rigs.nxt_cradle.drives.follower import Follower
from controller.rigs.nxt_cradle.drives.motor_model import Doing
from controller.rigs.nxt_cradle.motions import Done, Go, Motion, Phase, Push, Reach, Rest, Square
from controller.rigs.nxt_cradle.motors import Motor
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults, Stall
from hardware_sims.nxt_brick.latency import BLUETOOTH_LATENCY, USB_LATENCY, Latency
from hardware_sims.nxt_brick.warming_up import warm_up
from tests.virtual_robot import RIG, VirtualRobot

STALL_S = 0.6
HOME = (0, 0, 0)


@contextmanager
def free_motors(
    robot: VirtualRobot, faults: Faults = NO_FAULTS
) -> Iterator[tuple[BrickLink, DirectPlayer]]:
    """Connect to a brick whose motors move nothing."""
    warm_up()  # compiled while the driver waits, free motors would take longer than its patience
    robot.brick = SimulatedBrick(robot.clock, faults=faults, latency=robot.latency)
    with robot.link() as link:
        player = DirectPlayer(link, robot.clock, RIG.powers, STALL_S)
        player.begin()
        yield link, player


@pytest.mark.parametrize("pty", [False, True], ids=["short blocks", "long blocks"])
@pytest.mark.parametrize("latency", [USB_LATENCY, BLUETOOTH_LATENCY], ids=["usb", "bluetooth"])
def test_three_motors_at_once_come_to_stand_where_they_are_sent(
    new_robot: Callable[..., VirtualRobot], tmp_path: Path, latency: Latency, pty: bool
) -> None:
    robot = new_robot(latency=latency, pty_link=tmp_path / "brick" if pty else None)
    with free_motors(robot) as (link, player):
        for goals in ((315, -44, 11), (0, 44, 167), (630, 1, 207), (602, -30, 207), (-315, 0, 0)):
            sent = [Go(motor, goal) for motor, goal in zip(Motor, goals, strict=True)]
            began_s = robot.clock.now()
            player.play((*sent, *(Rest(motor, NEAR_DEG) for motor in Motor)), HOME)
            longest = 945 / 600 + 0.5  # degrees at the speed of a slow motor, and its settling
            assert robot.clock.now() - began_s < longest + 10 * latency.reply_s
            robot.clock.sleep(0.3)
            for motor, goal in zip(Motor, goals, strict=True):
                # One that is taken to stand may creep on by a degree.
                assert abs(link.tacho(motor) - goal) <= NEAR_DEG + 1


def test_a_motor_that_is_sent_elsewhere_on_its_way_turns_round(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    with free_motors(new_robot()) as (link, player):
        turned: tuple[Motion, ...] = (
            Go(Motor.CRADLE, 900),
            Reach(Motor.CRADLE, 300, upwards=True),
            Go(Motor.CRADLE, -100),
            Rest(Motor.CRADLE, NEAR_DEG),
        )
        player.play(turned, HOME)
        assert abs(link.tacho(Motor.CRADLE) + 100) <= NEAR_DEG


def test_phases_are_told_before_the_motors_go_on(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot()
    heard: list[tuple[int, int]] = []
    with free_motors(robot) as (link, player):
        motions = (Phase(1), Go(Motor.ARM, 44), Reach(Motor.ARM, 41, upwards=True), Done())
        player.play(motions, HOME, lambda phase: heard.append((phase, link.tacho(Motor.ARM))))
    assert [phase for phase, _ in heard] == [1, 0]
    assert heard[0][1] == 0
    assert heard[1][1] >= 41


@pytest.mark.parametrize("port", range(3))
def test_a_motor_that_stands_still_is_stalled_and_all_are_braked(
    new_robot: Callable[..., VirtualRobot], port: int
) -> None:
    motor = list(Motor)[port]
    faults = Faults(stalls=(Stall(port=port, seconds=100.0, time_s=0.2),))
    robot = new_robot()
    with free_motors(robot, faults) as (_, player):
        motions: list[Motion] = [Go(each, 900) for each in Motor]
        motions.append(Reach(motor, 890, upwards=True))
        with pytest.raises(MotorStalledError, match=rf"Motor {motor.value} .* does not move on"):
            player.play(motions, HOME)
        robot.clock.sleep(0.05)
        robot.brick.advance()
        assert abs(robot.brick.machine.outputs.motors["actual_speed"]).max() <= 1


@pytest.mark.parametrize("motion", [Go(Motor.CRADLE, 600), Push(Motor.ARM, 40)])
def test_without_a_host_a_motor_stops_by_itself(
    new_robot: Callable[..., VirtualRobot], motion: Motion
) -> None:
    """The host is gone right after its order: the firmware lets the motor go, and it runs out."""
    robot = new_robot()
    with free_motors(robot) as (_, player):
        player.play((motion,), HOME)
        robot.clock.sleep(5.0)
        robot.brick.advance()
        motors = robot.brick.machine.outputs.motors
        assert not motors["actual_speed"].any()
        assert not motors["speed_deg_s"].any()


def test_what_was_seen_before_a_push_is_not_taken_for_pressed(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """An arm that came past its goal and went back unseen would let the cradle turn the cube."""
    robot = new_robot()
    with free_motors(robot) as (link, player):
        player.play((Go(Motor.ARM, 2), Rest(Motor.ARM, NEAR_DEG)), HOME)
        player.play((Go(Motor.ARM, -20),), HOME)
        robot.clock.sleep(0.5)
        assert link.tacho(Motor.ARM) < -10
        player.play((Push(Motor.ARM, 40), Reach(Motor.ARM, -2, upwards=True)), HOME)
        assert link.tacho(Motor.ARM) >= -2


@pytest.mark.parametrize("way", [-1, 1])
def test_a_layer_that_was_dragged_too_far_is_brought_back(
    new_robot: Callable[..., VirtualRobot], way: int
) -> None:
    """The cradle goes 15 degrees beyond what the layer's play explains."""
    play = round(RIG.cradle.slack_deg)
    beyond = way * (315 + play + 15)
    with free_motors(new_robot()) as (link, player):
        player.play((Push(Motor.ARM, 40), Go(Motor.CRADLE, beyond)), HOME)
        player.play((Rest(Motor.CRADLE, NEAR_DEG),), HOME)
        moves = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Follower, "go", lambda _, __, goal: moves.append(goal))
            with suppress(MotorStalledError):  # nothing moves
                player.play((Square(way * 315, play),), HOME)
        assert moves[0] == way * (315 - play)
        player.play((Square(way * 315, play),), HOME)
        lag = abs(link.tacho(Motor.CRADLE) - way * 315)
        assert lag == pytest.approx(play, abs=SQUARE_DEG)


def test_a_layer_that_is_straight_is_left_alone(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot()
    with free_motors(robot) as (_, player):
        player.play((Push(Motor.ARM, 40), Go(Motor.CRADLE, 331)), HOME)
        player.play((Rest(Motor.CRADLE, NEAR_DEG),), HOME)
        telegrams = robot.brick.telegrams
        player.play((Square(315, 16),), HOME)
        assert robot.brick.telegrams == telegrams


def test_a_motor_on_its_way_is_not_told_the_same_again(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """An order costs a count of a motor that a limit has let go and that still turns."""
    robot = new_robot()
    with free_motors(robot) as (_, player):
        for goal, doing in ((20, Doing.STEPPING), (300, Doing.RUNNING)):
            player.play((Go(Motor.PUSHER, goal),), HOME)
            assert player._followers[Motor.PUSHER].model.doing is doing
            telegrams = robot.brick.telegrams
            player.play((Go(Motor.PUSHER, goal),), HOME)
            assert robot.brick.telegrams == telegrams
            player.play((Rest(Motor.PUSHER, NEAR_DEG),), HOME)


@pytest.mark.parametrize("jitter_s", [0.0, 0.02])
@pytest.mark.parametrize("delay_s", [0.0, 0.06])
def test_late_answers_are_no_far_misses(
    new_robot: Callable[..., VirtualRobot], jitter_s: float, delay_s: float
) -> None:
    """How old counts are is learned, and what came late is told from a motor that is slow."""
    robot = new_robot(latency=BLUETOOTH_LATENCY)
    misses = []
    with free_motors(robot, Faults(delay_s=delay_s, jitter_s=jitter_s)) as (_, player):
        motors = robot.brick.machine.outputs.motors
        for goal in (600, 0) * 30:
            way = 1 if goal else -1
            player.play((Go(Motor.CRADLE, goal),), HOME)
            player.play((Rest(Motor.CRADLE, NEAR_DEG),), HOME)
            cradle = player._followers[Motor.CRADLE]
            misses.append(way * ((cradle.highest if way > 0 else cradle.lowest) - goal))
            cradle.forget_ends()
        assert motors["shaft_deg"][0] == pytest.approx(0, abs=NEAR_DEG + 1)
    # Single answers that come late at random cannot be foreseen, so it is the mean that counts.
    assert mean(map(abs, misses[4:])) <= 3


def test_a_run_that_the_firmware_has_ended_is_noticed(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """Whatever the model expects: a motor that was let go does not come nearer by itself."""
    with free_motors(new_robot()) as (_, player):
        cradle = player._followers[Motor.CRADLE]
        player.play((Go(Motor.CRADLE, 600),), HOME)
        cradle._let_go_at = 5.0
        player.play((Rest(Motor.CRADLE, NEAR_DEG),), HOME)
        assert cradle._let_go_at > 500  # it was braked, and sent on with a limit of its own


def test_a_motor_that_will_come_too_far_has_not_reached_its_place(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot()
    with free_motors(robot) as (_, player):
        cradle = player._followers[Motor.CRADLE]
        player.play((Go(Motor.CRADLE, 300), Reach(Motor.CRADLE, 250, upwards=True)), HOME)
        robot.clock.sleep(0.1)  # the computer is late
        player.play((Reach(Motor.CRADLE, 295, upwards=True),), HOME)
        assert cradle.highest > 300 + 3 * BEYOND_DEG
        assert cradle.model.doing is not Doing.BRAKING
