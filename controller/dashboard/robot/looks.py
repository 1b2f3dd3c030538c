"""The pictures of the faces that a scan has captured, each cut out round its nine stickers."""

import threading
from typing import Final

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.picture_file import preview

_MARGIN: Final = 0.75  # of the distance between two stickers' centres


class Looks:
    """Face by face, the last capture as a JPEG; told by the job, asked by the pages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pictures: list[bytes] = []

    def clear(self) -> None:
        """Forget all: another scan begins."""
        with self._lock:
            self._pictures = []

    def add(self, view: FaceView) -> int:
        """Keep a face; return how many there are."""
        centres, margin = view.grid.centres, _MARGIN * view.grid.pitch_px
        height, width = view.picture.shape[:2]
        left, top = np.maximum(centres.min(axis=0) - margin, 0).astype(int)
        right, bottom = np.minimum(centres.max(axis=0) + margin, (width, height)).astype(int)
        picture = preview(np.ascontiguousarray(view.picture[top:bottom, left:right]))
        with self._lock:
            self._pictures.append(picture)
            return len(self._pictures)

    def picture(self, number: int) -> bytes | None:
        """Return the face that was captured as number `number`, from 1."""
        with self._lock:
            return self._pictures[number - 1] if 0 < number <= len(self._pictures) else None
