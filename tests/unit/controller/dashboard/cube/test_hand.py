"""A scan by hand as the page hears it: photos in a folder, and one in whose light doubts remain."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.dashboard.cube.controller import READING, CubeController
from controller.dashboard.cube.hand import HAND, HandEvent, Said, Seen, shown_by_hand
from controller.dashboard.cube.view import ScanByHandRequest
from controller.dashboard.hub import Hub
from controller.job_events import CubeRead
from controller.vision.errors import CameraNotFoundError
from controller.vision.reading.result import Verdict
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.held_cube import held_before_a_camera
from tests.vision_data import drawn_face, in_dim_light

CUBE = random_state(1)
LONGEST_S = 120.0


def photos(folder: Path) -> Path:
    """Write a picture of each face in a light that is not good enough."""
    for number, face in enumerate(in_dim_light(format_facelets(CUBE)).reshape(6, 9, 3)):
        cv2.imwrite(str(folder / f"{number}.png"), drawn_face(face))
    return folder


def test_a_doubtful_reading_is_told_before_the_scan_is_over(tmp_path: Path) -> None:
    events = list[HandEvent]()
    report = run_job(shown_by_hand(str(photos(tmp_path))), events.append)
    (doubtful,) = (event for event in events if isinstance(event, CubeRead))
    assert doubtful.result.verdict is Verdict.DOUBTFUL
    assert np.array_equal(doubtful.rgb, report.rgb)
    said = [event for event in events if isinstance(event, Said)]
    assert re.search("with doubts.* Show these faces again, or stop", said[-1].sentence)
    assert said[-1].faces == ("white", "red", "green", "yellow", "red", "blue")  # in this light
    (first, *_) = (event for event in events if isinstance(event, Seen))
    assert first.picture.startswith(b"\xff\xd8")


def test_a_camera_that_is_not_there_gets_its_sentence() -> None:
    with pytest.raises(CameraNotFoundError, match="does not open"):
        run_job(shown_by_hand("/no/such/camera"))


def test_a_scan_is_ended_and_gives_its_camera_back() -> None:
    hub = Hub()
    controller = CubeController(hub)
    with held_before_a_camera(CUBE, frames_per_s=5) as held:
        controller.scan_by_hand(ScanByHandRequest(held.url))
        controller.end_hand()
        assert controller.hand.wait(LONGEST_S)
    view = hub.value(HAND)
    assert (view.is_running, view.is_fault, view.sentence) == (
        False,
        False,
        "The scan was stopped.",
    )
    assert hub.value(READING) is None
    with pytest.raises(PuzzlerigError, match="There is no scan by hand"):
        controller.file("hand.jpg")
    controller.close()
