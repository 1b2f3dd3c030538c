"""Guidance for a person who shows a cube by hand: in words on the terminal, and on a page.

The page is at `/` of a server on this computer, `/frame.jpg` is the latest picture and
`/state.json` the sentence with it. Other computers cannot connect, and other
sites cannot read it under another host name (DNS rebinding).
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from controller.cli.options import open_page
from controller.job_events import CameraOpened
from controller.vision.camera import preview
from controller.vision.errors import ScanNotSavedError
from controller.vision.scans.events import FACES, FaceCaptured, FrameSeen
from controller.vision.scans.hand_scan import FIRST_STEP, FRAMES_A_PICTURE, Guide
from solvers.foundation.arrays import Image
from solvers.foundation.files import write_bytes

LOOPBACK: Final = "127.0.0.1"
_GREEN, _GREY = (80, 200, 80), (128, 128, 128)
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
        self.picture = preview(picture, _GREEN if is_steady else _GREY)
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


class HandView:
    """Turns a scan's events into sentences for a person at a live camera."""

    def __init__(self, preview: Preview | None) -> None:
        self._guide = Guide()
        self._preview = preview
        self._is_live = False
        self._said = FIRST_STEP

    @classmethod
    @contextmanager
    def opened(cls, *, page: bool, file: Path | None) -> Iterator[Self]:
        """Provide one with a page, unless neither that nor a file is wanted."""
        if not page and file is None:
            yield cls(None)
            return
        with Preview(file) as preview:
            yield cls(preview)

    def handle(self, event: object) -> Iterator[str]:
        """Show an event; yield the sentences that it makes worth saying, each once in a row."""
        if isinstance(event, CameraOpened) and event.is_live:
            self._is_live = True
            yield f"{FIRST_STEP} Ctrl-C ends the scan."
            if self._preview is not None:
                yield f"See what the camera sees: {self._preview.url}"
                open_page(self._preview.url)
        said = self._guide.said(event)
        if said is not None and said != self._said:
            self._said = said
            if self._is_live:
                yield said
        if self._preview is not None:
            self._preview.show(event, self._said)
