"""The simulated camera over loopback, as an unmodified cv2.VideoCapture and a browser see it."""

from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import cv2
import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.clock import SystemClock

SOLVED = "".join(letter * 9 for letter in "URFDLB")


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    """Return a running server with a camera above a solved cube."""
    pose = RigPose(0, 0, 0, 0, 0, "seated", SOLVED)
    camera = SimulatedCamera(lambda: pose, VirtualClock())
    with MjpegServer(camera.jpeg, SystemClock(), frames_per_s=100) as running:
        yield running


def test_video_capture_opens_the_stream_twice(server: MjpegServer) -> None:
    assert server.url.startswith("http://127.0.0.1:")
    for _ in range(2):
        capture = cv2.VideoCapture(server.url)
        assert capture.isOpened()
        for _ in range(3):
            done, frame = capture.read()
            assert done
            assert frame.shape == (480, 640, 3)
        capture.release()


def test_a_single_frame_is_a_jpeg_file(server: MjpegServer) -> None:
    with urlopen(server.url.replace("/video", "/frame.jpg"), timeout=10) as answer:
        assert answer.headers["Content-Type"] == "image/jpeg"
        body = answer.read()
    assert body[:2] == b"\xff\xd8"
    assert len(body) == int(answer.headers["Content-Length"])


def test_other_paths_are_not_found(server: MjpegServer) -> None:
    with pytest.raises(HTTPError, match="404") as caught:
        urlopen(server.url.replace("/video", "/else"), timeout=10)
    caught.value.close()
