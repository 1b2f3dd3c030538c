"""A 2x2x2 cube shown by hand."""

import numpy as np
import pytest

from controller.vision.errors import ScanFailedError
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.pocket_reader import PocketReading
from controller.vision.reading.result import Verdict
from controller.vision.reading.scheme import USUAL_SCHEME
from controller.vision.scans.events import Advised, FaceCaptured, ScanEvent
from controller.vision.scans.hand_scan import Guide
from controller.vision.scans.pocket_scan import pocket_scan
from solvers.foundation.arrays import Image
from solvers.foundation.progress import run_job
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.pocket import pocket_stickers, read_pocket
from solvers.rubik.scramble import random_state
from tests.eyes.mistakes import GUIDE_ORDER
from tests.unit.controller.vision.scans.test_hand_scan import Film
from tests.vision_data import drawn_face, painted_pocket


def pictures(stickers: str) -> list[Image]:
    """Return a picture of each face, in the order that the guide asks for."""
    return [drawn_face(face) for face in painted_pocket(stickers)[list(GUIDE_ORDER)]]


def shown(faces: list[Image]) -> tuple[list[ScanEvent], PocketReading]:
    events: list[ScanEvent] = []
    return events, run_job(pocket_scan(Film(faces)), on_event=events.append)


def is_read(reading: PocketReading, stickers: str) -> bool:
    truth = read_pocket(stickers.translate(str.maketrans(FACE_LETTERS, USUAL_SCHEME)))
    return (
        reading.verdict is Verdict.ACCEPTED
        and reading.cube is not None
        and reading.cube.held_like(truth).position == truth.position
    )


STICKERS = pocket_stickers(random_state(1))
# Two faces of this cube show the same four colours.
TWINS = pocket_stickers(random_state(84))


def test_six_faces_are_enough() -> None:
    events, reading = shown(pictures(STICKERS))
    captured = [event.number for event in events if isinstance(event, FaceCaptured)]
    assert captured == [1, 2, 3, 4, 5, 6]
    assert is_read(reading, STICKERS)
    assert not [event for event in events if isinstance(event, Advised)]


def test_a_face_shown_twice_counts_once() -> None:
    faces = pictures(STICKERS)
    events, reading = shown([*faces[:3], np.rot90(faces[1], 2).copy(), *faces[3:]])
    assert [e.number for e in events if isinstance(e, FaceCaptured)] == [1, 2, 3, 4, 5, 6]
    assert is_read(reading, STICKERS)


def test_a_face_read_amiss_is_replaced_when_it_is_shown_again() -> None:
    faces = pictures(STICKERS)
    amiss = drawn_face(painted_pocket("URFD" * 6)[0])
    events, reading = shown([faces[0], amiss, *faces[1:5], faces[5], *faces])
    assert is_read(reading, STICKERS)
    assert [event for event in events if isinstance(event, FaceCaptured)]


def test_two_faces_that_look_the_same_are_both_used() -> None:
    assert len(faces_as_seen(TWINS)) == 5
    _, reading = shown(pictures(TWINS))
    assert is_read(reading, TWINS)


def faces_as_seen(stickers: str) -> set[str]:
    faces = [stickers[start : start + 4] for start in range(0, 24, 4)]
    return {min(face[a] + face[b] + face[c] + face[d] for a, b, c, d in TURNED) for face in faces}


TURNED = ((0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0), (1, 3, 0, 2))


def test_missing_faces_are_counted() -> None:
    with pytest.raises(ScanFailedError, match="Only 4 of the 6"):
        shown(pictures(STICKERS)[:4])


def test_the_guide_counts_faces_that_no_centre_names() -> None:
    events, _ = shown(pictures(STICKERS))
    guide = Guide()
    said = [guide.said(event) for event in events if isinstance(event, FaceCaptured)]
    assert said[0] is not None
    assert said[0].startswith("1 of 6. Next: turn the cube a quarter to the left")
    assert said[5] == "6 of 6."
    assert isinstance(events[-1], FaceCaptured)
    view: FaceView = events[-1].view
    assert view.colours.shape == (4, 3)
