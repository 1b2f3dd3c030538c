"""Pictures from anything that shows a cube: a camera, a stream, a video file, a folder."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from controller.vision.camera.latest_frame import LatestFrame
from controller.vision.camera.lock import CameraSettings, Capture
from controller.vision.errors import CameraLostError
from solvers.foundation.arrays import Image


class FrameSource(Protocol):
    """Where pictures come from. `read` may be called until it raises CameraLostError."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def is_live(self) -> bool:
        """Whether it shows what is there now; else what was once recorded."""

    @property
    def is_still(self) -> bool:
        """Whether each picture stands alone; else they follow each other as in a film."""

    @property
    def settings(self) -> CameraSettings:
        """Exposure and white balance as read back."""

    def read(self) -> Image:
        """Return the next picture, BGR of shape (height, width, 3)."""

    def close(self) -> None:
        """Give the camera or file back."""


@dataclass
class FolderSource:
    """The pictures of a folder, each once."""

    name: str
    paths: list[Path]
    is_live: bool = False
    is_still: bool = True
    settings: CameraSettings = field(default_factory=CameraSettings)

    def read(self) -> Image:
        """Return the next picture; raises CameraLostError after the last."""
        while self.paths:
            path = self.paths.pop(0)
            picture = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR)
            if picture is not None:
                return np.asarray(picture, dtype=np.uint8)
        raise CameraLostError(f"There is no further picture in {self.name}.")

    def close(self) -> None:
        """Do nothing: no file stays open."""


class FileSource:
    """The frames of a video file, each once."""

    is_live = False
    is_still = False

    def __init__(self, name: str, capture: Capture) -> None:
        self.name = name
        self.settings = CameraSettings()
        self._capture = capture

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError after the last."""
        done, picture = self._capture.read()
        if not done:
            raise CameraLostError(f"There is no further frame in {self.name}.")
        return np.asarray(picture, dtype=np.uint8)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class LiveSource:
    """A camera or stream: `read` returns a frame that arrived after it was called.

    A thread takes the frames as they come, so that none waits in a buffer and shows the past.
    """

    is_live = True
    is_still = False

    def __init__(self, name: str, capture: Capture, settings: CameraSettings) -> None:
        self.name = name
        self.settings = settings
        self._frames = LatestFrame(name, capture)

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError when there is none any more."""
        return self._frames.next()

    def close(self) -> None:
        """Stop the thread and close the camera."""
        self._frames.close()
