"""What somebody is told whose cube is not seen."""

import numpy as np
import pytest

from controller.vision.scans.by_hand import advice
from controller.vision.scans.by_hand.advice import FRAMES_TO_ADVICE, Adviser
from controller.vision.scans.by_hand.guide import Guide
from controller.vision.scans.events import Advised
from solvers.foundation.arrays import Image
from tests.eyes.disturbances import drifted, glaring
from tests.vision_data import DAYLIGHT, drawn_face

FACE = drawn_face(np.minimum(DAYLIGHT[[0, 1, 2, 3, 4, 5, 0, 1, 2]], 200.0))
ROOM = np.full_like(FACE, 120)
LAMP = np.array([[160.0, 60.0, 25.0]])


@pytest.mark.parametrize(
    ("before", "picture", "sentence"),
    [
        (None, ROOM, advice.FLAT),
        (None, drifted(FACE, np.full(3, 0.02)), advice.TOO_DARK),
        (None, np.kron(FACE[45:165, 85:235], np.ones((2, 2, 1), np.uint8)), advice.TOO_NEAR),
        (None, glaring(ROOM, LAMP, 5.0), advice.LAMP),
        (ROOM, FACE, advice.HOLD_STILL),
    ],
)
def test_each_trouble_has_its_sentence(before: Image | None, picture: Image, sentence: str) -> None:
    assert advice.advice(np.ascontiguousarray(picture), before) == sentence


def test_advice_is_given_after_a_while_without_a_face() -> None:
    adviser = Adviser()
    almost = [adviser.look(ROOM, is_face=False) for _ in range(FRAMES_TO_ADVICE - 1)]
    assert almost == [None] * (FRAMES_TO_ADVICE - 1)
    assert adviser.look(ROOM, is_face=True) is None
    said = [adviser.look(ROOM, is_face=False) for _ in range(2 * FRAMES_TO_ADVICE)]
    assert [sentence for sentence in said if sentence] == [advice.FLAT] * 2


def test_advice_is_passed_on() -> None:
    assert Guide().said(Advised(advice.LAMP)) == advice.LAMP
