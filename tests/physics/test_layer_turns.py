"""Held layer turns in three dimensions."""

from dataclasses import replace

import numpy as np
import pytest

from hardware_sims.nxt_brick.faults import DEFAULT_BATTERY_OHM
from hardware_sims.nxt_brick.motors.state import ARMATURE_OHM, TORQUE_NM_A
from tests.physics import family
from tests.physics.layer_turns import GEAR, Clamp, turn, turns
from tests.physics.oracle import DRY_FRICTION_NM, hold
from tests.physics.trajectories import FULL, move
from tests.virtual_robot import RIG

WEAK_N, STRONG_N = 1.5, 10.0
BOTH_WAYS = pytest.mark.parametrize("quarters", [(1,), (-1,), (1, -1), (2,)], ids=str)


@BOTH_WAYS
@pytest.mark.parametrize("layers_nm", [0.05, 0.4])
def test_a_strong_hold_turns_the_bottom_layer_alone(
    quarters: tuple[int, ...], layers_nm: float
) -> None:
    assert turn(Clamp(STRONG_N, layers_nm=layers_nm), *turns(quarters)).works


@BOTH_WAYS
@pytest.mark.parametrize("friction", [0.25, 0.4])
def test_a_toe_that_lifts_the_bottom_layer_a_little_does_not_keep_it(
    quarters: tuple[int, ...], friction: float
) -> None:
    """What `HELD_LIFTED_M` of the simulated rig by forces stands for."""
    clamp = Clamp(9.0, friction=friction, layers_nm=0.33, toe_n=25.0)
    assert turn(clamp, *turns(quarters)).works
    assert not turn(replace(clamp, toe_rises_mm=4.0), *turns((1,))).works


def test_a_weak_hold_lets_stiff_layers_drag_the_upper_ones() -> None:
    easy, stiff = (turn(Clamp(WEAK_N, 30, layers_nm=nm), *turns((1,))) for nm in (0.05, 0.4))
    assert easy.works
    assert stiff.upper_most > 8
    assert not stiff.works


def test_wide_pads_hold_better_than_narrow_ones() -> None:
    narrow, wide = (turn(Clamp(4, width, layers_nm=0.4), *turns((1,))) for width in (30, 57))
    assert wide.upper_most < narrow.upper_most / 2


def test_a_cube_that_nothing_holds_spins_as_a_whole() -> None:
    """It follows the cradle at the motor's full speed, and stays behind by the play at most."""
    cradle, goal = turns((1,))
    free = turn(Clamp(0), cradle, 0)
    assert abs(free.layer_end) < 0.5
    assert free.upper_end == pytest.approx(goal, abs=16 / GEAR + 0.5)


def test_a_layer_turned_without_going_beyond_ends_short_by_the_play() -> None:
    short = np.array([0.0, *move(0, 315, FULL)])
    assert turn(Clamp(STRONG_N), short, 90).layer_end == pytest.approx(-16 / GEAR, abs=0.7)


def press_nm(power: int) -> float:
    """Return the arm's torque at a stall while the cradle, at full power, turns a layer."""
    duty, cells_ohm, cradle_a = power / 100, DEFAULT_BATTERY_OHM, 0.35
    volts = (8.0 - cells_ohm * cradle_a) / (1 + cells_ohm * duty**2 / ARMATURE_OHM)
    return TORQUE_NM_A * duty * volts / ARMATURE_OHM - DRY_FRICTION_NM


def test_the_default_press_holds_and_lifts_no_cube() -> None:
    clamping = [rig for rig in family() if rig.clamps and not rig.kept_apart]
    holds = [hold(rig, 0.3, press_nm(RIG.arm.press_power)) for rig in clamping]
    assert all(each.is_sound for each in holds)
    assert min(each.force_n for each in holds) > 3
    stronger = [hold(rig, 0.3, press_nm(RIG.arm.press_power + 10)) for rig in clamping]
    assert not all(each.is_sound for each in stronger)
