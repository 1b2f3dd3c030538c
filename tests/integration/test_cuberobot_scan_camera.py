"""`cuberobot scan` as a process: a folder of photos, a live stream, and what is saved of them."""

import json
import subprocess
import sys
from itertools import count
from pathlib import Path

import cv2
import pytest

from hardware_sims.clock import RealClock, VirtualClock
from hardware_sims.cube_rig.camera.camera import SimulatedCamera
from hardware_sims.cube_rig.camera.mjpeg_server import MjpegServer
from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.cube_rig.rig import RigPose
from solvers.rubik.rotations import Face, all_orientations
from solvers.rubik.scramble import random_state

CUBEROBOT = Path(sys.executable).with_name("cuberobot")
CUBE = CradledCube(random_state(4))


def cuberobot_scan(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [CUBEROBOT, "scan", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def lying_with_each_face_up() -> list[CradledCube]:
    ways = [CUBE, CUBE.spun(1)]
    ways += [way.tilted().tilted() for way in ways] + [way.tilted() for way in ways]
    ways += [way.tilted() for way in ways[2:4]]
    return [next(w for w in ways if w.orientation[Face.U] == face) for face in Face]


def camera_above(cubes: list[CradledCube], frames_each: int) -> SimulatedCamera:
    """Return a camera that sees one cube after the other, round and round."""
    # Two poses make one frame.
    shown = count()

    def pose() -> RigPose:
        cube = cubes[next(shown) // (2 * frames_each) % len(cubes)]
        return RigPose(0, 0, 0, 0, 0, "seated", cube.stickers)

    return SimulatedCamera(pose, VirtualClock(), level=1, seed=2)


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder with a picture of each face."""
    folder = tmp_path / "photos"
    folder.mkdir()
    camera = camera_above(lying_with_each_face_up(), frames_each=1)
    for face in Face:
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
    camera = camera_above(lying_with_each_face_up(), frames_each=20)
    with MjpegServer(camera.jpeg, RealClock(), frames_per_s=15) as server:
        done = cuberobot_scan("--camera", server.url, "--json")
    assert done.returncode == 0, done.stderr
    # Which face was captured first, and so became U, depends on the machine's speed.
    held = [CradledCube(CUBE.cube, orientation).facelets for orientation in all_orientations()]
    assert json.loads(done.stdout)["facelets"] in held
    assert "Show the six faces" in done.stderr


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
