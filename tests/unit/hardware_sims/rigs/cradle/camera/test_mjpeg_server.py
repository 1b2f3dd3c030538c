"""The camera's HTTP server and viewers that read nothing."""

import socket
import threading
from urllib.parse import urlsplit

from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer

PATIENCE_S = 30.0  # how long a test waits for something that always comes
MORE_THAN_ANY_BUFFER = bytes(64 * 1024 * 1024)


def test_a_viewer_that_takes_no_bytes_is_given_up() -> None:
    asked = threading.Event()

    def frame() -> bytes:
        asked.set()
        return MORE_THAN_ANY_BUFFER

    server = MjpegServer(frame, VirtualClock(), viewer_patience_s=0.2)
    server.start()
    closing = threading.Thread(target=server.close, daemon=True)
    address = urlsplit(server.url)
    assert address.hostname is not None
    assert address.port is not None
    place = address.hostname, address.port
    with socket.create_connection(place, timeout=PATIENCE_S) as viewer:
        viewer.sendall(b"GET /video HTTP/1.1\r\n\r\n")
        assert asked.wait(PATIENCE_S)
        closing.start()  # waits for the threads that serve viewers
        closing.join(PATIENCE_S)
        was_given_up = not closing.is_alive()
    closing.join(PATIENCE_S)
    assert was_given_up
