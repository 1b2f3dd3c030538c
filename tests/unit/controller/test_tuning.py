"""The tuner's decisions, on rigs without motors."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, repeat

import pytest

from controller.errors import DoubtfulScanError, RobotError, StoppedError
from controller.job_events import LookEvent
from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Tilt
from controller.motion.run_record import RecoveryAction, RecoveryStarted
from controller.rigs.rig import Earned, Margin
from controller.tuning import AGAIN, PROOF_TRIES, TUNING_S, Settled, Tried
from controller.vision.errors import CameraLostError
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import CubieCube
from tests.tuned_rig import (
    MANNER,
    PACE,
    RETURN,
    DyingCamera,
    FakeMargins,
    FakeRig,
    FakeSetup,
    Onlooker,
    Tuning,
)

EVERYTHING: Mapping[str, float] = {"pace": 9.0, "return": 999.0}
NOTHING: Mapping[str, float] = {"pace": 1.0, "return": 60.0}
TWO_MANNERS = Margin("manner", "manner of tilting", (2, 1, 0), 0)
TILTS = sum(isinstance(each, Tilt) for each in FakeMargins().trial)


def test_a_rig_that_tolerates_everything_earns_the_fastest_values() -> None:
    tuning = Tuning(FakeRig(EVERYTHING))
    report = run_job(tuning.tuner.tune())
    assert tuning.values == {"pace": 2.0, "return": 120.0}
    assert report.is_complete
    assert report.before_s is not None
    assert report.after_s < 0.6 * report.before_s
    assert all(each.tried >= 40 and not each.failed for each in tuning.saved[-1].values())
    assert tuning.rig.is_released


@pytest.mark.parametrize("slips", [True, False], ids=["slips", "stalls"])
def test_a_rig_that_tolerates_nothing_stays_as_it_was(*, slips: bool) -> None:
    tuning = Tuning(FakeRig(NOTHING, slips))
    report = run_job(tuning.tuner.tune())
    assert tuning.values == {"pace": 1.0, "return": 60.0}
    assert report.is_complete
    assert report.after_s == pytest.approx(report.before_s)
    assert [each.failed for each in tuning.saved[-1].values()] == [1, 1]
    assert tuning.saved[-1]["pace"].failed_at == 1.25


def test_a_margin_goes_back_a_step_behind_the_fastest_that_never_failed() -> None:
    tuning = Tuning(FakeRig({"pace": 1.5, "return": 999.0}))
    events: list[object] = []
    run_job(tuning.tuner.tune(), events.append)
    pace = tuning.saved[-1]["pace"]
    assert (pace.value, pace.proven, pace.failed_at) == (1.25, 1.5, 2.0)
    assert pace.tried == 20 + 20 + 4  # the failure shows in the first picture
    assert "pace of the arm 1.25: 2 fails." in [
        each.sentence for each in events if isinstance(each, Settled)
    ]


def test_nothing_faster_is_saved_than_what_is_a_step_behind_what_worked() -> None:
    tuning = Tuning(FakeRig(EVERYTHING))
    for event in tuning.tuner.tune():
        if isinstance(event, Tried) and event.margin is PACE and tuning.saved:
            assert tuning.values["pace"] < event.value


def test_a_rig_whose_own_margins_are_too_tight_gets_safer_ones() -> None:
    tuning = Tuning(FakeRig({"pace": 0.9, "return": 60.0}))
    report = run_job(tuning.tuner.tune())
    assert tuning.values["pace"] == 0.8
    assert report.before_s is None  # no trial went well


def test_a_rig_on_which_nothing_works_is_reported_and_keeps_its_margins() -> None:
    at_start = {"pace": Earned(1.25, 1.5)}
    tuning = Tuning(FakeRig({"pace": 0.1}), FakeMargins(at_start))
    with pytest.raises(RobotError, match="with all margins at their safest"):
        run_job(tuning.tuner.tune())
    assert tuning.saved[-1] == at_start
    assert any(each["pace"].value == 0.8 for each in tuning.saved)
    assert tuning.rig.is_released


def test_a_rig_on_which_no_margin_helps_gets_another_manner_with_none_tightened() -> None:
    rig = FakeRig({"pace": 0.1}, works_carefully=True)
    tuning = Tuning(rig)
    events: list[object] = []
    report = run_job(tuning.tuner.tune(), events.append)
    assert report.is_complete
    assert tuning.saved[-1] == {"manner": Earned(1, 1, failed=1, failed_at=0, is_done=True)}
    assert "manner of tilting 1" in [e.sentence for e in events if isinstance(e, Settled)][-1]
    proof = [each for each in events if isinstance(each, Tried)][-1]
    assert (proof.margin, proof.tilts) == (None, PROOF_TRIES)
    again = Tuning(rig, FakeMargins(tuning.saved[-1], ladder=(MANNER, PACE, RETURN)))
    assert run_job(again.tuner.tune()).is_complete
    assert again.saved == []


class Wearing(FakeRig):
    """A rig that in the other manner tilts the cube some times only."""

    left = 2 * len(FakeMargins().trial)

    def works(self, setup: FakeSetup) -> bool:
        if setup.value(MANNER) == MANNER.start:
            return super().works(setup)
        self.left -= 1
        return self.left > 0


def test_where_nothing_works_for_long_the_manner_that_did_longest_is_kept() -> None:
    tuning = Tuning(Wearing({"pace": 0.1}))
    with pytest.raises(RobotError, match=r"Those that lasted longest, \d+ tilts, are kept"):
        run_job(tuning.tuner.tune())
    assert tuning.values == {"manner": 1}


class Unsteady(FakeRig):
    """A rig whose other manners go well for these many trials until one fails."""

    lasts: Mapping[int, Iterator[int]]
    manner, left = 0, 0

    def works(self, setup: FakeSetup) -> bool:
        manner = int(setup.value(MANNER))
        if manner != self.manner:
            self.manner, self.left = manner, -1
        if manner == MANNER.start:
            return super().works(setup)
        if self.left < 0:
            self.left = next(self.lasts[manner]) * TILTS
        self.left -= 1
        return self.left >= 0


def test_where_nothing_works_for_long_what_lasted_longest_is_proven_again() -> None:
    """One lucky proof does not decide which manner is kept."""
    rig = Unsteady({"pace": 0.1})
    rig.lasts = {1: chain([8], repeat(0)), 2: repeat(5)}
    tuning = Tuning(rig, FakeMargins(manner=TWO_MANNERS))
    events: list[object] = []
    with pytest.raises(RobotError, match=r"lasted longest, 2\d tilts, are kept"):
        run_job(tuning.tuner.tune(), events.append)
    assert tuning.values == {"manner": 2}
    sentences = [each.sentence for each in events if isinstance(each, Settled)]
    assert sum("is proven again" in each for each in sentences) == AGAIN


def test_what_lasted_longest_is_not_proven_again_when_the_time_is_over() -> None:
    rig = Unsteady({"pace": 0.1})
    rig.lasts = {1: chain([8], repeat(0)), 2: repeat(5)}
    tuning = Tuning(rig, FakeMargins(manner=TWO_MANNERS))

    def take_long_in_the_last(_: object) -> None:
        if tuning.values.get("manner") == 2 and rig.clock.now() < TUNING_S:
            rig.clock.sleep(TUNING_S)

    with pytest.raises(RobotError, match="lasted longest"):
        run_job(tuning.tuner.tune(), take_long_in_the_last)
    assert tuning.values == {"manner": 1}


class DoubtsLater(Onlooker):
    """A camera that can read the cube no more after some scans."""

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:
        cube = yield from super().find(mechanism)
        if self.scans > 3:
            raise DoubtfulScanError("The cube was read with doubts.")
        return cube


def test_a_manner_in_which_the_cube_cannot_be_scanned_is_not_kept() -> None:
    rig = Wearing({"pace": 0.1})
    tuning = Tuning(
        rig, FakeMargins(manner=TWO_MANNERS), judge=DoubtsLater(lambda: rig.cube, rig.clock)
    )
    with pytest.raises(RobotError, match=r"read with doubts\. Those that lasted longest"):
        run_job(tuning.tuner.tune())
    assert [each["manner"].value for each in tuning.saved if "manner" in each][:3] == [1, 2, 1]
    assert tuning.values == {"manner": 1}


class DoubtsWhere(Onlooker):
    """A camera that after the first scan cannot read a cube that is moved with some margins."""

    tuning: Tuning
    doubts: Callable[[Mapping[str, float]], bool]

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:
        cube = yield from super().find(mechanism)
        if self.scans > 1 and self.doubts(self.tuning.values):
            raise DoubtfulScanError("The cube was read with doubts.")
        return cube


def camera_that_doubts(
    rig: FakeRig, margins: FakeMargins, doubts: Callable[[Mapping[str, float]], bool]
) -> DoubtsWhere:
    """Return such a camera at a rig that is to be tuned."""
    camera = DoubtsWhere(lambda: rig.cube, rig.clock)
    camera.tuning = Tuning(rig, margins, judge=camera)
    camera.doubts = doubts
    return camera


def test_after_a_manner_in_which_the_cube_cannot_be_scanned_the_next_is_tried() -> None:
    rig = FakeRig({"pace": 0.1}, works_carefully=True)
    margins = FakeMargins(manner=TWO_MANNERS)
    camera = camera_that_doubts(rig, margins, lambda values: values.get("manner") == 1)
    events: list[object] = []
    assert run_job(camera.tuning.tuner.tune(), events.append).is_complete
    assert camera.tuning.values == {"manner": 2}
    sentence = "The cube was read with doubts. A step safer: manner of tilting 2."
    assert sentence in [each.sentence for each in events if isinstance(each, Settled)]


def test_where_the_usual_manner_lets_no_cube_be_scanned_the_next_is_tried() -> None:
    rig = FakeRig({"pace": 0.1}, works_carefully=True)
    margins = FakeMargins(manner=TWO_MANNERS)
    camera = camera_that_doubts(rig, margins, lambda values: not values.get("manner"))
    assert run_job(camera.tuning.tuner.tune()).is_complete
    assert camera.tuning.values == {"manner": 1}


def test_a_camera_that_fails_later_takes_nothing_back_that_was_earned() -> None:
    rig = FakeRig({"pace": 1.5})
    camera = camera_that_doubts(rig, FakeMargins(), lambda values: values.get("pace", 1.0) > 1.0)
    with pytest.raises(DoubtfulScanError):
        run_job(camera.tuning.tuner.tune())
    assert camera.tuning.values["pace"] > 1.0
    assert "manner" not in camera.tuning.values


def test_what_is_tight_is_proven_twice_as_long() -> None:
    tuning = Tuning(FakeRig(EVERYTHING))
    events: list[object] = []
    run_job(tuning.tuner.tune(), events.append)
    assert [each.tilts for each in events if isinstance(each, Tried)][-1] == 2 * PROOF_TRIES


class DoubtsOnce(Onlooker):
    """A camera that reads the cube with doubts after the first fault."""

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:
        cube = yield from super().find(mechanism)
        if self.scans == 2:
            raise DoubtfulScanError("The cube was read with doubts.")
        return cube


def test_home_is_found_once_before_each_scan() -> None:
    """Each time the cube is moved in another manner: twice before a scan, and it never changes."""
    rig = FakeRig(NOTHING)
    tuning = Tuning(rig, judge=DoubtsOnce(lambda: rig.cube, rig.clock))
    events: list[object] = []
    run_job(tuning.tuner.tune(), events.append)
    actions = [each.action for each in events if isinstance(each, RecoveryStarted)]
    home, scan = RecoveryAction.HOME, RecoveryAction.SCAN
    assert actions == [scan, home, scan, home, scan, home, scan]


class WearsOut(FakeRig):
    """A rig that tolerates less from some tilt on."""

    def works(self, setup: object) -> bool:
        if self.tilts > 124:
            self.tolerates = {"pace": 1.25}
        return super().works(setup)  # type: ignore[arg-type]


def test_what_fails_in_the_proof_at_the_end_is_made_safer() -> None:
    tuning = Tuning(WearsOut(EVERYTHING))
    events: list[object] = []
    report = run_job(tuning.tuner.tune(), events.append)
    assert tuning.values["pace"] <= 1.25
    assert tuning.saved[-1]["pace"].failed >= 1
    assert report.is_complete
    assert any(
        "A step safer: pace of the arm 1.5, arm goes back at 90." in each.sentence
        for each in events
        if isinstance(each, Settled)
    )


class GivesOut(FakeRig):
    """A rig that tolerates everything until the proof at the end, and nothing from then on."""

    def works(self, setup: object) -> bool:  # noqa: ARG002
        return self.tilts < 200


def test_what_was_tightened_is_not_kept_for_having_lasted_longest() -> None:
    """Its trials chose it because they went well, so what it lasted flatters it."""
    tuning = Tuning(GivesOut({}))
    with pytest.raises(RobotError, match=r"They stay as they were\."):
        run_job(tuning.tuner.tune())
    assert max(each["pace"].value for each in tuning.saved if "pace" in each) == 2.0
    assert tuning.values == {}


def test_what_fails_when_the_time_is_over_goes_back_to_where_it_was() -> None:
    rig = WearsOut(EVERYTHING)
    tuning = Tuning(rig)
    for event in tuning.tuner.tune():
        if isinstance(event, Tried) and event.margin is None and tuning.values.get("pace") == 2.0:
            rig.clock.sleep(TUNING_S)
    assert tuning.values == {"pace": 1.0, "return": 60.0}


def test_it_can_be_stopped_and_continues_with_what_it_had_earned() -> None:
    rig = FakeRig({"pace": 9.0, "return": 90.0})
    first = Tuning(rig)
    seen = 0

    def stop_in_the_second_step(event: object) -> None:
        nonlocal seen
        seen += isinstance(event, Tried) and event.margin is PACE
        if seen == 9:
            first.controls.stop()

    with pytest.raises(StoppedError):
        run_job(first.tuner.tune(), stop_in_the_second_step)
    assert rig.is_released
    assert first.values == {"pace": 1.0}
    assert first.saved[-1]["pace"].proven == 1.25
    second = Tuning(rig, FakeMargins(first.saved[-1]))
    steps: list[float] = []
    for event in second.tuner.tune():
        if isinstance(event, Tried) and event.margin is PACE and not event.tilts:
            steps.append(event.value)
    assert steps == [1.5, 2.0]
    assert second.values == {"pace": 2.0, "return": 60.0}
    assert second.saved[-1]["pace"].tried == 60


def test_what_is_tuned_to_the_end_is_only_proven_again() -> None:
    rig = FakeRig(EVERYTHING)
    first = Tuning(rig)
    run_job(first.tuner.tune())
    second = Tuning(rig, FakeMargins(first.saved[-1]))
    tilts = rig.tilts
    report = run_job(second.tuner.tune())
    assert rig.tilts == tilts + 20
    assert second.saved == []
    assert report.is_complete


def test_a_camera_that_dies_ends_it_with_a_sentence_and_what_was_earned_stays() -> None:
    rig = FakeRig(EVERYTHING)
    tuning = Tuning(rig, judge=DyingCamera(lambda: rig.cube, rig.clock, looks=14))
    with pytest.raises(CameraLostError, match=r"no further frame.*saved.*`cuberobot tune`"):
        run_job(tuning.tuner.tune())
    assert tuning.values == {"pace": 1.0}
    assert rig.is_released


def test_a_camera_that_dies_at_once_leaves_nothing_saved() -> None:
    rig = FakeRig(EVERYTHING)
    tuning = Tuning(rig, judge=DyingCamera(lambda: rig.cube, rig.clock, looks=0))
    with pytest.raises(CameraLostError):
        run_job(tuning.tuner.tune())
    assert tuning.saved == []


def test_a_link_that_breaks_is_reconnected_and_counts_against_no_margin() -> None:
    rig = FakeRig(EVERYTHING, link_breaks_at=50)
    tuning = Tuning(rig)
    run_job(tuning.tuner.tune())
    assert tuning.values == {"pace": 2.0, "return": 120.0}
    assert not any(each.failed for each in tuning.saved[-1].values())
    assert isinstance(tuning.judge, Onlooker)
    assert tuning.judge.scans == 2


def test_no_step_is_begun_when_the_time_is_over() -> None:
    rig = FakeRig(EVERYTHING)
    tuning = Tuning(rig)
    for event in tuning.tuner.tune():
        if isinstance(event, Tried) and event.margin is PACE and event.value == 1.5:
            rig.clock.sleep(TUNING_S)
    assert tuning.values["pace"] < 2.0
    assert not tuning.saved[-1]["pace"].is_done
    assert RETURN.name not in tuning.values


def test_a_cube_is_scanned_once_where_nothing_goes_wrong() -> None:
    rig = FakeRig(EVERYTHING)
    tuning = Tuning(rig)
    run_job(tuning.tuner.tune())
    assert isinstance(tuning.judge, Onlooker)
    assert tuning.judge.scans == 1
