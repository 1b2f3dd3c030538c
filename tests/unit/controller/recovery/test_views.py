"""Where a cube is looked at on its way: where faults show, and only if that pays."""

from dataclasses import replace
from functools import cache

import pytest

from controller.motion.plan_choice import choose_plan
from controller.motion.planner import Plan
from controller.motion.primitives import Spin, Tilt
from controller.motion.virtual_cube import VirtualCube
from controller.recovery.careful_run import differs, up_face, worthwhile_views
from controller.recovery.escalation import RecoveryPolicy
from controller.rigs.nxt_cradle.calibration.values import FILES
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED
from solvers.rubik.scramble import random_state

START = random_state(3)
COSTS = FILES.default.seconds
POLICY = RecoveryPolicy()


@cache
def plan() -> Plan:
    return run_job(choose_plan(START, SOLVED, COSTS, search_s=0.0)).plan


def looks(rate: float, policy: RecoveryPolicy = POLICY) -> tuple[int, ...]:
    return worthwhile_views(START, plan().primitives, COSTS, policy, rate)


@pytest.mark.parametrize("seed", range(4))
def test_the_face_that_lies_up_is_what_the_simulated_camera_is_shown(seed: int) -> None:
    ours, theirs = VirtualCube(random_state(seed)), CradledCube(random_state(seed))
    for motion in (Tilt(), Spin(1), Tilt(), Spin(-1), Spin(2), Tilt()):
        ours = ours.after(motion)
        theirs = theirs.tilted() if isinstance(motion, Tilt) else theirs.spun(motion.quarters)
        assert up_face(ours) == theirs.stickers[:9]


def test_a_single_sticker_makes_no_difference() -> None:
    assert not differs("UUUUUUUUU", "UUUUUUUUR")
    assert differs("UUUUUUUUU", "UUUUUUURR")


def test_more_faults_pay_for_more_looks() -> None:
    assert [len(looks(rate)) for rate in (0.0, 0.0001, 0.001, 0.01)] == [0, 0, 1, 2]


def test_no_more_looks_than_allowed() -> None:
    assert len(looks(0.5, replace(POLICY, max_views=1))) == 1
    assert looks(0.5, replace(POLICY, max_views=0)) == ()


def test_a_cube_is_viewed_where_the_rig_need_not_go_home_for_it() -> None:
    assert all(isinstance(plan().primitives[index - 1], Tilt) for index in looks(0.01))


def test_a_look_that_takes_long_does_not_pay() -> None:
    assert looks(0.01, replace(POLICY, view_s=30.0)) == ()


def test_a_single_look_is_neither_at_the_start_nor_at_the_end() -> None:
    (index,) = looks(0.01, replace(POLICY, max_views=1))
    assert len(plan().primitives) / 5 < index < 4 * len(plan().primitives) / 5


def test_plans_of_hardly_anything_are_not_looked_at() -> None:
    for primitives in ((), (Tilt(),), (Tilt(), Spin(1))):
        assert worthwhile_views(START, primitives, COSTS, POLICY, 0.01) == ()
