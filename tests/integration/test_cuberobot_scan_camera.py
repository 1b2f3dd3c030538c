"""`cuberobot scan` as a process: a folder of photos, a live stream, and what is saved of them."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from controller.vision.camera.opening import open_source
from controller.vision.scans.events import FaceCaptured, ScanEvent
from controller.vision.scans.hand_scan import hand_scan
from hardware_sims.clock import VirtualClock
from hardware_sims.cube_rig.camera.camera import SimulatedCamera
from hardware_sims.cube_rig.rig import RigPose
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import format_facelets
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state
from tests.held_cube import held_before_a_camera, with_each_face_up

CUBEROBOT = Path(sys.executable).with_name("cuberobot")
CUBE = random_state(4)
FACELETS = format_facelets(CUBE)


def cuberobot_scan(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(CUBEROBOT), "scan", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder with a picture of each face."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for face, cube in zip(Face, with_each_face_up(CUBE), strict=True):
        pose = RigPose(0, 0, 0, 0, 0, "seated", cube.stickers)
        camera = SimulatedCamera(lambda pose=pose: pose, VirtualClock(), level=1, seed=2)  # type: ignore[misc]
        cv2.imwrite(str(folder / f"{face.name}.png"), camera.picture())
    return folder


def test_photos_are_read_saved_replayed_and_exported(photos: Path, tmp_path: Path) -> None:
    done = cuberobot_scan("--camera", photos, "--save", tmp_path / "scans", "--json")
    assert done.returncode == 0, done.stderr
    reading = json.loads(done.stdout)
    assert reading["facelets"] == FACELETS
    assert reading["verdict"] == "accepted"
    assert Path(reading["saved"]).parent == tmp_path / "scans"

    replayed = json.loads(cuberobot_scan("replay", reading["saved"]).stdout)
    assert replayed["facelets"] == FACELETS
    assert replayed["as_saved"] is True

    cases = tmp_path / "cases.json"
    cases.write_text(cuberobot_scan("export-case", tmp_path / "scans").stdout, encoding="utf-8")
    assert json.loads(cases.read_text(encoding="utf-8"))[0]["truth"] == FACELETS
    read = json.loads(cuberobot_scan("read", cases).stdout)
    assert read["facelets"] == FACELETS


def test_a_live_stream_is_scanned_by_hand() -> None:
    with held_before_a_camera(CUBE) as held:
        source = open_source(held.url)

        def show_next(event: ScanEvent) -> None:
            if isinstance(event, FaceCaptured):
                held.shown = min(event.number, 5)

        outcome = run_job(hand_scan(source), on_event=show_next)
        source.close()
    assert outcome.result.facelets == FACELETS


def test_a_missing_face_is_an_error_in_a_sentence(photos: Path) -> None:
    (photos / "D.png").unlink()
    done = cuberobot_scan("--camera", photos, "--json")
    assert done.returncode == 1
    assert "Only 5 of the 6 faces" in json.loads(done.stdout)["error"]


@pytest.mark.parametrize("camera", ["http://127.0.0.1:9/video", "77"])
def test_a_camera_that_is_not_there_is_an_error_in_a_sentence_alone(camera: str) -> None:
    done = cuberobot_scan("--camera", camera)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: The camera {camera} does not open")
    assert "Traceback" not in done.stderr


def test_without_a_camera_it_asks_for_one() -> None:
    assert cuberobot_scan("--json").returncode == 2
