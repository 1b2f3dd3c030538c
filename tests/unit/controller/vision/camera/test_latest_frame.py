"""A live camera shows what is there now, not what waited in a buffer."""

import threading
from queue import Queue

import numpy as np
import pytest

from controller.vision.camera.latest_frame import LatestFrame
from controller.vision.errors import CameraLostError
from solvers.foundation.arrays import Image

PATIENCE_S = 10.0  # how long a test waits for something that always comes


class FedCapture:
    """A cv2.VideoCapture whose frames a test feeds; None unplugs it."""

    def __init__(self) -> None:
        self.frames: Queue[Image | None] = Queue()
        self.asked = threading.Semaphore(0)
        self.released = threading.Event()

    def isOpened(self) -> bool:
        return True

    def read(self) -> tuple[bool, Image | None]:
        self.asked.release()
        frame = self.frames.get()
        return frame is not None, frame

    def get(self, _property_id: int) -> float:
        return 0.0

    def set(self, _property_id: int, _value: float) -> bool:
        return True

    def release(self) -> None:
        self.released.set()


def picture(shade: int) -> Image:
    return np.full((12, 16, 3), shade, np.uint8)


def test_a_frame_from_before_the_question_is_not_given() -> None:
    capture = FedCapture()
    frames = LatestFrame("0", capture)
    capture.frames.put(picture(1))
    for _ in range(2):  # asked for the second one: the first has been taken in
        assert capture.asked.acquire(timeout=PATIENCE_S)
    answers: list[Image] = []
    asking = threading.Thread(target=lambda: answers.append(frames.next()))
    asking.start()
    shade = 2
    while asking.is_alive() and shade < 250:
        capture.frames.put(picture(shade))
        asking.join(0.05)
        shade += 1
    asking.join(PATIENCE_S)
    assert answers[0][0, 0, 0] >= 2
    capture.frames.put(None)
    frames.close()
    assert capture.released.is_set()


def test_a_camera_that_is_unplugged_meanwhile_is_lost() -> None:
    capture = FedCapture()
    frames = LatestFrame("0", capture)
    capture.frames.put(None)
    with pytest.raises(CameraLostError, match="Is it still plugged in"):
        frames.next()
    frames.close()
    assert capture.released.is_set()
