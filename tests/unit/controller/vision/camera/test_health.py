"""Cameras that give frames without giving pictures are noticed."""

import numpy as np
import pytest

from controller.vision.camera.health import BLACK_FRAMES, FROZEN_FRAMES, FrameHealth
from controller.vision.errors import BlackPictureError, FrozenPictureError
from solvers.foundation.arrays import Image


def picture(shade: int) -> Image:
    return np.full((12, 16, 3), 60 + shade, np.uint8)


def test_a_frozen_camera_is_noticed() -> None:
    health = FrameHealth("0")
    for _ in range(FROZEN_FRAMES):
        health.check(picture(1))
    with pytest.raises(FrozenPictureError, match="frozen"):
        health.check(picture(1).copy())


def test_a_black_camera_is_noticed() -> None:
    health = FrameHealth("0")
    black = [np.full((12, 16, 3), shade % 3, np.uint8) for shade in range(BLACK_FRAMES)]
    for frame in black[:-1]:
        health.check(frame)
    with pytest.raises(BlackPictureError, match="black"):
        health.check(black[-1])


def test_a_camera_that_recovers_is_let_be() -> None:
    health = FrameHealth("0")
    for round_ in range(3):
        for _ in range(FROZEN_FRAMES - 1):
            health.check(picture(round_))
        for _ in range(BLACK_FRAMES - 1):
            health.check(np.random.default_rng(round_).integers(0, 2, (12, 16, 3), np.uint8))
