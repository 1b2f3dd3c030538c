"""`cuberobot scan`: a folder of photos, a live stream, and what is saved of them."""

import json
from pathlib import Path

import cv2
import pytest

from controller.vision.camera import open_source
from controller.vision.scans.events import FaceCaptured, ScanEvent
from controller.vision.scans.hand_scan import hand_scan
from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import format_facelets
from solvers.rubik.pocket import pocket_stickers, read_pocket
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state
from tests.forked import Command
from tests.held_cube import held_before_a_camera, with_each_face_up
from tests.in_process import Run
from tests.vision_data import drawn_face, painted_pocket

LONGEST_S = 120
CUBE = random_state(4)
FACELETS = format_facelets(CUBE)


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


def test_photos_are_read_saved_replayed_and_exported(
    cuberobot: Run, photos: Path, tmp_path: Path
) -> None:
    done = cuberobot("scan", "--camera", f"{photos}", "--save", f"{tmp_path / 'scans'}", "--json")
    assert done.code == 0, done.err
    reading = done.data
    assert reading["facelets"] == FACELETS
    assert reading["verdict"] == "accepted"
    assert Path(reading["saved"]).parent == tmp_path / "scans"

    replayed = cuberobot("scan", "replay", reading["saved"]).data
    assert replayed["facelets"] == FACELETS
    assert replayed["as_saved"] is True

    cases = tmp_path / "cases.json"
    cases.write_text(
        cuberobot("scan", "export-case", f"{tmp_path / 'scans'}").out, encoding="utf-8"
    )
    assert json.loads(cases.read_text(encoding="utf-8"))[0]["truth"] == FACELETS
    read = cuberobot("scan", "read", str(cases)).data
    assert read["facelets"] == FACELETS


def test_photos_of_a_2x2x2_cube_are_read_for_the_solver(cuberobot: Run, tmp_path: Path) -> None:
    stickers = pocket_stickers(CUBE)
    for face, colours in zip(Face, painted_pocket(stickers), strict=True):
        cv2.imwrite(str(tmp_path / f"{face.name}.png"), drawn_face(colours))
    done = cuberobot("scan", "--size", "2", "--camera", f"{tmp_path}", "--json")
    assert (done.code, done.data["size"]) == (0, 2), done.err
    assert read_pocket(done.data["facelets"]).position == read_pocket(stickers).position
    printed = cuberobot("scan", "--size", "2", "--camera", f"{tmp_path}")
    assert done.data["facelets"] in printed.out


def test_a_2x2x2_cube_is_not_scanned_by_the_robot(cuberobot: Run, tmp_path: Path) -> None:
    done = cuberobot("scan", "--size", "2", "--camera", f"{tmp_path}", "--brick", "usb")
    assert done.code == 2
    assert "by hand" in done.err


def test_a_live_stream_is_scanned_by_hand() -> None:
    with held_before_a_camera(CUBE) as held:
        source = open_source(held.url)

        def show_next(event: ScanEvent) -> None:
            if isinstance(event, FaceCaptured):
                held.shown = min(event.number, 5)

        outcome = run_job(hand_scan(source), on_event=show_next)
        source.close()
    assert outcome.result.facelets == FACELETS


def test_a_missing_face_is_an_error_in_a_sentence(cuberobot: Run, photos: Path) -> None:
    (photos / "D.png").unlink()
    done = cuberobot("scan", "--camera", str(photos), "--json")
    assert done.code == 1
    assert "Only 5 of the 6 faces" in done.data["error"]


@pytest.mark.parametrize("camera", ["http://127.0.0.1:9/video", "77"])
def test_a_camera_that_is_not_there_is_an_error_in_a_sentence_alone(camera: str) -> None:
    """Nor does OpenCV say anything, which it would below Python: in a process of its own."""
    process = Command("cuberobot", "scan", "--camera", camera)
    out, err = process.communicate(LONGEST_S)
    assert (process.returncode, out) == (1, "")
    assert err.startswith(f"Error: The camera {camera} does not open")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_without_a_camera_it_asks_for_one(cuberobot: Run) -> None:
    assert cuberobot("scan", "--json").code == 2
