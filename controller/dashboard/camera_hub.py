"""One owner of the camera, many viewers; for a scan it is a source of frames like any other."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from controller.opening import OpenCamera
from controller.vision.camera import CameraSettings, FrameHealth, FrameSource, preview
from controller.vision.errors import CameraError, CameraLostError
from solvers.foundation.arrays import Image
from solvers.foundation.clock import Clock
from solvers.foundation.errors import PuzzlerigError

LINGER_S: Final = 3.0
"""How long the camera stays open after the last request for a picture."""
AGAIN_S: Final = 2.0
"""After a failure viewers get its error for this long; then the camera is opened again."""
FRAME_S: Final = 15.0
"""The longest wait for a frame; a source itself gives up earlier."""


class CameraHub:
    """Reads a camera while a scan or a viewer wants it, on a thread."""

    def __init__(self, clock: Clock, on_trouble: Callable[[str], object] = lambda _: None) -> None:
        """`on_trouble` is called with why no picture comes, and with "" when one comes again."""
        self._on_trouble = on_trouble
        self._told = ""
        self._clock = clock
        self._changed = threading.Condition()
        self._open: OpenCamera | None = None
        self._reader: threading.Thread | None = None
        self._last: threading.Thread | None = None  # that reads, or has read and may still close
        self._source: FrameSource | None = None
        self._error: PuzzlerigError | None = None
        self._failed_s = 0.0
        self._scans = 0
        self._asked_s = -LINGER_S
        self._count = 0
        self._picture: Image | None = None
        self._trouble: CameraError | None = None  # frames come, but show nothing
        self._preview: tuple[int, bytes] = (0, b"")  # of the frame of this number

    def use(self, opened: "OpenCamera | None") -> None:
        """Use another camera, or none, from the next opening on."""
        with self._changed:
            self._asked_s = -LINGER_S
            self._open, self._picture, self._error = opened, None, None
            self._tell(None)
        self._join()

    @property
    def opened(self) -> "OpenCamera | None":
        """What opens the camera for a scan; viewers go on seeing its frames. None without one."""
        return None if self._open is None else self._opened

    def view(self) -> bytes:
        """Return a picture as a JPEG. Raises CameraError or what opening the camera raises."""
        with self._changed:
            self._asked_s = self._clock.now()
            if self._error is not None and self._asked_s - self._failed_s < AGAIN_S:
                raise self._error
            self._start()
            self._changed.wait_for(lambda: self._picture is not None or self._is_over, FRAME_S)
            picture = self._picture
            if picture is None or self._is_over:
                raise self._error or CameraLostError("The camera gives no picture.")
            if self._trouble is not None:
                raise self._trouble
            count, (number, content) = self._count, self._preview
        if number != count:  # the first who asks makes it for all
            content = preview(picture)
            with self._changed:
                self._preview = (count, content)
        return content

    def close(self) -> None:
        """Close the camera."""
        self.use(None)

    @contextmanager
    def _opened(self) -> "Iterator[FrameSource]":
        with self._changed:
            self._scans += 1
            self._start()
        try:
            with self._changed:
                self._changed.wait_for(lambda: self._source is not None or self._is_over, FRAME_S)
                source = self._source
                if source is None:
                    raise self._error or CameraLostError("The camera does not open.")
            yield _Shared(self, source)
        finally:
            with self._changed:
                self._scans -= 1

    def next_frame(self) -> Image:
        """Wait for a frame that comes after this call. Raises CameraError."""
        with self._changed:
            seen = self._count
            self._changed.wait_for(lambda: self._count > seen or self._is_over, FRAME_S)
            if self._count == seen or self._picture is None:
                raise self._error or CameraLostError("The camera has stopped giving frames.")
            return self._picture

    @property
    def _is_over(self) -> bool:
        return self._reader is None

    @property
    def _is_wanted(self) -> bool:
        return self._scans > 0 or self._clock.now() - self._asked_s < LINGER_S

    def _start(self) -> None:
        """Let a thread read, if none does; the condition is held."""
        if self._reader is not None:
            return
        if self._open is None:
            raise CameraLostError("No camera is connected.")
        self._error = self._source = self._picture = None
        before, opened = self._last, self._open
        self._reader = threading.Thread(target=self._read, args=(opened, before), name="camera")
        self._last = self._reader
        self._reader.start()

    def _read(self, opened: OpenCamera, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()  # a camera is opened once at a time
        try:
            with opened() as source:
                self._note(source)
                health = FrameHealth(source.name)
                while self._continues():
                    picture = source.read()
                    self._take(picture, _trouble_of(health, picture))
        except PuzzlerigError as error:
            self._leave(error)
        finally:
            self._leave(self._error)

    def _continues(self) -> bool:
        """Return whether to read on; if not, the next viewer or scan opens the camera again."""
        with self._changed:
            if not self._is_wanted:
                self._leave(None)
            return self._reader is threading.current_thread()

    def _leave(self, error: PuzzlerigError | None) -> None:
        with self._changed:
            if self._reader is threading.current_thread():
                self._error, self._source, self._reader = error, None, None
                self._failed_s = self._clock.now()
                if error is not None:
                    self._tell(error)
                self._changed.notify_all()

    def _note(self, source: FrameSource) -> None:
        with self._changed:
            self._source = source
            self._changed.notify_all()

    def _take(self, picture: Image, trouble: CameraError | None) -> None:
        with self._changed:
            self._picture, self._trouble = picture, trouble
            self._tell(trouble)
            self._count += 1
            self._changed.notify_all()

    def _tell(self, trouble: PuzzlerigError | None) -> None:
        """Report a trouble that is new, or over."""
        why = "" if trouble is None else str(trouble)
        if why != self._told:
            self._told = why
            self._on_trouble(why)

    def _join(self) -> None:
        """Wait until the camera is closed."""
        if self._last is not None:
            self._last.join(FRAME_S)


def _trouble_of(health: FrameHealth, picture: Image) -> CameraError | None:
    """Return why a frame shows nothing; a scan finds that out by itself."""
    try:
        health.check(picture)
    except CameraError as error:
        return error
    return None


class _Shared:
    """The frames of a camera that others look at, too."""

    def __init__(self, hub: CameraHub, source: FrameSource) -> None:
        self._hub = hub
        self._source = source

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def is_live(self) -> bool:
        return self._source.is_live

    @property
    def is_still(self) -> bool:
        return self._source.is_still

    @property
    def settings(self) -> CameraSettings:
        return self._source.settings

    def read(self) -> Image:
        return self._hub.next_frame()

    def close(self) -> None:
        """Do nothing: the camera is the hub's."""
