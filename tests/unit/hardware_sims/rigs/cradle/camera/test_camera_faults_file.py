"""Camera faults in the TOML file of a scenario."""

from math import inf
from pathlib import Path

import pytest

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cradle.camera.levels import CameraFault, FaultKind
from hardware_sims.rigs.cradle.faults import RigFaults
from hardware_sims.robot_faults import load_faults


def faults_file(folder: Path, text: str) -> Path:
    path = folder / "faults.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_camera_faults_are_read(tmp_path: Path) -> None:
    text = '[[camera]]\nkind = "hand"\ntime = 3\nseconds = 2\n[[camera]]\nkind = "black"\n'
    assert load_faults(faults_file(tmp_path, text), RigFaults).camera == (
        CameraFault(FaultKind.HAND, 3.0, 5.0),
        CameraFault(FaultKind.BLACK, 0.0, inf),
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ('[[camera]]\nkind = "tired"', "kind must be one of black, exposure-jump, frozen"),
        ("[[camera]]\ntime = 1", "'kind' is missing"),
        ('[[camera]]\nkind = "hand"\ntime = -1', "time"),
        ('[[camera]]\nkind = "hand"\nseconds = 0', "seconds must be above 0"),
        ('[[camera]]\nkind = "hand"\nlens = 1', "lens"),
        ("[camera]\nkind = 1", "camera must be a list"),
    ],
)
def test_malformed_camera_faults_are_refused(tmp_path: Path, text: str, part: str) -> None:
    with pytest.raises(InvalidScenarioError, match=part):
        load_faults(faults_file(tmp_path, text), RigFaults)
