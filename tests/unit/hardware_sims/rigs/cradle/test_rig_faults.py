"""Every fault of a rig: what it does to cube and pose, and what the counters see of it."""

import pytest

from hardware_sims.rigs.cradle.faults import Build, RigFaults, Stuck
from hardware_sims.rigs.cradle.mechanics import (
    GEAR_RATIO,
    JAM_ARM_ON_CORNER,
    JAM_ARM_STUCK,
    JAM_LAYER_ASKEW,
    USUAL_PLAY_DEG,
)
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import Double, Short, Skip, Slip, Throw, Yaw
from solvers.rubik.scramble import random_state
from tests.unit.hardware_sims.rigs.cradle.hand import QUARTER, SLACK, Operator

CRADLE, ARM, PUSHER = 0, 1, 2
CUBE = CradledCube(random_state(3))


def with_faults(**faults: object) -> Operator:
    return Operator(CUBE, rig_faults=RigFaults(**faults))  # type: ignore[arg-type]


def jam_kinds(operator: Operator) -> list[int]:
    return [jam.kind for jam in operator.rig.jams]


def counts(operator: Operator) -> list[int]:
    return [operator.count(port) for port in (CRADLE, ARM, PUSHER)]


def tilt_and_count(operator: Operator) -> list[int]:
    operator.tilt()
    return counts(operator)


NO_FAULT_COUNTS = tilt_and_count(with_faults())


def test_a_tilt_that_slips_leaves_the_cube_and_no_count_tells() -> None:
    operator = with_faults(slip=(Slip(tilt=2),))
    assert tilt_and_count(operator) == NO_FAULT_COUNTS
    assert operator.rig.cube == CUBE.tilted()
    before = counts(operator)
    operator.tilt()
    assert operator.rig.cube == CUBE.tilted()
    assert counts(operator) == pytest.approx(before, abs=2)
    assert operator.rig.pose.phase == "seated"
    assert operator.rig.jams == []


def test_a_cube_that_slips_half_lies_askew_and_the_closing_arm_meets_its_corner() -> None:
    operator = with_faults(slip=(Slip(tilt=1, askew_deg=20.0),))
    operator.tilt()
    assert operator.rig.cube == CUBE
    assert operator.rig.pose.cube_deg == pytest.approx(20, abs=1)
    assert jam_kinds(operator) == [JAM_ARM_ON_CORNER]
    assert operator.count(ARM) < -15


def test_a_cube_that_lies_askew_turns_with_the_cradle_and_stays_askew() -> None:
    operator = with_faults(slip=(Slip(tilt=1, askew_deg=20.0),))
    operator.tilt()
    operator.move(ARM, -40)
    operator.move(CRADLE, -QUARTER - SLACK)
    assert operator.rig.cube == CUBE.spun(1)
    assert operator.rig.pose.cube_deg == pytest.approx(20, abs=1)


def test_a_cube_a_little_askew_is_straightened_between_arm_and_pusher() -> None:
    operator = with_faults(slip=(Slip(tilt=1, askew_deg=-8.0),))
    operator.tilt()
    assert operator.rig.pose.cube_deg == pytest.approx(-8, abs=1)
    operator.move(PUSHER, 160)
    operator.press(40)
    assert operator.rig.pose.cube_deg == pytest.approx(0, abs=0.1)
    assert operator.rig.pose.layer_deg == pytest.approx(0, abs=0.1)  # it lies in the cradle again


def test_a_cube_that_lies_askew_drops_in_as_the_cradle_turns_under_it() -> None:
    operator = with_faults(slip=(Slip(tilt=1, askew_deg=20.0),))
    operator.tilt()
    operator.move(ARM, -40)
    operator.move(CRADLE, round(-15 * 3.5))  # and the cube comes along
    assert operator.rig.pose.cube_deg == pytest.approx(20 - 15 + SLACK / 3.5, abs=1)
    operator.move(PUSHER, 160)
    operator.move(ARM, 0)
    operator.press(40)
    assert operator.rig.pose.cube_deg == 0
    operator.move(CRADLE, 0)  # no layer turns: the cube is not between the walls yet
    assert operator.rig.pose.layer_deg == pytest.approx(0, abs=0.1)
    operator._cradle_goal = 0
    operator.turn_layer(1)
    assert operator.rig.cube == CUBE.bottom_turned(1)
    assert operator.rig.pose.layer_deg == pytest.approx(0, abs=0.5)


def test_a_double_tilt_rolls_the_cube_twice_and_no_count_tells() -> None:
    operator = with_faults(double=(Double(tilt=1),))
    assert tilt_and_count(operator) == NO_FAULT_COUNTS
    assert operator.rig.cube == CUBE.tilted().tilted()
    assert operator.rig.tilts == 1


def test_a_thrown_cube_lies_turned_by_a_quarter_and_no_count_tells() -> None:
    operator = with_faults(throw=(Throw(tilt=1, quarters=1),))
    assert tilt_and_count(operator) == NO_FAULT_COUNTS
    assert operator.rig.cube == CUBE.tilted().spun(-1)
    operator.turn_layer(1)  # it lies in the cradle as any other
    operator.spin(1)
    assert operator.rig.cube == CUBE.tilted().spun(-1).bottom_turned(1).spun(1)
    assert operator.rig.jams == []


def test_a_thrown_cube_lies_askew() -> None:
    operator = with_faults(throw=(Throw(tilt=1, askew_deg=-15.0),))
    operator.tilt()
    assert operator.rig.cube == CUBE.tilted()
    assert operator.rig.pose.cube_deg == pytest.approx(-15, abs=1)


@pytest.mark.parametrize("thrown", [-1, 1])
def test_a_cube_thrown_by_less_than_the_play_drops_into_its_cradle(thrown: int) -> None:
    usual = with_faults()
    usual.tilt()
    play_deg = USUAL_PLAY_DEG / GEAR_RATIO
    for share, is_askew in ((0.9, False), (1.0, False), (1.1, True)):
        askew_deg = thrown * share * play_deg
        operator = with_faults(throw=(Throw(tilt=1, askew_deg=askew_deg),))
        operator.tilt()
        assert (operator.rig.pose.cube_deg != usual.rig.pose.cube_deg) is is_askew


def test_a_spinning_cube_overshoots_by_a_quarter_and_no_count_tells() -> None:
    usual, operator = with_faults(), with_faults(yaw=(Yaw(spin=2),))
    for each in (usual, operator):
        each.spin(1)
        each.spin(1)
    assert usual.rig.cube == CUBE.spun(2)
    assert operator.rig.cube == CUBE.spun(3)
    assert counts(operator) == pytest.approx(counts(usual), abs=1)
    assert operator.rig.jams == []


@pytest.mark.parametrize("quarters", [1, -1])
def test_a_short_layer_ends_askew_and_jams_the_next_tilt(quarters: int) -> None:
    operator = with_faults(short=(Short(turn=1, degrees=14.0),))
    operator.turn_layer(quarters)
    pose = operator.rig.pose
    assert pose.layer_deg == pytest.approx(-14 * quarters, abs=0.5)
    assert pose.cube_deg == pytest.approx(14 * quarters, abs=0.5)
    assert pose.stickers == CUBE.bottom_turned(quarters).stickers
    assert operator.count(CRADLE) == pytest.approx(QUARTER * quarters, abs=1)
    operator.move(ARM, 40)
    assert jam_kinds(operator) == [JAM_LAYER_ASKEW]
    assert operator.count(ARM) < 10


def test_a_short_layer_is_drawn_between_its_two_degrees() -> None:
    def short_deg(seed: int) -> float:
        operator = with_faults(seed=seed, short=(Short(turn=1, degrees=(5.0, 20.0)),))
        operator.turn_layer(1)
        return -operator.rig.pose.layer_deg

    drawn = [short_deg(seed) for seed in (1, 2, 3)]
    assert all(5 <= degrees <= 20 for degrees in drawn)
    assert max(drawn) - min(drawn) > 1


def test_a_gear_that_skips_leaves_the_cradle_behind_and_the_counter_wrong() -> None:
    operator = with_faults(skip=(Skip(turn=1, motor_deg=22.5),))
    operator.turn_layer(1)
    assert operator.count(CRADLE) == pytest.approx(QUARTER, abs=1)
    assert operator.rig.pose.cradle_deg == pytest.approx(90 - 22.5 / 3.5, abs=0.5)
    operator.move(ARM, 40)
    assert operator.rig.jams  # cradle and layer are askew


def test_the_arm_is_stuck_under_the_cube_for_its_time() -> None:
    operator = with_faults(stuck=(Stuck(leaving=1, seconds=3.0),))
    began_s = operator.clock.now()
    while operator.count(ARM) > -30:
        operator.drive(ARM, -60)
        operator.wait(0.1)
        if operator.clock.now() < began_s + 3:
            assert operator.count(ARM) == pytest.approx(-5, abs=5)
    assert operator.clock.now() == pytest.approx(began_s + 3, abs=0.5)
    assert jam_kinds(operator) == [JAM_ARM_STUCK]


def test_an_arm_that_comes_back_is_free_again() -> None:
    operator = with_faults(stuck=(Stuck(leaving=1, seconds=1000.0),))
    operator.move(ARM, -40)
    assert operator.count(ARM) == pytest.approx(-5, abs=1)
    operator.move(ARM, 0)
    operator.move(ARM, -40)
    assert operator.count(ARM) == pytest.approx(-40, abs=1)


def test_a_stiff_cube_turns_more_slowly_and_a_very_stiff_one_not_at_all() -> None:
    def turned_deg(stiffness: float) -> float:
        operator = with_faults(rig=Build(stiffness=stiffness))
        operator.move(PUSHER, 160)
        operator.press(40)
        operator.drive(CRADLE, 75)
        operator.wait(0.3)
        return operator.count(CRADLE)

    usual, stiff, fast = (turned_deg(stiffness) for stiffness in (1, 3, 10))
    assert usual > 1.2 * stiff
    assert fast < 2 * SLACK < stiff


def test_the_play_grows_as_the_cradle_turns() -> None:
    operator = with_faults(rig=Build(wear_deg=0.5))
    for _ in range(8):
        operator.turn_layer(1)
    short_deg = -operator.rig.pose.layer_deg
    assert short_deg == pytest.approx(8 * 0.5 / 3.5, abs=0.4)


def tilted_away(chance: float, seed: int) -> list[bool]:
    """Return which of some tilts slipped."""
    operator = with_faults(seed=seed, slip=(Slip(chance=chance),))
    found = []
    for _ in range(12):
        before = operator.rig.cube
        operator.tilt()
        found.append(operator.rig.cube == before)
    return found


def test_chances_are_drawn_from_the_seed() -> None:
    assert tilted_away(0.4, seed=1) == tilted_away(0.4, seed=1)
    assert tilted_away(0.4, seed=1) != tilted_away(0.4, seed=2)
    assert not any(tilted_away(0.0, seed=1))
    assert all(tilted_away(1.0, seed=1))


def test_a_straightened_rig_is_as_new_and_its_cube_is_the_same() -> None:
    operator = with_faults(
        slip=(Slip(tilt=1, askew_deg=20.0),),
        short=(Short(turn=1, degrees=10.0),),
        skip=(Skip(turn=1),),
    )
    operator.turn_layer(1)
    operator.rig.straighten()
    operator.wait(0.1)
    pose = operator.rig.pose
    angles = (pose.arm_deg, pose.pusher_deg, pose.cube_deg, pose.layer_deg, pose.cradle_deg % 90)
    assert not any(angles)
    operator._cradle_goal = operator.count(CRADLE)
    operator.spin(1)
    assert operator.rig.cube == CUBE.bottom_turned(1).spun(1)
    assert operator.rig.jams == []


def test_a_rolled_cube_is_laid_down_the_way_it_was_falling() -> None:
    operator = with_faults()
    operator.move(ARM, 40)
    operator.move(PUSHER, 200)
    operator.rig.straighten()
    operator.wait(0.01)  # the brick holds its motors where they were, every 101 ms
    assert operator.rig.pose.phase == "seated"
    assert operator.rig.cube == CUBE.tilted()
    assert counts(operator) == pytest.approx([0, 0, 0], abs=2)


def test_the_rig_stands_as_it_did_under_a_brick_that_counts_from_zero() -> None:
    operator = with_faults()
    operator.move(ARM, -40)
    operator.move(CRADLE, -100)
    pose = operator.rig.pose
    operator.switch_on_again()
    assert counts(operator) == [0, 0, 0]
    operator.wait(0.1)
    assert operator.rig.pose == pose
    operator.move(CRADLE, -QUARTER + 100)
    assert operator.rig.pose.cradle_deg == pytest.approx(-90, abs=0.6)
