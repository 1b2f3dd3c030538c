"""The judge on one rig of each kind; the benchmark `physics` has the whole family."""

from itertools import chain
from random import Random

import msgspec
import mujoco
import numpy as np
import pytest

from tests.physics import FRICTIONS, FULL, Outcome, Rig, Trajectory, family, judge, thesis_tilt
from tests.physics.find_rigs import LONE_ARM, TILTS, fits
from tests.physics.oracle import HALF_MM, compile_rig, overlap_mm, replay
from tests.physics.trajectories import GENTLE_ARM, GENTLE_PUSHER, from_angles, move

SOME: tuple[Rig, ...] = tuple({rig.kind: rig for rig in reversed(family())}.values())

on_some = pytest.mark.parametrize("rig", SOME, ids=[rig.name for rig in SOME])


def sequence(*motions: tuple[str, float]) -> Trajectory:
    """Return gentle motions of one motor after the other, from home."""
    angles = {"arm": 0.0, "pusher": 0.0, "cradle": 0.0}
    rows = []
    for motor, goal in motions:
        pace = GENTLE_ARM if motor == "arm" else GENTLE_PUSHER
        for angle in move(angles[motor], goal, pace):
            angles[motor] = angle
            rows.append(tuple(angles.values()))
    return from_angles(rows)


def outcomes(rig: Rig, trajectory: Trajectory) -> list[Outcome]:
    return [judge(rig, friction, trajectory) for friction in FRICTIONS]


@on_some
def test_the_order_of_the_thesis_works_at_some_speed(rig: Rig) -> None:
    by_pace = [outcomes(rig, tilt) for tilt in TILTS]
    assert any(all(each.works for each in of_pace) for of_pace in by_pace), by_pace


@on_some
def test_the_arm_alone_rolls_no_cube(rig: Rig) -> None:
    assert judge(rig, 0.3, LONE_ARM, repeats=1, rolls=0).works
    assert "times instead of 1" in str(judge(rig, 0.3, LONE_ARM, repeats=1))


@on_some
def test_two_tilts_are_not_one(rig: Rig) -> None:
    tilt = next(each for each in TILTS if judge(rig, 0.3, each, repeats=2).works)
    twice = from_angles(list(chain(tilt[:, 1:], tilt[:, 1:])))
    assert judge(rig, 0.3, twice, repeats=1, rolls=2).works
    assert not judge(rig, 0.3, twice, repeats=1).works


def test_full_speed_works_less_often_than_a_gentle_arm() -> None:
    full = [each.works for rig in SOME for each in outcomes(rig, thesis_tilt(FULL, FULL))]
    assert sum(full) < len(full) / 2


@on_some
def test_a_cube_spins_only_with_arm_and_pusher_away(rig: Rig) -> None:
    spin = sequence(("arm", -40), ("cradle", 315), ("arm", 0))
    assert judge(rig, 0.3, spin, rolls=0).works
    closed = sequence(("cradle", 315))
    assert "the turning cube meets arm" in str(judge(rig, 0.3, closed, rolls=0))
    near = sequence(("arm", -40), ("pusher", 150), ("cradle", 315), ("pusher", 0), ("arm", 0))
    assert "or pusher (150)" in str(judge(rig, 0.3, near, rolls=0))


@on_some
def test_an_arm_that_is_too_weak_is_named(rig: Rig) -> None:
    heavy = msgspec.structs.replace(rig, mass_g=8000.0)
    lifted = sequence(("arm", 40))
    assert "the arm stands at" in str(judge(heavy, 0.3, lifted, repeats=1, rolls=0))


@on_some
def test_arm_and_pusher_do_not_pass_through_each_other(rig: Rig) -> None:
    both = sequence(("pusher", 160), ("arm", 40), ("pusher", 500))
    assert replay(rig, 0.3, both[:, 1:3])[-1, 4] < 490


@on_some
def test_nothing_moves_by_itself(rig: Rig) -> None:
    assert fits(rig)
    still = replay(rig, 0.2, np.zeros((1000, 2)))
    assert np.abs(still).max() < 0.1


@on_some
def test_room_is_what_the_engine_sees(rig: Rig) -> None:
    """Rods are moved twice: by the engine, and to see what is in the way of a spinning cube."""
    random = Random(1)
    model = compile_rig(rig, 0.3)
    data = mujoco.MjData(model)
    cube = model.geom("cube").id
    parts = [each for each in range(model.ngeom) if model.geom_bodyid[each] > model.body("cube").id]
    for _ in range(30):
        arm, pusher = random.uniform(-45, 45), random.uniform(-8, 150)
        data.qpos[3:] = np.radians(arm) * rig.arm_ratio, pusher * rig.pusher_mm_per_deg / 1000
        mujoco.mj_forward(model, data)
        between = [mujoco.mj_geomDistance(model, data, cube, part, 1.0, None) for part in parts]
        if min(between) > 0:
            assert overlap_mm(rig, arm, pusher, HALF_MM) == pytest.approx(
                -1000 * min(between), abs=0.5
            )
        else:
            assert overlap_mm(rig, arm, pusher, HALF_MM) > -0.5
