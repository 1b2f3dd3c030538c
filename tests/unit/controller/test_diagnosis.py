"""What `doctor` finds on a computer besides bricks."""

from collections.abc import Iterable
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.cli.doctor import _print
from controller.diagnosis import diagnose, examine_camera
from controller.rigs.nxt_brick.rig import RULE, RULE_FILE, examine_brick, udev_rule
from controller.rigs.registry import DEFAULT_RIG, get_rig
from controller.rigs.rig import Finding, Rig

RULES = Path(__file__).parents[3] / "docs" / "udev" / "70-lego-nxt.rules"


class NoBricks:
    """A rig that nobody is asked about."""

    def __getattr__(self, name: str) -> object:
        return getattr(get_rig(DEFAULT_RIG), name)

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        return [], [Finding("brick", False, str(list(addresses)))]


def test_a_camera_that_gives_frames_is_told_with_their_size(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((40, 60, 3), dtype=np.uint8))
    found = examine_camera(str(tmp_path))
    assert (found.ok, found.detail) == (True, "gives frames of 60 x 40.")
    missing = examine_camera("/dev/video250")
    assert not missing.ok
    assert "does not open" in missing.detail


def test_cameras_compiler_and_ports_are_looked_at(tmp_path: Path) -> None:
    rig: Rig = NoBricks()  # type: ignore[assignment]
    found = diagnose(rig, ["ip:127.0.0.1:1"], tmp_path)
    (camera,) = found.cameras
    assert (camera.ok, camera.detail) == (False, "This computer has none.")
    assert "--camera http" in camera.remedy
    assert "compiler sdcc" in {each.name for each in found.board}
    assert any("port" in each.name for each in found.board)
    assert not found.a_machine_answers
    (tmp_path / "video250").touch()
    assert [each.name for each in diagnose(rig, [], tmp_path).cameras] == [
        f"camera {tmp_path}/video250"
    ]


def test_the_udev_rule_is_shown_as_docs_have_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert RULE in RULES.read_text().splitlines()
    missing = udev_rule([tmp_path])
    _print((missing,))
    shown = capsys.readouterr().out.splitlines()
    assert f"echo '{RULE}' | sudo tee {RULE_FILE}" in shown  # in one line, to be copied
    (tmp_path / "70-mine.rules").write_text(f"# mine\n{RULE}\n")
    found = udev_rule([tmp_path])
    assert (found.ok, found.detail) == (True, f"{tmp_path}/70-mine.rules")


def test_doctor_does_not_send_to_doctor() -> None:
    assert "doctor" not in examine_brick("usb:none of this name").detail
