"""A cube shown by hand: doubts are settled by a second look at the same faces."""

import numpy as np
import pytest

from controller.vision.camera import CameraSettings
from controller.vision.errors import CameraLostError, ScanFailedError
from controller.vision.finding.steady_gate import STEADY_FRAMES
from controller.vision.reading.result import Verdict
from controller.vision.scans.events import (
    FaceCaptured,
    FaceSeenBefore,
    ScanEvent,
    ScanOutcome,
    SecondLookWanted,
)
from controller.vision.scans.hand_scan import hand_scan
from solvers.foundation.arrays import Float64Array, Image
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import format_facelets
from solvers.rubik.scramble import random_state
from tests.vision_data import drawn_face, in_dim_light, painted

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


def pictures(rgb: Float64Array) -> list[Image]:
    """Return a picture of each face of a cube with these colours (54, 3)."""
    return [drawn_face(face) for face in rgb.reshape(6, 9, 3)]


@pytest.fixture
def clear() -> list[Image]:
    """Return the six faces of a cube in good light."""
    return pictures(painted(FACELETS, noise=2.0))


@pytest.fixture
def dim() -> list[Image]:
    """Return them in a light in which red and orange are almost one."""
    return pictures(in_dim_light(FACELETS))


def shown(film: Film) -> tuple[list[ScanEvent], ScanOutcome]:
    """Return what happens while a film is scanned, and the outcome."""
    events: list[ScanEvent] = []
    return events, run_job(hand_scan(film), on_event=events.append)


def asked_after_six(events: list[ScanEvent]) -> list[SecondLookWanted]:
    """Return what is asked for before a seventh face is shown, which shall be there."""
    captured = [at for at, event in enumerate(events) if isinstance(event, FaceCaptured)]
    return [event for event in events[: captured[6]] if isinstance(event, SecondLookWanted)]


def test_six_faces_are_enough_in_good_light(clear: list[Image]) -> None:
    events, outcome = shown(Film(clear))
    captured = [event.number for event in events if isinstance(event, FaceCaptured)]
    assert captured == [1, 2, 3, 4, 5, 6]
    assert outcome.result.facelets == FACELETS
    assert outcome.result.verdict is Verdict.ACCEPTED


def test_a_face_shown_twice_is_captured_once(clear: list[Image]) -> None:
    turned = np.ascontiguousarray(np.rot90(clear[0][45:196, 85:236]))
    again = EMPTY.copy()
    again[45:196, 85:236] = turned
    events, outcome = shown(Film([clear[0], again, *clear[1:]]))
    assert [event.number for event in events if isinstance(event, FaceSeenBefore)] == [1]
    assert outcome.result.facelets == FACELETS


def test_a_doubtful_reading_asks_for_a_second_look(dim: list[Image], clear: list[Image]) -> None:
    events, outcome = shown(Film([*dim, *clear]))
    [asked] = asked_after_six(events)
    assert asked.result.reasons
    assert asked.result.verdict is Verdict.DOUBTFUL
    assert outcome.result.confidence > asked.result.confidence
    assert outcome.result.facelets == FACELETS


def test_a_face_that_was_seen_amiss_is_replaced_while_the_cube_is_turned_on() -> None:
    rgb = painted(FACELETS, noise=2.0)
    amiss = rgb.reshape(6, 9, 3)[2].copy()
    amiss[3:] = amiss[:6]  # its grid lay one row too high
    amiss[:3] = 120.0
    spoilt = [drawn_face(amiss) if face == 2 else each for face, each in enumerate(pictures(rgb))]
    events, outcome = shown(Film([*spoilt, *pictures(rgb)]))
    assert asked_after_six(events)
    assert all(event.result.verdict is not Verdict.ACCEPTED for event in asked_after_six(events))
    assert outcome.result.facelets == FACELETS
    assert outcome.result.verdict is Verdict.ACCEPTED


def test_the_face_that_was_not_shown_is_named(clear: list[Image]) -> None:
    with pytest.raises(ScanFailedError, match=r"Only 4 of the 6 .* Missing: yellow, blue"):
        shown(Film([clear[face] for face in (0, 1, 2, 4)]))


def test_a_finger_on_a_sticker_makes_no_other_face(clear: list[Image]) -> None:
    covered = clear[0].copy()
    covered[150:190, 140:180] = (120, 150, 205)
    events, _ = shown(Film([clear[0], clear[1], covered, *clear[2:]]))
    assert [event.number for event in events if isinstance(event, FaceSeenBefore)] == [1]


def test_who_asks_until_a_reading_is_accepted_is_asked_for_more(dim: list[Image]) -> None:
    """The same doubtful pictures do not become certain by being shown again."""
    _, outcome = shown(Film([*dim, *dim]))
    assert outcome.result.verdict is not Verdict.ACCEPTED


def test_a_scan_may_be_ended_at_any_frame(clear: list[Image]) -> None:
    film = Film(clear)
    scan = hand_scan(film)
    next(scan)
    left = len(film.frames)
    scan.close()
    assert len(film.frames) == left
    assert list(scan) == []
