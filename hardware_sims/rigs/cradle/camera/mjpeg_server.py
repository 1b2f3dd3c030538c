"""Frames over HTTP as network cameras serve them, so that cv2.VideoCapture(URL) opens them.

`/video` is an endless multipart stream of JPEG files (multipart/x-mixed-replace), `/frame.jpg` a
single one. A frame is rendered only for a client that reads it.
"""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Final, Self

from hardware_sims.errors import SimulatorError
from hardware_sims.rigs.cradle.camera.camera import CameraUnpluggedError
from solvers.foundation.clock import Clock

FRAMES_PER_S: Final = 30.0
BOUNDARY: Final = "frame"
LOOPBACK: Final = "127.0.0.1"
VIEWER_PATIENCE_S: Final = 5.0  # a viewer that takes no bytes for so long is given up
CLOSING_POLL_S: Final = 0.05  # how often the server looks whether it shall end


class MjpegServer:
    """An HTTP server on a thread of its own; `frame` returns the next JPEG file.

    `clock` paces the stream: for a simulation at twenty times the speed it still is the
    computer's, as the viewer's is. `frame` may raise CameraUnpluggedError, which ends the stream.
    """

    def __init__(
        self,
        frame: Callable[[], bytes],
        clock: Clock,
        host: str = LOOPBACK,
        port: int = 0,
        frames_per_s: float = FRAMES_PER_S,
        viewer_patience_s: float = VIEWER_PATIENCE_S,
    ) -> None:
        self._closing = threading.Event()
        self._viewers: set[socket.socket] = set()
        handler = _handler(
            frame, clock, frames_per_s, viewer_patience_s, self._closing, self._viewers
        )
        try:
            self._server = ThreadingHTTPServer((host, port), handler)
        except OSError as error:
            raise SimulatorError(
                f"The camera's server cannot listen on {host}:{port}: {error.strerror}. "
                "Choose another port, or 0 for any free one."
            ) from error
        # Closing waits for the threads that serve viewers: one that is still within OpenCV when the
        # interpreter ends takes the whole process down.
        self._server.daemon_threads = False
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(CLOSING_POLL_S,), daemon=True
        )

    @property
    def url(self) -> str:
        """What cv2.VideoCapture opens."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}/video"

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def close(self) -> None:
        """End the streams, stop serving and give the port back."""
        self._closing.set()
        for viewer in tuple(self._viewers):
            with suppress(OSError):  # it has just left
                viewer.shutdown(socket.SHUT_RDWR)  # who reads slowly, or asks for nothing
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        """Start the server."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the server."""
        self.close()


def _handler(
    frame: Callable[[], bytes],
    clock: Clock,
    frames_per_s: float,
    viewer_patience_s: float,
    closing: threading.Event,
    viewers: set[socket.socket],
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = viewer_patience_s

        def setup(self) -> None:
            viewers.add(self.request)
            super().setup()

        def finish(self) -> None:
            viewers.discard(self.request)
            with suppress(OSError):  # the client has gone
                super().finish()

        def do_GET(self) -> None:
            try:
                if self.path == "/video":
                    self._stream()
                elif self.path == "/frame.jpg":
                    self._single()
                else:
                    self.send_error(404, "There are /video and /frame.jpg")
            except (BrokenPipeError, ConnectionResetError, TimeoutError):
                pass  # the viewer has left, or reads no more
            except CameraUnpluggedError:
                self.close_connection = True

        def _single(self) -> None:
            jpeg = frame()
            self.send_response(200)
            self.send_header("Content-Type", "image/jpeg")
            self.send_header("Content-Length", str(len(jpeg)))
            self.end_headers()
            self.wfile.write(jpeg)

        def _stream(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", f"multipart/x-mixed-replace; boundary={BOUNDARY}")
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            due = clock.now()
            while not closing.is_set():
                jpeg = frame()
                head = (
                    f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n"
                    f"Content-Length: {len(jpeg)}\r\n\r\n"
                )
                self.wfile.write(head.encode("ascii") + jpeg + b"\r\n")
                # A slow viewer gets fewer frames, never a burst of late ones.
                due = max(due + 1 / frames_per_s, clock.now())
                clock.sleep(due - clock.now())

        def log_message(self, *_: object) -> None:
            """Keep the terminal for the JSON lines of `hwsim`."""

    return Handler
