"""What the rig promises around its motions; that these are right, the solves show."""

import pytest

from controller.errors import InvalidJournalError
from controller.motion.mechanism import State
from controller.motion.primitives import Spin, Tilt, TurnLayer
from controller.rigs.nxt_cradle.mechanism import NxtMechanism
from controller.rigs.nxt_cradle.motors import Motor
from hardware_sims.nxt_brick.brick import SimulatedBrick
from solvers.rubik.rotations import UPRIGHT
from tests.virtual_robot import VirtualRobot

FULL_POWER = 100


def test_releasing_brakes_a_running_motor_before_it_coasts(robot: VirtualRobot) -> None:
    robot.brick = SimulatedBrick(robot.clock)  # its motors turn freely
    with robot.mechanism() as mechanism:
        assert isinstance(mechanism, NxtMechanism)
        link = mechanism._link
        link.run(Motor.CRADLE, FULL_POWER)
        robot.clock.sleep(0.5)
        at_stop = link.tacho(Motor.CRADLE)
        mechanism.release()
        robot.clock.sleep(1.0)
        braked_deg = link.tacho(Motor.CRADLE) - at_stop
        link.run(Motor.CRADLE, FULL_POWER)
        robot.clock.sleep(0.5)
        at_stop = link.tacho(Motor.CRADLE)
        link.coast(Motor.CRADLE)
        robot.clock.sleep(1.0)
        coasted_deg = link.tacho(Motor.CRADLE) - at_stop
    assert robot.motors_are_idle
    assert braked_deg < coasted_deg / 2


def test_a_stop_while_it_releases_still_lets_all_motors_go(robot: VirtualRobot) -> None:
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        mechanism.perform(Tilt(), ahead=(Tilt(),))
        robot.controls.stop()
        mechanism.release()
    assert robot.motors_are_idle


def test_the_state_tells_where_the_cradle_stands_and_what_is_under_way(
    robot: VirtualRobot,
) -> None:
    states: list[State] = []
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        home = mechanism.state["home"]
        mechanism.perform(Spin(1), on_state=states.append)
        assert [state["step"] for state in states] == [0, 1, 2]
        assert {state["cradle_quarters"] for state in states} == {0}
        assert mechanism.state == {"home": home, "cradle_quarters": -1, "step": None}
        mechanism.perform(TurnLayer(2))
        assert mechanism.state["cradle_quarters"] == 1
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
    "state", [{"home": [0, 0]}, {"home": "here"}, {"holder": 1}, {"step": "third"}]
)
def test_a_state_of_another_rig_is_refused(robot: VirtualRobot, state: State) -> None:
    with (
        robot.mechanism() as mechanism,
        pytest.raises(InvalidJournalError, match="The state in the journal"),
    ):
        mechanism.restore(state)


def test_the_arm_stays_open_only_if_another_motion_follows(robot: VirtualRobot) -> None:
    def stands_at(*ahead: Tilt | TurnLayer) -> int:
        mechanism.perform(Spin(1), ahead=ahead)
        assert isinstance(mechanism, NxtMechanism)
        return mechanism._link.tacho(Motor.ARM)

    with robot.mechanism() as mechanism:
        mechanism.set_home()
        assert abs(stands_at()) <= 5
        assert abs(stands_at(TurnLayer(1), Tilt())) <= 5
        assert stands_at(Tilt()) < -30
        mechanism.release()


def test_a_turn_that_was_cut_off_meets_its_layer_from_behind(robot: VirtualRobot) -> None:
    states: list[State] = []
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        assert mechanism.restore({**mechanism.state, "step": 3})
        mechanism.perform(TurnLayer(1), on_state=states.append)
        mechanism.release()
    assert [state["step"] for state in states] == list(range(8))  # one more than a fresh one has


def test_a_tilt_whose_push_was_done_is_not_done_twice(robot: VirtualRobot) -> None:
    states: list[State] = []
    with robot.mechanism() as mechanism:
        mechanism.set_home()
        assert mechanism.restore({**mechanism.state, "step": 2})
        mechanism.perform(Tilt(), on_state=states.append)
        mechanism.release()
    assert [state["step"] for state in states] == [2, 3, 4]
    assert robot.rig.cube.orientation == UPRIGHT
