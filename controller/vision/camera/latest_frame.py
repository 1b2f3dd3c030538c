"""Takes frames from a camera as they come, and hands out only such as came after one asked."""

import threading
from typing import Final

import numpy as np

from controller.vision.camera.lock import Capture
from controller.vision.errors import CameraLostError
from solvers.foundation.arrays import Image

SILENCE_S: Final = 10.0  # longer than OpenCV itself waits for a frame


class LatestFrame:
    """Owns a capture; `next` may be called from one thread until `close`."""

    def __init__(self, name: str, capture: Capture) -> None:
        self._name = name
        self._capture = capture
        self._arrived = threading.Condition()
        self._count = 0
        self._picture: Image | None = None
        self._over = False
        self._thread = threading.Thread(target=self._take_frames, daemon=True)
        self._thread.start()

    def next(self) -> Image:
        """Wait for a frame and return it; raises CameraLostError when none comes any more."""
        with self._arrived:
            seen = self._count
            self._arrived.wait_for(lambda: self._count > seen or self._over, SILENCE_S)
            if self._count == seen or self._picture is None:
                raise CameraLostError(
                    f"The camera {self._name} gives no frames any more. Is it still plugged in "
                    "and its server running? Connect it again and start once more."
                )
            return self._picture

    def close(self) -> None:
        """Stop taking frames and close the camera."""
        with self._arrived:
            self._over = True
        self._thread.join(SILENCE_S)

    def _take_frames(self) -> None:
        while not self._over:
            done, picture = self._capture.read()
            with self._arrived:
                if done:
                    self._picture = np.asarray(picture, dtype=np.uint8)
                    self._count += 1
                else:
                    self._over = True
                self._arrived.notify_all()
        self._capture.release()
