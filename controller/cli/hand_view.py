"""Guidance for a person who shows a cube by hand: in words on the terminal, and on a page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from controller.cli.browser import open_page
from controller.job_events import CameraOpened
from controller.vision.scans.guide import FIRST_STEP, Guide
from controller.vision.scans.preview import Preview


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
