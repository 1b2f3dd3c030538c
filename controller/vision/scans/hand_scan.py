"""A scan by hand: the faces of a cube in any order and rotation."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from controller.vision.camera.sources import FrameHealth, FrameSource
from controller.vision.errors import CameraLostError, ScanFailedError
from controller.vision.finding.steady_gate import SteadyGate, view_of_still
from controller.vision.scans.events import FACES, Advised, FrameSeen, ScanJob
from controller.vision.scans.guide import Adviser
from controller.vision.scans.shown_faces import ShownFaces, assembled
from solvers.foundation.arrays import Image

PATIENCE_FRAMES: Final = 3000  # a few minutes of a webcam


def hand_scan(source: FrameSource, *, patience_frames: int = PATIENCE_FRAMES) -> ScanJob:
    """Capture each face as soon as it is held still.

    The first face becomes U, the next one adjacent to it R. While the reading is not accepted,
    faces that are shown once more count as a second look, or take the place of one that was read
    amiss. Raises ScanFailedError when faces are missing
    in the end, and CameraError.
    """
    gate = SteadyGate(in_a_hand=True)
    shown = ShownFaces()
    adviser = Adviser()
    for picture in _pictures(source, patience_frames):
        view = view_of_still(picture) if source.is_still else gate.look(picture)
        yield FrameSeen(picture, gate.progress, gate.frames)
        is_face = view is not None or gate.progress > 0
        if (sentence := adviser.look(picture, is_face=is_face)) is not None:
            yield Advised(sentence)
        if view is not None:
            yield from shown.take(view)
            if shown.outcome is not None and shown.is_certain:
                return shown.outcome
        elif gate.progress == 0:
            shown.taken_away()
    if shown.outcome is None:
        raise ScanFailedError(
            f"Only {min(len(shown.faces), FACES)} of the {FACES} faces could be captured from "
            f"{source.name}. Show each face flat to the camera and hold it still, in even light "
            "without glare."
        )
    return shown.outcome


def _pictures(source: FrameSource, patience_frames: int) -> Iterator[Image]:
    """Yield pictures until patience or a recording is over; raises CameraError."""
    health = FrameHealth(source.name)
    for _ in range(patience_frames):
        try:
            picture = source.read()
        except CameraLostError:
            if source.is_live:
                raise
            return
        if source.is_live:
            health.check(picture)
        yield picture


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
