"""Whole photographs of a cube's faces, each moved before the camera as a hand would, in turn."""

from collections.abc import Iterator
from typing import ClassVar

import cv2
import numpy as np

from controller.vision.camera.lock import CameraSettings
from controller.vision.errors import CameraLostError
from solvers.foundation.arrays import Float64Array, Image
from tests.eyes.disturbances import Grain, compressed
from tests.vision_data import PHOTO_FOLDER, photo

SIZE = (640, 480)
HELD_FRAMES = 22
SLIDING_FRAMES = 12


class PhotoStream:
    """A source of frames: the six photographs of a folder slide in, are held, and slide out."""

    name: ClassVar = "photographs"
    is_live: ClassVar = False
    is_still: ClassVar = False
    settings: ClassVar = CameraSettings()

    def __init__(self, folder: str, seed: int, rounds: int = 2) -> None:
        self.pictures = [photo(PHOTO_FOLDER / folder / f"rubiks-side-{f}.png") for f in "FRBLUD"]
        self._frames = self._shown(np.random.default_rng([seed, 17]), rounds)

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError after the last one."""
        try:
            return next(self._frames)
        except StopIteration:
            raise CameraLostError("The photographs are over.") from None

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def _shown(self, rng: np.random.Generator, rounds: int) -> Iterator[Image]:
        grain = Grain(3.0, SIZE[::-1], rng)
        for picture in self.pictures * rounds:
            zoom, roll = rng.uniform(0.9, 1.3), rng.uniform(-0.3, 0.3)
            lean = rng.normal(0, 2e-4, 2)
            place = rng.uniform(-40, 40, 2)
            begin, end = rng.choice([-1, 1], (2, 2)) * (500, 0)
            shares = np.linspace(1, 0, SLIDING_FRAMES) ** 1.5
            way = [*(share * begin for share in shares), *np.zeros((HELD_FRAMES, 2))]
            way += [share * end for share in shares[::-1]]
            for away in way:
                place = place + rng.normal(0, 1.5, 2)
                lean = lean + rng.normal(0, 1e-5, 2)
                roll += rng.normal(0, 0.006)
                frame = _moved(picture, place + away, roll, zoom, lean)
                yield compressed(grain.on(frame), 85)


def _moved(
    picture: Image, place: Float64Array, roll: float, zoom: float, lean: Float64Array
) -> Image:
    """Return a photograph turned, moved and leant back, in a frame of `SIZE`."""
    height, width = picture.shape[:2]
    scale = zoom * SIZE[0] / max(height, width)
    cosine, sine = scale * np.cos(roll), scale * np.sin(roll)
    x, y = np.array(SIZE) / 2 + place
    to_middle = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    leaning = np.array([[1, 0, 0], [0, 1, 0], [*lean, 1]])
    turned = np.array([[cosine, -sine, x], [sine, cosine, y], [0, 0, 1]])
    frame = cv2.warpPerspective(
        picture, turned @ leaning @ to_middle, SIZE, borderMode=cv2.BORDER_CONSTANT,
        borderValue=(90, 100, 110),
    )  # fmt: skip
    return np.asarray(frame, np.uint8)
