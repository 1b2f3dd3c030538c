"""`cuberobot scan` as a process: a folder of photos, a live stream, and what is saved of them."""

import json
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from controller.vision.frame_source import open_source
from controller.vision.hand_scan import HandScan
from controller.vision.scan_session import FaceCaptured
from hardware_sims.clock import VirtualClock
from hardware_sims.cube_rig.camera.camera import SimulatedCamera
from hardware_sims.cube_rig.camera.mjpeg_server import MjpegServer
from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.cube_rig.rig import RigPose
from solvers.foundation.clock import SystemClock
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state

CUBEROBOT = Path(sys.executable).with_name("cuberobot")
CUBE = CradledCube(random_state(4))


def cuberobot_scan(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [str(CUBEROBOT), "scan", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def lying_with_each_face_up() -> list[CradledCube]:
    ways = [CUBE, CUBE.spun(1)]
    ways += [way.tilted().tilted() for way in ways] + [way.tilted() for way in ways]
    ways += [way.tilted() for way in ways[2:4]]
    return [next(w for w in ways if w.orientation[Face.U] == face) for face in Face]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder with a picture of each face."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for face, cube in zip(Face, lying_with_each_face_up(), strict=True):
        pose = RigPose(0, 0, 0, 0, 0, "seated", cube.stickers)
        camera = SimulatedCamera(lambda pose=pose: pose, VirtualClock(), level=1, seed=2)  # type: ignore[misc]
        cv2.imwrite(str(folder / f"{face.name}.png"), camera.picture())
    return folder


def test_photos_are_read_saved_replayed_and_exported(photos: Path, tmp_path: Path) -> None:
    done = cuberobot_scan("--camera", photos, "--save", tmp_path / "scans", "--json")
    assert done.returncode == 0, done.stderr
    reading = json.loads(done.stdout)
    assert reading["facelets"] == CUBE.facelets
    assert reading["verdict"] == "accepted"
    assert Path(reading["saved"]).parent == tmp_path / "scans"

    replayed = json.loads(cuberobot_scan("replay", reading["saved"]).stdout)
    assert replayed["facelets"] == CUBE.facelets
    assert replayed["as_saved"] is True

    cases = tmp_path / "cases.json"
    cases.write_text(cuberobot_scan("export-case", tmp_path / "scans").stdout, encoding="utf-8")
    assert json.loads(cases.read_text(encoding="utf-8"))[0]["truth"] == CUBE.facelets
    read = json.loads(cuberobot_scan("read", cases).stdout)
    assert read["facelets"] == CUBE.facelets


def test_a_live_stream_is_scanned_by_hand() -> None:
    faces = lying_with_each_face_up()
    shown = {"index": 0}

    def pose() -> RigPose:
        return RigPose(0, 0, 0, 0, 0, "seated", faces[shown["index"]].stickers)

    camera = SimulatedCamera(pose, VirtualClock(), level=1, seed=2)
    with MjpegServer(camera.jpeg, SystemClock()) as server:
        source = open_source(server.url)
        scan = HandScan(source)
        for event in scan.events():
            if isinstance(event, FaceCaptured):
                shown["index"] = min(event.number, 5)
        source.close()
    assert scan.outcome is not None
    assert scan.outcome.result.facelets == CUBE.facelets


def test_a_missing_face_is_an_error_in_a_sentence(photos: Path) -> None:
    (photos / "D.png").unlink()
    done = cuberobot_scan("--camera", photos, "--json")
    assert done.returncode == 1
    assert "Only 5 of the 6 faces" in json.loads(done.stdout)["error"]


def test_a_camera_that_is_not_there_is_an_error_in_a_sentence() -> None:
    done = cuberobot_scan("--camera", "http://127.0.0.1:9/video")
    assert (done.returncode, done.stdout) == (1, "")
    assert "does not open" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_camera_it_asks_for_one() -> None:
    assert cuberobot_scan("--json").returncode == 2
