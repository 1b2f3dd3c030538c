"""Motors come to where motions send them over direct commands, or it is said which does not."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.errors import MotorStalledError
from controller.rigs.nxt_brick.brick_link import BrickLink
from controller.rigs.nxt_brick.direct_player import NEAR_DEG, SHORT_DEG, SQUARE_DEG, DirectPlayer
from controller.rigs.nxt_brick.motion import Done, Go, Motor, Phase, Push, Reach, Rest, Square
from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_brick.faults import (
    BLUETOOTH_LATENCY,
    NO_FAULTS,
    USB_LATENCY,
    Faults,
    Latency,
    Stall,
)
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
        player.start()
        yield link, player


@pytest.mark.parametrize("pty", [False, True], ids=["short blocks", "long blocks"])
@pytest.mark.parametrize("latency", [USB_LATENCY, BLUETOOTH_LATENCY], ids=["usb", "bluetooth"])
def test_motors_come_to_stand_where_they_are_sent(
    new_robot: Callable[..., VirtualRobot], tmp_path: Path, latency: Latency, pty: bool
) -> None:
    robot = new_robot(latency=latency, pty_link=tmp_path / "brick" if pty else None)
    with free_motors(robot) as (link, player):
        for goals in ((315, -44, 11), (0, 44, 167), (630, 1, 207), (602, -30, 207), (-315, 0, 0)):
            for motor, goal in zip(Motor, goals, strict=True):
                player.play((Go(motor, goal), Rest(motor, NEAR_DEG)), HOME)
            robot.clock.sleep(0.3)
            for motor, goal in zip(Motor, goals, strict=True):
                assert abs(link.tacho(motor) - goal) <= NEAR_DEG + 1  # one degree of creeping


@pytest.mark.parametrize("latency", [USB_LATENCY, BLUETOOTH_LATENCY], ids=["usb", "bluetooth"])
def test_no_counts_are_lost_on_the_way(
    new_robot: Callable[..., VirtualRobot], latency: Latency
) -> None:
    """One or two degrees a motion would be ten at the end of a cube."""
    robot = new_robot(latency=latency)
    paces = (None, RIG.tilting.lift)
    with free_motors(robot) as (_, player):
        for goal in range(30, 330, 15):
            ways = [Go(motor, goal, paces[goal % 2]) for motor in Motor]
            player.play([*ways, *(Go(motor, 0, paces[goal % 2]) for motor in Motor)], HOME)
        robot.clock.sleep(0.3)
        robot.brick.advance()
        motors = robot.brick.machine.outputs.motors
        assert motors["tacho_count"].tolist() == motors["encoder_deg"].tolist()


def test_one_motor_stands_before_the_next_one_moves(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    robot = new_robot()
    with free_motors(robot) as (_, player):
        motors = robot.brick.machine.outputs.motors
        turning = []
        robot.clock.before_sleep.append(
            lambda: turning.append(int((abs(motors["speed_deg_s"]) > 20).sum()))
        )
        player.play([Go(motor, 200) for motor in Motor], HOME)
        assert max(turning) == 1


def test_phases_are_reported_before_the_motors_go_on(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    reported: list[tuple[int, int]] = []
    with free_motors(new_robot()) as (link, player):
        motions = (Phase(1), Go(Motor.ARM, 44), Reach(Motor.ARM, 41, upwards=True), Done())
        player.play(motions, HOME, lambda phase: reported.append((phase, link.tacho(Motor.ARM))))
    assert [phase for phase, _ in reported] == [1, 0]
    assert reported[0][1] == 0
    assert reported[1][1] >= 41


@pytest.mark.parametrize("port", range(3))
def test_a_motor_that_stands_still_is_stalled_and_all_are_braked(
    new_robot: Callable[..., VirtualRobot], port: int
) -> None:
    motor = list(Motor)[port]
    faults = Faults(stalls=(Stall(port=port, seconds=100.0, time_s=0.2),))
    robot = new_robot()
    with free_motors(robot, faults) as (_, player):
        with pytest.raises(MotorStalledError, match=rf"Motor {motor.value} .* does not move on"):
            player.play([Go(motor, 900)], HOME)
        robot.clock.sleep(0.05)
        robot.brick.advance()
        assert abs(robot.brick.machine.outputs.motors["actual_speed"]).max() <= 1


@pytest.mark.parametrize(
    ("short_deg", "wait"),
    [
        (SHORT_DEG - 2, Reach(Motor.PUSHER, 199, upwards=True)),
        (SHORT_DEG - 2, Rest(Motor.PUSHER, NEAR_DEG)),
        (SHORT_DEG + 10, None),
    ],
)
def test_a_motor_may_be_held_short_of_its_goal_but_not_of_what_is_waited_for(
    new_robot: Callable[..., VirtualRobot], short_deg: int, wait: Reach | Rest | None
) -> None:
    """The pusher meets the cube before its goal; what follows relies on the wait alone."""
    robot = new_robot()
    with free_motors(robot) as (link, player):
        player.play((Go(Motor.PUSHER, 200 - short_deg),), HOME)
        stands = link.tacho(Motor.PUSHER)
        robot.brick._stall(Stall(port=2, seconds=100.0))
        if wait is None:
            with pytest.raises(MotorStalledError):
                player.play((Go(Motor.PUSHER, 200),), HOME)
            return
        player.play((Go(Motor.PUSHER, 200), Reach(Motor.PUSHER, stands, upwards=True)), HOME)
        with pytest.raises(MotorStalledError):
            player.play((wait,), HOME)


def test_pushing_goes_on_while_another_motor_moves(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot()
    with free_motors(robot) as (_, player):
        robot.brick._stall(Stall(port=1, seconds=100.0))
        player.play((Push(Motor.ARM, 40), Go(Motor.CRADLE, 300)), HOME)
        robot.brick.advance()
        power = robot.brick.machine.outputs.motors["actual_speed"]
        assert power[1] == 40
        player.play((Go(Motor.ARM, 0),), HOME)
        robot.clock.sleep(0.1)
        robot.brick.advance()
        assert abs(power[1]) <= 1


def test_what_was_let_go_in_a_silence_pushes_again_before_another_motor_moves(
    new_robot: Callable[..., VirtualRobot],
) -> None:
    """Unpressed, a cube would turn with its bottom layer."""
    robot = new_robot()
    late = iter([False, True, *[False] * 1000])
    with free_motors(robot) as (link, _):
        player = DirectPlayer(link, robot.clock, RIG.powers, STALL_S, beat=lambda: next(late))
        player.start()
        robot.brick._stall(Stall(port=1, seconds=100.0))
        player.play((Push(Motor.ARM, 40),), HOME)
        link.coast(Motor.ARM)
        player.play((Go(Motor.CRADLE, 300),), HOME)
        robot.brick.advance()
        assert robot.brick.machine.outputs.motors["actual_speed"][1] == 40


@pytest.mark.parametrize("way", [-1, 1])
def test_a_layer_that_was_dragged_too_far_is_brought_back(
    new_robot: Callable[..., VirtualRobot], way: int
) -> None:
    """The cradle goes 15 degrees beyond what the layer's play explains."""
    play = round(RIG.cradle.slack_deg)
    with free_motors(new_robot()) as (link, player):
        player.play((Go(Motor.CRADLE, way * (315 + play + 15)),), HOME)
        player.play((Square(way * 315, play),), HOME)
        lag = way * (way * 315 - link.tacho(Motor.CRADLE))
        assert lag == pytest.approx(play, abs=SQUARE_DEG)


def test_a_layer_that_is_straight_is_left_alone(new_robot: Callable[..., VirtualRobot]) -> None:
    robot = new_robot()
    with free_motors(robot) as (_, player):
        player.play((Go(Motor.CRADLE, 331),), HOME)
        telegrams = robot.brick.telegrams
        player.play((Square(315, 16),), HOME)
        assert robot.brick.telegrams == telegrams


@pytest.mark.parametrize("jitter_s", [0.0, 0.02])
@pytest.mark.parametrize("delay_s", [0.0, 0.06])
def test_late_answers_cost_no_accuracy(
    new_robot: Callable[..., VirtualRobot], jitter_s: float, delay_s: float
) -> None:
    robot = new_robot(latency=BLUETOOTH_LATENCY)
    with free_motors(robot, Faults(delay_s=delay_s, jitter_s=jitter_s)) as (link, player):
        for goal in (600, 0) * 5:
            player.play((Go(Motor.CRADLE, goal),), HOME)
            assert abs(link.tacho(Motor.CRADLE) - goal) <= NEAR_DEG + 1


@pytest.mark.parametrize("delay_s", [1.5, 4.0])
def test_answers_that_come_very_late_cost_only_time(
    new_robot: Callable[..., VirtualRobot], delay_s: float
) -> None:
    """A simulated brick at 20 times real time, and a busy computer, are as slow as that."""
    robot = new_robot(latency=BLUETOOTH_LATENCY)
    with free_motors(robot, Faults(delay_s=delay_s)) as (link, player):
        for goal in (160, 0):
            player.go(Motor.PUSHER, goal)
            assert abs(link.tacho(Motor.PUSHER) - goal) <= NEAR_DEG + 1
