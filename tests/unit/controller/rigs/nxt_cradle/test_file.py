"""Calibration files are checked and completed by the default rig."""

from pathlib import Path

import pytest

from controller.errors import InvalidCalibrationError
from controller.motion.primitives import Tilt
from controller.rigs.nxt_brick.calibration import Saved, Seconds
from controller.rigs.nxt_cradle.calibration.values import FILES


def test_the_default_is_the_rig_of_the_thesis() -> None:
    rig = FILES.default
    assert (rig.cradle.quarter_deg, rig.cradle.slack_deg) == (315, 16)
    assert (rig.arm.away_deg, rig.arm.closed_deg) == (-40, 0)
    assert (rig.pusher.touch_deg, rig.pusher.home_deg) == (160, 0)
    assert rig.seconds.price(Tilt(), None) == rig.seconds.tilt


def test_a_file_overrides_only_what_it_says(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text("version = 1\n[cradle]\nquarter_deg = 210\n")
    rig = FILES.load(path)
    assert rig.cradle.quarter_deg == 210
    assert rig.cradle.slack_deg == FILES.default.cradle.slack_deg
    assert rig.arm == FILES.default.arm


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("version = 2", "version.*2"),
        (
            "version = 1\n[cradle]\nquarter_deg = 5",
            r"quarter_deg must be at least 45, not 5",
        ),
        ("version = 1\n[cradle]\nquarter_deg = true", "must be a number"),
        ("version = 1\n[cradle]\ncolour = 5", "unknown key 'colour'"),
        ("", "version = 1"),
        ("version = true", "version must be"),
        ("version = 1\n[cradle]\npower = 95.5", r"cradle\.power must be a whole number, not 95\.5"),
        ("version = 1\n[arm]\npress_power = true", r"arm\.press_power must be a whole number"),
        ("version = 1\n[pusher]\npower = 101", r"pusher\.power must be at most 100"),
        ("version = 1\n[lid]\n", "unknown key 'lid'"),
        ("version = 1\ncradle = 5", "cradle must be a section"),
        ("version = 1\n[seconds]\nspin = [1, 2]", r"seconds\.spin must be a list of 3"),
        ("version = 1\n[seconds]\nturn = [1, 2, -3]", r"seconds\.turn.* must be at least 0\.05"),
        ("version = ", "is not TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "rig.toml"
    path.write_text(text)
    with pytest.raises(InvalidCalibrationError, match=message):
        FILES.load(path)


def test_a_named_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidCalibrationError, match="cannot be read"):
        FILES.load(tmp_path / "none.toml")


def test_saving_seconds_keeps_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "new" / "rig.toml"
    FILES.save_seconds(path, Seconds(2.0, (0.5, 0.75, 1.0), (1.0, 1.25, 1.5), 0.25, Saved(-0.5)))
    assert FILES.load(path).seconds.spin == (0.5, 0.75, 1.0)
    assert FILES.load(path).seconds.saved == Saved(tilt_after_tilt=-0.5)
    path.write_text(path.read_text() + "\n[arm]  # mine\naway_deg = -45\n")
    FILES.save_seconds(path, Seconds(3.0, (0.5, 0.75, 1.0), (1.0, 1.25, 1.5)))
    rig = FILES.load(path)
    assert (rig.seconds.tilt, rig.arm.away_deg) == (3.0, -45)
    assert "# mine" in path.read_text()


def test_a_broken_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text("version = ")
    with pytest.raises(InvalidCalibrationError):
        FILES.save_seconds(path, FILES.default.seconds)
    assert path.read_text() == "version = "
