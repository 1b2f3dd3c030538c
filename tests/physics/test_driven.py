"""The robot's program on the brick, driving rigs in MuJoCo."""

from collections.abc import Iterator
from statistics import mean

import msgspec
import pytest

from controller.motion.primitives import Spin, Tilt
from controller.rigs.nxt_brick.calibration import Pace
from controller.rigs.nxt_cradle.calibration.values import Calibration, Tuning
from controller.rigs.nxt_cradle.choreography import MANNERS
from controller.rigs.rig import Earned
from tests.physics import Rig, family, rig_named
from tests.physics.driven import Driven, ThesisOrder, at_pace, driven, shares
from tests.physics.tuned import trial_of
from tests.virtual_robot import RIG

TOE, CLAMP, BAR = map(rig_named, ("toe-3", "clamp-3", "bar-6"))
SOME = [rig for rig in family() if not rig.kept_apart][::5]


@pytest.fixture(scope="module")
def robot() -> Iterator[Driven]:
    with driven() as driver:
        yield driver


@pytest.mark.parametrize("rig", [TOE, CLAMP], ids=lambda rig: rig.name)
def test_the_program_tilts_a_cube_that_pushes_back(robot: Driven, rig: Rig) -> None:
    outcome = robot.judge(rig, 0.2, [Tilt()], repeats=2)
    assert outcome.works, outcome
    assert 1.5 < robot.took_s < 2.5


def works(calibration: Calibration) -> float:
    """Return on which share of some rigs to learn from two tilts in a row work."""
    outcomes, _ = shares(SOME, [0.3], [Tilt()], [calibration], repeats=2)
    return mean(each.works for of_rig in outcomes.values() for each in of_rig)


def test_the_default_tilt_works_on_most_rigs() -> None:
    assert works(RIG) >= 0.75


def test_a_hasty_arm_throws_the_cube_on_most_rigs() -> None:
    assert works(at_pace(RIG, Pace(800, 19_000))) <= 0.5


def test_a_spin_between_tilts_does_not_meet_the_arm(robot: Driven) -> None:
    outcome = robot.judge(TOE, 0.3, [Tilt(), Spin(1), Tilt()], repeats=1)
    assert outcome.works, outcome


def test_a_cube_that_rolled_before_its_time_may_stop_the_pusher(robot: Driven) -> None:
    assert robot.judge(BAR, 0.2, [Tilt()], repeats=1).works
    pusher_mm = max(row[4] for row in robot.rig.rows) * 1000
    assert 100 < pusher_mm / BAR.pusher_mm_per_deg < 190


@pytest.mark.parametrize(
    ("name", "manners"), [("toe-2", [1]), ("bar-7", [2]), ("clamp-4", [3]), ("L-8", [4])]
)
def test_some_manners_mend_rigs_on_which_the_others_fail(name: str, manners: list[int]) -> None:
    rig, works = rig_named(name), []
    for number in range(1, len(MANNERS) + 1):
        tuning = Tuning(manner=Earned(number, number))
        with driven(msgspec.structs.replace(RIG, tuning=tuning)) as robot:
            if robot.judge(rig, 0.3, trial_of(rig), repeats=4).works:
                works.append(number)
    assert works == manners


def test_the_order_of_the_thesis_is_driven_the_same_way() -> None:
    with driven(choreographer=ThesisOrder) as robot:
        outcome = robot.judge(TOE, 0.3, [Tilt()], repeats=1)
    assert outcome.works, outcome


def test_a_cube_that_is_too_heavy_for_the_arm_stops_the_robot() -> None:
    heavy = msgspec.structs.replace(TOE, mass_g=8000.0)
    with driven() as robot:
        outcome = robot.judge(heavy, 0.3, [Tilt()], repeats=1)
        assert not robot.is_usable
    assert "Motor B (arm) does not move on" in str(outcome)


def test_a_weak_arm_is_pushed_back() -> None:
    weak = msgspec.structs.replace(RIG, arm=msgspec.structs.replace(RIG.arm, power=20))
    with driven(weak) as robot:
        assert not robot.judge(CLAMP, 0.3, [Tilt()]).works
