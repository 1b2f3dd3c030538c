"""Pictures from anything that shows a cube: a camera, a stream, a video file, a folder."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from controller.vision.camera.latest_frame import LatestFrame
from controller.vision.camera.lock import CameraSettings, Capture
from controller.vision.errors import CameraLostError, InvalidScanError
from controller.vision.picture_file import decoded
from solvers.foundation.arrays import Image
from solvers.foundation.typed_files import read_bytes

LONGEST_SIDE_PX: Final = 2048
"""Stickers are found in far smaller pictures, and six large ones would fill the memory."""


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
            picture = decoded(read_bytes(path, InvalidScanError, "The picture"), path)
            if picture is not None:
                return _shrunk(picture)
        raise CameraLostError(f"There is no further picture in {self.name}.")

    def close(self) -> None:
        """Do nothing: no file stays open."""


def _shrunk(picture: Image) -> Image:
    scale = LONGEST_SIDE_PX / max(picture.shape)
    if scale >= 1:
        return picture
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


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
