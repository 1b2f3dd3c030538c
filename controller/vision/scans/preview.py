"""The camera's picture while a person shows a cube to it: a page on this computer, or a file.

`/` is the page, `/frame.jpg` the latest picture and `/state.json` what is being said. Pictures are
drawn by whoever runs the scan; the server only hands out what is there. Nobody from elsewhere can
connect, and a page of somebody else cannot read it under another name (DNS rebinding).
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import cv2

from controller.vision.errors import ScanNotSavedError
from controller.vision.scans.events import FACES, FaceCaptured, FrameSeen
from solvers.foundation.arrays import Image
from solvers.foundation.files import write_bytes

LOOPBACK: Final = "127.0.0.1"
SHOWN_WIDTH_PX: Final = 640
FRAMES_A_PICTURE: Final = 3
"""Of a camera's thirty pictures a second ten are enough to hold a cube by."""

_GREEN, _GREY = (80, 200, 80), (128, 128, 128)
_BORDER_PX: Final = 10
PAGE: Final = b"""<!doctype html><meta charset="utf-8"><title>cuberobot scan</title>
<style>body{font:1.3em sans-serif;text-align:center;background:#222;color:#eee}img{max-width:96%}
</style><p id="said">...</p><img id="seen" alt="what the camera sees"><script>
const said = document.getElementById("said"), seen = document.getElementById("seen");
async function look() {
  try {
    const state = await (await fetch("/state.json")).json();
    said.textContent = state.captured + " of " + state.faces + " faces. " + state.said;
    seen.src = "/frame.jpg?" + Date.now();
  } catch { said.textContent = "The scan is over."; return; }
  setTimeout(look, 150);
}
look();
</script>
"""


class Preview:
    """Draws a scan's events, for the page at `url` and, if one is named, into a file."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._frames = 0
        self.picture = b""
        self.state = {"captured": 0, "faces": FACES, "said": ""}
        self._server = ThreadingHTTPServer((LOOPBACK, 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://{LOOPBACK}:{self._server.server_port}/"

    def show(self, event: object, said: str) -> None:
        """Show what an event of the scan brings, and the sentence that goes with it."""
        self.state = {**self.state, "said": said}
        if isinstance(event, FaceCaptured):
            self.state = {**self.state, "captured": event.number}
        if isinstance(event, FrameSeen):
            if self._frames % FRAMES_A_PICTURE == 0:
                self._draw(event.picture, is_steady=event.steady > 0)
            self._frames += 1

    def _draw(self, picture: Image, *, is_steady: bool) -> None:
        height, width = picture.shape[:2]
        scale = min(1.0, SHOWN_WIDTH_PX / width)
        shown = cv2.resize(picture, (round(width * scale), round(height * scale)))
        opposite = (shown.shape[1] - 1, shown.shape[0] - 1)
        cv2.rectangle(shown, (0, 0), opposite, _GREEN if is_steady else _GREY, _BORDER_PX)
        _, encoded = cv2.imencode(".jpg", shown)
        self.picture = encoded.tobytes()
        if self._file is not None:
            write_bytes(self._file, self.picture, error=ScanNotSavedError)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(preview: Preview) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = (self.headers.get("Host") or "").rpartition(":")[0]
            path = self.path.partition("?")[0]
            if host not in (LOOPBACK, "localhost"):
                self.send_error(403)
            elif path == "/":
                self._answer("text/html", PAGE)
            elif path == "/state.json":
                self._answer("application/json", json.dumps(preview.state).encode())
            elif path == "/frame.jpg" and preview.picture:
                self._answer("image/jpeg", preview.picture)
            else:
                self.send_error(404)

        def _answer(self, kind: str, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing; the terminal is the scan's."""

    return Handler
