"""Has all compiled functions of a scan compiled before somebody holds a cube to a camera."""

from typing import Final

import cv2
import numpy as np

from controller.vision.finding.steady_gate import view_of_still
from controller.vision.scans.by_hand.shown_faces import assembled
from solvers.foundation.arrays import Image

_SIDE_PX: Final = 480
_STICKER_PX: Final = 80
_BGR: Final = (
    (240, 240, 240), (40, 20, 180), (70, 160, 30), (20, 220, 240), (20, 110, 240), (170, 80, 20)
)  # fmt: skip


def warm_up() -> None:
    """Find six drawn faces and read the cube that they make; seconds the very first time."""
    views = [view for colour in _BGR if (view := view_of_still(_drawn_face(colour))) is not None]
    assert len(views) == len(_BGR), "every drawn face is found"
    assembled(views)


def _drawn_face(bgr: tuple[int, int, int]) -> Image:
    picture = np.full((_SIDE_PX, _SIDE_PX, 3), 25, dtype=np.uint8)
    for row in range(3):
        for column in range(3):
            corner = (column * 110 + 90, row * 110 + 90)
            opposite = (corner[0] + _STICKER_PX, corner[1] + _STICKER_PX)
            cv2.rectangle(picture, corner, opposite, bgr, thickness=cv2.FILLED)
    return picture
