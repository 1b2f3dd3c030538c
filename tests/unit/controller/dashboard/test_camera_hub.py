"""One reader of a camera, many viewers, and a scan beside them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import cv2
import numpy as np
import pytest

from controller.dashboard.camera_hub import AGAIN_S, LINGER_S, CameraHub
from controller.vision.camera import FROZEN_FRAMES, CameraSettings, FrameSource
from controller.vision.errors import CameraLostError, CameraNotFoundError, FrozenPictureError
from hardware_sims.clock import VirtualClock
from solvers.foundation.arrays import Image

LONGEST_S = 10.0


class Film:
    """A camera whose pictures get brighter and brighter, until it is pulled out."""

    is_live = True
    is_still = False
    name = "film"

    def __init__(self) -> None:
        self.settings = CameraSettings()
        self.opened = self.closed = 0
        self.is_out = self.is_frozen = False
        self._count = 100  # no black picture
        self._rest = threading.Event()

    @contextmanager
    def open(self) -> Iterator[FrameSource]:
        self.opened += 1
        yield self
        self.closed += 1

    def read(self) -> Image:
        self._rest.wait(0.001)
        if self.is_out:
            raise CameraLostError("The camera film gives no frames any more.")
        self._count += not self.is_frozen
        return np.full((480, 640, 3), self._count % 256, dtype=np.uint8)

    def close(self) -> None:
        raise AssertionError("who opens it closes it")


def new_hub(film: Film) -> tuple[CameraHub, VirtualClock]:
    clock = VirtualClock()
    hub = CameraHub(clock)
    hub.use(film.open)
    return hub, clock


def until_closed(film: Film) -> None:
    rest = threading.Event()
    for _ in range(int(LONGEST_S / 0.01)):
        if film.closed:
            return
        rest.wait(0.01)
    raise AssertionError("the camera stays open")


def test_viewers_share_one_reader_which_ends_when_nobody_looks() -> None:
    film = Film()
    hub, clock = new_hub(film)
    pictures = [hub.view() for _ in range(5)]
    assert film.opened == 1
    for picture in pictures:
        decoded = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        assert decoded.shape == (480, 640, 3)
    clock.sleep(LINGER_S + 1)
    until_closed(film)
    hub.view()
    assert film.opened == 2
    hub.close()
    assert film.closed == 2


def test_a_frozen_camera_says_so_until_it_moves_again() -> None:
    film = Film()
    hub, _ = new_hub(film)
    hub.view()
    film.is_frozen = True
    for _ in range(FROZEN_FRAMES + 2):
        hub.next_frame()
    with pytest.raises(FrozenPictureError, match="film repeats one frame"):
        hub.view()
    film.is_frozen = False
    for _ in range(2):  # one may have been under way
        hub.next_frame()
    assert hub.view()
    hub.close()


def test_a_scan_gets_fresh_frames_beside_a_viewer() -> None:
    film = Film()
    hub, clock = new_hub(film)
    hub.view()
    opened = hub.opened
    assert opened is not None
    with opened() as source:
        assert (source.name, source.is_live, source.is_still) == ("film", True, False)
        clock.sleep(LINGER_S + 1)  # the viewer is gone, the scan is not
        brightness = [int(source.read()[0, 0, 0]) for _ in range(3)]
        assert len(set(brightness)) == 3
        source.close()
        source.read()
    assert film.opened == 1
    until_closed(film)


def read_on(source: FrameSource) -> NoReturn:
    while True:  # the hub may have a frame from before
        source.read()


def test_a_camera_that_is_pulled_out_says_so_to_all_and_is_looked_for_now_and_then() -> None:
    film = Film()
    hub, clock = new_hub(film)
    hub.view()
    opened = hub.opened
    assert opened is not None
    with opened() as source:
        film.is_out = True
        with pytest.raises(CameraLostError, match="gives no frames"):
            read_on(source)
    film.is_out = False
    for _ in range(3):
        with pytest.raises(CameraLostError, match="gives no frames"):
            hub.view()
    assert film.opened == 1
    clock.sleep(AGAIN_S)
    assert hub.view()
    assert film.opened == 2
    hub.close()


def test_a_camera_that_is_not_there_says_so() -> None:
    @contextmanager
    def missing() -> Iterator[FrameSource]:
        raise CameraNotFoundError("The camera 7 does not open.")
        yield  # type: ignore[unreachable]  # makes it a generator

    hub = CameraHub(VirtualClock())
    with pytest.raises(CameraLostError, match="No camera is connected"):
        hub.view()
    hub.use(missing)
    with pytest.raises(CameraNotFoundError, match="7 does not open"):
        hub.view()
    opened = hub.opened
    assert opened is not None
    with pytest.raises(CameraNotFoundError, match="7 does not open"):
        opened().__enter__()
