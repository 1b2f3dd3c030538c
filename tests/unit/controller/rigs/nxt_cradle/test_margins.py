"""The margins of a tilt: what they change in the calibration, and how they are stored."""

from pathlib import Path

import pytest

from controller.errors import InvalidCalibrationError
from controller.motion.primitives import Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import VirtualCube
from controller.recovery.careful_run import differs, up_face
from controller.rigs.nxt_cradle.calibration.values import FILES
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.margins import NAMES, TRIAL, CradleMargins, as_tuned
from controller.rigs.nxt_cradle.rig import RIG
from controller.rigs.registry import get_rig
from controller.rigs.rig import Earned, loosened
from solvers.rubik.scramble import random_state

DEFAULT = FILES.default
MARGINS = CradleMargins(DEFAULT, RIG)


def test_nothing_earned_is_played_as_calibrated() -> None:
    assert as_tuned(DEFAULT) == DEFAULT


@pytest.mark.parametrize("name", NAMES)
def test_each_margin_changes_what_is_played_at_every_step(name: str) -> None:
    margins = (*MARGINS.ladder, MARGINS.manner)
    margin = next(each for each in margins if each.name == name)
    played = set()
    for value in margin.values:
        setup = MARGINS.setup({name: Earned(value, value)})
        choreographer = Choreographer(as_tuned(setup.calibration))
        tilts = (
            choreographer.motions(Tilt(), 0, Spin(1), ahead)
            for ahead in (Tilt(), Spin(1), TurnLayer(1))
        )
        played.add(tuple(tilts))
        if value == margin.start:
            assert as_tuned(setup.calibration).tilting == DEFAULT.tilting
            assert as_tuned(setup.calibration).geometry == DEFAULT.geometry
    assert len(played) == len(margin.values)


def test_margins_are_tightened_from_the_arms_pace_to_an_early_pusher() -> None:
    assert [each.name for each in MARGINS.ladder] == list(NAMES[:-1])
    assert NAMES[0] == "lift"
    assert NAMES[-2:] == ("pusher_leaves", "manner")


def test_a_manner_that_runs_have_learnt_is_what_is_tightened_first() -> None:
    setup = MARGINS.setup({"manner": Earned(2, 2)})
    assert setup.margins is not None
    learnt = setup.margins.ladder[0]
    assert learnt.name == "manner"
    assert learnt.beyond(2) == 1
    assert learnt.beyond(2, 2) == 0
    noted = MARGINS.setup({"manner": Earned(0, 0, failed=1)}).margins
    assert noted is not None
    assert noted.ladder[0].name == "lift"


@pytest.mark.parametrize("tilt", [0, 1, 3, 5], ids=lambda index: f"primitive {index}")
@pytest.mark.parametrize("instead", [(), (Tilt(), Tilt())], ids=["slips", "rolls twice"])
def test_a_wrong_tilt_of_a_trial_shows_on_the_upper_face(
    tilt: int, instead: tuple[Tilt, ...]
) -> None:
    assert TRIAL[tilt] == Tilt()
    for seed in range(20):
        cube = VirtualCube(random_state(seed))
        wrong = cube.after_all((*TRIAL[:tilt], *instead, *TRIAL[tilt + 1 :]))
        assert differs(up_face(wrong), up_face(cube.after_all(TRIAL)))


def test_what_was_earned_is_saved_beside_the_owners_values(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("version = 1  # mine\n\n[tilting]\narm_returns = 70  # tried by hand\n")
    margins = RIG.setup(path).margins
    assert margins is not None
    returns = next(each for each in margins.ladder if each.name == "arm_returns")
    assert list(returns.values) == [30, 60, 70, 90, 120, 150]
    earned = {"lift": Earned(1.2, 1.4, 60, 1, 1.7, is_done=True)}
    margins.save(earned, path, "today")
    text = path.read_text()
    assert "# mine" in text
    assert "# tried by hand" in text
    again = RIG.setup(path)
    assert again.margins is not None
    assert again.margins.earned == earned
    assert again.calibration.tuning.measured == "today"
    played = as_tuned(again.calibration).tilting
    assert played.lift.speed_deg_s == pytest.approx(1.2 * DEFAULT.tilting.lift.speed_deg_s)
    assert played.arm_returns == 70
    for instead in ({"manner": Earned(1, 1, is_done=True)}, {}):
        margins.save(instead, path)
        third = RIG.setup(path).margins
        assert third is not None
        assert third.earned == instead
        assert "# tried by hand" in path.read_text()


def test_a_margin_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("version = 1\n[tuning]\npress = { value = 1.0, proven = 1.0 }\n")
    with pytest.raises(InvalidCalibrationError, match="press"):
        RIG.setup(path)


def test_a_value_that_is_on_no_ladder_any_more_can_be_made_safer() -> None:
    earned = {"lift": Earned(1.3, 1.5, is_done=True)}
    ladder = CradleMargins(MARGINS.setup(earned).calibration, RIG).ladder
    safer = loosened(ladder, earned)
    assert safer is not None
    assert (safer["lift"].value, safer["lift"].failed_at) == (1.2, 1.3)


def test_a_mindcuber_has_no_margins() -> None:
    assert get_rig("mindcuber").setup().margins is None
