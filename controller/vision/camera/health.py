"""Notices a camera that gives frames without giving pictures: frozen, or black."""

from typing import Final

import numpy as np

from controller.vision.errors import BlackPictureError, FrozenPictureError
from solvers.foundation.arrays import Image

# A second of a slow webcam. Two exposures of a real sensor are never equal in every pixel.
FROZEN_FRAMES: Final = 15
BLACK_FRAMES: Final = 15
BLACK_MEAN: Final = 8.0  # of 255; the darkest room in which a cube can be read has twice this


class FrameHealth:
    """Looks at each frame of a live camera in turn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last: Image | None = None
        self._equal = 0
        self._black = 0

    def check(self, picture: Image) -> None:
        """Raise BlackPictureError or FrozenPictureError when it has gone on for too long."""
        self._black = self._black + 1 if float(picture[::4, ::4].mean()) < BLACK_MEAN else 0
        if self._black >= BLACK_FRAMES:
            raise BlackPictureError(
                f"The camera {self._name} gives black frames. Take the cap off the lens, switch "
                "the light on, or choose a longer exposure."
            )
        is_equal = self._last is not None and np.array_equal(picture, self._last)
        self._equal = self._equal + 1 if is_equal else 0
        self._last = picture
        if self._equal >= FROZEN_FRAMES:
            raise FrozenPictureError(
                f"The camera {self._name} repeats one frame: it has frozen. Unplug it, plug it in "
                "again and start once more."
            )
