"""Why no face has been captured for a while, by the pictures, and what to do about it."""

from typing import Final

import cv2
import numpy as np

from controller.vision.finding.grid_finder import find_squares
from solvers.foundation.arrays import Image

# About two seconds of a webcam without a face.
FRAMES_TO_ADVICE: Final = 45

TOO_DARK: Final = "It is too dark: switch a light on, or hold the cube nearer to the window."
TOO_NEAR: Final = "The cube is too near: hold it further away, so that a whole face is seen."
HOLD_STILL: Final = "The cube moves too fast to be seen clearly: hold it still for a second."
LAMP: Final = "A lamp is mirrored in the cube: tilt it a little, away from the lamp."
FLAT: Final = "No whole face is seen: hold one flat to the camera, with no finger on its stickers."

_DARK: Final = 60.0  # of 255; the brightest twentieth of a picture in which stickers can be told
_NEAR_SIDE: Final = 0.23  # of the longer side; three of them and their gaps fill the picture
_CLIPPED: Final = 250  # all channels: no sticker is as white as a lamp
_CLIPPED_SHARE: Final = 0.01
_MOVED: Final = 14.0  # mean difference of two small frames, of 255
_SMALL: Final = (80, 60)


class Adviser:
    """Looks at the frames of a scan by hand and counts those in which no face is."""

    def __init__(self) -> None:
        self._without = 0
        self._last: Image | None = None

    def look(self, picture: Image, *, is_face: bool) -> str | None:
        """Return what to tell whoever holds the cube, now and then while no face is seen."""
        before, self._last = self._last, picture
        self._without = 0 if is_face else self._without + 1
        if self._without < FRAMES_TO_ADVICE:
            return None
        self._without = 0
        return advice(picture, before)


def advice(picture: Image, before: Image | None) -> str:
    """Return what seems to be wrong in a picture, BGR; `before` is the frame before it."""
    brightest = picture.max(axis=2)
    if np.quantile(brightest[::4, ::4], 0.95) < _DARK:
        return TOO_DARK
    if before is not None and before.shape == picture.shape:
        small = [
            cv2.resize(each, _SMALL, interpolation=cv2.INTER_AREA) for each in (before, picture)
        ]
        if float(cv2.absdiff(*small).mean()) > _MOVED:
            return HOLD_STILL
    sides = find_squares(picture)[:, 2] / max(picture.shape[:2])
    if (sides > _NEAR_SIDE).sum() >= 2:
        return TOO_NEAR
    if float((picture.min(axis=2) >= _CLIPPED).mean()) > _CLIPPED_SHARE:
        return LAMP
    return FLAT
