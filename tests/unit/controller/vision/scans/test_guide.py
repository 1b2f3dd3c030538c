"""What a person who shows a cube by hand is told."""

import json
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import cv2
import numpy as np
import pytest

from controller.cli.hand_view import HandView, Preview
from controller.cli.options import SCREENS
from controller.job_events import CameraOpened
from controller.vision.finding.steady_gate import FaceView, view_of_still
from controller.vision.scans import hand_scan
from controller.vision.scans.events import Advised, FaceCaptured, FaceSeenBefore, FrameSeen
from controller.vision.scans.hand_scan import (
    FIRST_STEP,
    FRAMES_TO_ADVICE,
    Adviser,
    Guide,
    colour_of,
    warm_up,
)
from solvers.foundation.arrays import Image
from tests.eyes.disturbances import drifted, glaring
from tests.vision_data import DAYLIGHT, drawn_face

FACE = drawn_face(np.minimum(DAYLIGHT[[0, 1, 2, 3, 4, 5, 0, 1, 2]], 200.0))
ROOM = np.full_like(FACE, 120)
LAMP = np.array([[160.0, 60.0, 25.0]])


@pytest.mark.parametrize(
    ("before", "picture", "sentence"),
    [
        (None, ROOM, hand_scan.FLAT),
        (None, drifted(FACE, np.full(3, 0.02)), hand_scan.TOO_DARK),
        (None, np.kron(FACE[45:165, 85:235], np.ones((2, 2, 1), np.uint8)), hand_scan.TOO_NEAR),
        (None, FACE[56:], hand_scan.CUT_OFF),
        (None, glaring(ROOM, LAMP, 5.0), hand_scan.LAMP),
        (ROOM, FACE, hand_scan.HOLD_STILL),
    ],
)
def test_each_trouble_has_its_sentence(before: Image | None, picture: Image, sentence: str) -> None:
    assert hand_scan.advice(np.ascontiguousarray(picture), before) == sentence


def test_advice_is_given_after_a_while_without_a_face() -> None:
    adviser = Adviser()
    almost = [adviser.look(ROOM, is_face=False) for _ in range(FRAMES_TO_ADVICE - 1)]
    assert almost == [None] * (FRAMES_TO_ADVICE - 1)
    assert adviser.look(ROOM, is_face=True) is None
    said = [adviser.look(ROOM, is_face=False) for _ in range(2 * FRAMES_TO_ADVICE)]
    assert [sentence for sentence in said if sentence] == [hand_scan.FLAT] * 2


def test_advice_is_passed_on() -> None:
    assert Guide().said(Advised(hand_scan.LAMP)) == hand_scan.LAMP


COLOURS = {
    "white": (230, 235, 228),
    "red": (183, 18, 52),
    "green": (0, 155, 72),
    "yellow": (255, 213, 0),
    "orange": (255, 110, 20),
    "blue": (0, 70, 173),
}
LIVE = CameraOpened("0", (), is_live=True)
FRAME = np.full((90, 160, 3), 40, dtype=np.uint8)


def face(colour: str) -> FaceView:
    view = view_of_still(drawn_face(np.array([COLOURS[colour]] * 9, dtype=float)))
    assert view is not None
    return view


@pytest.mark.parametrize("colour", COLOURS)
def test_a_colour_has_the_name_that_people_give_it(colour: str) -> None:
    assert colour_of(face(colour)) == colour


def test_teal_is_green_to_people() -> None:
    view = view_of_still(drawn_face(np.array([(0, 128, 128)] * 9, dtype=float)))
    assert view is not None
    assert colour_of(view) == "green"


def test_each_face_is_named_and_the_next_one_asked_for() -> None:
    guide = Guide()
    said = [
        guide.said(FaceCaptured(number, 6, face(colour)))
        for number, colour in enumerate(COLOURS, start=1)
    ]
    assert said[0] is not None
    assert said[0].startswith("1 of 6: white. Next: turn the cube a quarter to the left")
    assert str(said[3]).startswith("4 of 6: white, red, green, yellow. Next: tip the cube towards")
    assert "opposite" in str(said[4])
    assert said[5] == "6 of 6: white, red, green, yellow, orange, blue. That is all."
    assert guide.said(FaceCaptured(2, 6, face("red"))) == "The red face once more: taken."


def test_a_face_that_is_there_is_said_to_be() -> None:
    guide = Guide()
    guide.said(FaceCaptured(1, 6, face("blue")))
    said = guide.said(FaceSeenBefore(1))
    assert said is not None
    assert said.startswith("The blue face is there already; turn the cube")
    assert guide.said(FrameSeen(FRAME, 0, 5)) is None


def test_the_page_shows_picture_and_words() -> None:
    with Preview() as preview:
        with pytest.raises(HTTPError):
            urlopen(f"{preview.url}frame.jpg")
        preview.show(FrameSeen(FRAME, 1, 5), "Hold it still.")
        preview.show(FaceCaptured(3, 6, face("red")), "Well done.")
        assert b"<img" in urlopen(preview.url).read()
        state = json.load(urlopen(f"{preview.url}state.json"))
        assert state == {"captured": 3, "faces": 6, "said": "Well done."}
        data = np.frombuffer(urlopen(f"{preview.url}frame.jpg?1").read(), dtype=np.uint8)
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert picture is not None
        assert picture.shape == FRAME.shape
        assert picture[2, 80, 1] > 150  # a green border while it is held still
        elsewhere = Request(preview.url, headers={"Host": "rebound.example:80"})
        with pytest.raises(HTTPError, match="403"):
            urlopen(elsewhere)


def test_pictures_go_into_a_file_too(tmp_path: Path) -> None:
    with HandView.opened(page=False, file=tmp_path / "seen.jpg") as view:
        for _ in view.handle(FrameSeen(FRAME, 0, 5)):
            raise AssertionError("a frame alone is nothing to talk about")
    assert (tmp_path / "seen.jpg").read_bytes().startswith(b"\xff\xd8")


def test_only_who_stands_before_a_live_camera_is_talked_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for screen in SCREENS:
        monkeypatch.delenv(screen, raising=False)
    with HandView.opened(page=True, file=None) as view:
        begin, page = view.handle(LIVE)
        assert begin.startswith(FIRST_STEP)
        assert "http://127.0.0.1:" in page
        assert list(view.handle(FaceSeenBefore(1))) == [Guide().said(FaceSeenBefore(1))]
        assert list(view.handle(FaceSeenBefore(1))) == []
    with HandView.opened(page=False, file=None) as view:
        assert list(view.handle(CameraOpened("folder", (), is_live=False))) == []
        assert list(view.handle(FaceCaptured(1, 6, face("red")))) == []


def test_the_eyes_are_prepared_with_drawn_faces() -> None:
    warm_up()
