"""Sources of pictures: opened by name, fresh, decoded, locked, and healthy."""

import math
import struct
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import cv2
import numpy as np
import pytest

from controller.vision.camera import (
    BLACK_FRAMES,
    FROZEN_FRAMES,
    SETTLING_FRAMES,
    FrameHealth,
    LatestFrame,
    lock_camera,
    open_source,
)
from controller.vision.errors import (
    BlackPictureError,
    CameraLostError,
    CameraNotFoundError,
    FrozenPictureError,
    InvalidScanError,
)
from solvers.foundation.arrays import Image


class FakeCapture:
    """A cv2.VideoCapture with `frames` frames and a driver that may ignore settings."""

    def __init__(self, frames: float = 30, obeys: bool = True, opens: bool = True) -> None:
        self.frames = frames
        self.obeys = obeys
        self.opens = opens
        self.released = False
        self.values: dict[int, float] = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3,
            cv2.CAP_PROP_AUTO_WB: 1,
            cv2.CAP_PROP_EXPOSURE: 157,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600,
        }

    def isOpened(self) -> bool:
        return self.opens

    def read(self) -> tuple[bool, Any]:
        self.frames -= 1
        return (
            (True, picture(0 if self.frames == math.inf else int(self.frames)))
            if self.frames >= 0
            else (False, None)
        )

    def get(self, property_id: int) -> float:
        return self.values[property_id]

    def set(self, property_id: int, value: float) -> bool:
        if self.obeys:
            self.values[property_id] = value
        return True  # drivers claim success whatever they do

    def release(self) -> None:
        self.released = True


def picture(shade: int) -> Image:
    return np.full((12, 16, 3), 60 + shade % 100, np.uint8)


def opener(capture: FakeCapture, asked: list[str | int]) -> Callable[[str | int], FakeCapture]:
    def open_one(source: str | int) -> FakeCapture:
        asked.append(source)
        return capture

    return open_one


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("/dev/video2", 2),
        ("/dev/v4l/by-id/usb-cam", "/dev/v4l/by-id/usb-cam"),
        ("http://127.0.0.1:1/video", "http://127.0.0.1:1/video"),
        ("videotestsrc ! appsink", "videotestsrc ! appsink"),
    ],
)
def test_devices_and_streams_are_opened_and_closed(text: str, expected: str | int) -> None:
    capture, asked = FakeCapture(frames=math.inf), list[str | int]()
    source = open_source(text, opener(capture, asked))
    assert asked == [expected]
    assert source.is_live
    assert source.read().shape == (12, 16, 3)
    source.close()
    assert capture.released


def test_a_live_source_that_ends_says_so() -> None:
    capture = FakeCapture(frames=0)
    source = open_source("http://camera/video", opener(capture, []))
    with pytest.raises(CameraLostError, match="gives no frames any more"):
        source.read()
    source.close()


@pytest.mark.parametrize(
    ("text", "advice"),
    [("0", "plugged in"), ("http://127.0.0.1:1/video", "server running")],
)
def test_what_does_not_open_is_named_with_advice(text: str, advice: str) -> None:
    capture = FakeCapture(opens=False)
    with pytest.raises(CameraNotFoundError, match=advice) as caught:
        open_source(text, opener(capture, []))
    assert text in str(caught.value)
    assert capture.released


@pytest.mark.parametrize("text", ["no-such-thing", "/no/such/file.mp4"])
def test_what_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(CameraNotFoundError, match="Give a device number"):
        open_source(text, opener(FakeCapture(opens=False), []))


def test_a_number_that_no_camera_has_is_refused() -> None:
    for digits in (23, 5000):
        with pytest.raises(CameraNotFoundError, match="numbered from 0"):
            open_source("9" * digits, opener(FakeCapture(), []))


def test_a_pipeline_may_be_longer_than_any_path() -> None:
    asked: list[str | int] = []
    pipeline = "videotestsrc ! " + "queue ! " * 1000 + "appsink"
    open_source(pipeline, opener(FakeCapture(), asked)).close()
    assert asked == [pipeline]


def test_a_small_file_of_many_pixels_takes_no_memory(tmp_path: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checked

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 1, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(bytes(100)))
    (tmp_path / "U.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + pixels + chunk(b"IEND", b""))
    source = open_source(str(tmp_path))
    with pytest.raises(InvalidScanError, match="more than 64 million pixels"):
        source.read()


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CameraNotFoundError, match="no pictures"):
        open_source(str(tmp_path))


def test_a_file_that_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"no film")
    with pytest.raises(CameraNotFoundError, match="decode"):
        open_source(str(path), opener(FakeCapture(opens=False), []))


def test_a_folder_gives_its_pictures_in_order(tmp_path: Path) -> None:
    for shade, name in enumerate(["b.png", "a.jpg", "notes.txt", "c.PNG"]):
        if name != "notes.txt":
            cv2.imwrite(str(tmp_path / name), np.full((8, 8, 3), 50 * shade, np.uint8))
    (tmp_path / "notes.txt").write_text("no picture")
    source = open_source(str(tmp_path))
    assert source.is_still
    assert [round(float(source.read().mean()), -1) for _ in range(3)] == [50, 0, 150]
    with pytest.raises(CameraLostError, match="no further picture"):
        source.read()


def test_a_file_of_a_folder_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "R.png").write_bytes(b"no picture")
    with pytest.raises(InvalidScanError, match=r"R\.png is no picture"):
        open_source(str(tmp_path)).read()


def test_pictures_named_after_faces_come_in_their_order(tmp_path: Path) -> None:
    for shade, letter in enumerate("URFDLB"):
        face = np.full((8, 8, 3), 40 * shade, np.uint8)
        cv2.imwrite(str(tmp_path / f"side-{letter}.png"), face)
    source = open_source(str(tmp_path))
    assert [float(source.read().mean()) for _ in range(6)] == [0, 40, 80, 120, 160, 200]


def test_a_video_file_gives_its_frames(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (32, 24))
    for shade in (20, 120, 220):
        film.write(np.full((24, 32, 3), shade, np.uint8))
    film.release()
    source = open_source(str(path))
    assert not source.is_live
    assert [round(float(source.read().mean()), -1) for _ in range(3)] == [20, 120, 220]
    with pytest.raises(CameraLostError, match="no further frame"):
        source.read()
    source.close()


def test_exposure_and_white_balance_settle_and_are_locked() -> None:
    capture = FakeCapture(frames=SETTLING_FRAMES)
    settings = lock_camera(capture)
    assert capture.frames == 0
    assert capture.values[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
    assert capture.values[cv2.CAP_PROP_AUTO_WB] == 0
    assert (settings.exposure, settings.white_balance_k) == (157, 4600)
    assert settings.exposure_locked
    assert settings.white_balance_locked
    assert not settings.warnings


class ForgettingCapture(FakeCapture):
    """A driver that goes back to its defaults when an automatic is switched off."""

    def set(self, property_id: int, value: float) -> bool:
        if (property_id, value) == (cv2.CAP_PROP_AUTO_EXPOSURE, 1):
            self.values[cv2.CAP_PROP_EXPOSURE] = 250
        if (property_id, value) == (cv2.CAP_PROP_AUTO_WB, 0):
            self.values[cv2.CAP_PROP_WB_TEMPERATURE] = 6500
        return super().set(property_id, value)


def test_what_the_camera_settled_at_is_kept_by_drivers_that_fall_back_to_defaults() -> None:
    settings = lock_camera(ForgettingCapture())
    assert (settings.exposure, settings.white_balance_k) == (157, 4600)


def test_a_driver_that_ignores_the_lock_is_noticed_by_reading_back() -> None:
    settings = lock_camera(FakeCapture(obeys=False))
    assert settings.exposure_locked is False
    assert settings.white_balance_locked is False
    assert ["exposure" in w or "white balance" in w for w in settings.warnings] == [True, True]


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


def frame_of_shade(shade: int) -> Image:
    return np.full((12, 16, 3), shade, np.uint8)


def test_a_frame_from_before_the_question_is_not_given() -> None:
    capture = FedCapture()
    frames = LatestFrame("0", capture)
    capture.frames.put(frame_of_shade(1))
    for _ in range(2):  # asked for the second one: the first has been taken in
        assert capture.asked.acquire(timeout=PATIENCE_S)
    answers: list[Image] = []
    asking = threading.Thread(target=lambda: answers.append(frames.next()))
    asking.start()
    shade = 2
    while asking.is_alive() and shade < 250:
        capture.frames.put(frame_of_shade(shade))
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


def lit_frame(shade: int) -> Image:
    return np.full((12, 16, 3), 60 + shade, np.uint8)


def test_a_frozen_camera_is_noticed() -> None:
    health = FrameHealth("0")
    for _ in range(FROZEN_FRAMES):
        health.check(lit_frame(1))
    with pytest.raises(FrozenPictureError, match="frozen"):
        health.check(lit_frame(1).copy())


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
            health.check(lit_frame(round_))
        for _ in range(BLACK_FRAMES - 1):
            health.check(np.random.default_rng(round_).integers(0, 2, (12, 16, 3), np.uint8))
