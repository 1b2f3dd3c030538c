"""A cube shown by hand: doubts are settled by a second look at the same faces."""

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from controller.vision.camera_lock import CameraSettings
from controller.vision.errors import CameraLostError
from controller.vision.hand_scan import HandScan
from controller.vision.scan_result import Verdict
from controller.vision.scan_session import FaceCaptured, FaceSeenBefore, SecondLookWanted
from controller.vision.steady_gate import STEADY_FRAMES
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state

Image = npt.NDArray[np.uint8]
FACELETS = format_facelets(random_state(1))
EMPTY = np.full((240, 320, 3), 120, np.uint8)


class Film:
    """Pictures one after the other, each face for as long as it takes to capture it."""

    name = "film"
    is_live = False
    is_still = False
    settings = CameraSettings()

    def __init__(self, faces: list[Image]) -> None:
        self.frames: list[Image] = []
        for face in faces:
            self.frames += [face] * (2 * STEADY_FRAMES) + [EMPTY]

    def read(self) -> Image:
        if not self.frames:
            raise CameraLostError("The film is over.")
        return self.frames.pop(0)

    def close(self) -> None:
        pass


def pictures(rgb: npt.NDArray[np.float64]) -> list[Image]:
    """Return a picture of each face of a cube with these colours (54, 3)."""
    drawn = []
    for face in range(6):
        picture = EMPTY.copy()
        cv2.rectangle(picture, (85, 45), (235, 195), (18, 18, 18), -1)
        for cell in range(9):
            x, y = 90 + 50 * (cell % 3), 50 + 50 * (cell // 3)
            colour = [round(value) for value in rgb[9 * face + cell, ::-1]]
            cv2.rectangle(picture, (x, y), (x + 40, y + 40), colour, -1)
        drawn.append(picture)
    return drawn


@pytest.fixture
def clear(painted: Any) -> list[Image]:
    """Return the six faces of a cube in good light."""
    return pictures(painted(FACELETS, noise=2.0))


@pytest.fixture
def dim(painted: Any) -> list[Image]:
    """Return them in a light in which red and orange are almost one."""
    rgb = painted(FACELETS, noise=2.0)
    letters = np.array(list(FACELETS))
    red = rgb[letters == "R"].mean(axis=0)
    rgb[letters == "L"] = 0.18 * rgb[letters == "L"] + 0.82 * red
    rng = np.random.default_rng(3)
    rgb[(letters == "L") | (letters == "R")] += rng.normal(0, 7, (18, 3))
    return pictures(np.clip(rgb, 0, 255))


def test_six_faces_are_enough_in_good_light(clear: list[Image]) -> None:
    scan = HandScan(Film(clear))
    events = list(scan.events())
    assert sum(isinstance(event, FaceCaptured) for event in events) == 6
    assert scan.outcome is not None
    assert (scan.outcome.result.facelets, scan.outcome.result.verdict) == (
        FACELETS,
        Verdict.ACCEPTED,
    )


def test_a_face_shown_twice_is_captured_once(clear: list[Image]) -> None:
    turned = np.ascontiguousarray(np.rot90(clear[0][45:196, 85:236]))
    again = EMPTY.copy()
    again[45:196, 85:236] = turned
    scan = HandScan(Film([clear[0], again, *clear[1:]]))
    events = list(scan.events())
    assert [event.number for event in events if isinstance(event, FaceSeenBefore)] == [1]
    assert scan.outcome is not None
    assert scan.outcome.result.facelets == FACELETS


def test_a_doubtful_reading_asks_for_a_second_look(dim: list[Image], clear: list[Image]) -> None:
    alone = HandScan(Film(dim))
    asked = [event for event in alone.events() if isinstance(event, SecondLookWanted)]
    assert len(asked) == 1
    assert asked[0].result.reasons
    assert alone.outcome is not None
    assert alone.outcome.result.verdict is Verdict.DOUBTFUL

    with_more = HandScan(Film([*dim, *clear]))
    for _ in with_more.events():
        pass
    assert with_more.outcome is not None
    assert with_more.outcome.result.confidence > alone.outcome.result.confidence
    assert with_more.outcome.result.facelets == FACELETS
