"""Pictures from anything that shows a cube: a camera, a stream, a video file, a folder.

A source is opened by the name that a user gives. Files can hold anything: no picture, or a small
file of very many pixels. A camera can give frames without pictures: frozen, or black. One that
adapts to each face shows the same sticker in six different colours, so exposure and white balance
are settled once and locked, which is worth more than any model of colours.
"""

import platform
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np

from controller.vision import MOST_PIXELS, errors
from solvers.foundation.arrays import Image
from solvers.foundation.files import read_bytes
from solvers.foundation.wording import whole_number
from solvers.rubik.facelets import FACE_LETTERS

# Frames until the automatic exposure of a usual webcam has settled.
SETTLING_FRAMES: Final = 15

# Video4Linux: V4L2_EXPOSURE_APERTURE_PRIORITY and V4L2_EXPOSURE_MANUAL.
_AUTOMATIC: Final = 3
_MANUAL: Final = 1


class Capture(Protocol):
    """What is used of cv2.VideoCapture."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def read(self) -> tuple[bool, Any]: ...
    def get(self, propId: int, /) -> float: ...  # noqa: N803
    def set(self, propId: int, value: float, /) -> bool: ...  # noqa: N803
    def release(self) -> None: ...


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """The settings that the driver reports, and warnings where it ignores what was set.

    None where a source has no such setting.
    """

    exposure: float | None = None
    white_balance_k: float | None = None
    exposure_locked: bool | None = None
    white_balance_locked: bool | None = None
    warnings: tuple[str, ...] = ()


def lock_camera(capture: Capture) -> CameraSettings:
    """Let the camera settle, then hold its exposure and white balance."""
    capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, _AUTOMATIC)
    capture.set(cv2.CAP_PROP_AUTO_WB, 1)
    for _ in range(SETTLING_FRAMES):
        capture.read()
    exposure_locked = _hold(capture, cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL, cv2.CAP_PROP_EXPOSURE)
    white_locked = _hold(capture, cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE)
    warnings = []
    if not exposure_locked:
        warnings.append(_warning("exposure", "auto_exposure=1"))
    if not white_locked:
        warnings.append(_warning("white balance", "white_balance_automatic=0"))
    return CameraSettings(
        exposure=capture.get(cv2.CAP_PROP_EXPOSURE),
        white_balance_k=capture.get(cv2.CAP_PROP_WB_TEMPERATURE),
        exposure_locked=exposure_locked,
        white_balance_locked=white_locked,
        warnings=tuple(warnings),
    )


def _hold(capture: Capture, automatic: int, off: float, value: int) -> bool:
    """Switch an automatic off at its present value; return whether the driver says it did."""
    present = capture.get(value)
    capture.set(automatic, off)
    capture.set(value, present)
    return capture.get(automatic) == off


def _warning(what: str, control: str) -> str:
    return (
        f"The camera does not let its {what} be locked; colours may drift from face to face. "
        f"Try v4l2-ctl --set-ctrl {control}, steady light, or another camera."
    )


PREVIEW_SIDE_PX: Final = 640
PREVIEW_QUALITY: Final = 80
PREVIEW_BORDER_PX: Final = 10


def decoded(content: bytes, name: object) -> Image | None:
    """Return the picture in a file's bytes, BGR, or None if it is none.

    Raises InvalidScanError if it has too many pixels, before memory is taken for them.
    """
    if not content:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        if "MAX_IMAGE" not in str(error):
            return None
        raise errors.InvalidScanError(
            f"The picture {name} has more than {MOST_PIXELS // 10**6} million pixels. "
            "Save it smaller."
        ) from None
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


def preview(picture: Image, border_bgr: tuple[int, int, int] | None = None) -> bytes:
    """Return a BGR picture as a JPEG of at most 640 pixels a side: 20 to 40 KB."""
    scale = PREVIEW_SIDE_PX / max(picture.shape)
    if scale < 1:
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = np.asarray(small, dtype=np.uint8)
    if border_bgr is not None:
        opposite = (picture.shape[1] - 1, picture.shape[0] - 1)
        picture = picture.copy()
        cv2.rectangle(picture, (0, 0), opposite, border_bgr, PREVIEW_BORDER_PX)
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, PREVIEW_QUALITY])
    return content.tobytes()


SILENCE_S: Final = 10.0  # longer than OpenCV itself waits for a frame


class LatestFrame:
    """Owns a capture; `next` may be called from one thread until `close`."""

    def __init__(self, name: str, capture: Capture) -> None:
        self._name = name
        self._capture = capture
        self._arrived = threading.Condition()
        self._count = 0
        self._picture: Image | None = None
        self._over = False
        self._thread = threading.Thread(target=self._take_frames, daemon=True)
        self._thread.start()

    def next(self) -> Image:
        """Wait for a frame and return it; raises CameraLostError when none comes any more."""
        with self._arrived:
            seen = self._count
            self._arrived.wait_for(lambda: self._count > seen or self._over, SILENCE_S)
            if self._count == seen or self._picture is None:
                raise errors.CameraLostError(
                    f"The camera {self._name} gives no frames any more. Is it still plugged in "
                    "and its server running? Connect it again and start once more."
                )
            return self._picture

    def close(self) -> None:
        """Stop taking frames and close the camera."""
        with self._arrived:
            self._over = True
        self._thread.join(SILENCE_S)

    def _take_frames(self) -> None:
        while not self._over:
            done, picture = self._capture.read()
            with self._arrived:
                if done:
                    self._picture = np.asarray(picture, dtype=np.uint8)
                    self._count += 1
                else:
                    self._over = True
                self._arrived.notify_all()
        self._capture.release()


# A second of a slow webcam. Two exposures of a real sensor are never equal in every pixel.
FROZEN_FRAMES: Final = 15
BLACK_FRAMES: Final = 15
BLACK_MEAN: Final = 8.0  # of 255; the darkest room in which a cube can be read has twice this


class FrameHealth:
    """Looks at each frame of a live camera in turn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last: Image | None = None
        self._equal = 0
        self._black = 0

    def check(self, picture: Image) -> None:
        """Raise BlackPictureError or FrozenPictureError when it has gone on for too long."""
        self._black = self._black + 1 if float(picture[::4, ::4].mean()) < BLACK_MEAN else 0
        if self._black >= BLACK_FRAMES:
            raise errors.BlackPictureError(
                f"The camera {self._name} gives black frames. Take the cap off the lens, switch "
                "the light on, or choose a longer exposure."
            )
        is_equal = self._last is not None and np.array_equal(picture, self._last)
        self._equal = self._equal + 1 if is_equal else 0
        self._last = picture
        if self._equal >= FROZEN_FRAMES:
            raise errors.FrozenPictureError(
                f"The camera {self._name} repeats one frame: it has frozen. Unplug it, plug it in "
                "again and start once more."
            )


LONGEST_SIDE_PX: Final = 2048
"""Stickers are found in far smaller pictures, and six large ones would fill the memory."""


class FrameSource(Protocol):
    """Where pictures come from. `read` may be called until it raises CameraLostError."""

    @property
    def name(self) -> str:
        """What messages call it."""

    @property
    def is_live(self) -> bool:
        """Whether it shows what is there now; else what was once recorded."""

    @property
    def is_still(self) -> bool:
        """Whether each picture stands alone; else they follow each other as in a film."""

    @property
    def settings(self) -> CameraSettings:
        """Exposure and white balance as read back."""

    def read(self) -> Image:
        """Return the next picture, BGR of shape (height, width, 3)."""

    def close(self) -> None:
        """Give the camera or file back."""


@dataclass
class FolderSource:
    """The pictures of a folder, each once."""

    name: str
    paths: list[Path]
    is_live: bool = False
    is_still: bool = True
    settings: CameraSettings = field(default_factory=CameraSettings)

    def read(self) -> Image:
        """Return the next picture; raises CameraLostError after the last.

        Raises InvalidScanError for a file that is no picture.
        """
        if not self.paths:
            raise errors.CameraLostError(f"There is no further picture in {self.name}.")
        path = self.paths.pop(0)
        picture = decoded(read_bytes(path, errors.InvalidScanError, "The picture"), path)
        if picture is None:
            raise errors.InvalidScanError(
                f"{path} is no picture, whatever its name says. Remove it, or save it again."
            )
        return _shrunk(picture)

    def close(self) -> None:
        """Do nothing: no file stays open."""


def _shrunk(picture: Image) -> Image:
    scale = LONGEST_SIDE_PX / max(picture.shape)
    if scale >= 1:
        return picture
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


class FileSource:
    """The frames of a video file, each once."""

    is_live = False
    is_still = False

    def __init__(self, name: str, capture: Capture) -> None:
        self.name = name
        self.settings = CameraSettings()
        self._capture = capture

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError after the last."""
        done, picture = self._capture.read()
        if not done:
            raise errors.CameraLostError(f"There is no further frame in {self.name}.")
        return np.asarray(picture, dtype=np.uint8)

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


class LiveSource:
    """A camera or stream: `read` returns a frame that arrived after it was called.

    A thread takes the frames as they come, so that none waits in a buffer and shows the past.
    """

    is_live = True
    is_still = False

    def __init__(self, name: str, capture: Capture, settings: CameraSettings) -> None:
        self.name = name
        self.settings = settings
        self._frames = LatestFrame(name, capture)

    def read(self) -> Image:
        """Return the next frame; raises CameraLostError when there is none any more."""
        return self._frames.next()

    def close(self) -> None:
        """Stop the thread and close the camera."""
        self._frames.close()


PICTURE_SUFFIXES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".webp")
OPEN_TIMEOUT_MS: Final = 5000
READ_TIMEOUT_MS: Final = 5000
LARGEST_DEVICE: Final = 255
"""Linux numbers its video devices so far (video4linux documentation: minor numbers)."""


def open_source(text: str, capture_of: Callable[[str | int], Capture] | None = None) -> FrameSource:
    """Return the source called `text`: a folder, or anything that cv2.VideoCapture opens.

    `capture_of` opens devices, URLs and files; by default OpenCV does.
    Raises CameraNotFoundError with what to try.
    """
    path = Path(text)
    opened = capture_of or open_capture
    if _is_there(path.is_dir):
        return _open_folder(path)
    if _is_there(path.is_file):
        if path.suffix.lower() in PICTURE_SUFFIXES:
            return FolderSource(text, [path])
        return FileSource(text, _checked(opened(text), text))
    if is_device(text):
        capture = _checked(opened(_device(text)), text)
        return LiveSource(text, capture, lock_camera(capture))
    # A URL, a pipeline, or whatever else OpenCV may know.
    return LiveSource(text, _checked(opened(text), text), CameraSettings())


def _is_there(is_so: Callable[[], bool]) -> bool:
    """Ask about a path that may be none: too long, or with a zero byte."""
    try:
        return is_so()
    except (OSError, ValueError):
        return False


def is_device(text: str) -> bool:
    """Return whether `text` names a local camera: a number or a path below /dev."""
    return _is_number(text) or text.startswith("/dev/")


def open_capture(source: str | int) -> Capture:
    """Open a device number, URL or file with OpenCV."""
    if isinstance(source, int):
        # Video4Linux obeys and reports exposure settings, the other back ends of Linux do not.
        is_linux = platform.system() == "Linux"
        return cv2.VideoCapture(source, cv2.CAP_V4L2 if is_linux else cv2.CAP_ANY)
    if "://" not in source:
        return cv2.VideoCapture(source)
    timeouts = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
        OPEN_TIMEOUT_MS,
        cv2.CAP_PROP_READ_TIMEOUT_MSEC,
        READ_TIMEOUT_MS,
    ]
    return cv2.VideoCapture(source, cv2.CAP_FFMPEG, timeouts)


def _open_folder(path: Path) -> FolderSource:
    paths = _in_order([p for p in path.iterdir() if p.suffix.lower() in PICTURE_SUFFIXES])
    if not paths:
        raise errors.CameraNotFoundError(
            f"The folder {path} has no pictures. Put in one for each face, as PNG or JPEG."
        )
    return FolderSource(str(path), paths)


def _in_order(paths: list[Path]) -> list[Path]:
    """Return the pictures of U R F D L B in this order if their names end so, else by name."""
    by_face = {path.stem[-1:].upper(): path for path in paths}
    if len(paths) == len(FACE_LETTERS) and set(by_face) == set(FACE_LETTERS):
        return [by_face[letter] for letter in FACE_LETTERS]
    return sorted(paths)


def _device(text: str) -> str | int:
    """Return the number of a camera, or its path if it has another name than /dev/videoN."""
    number = text.removeprefix("/dev/video")
    if not _is_number(number):
        return text
    device = whole_number(number, LARGEST_DEVICE)
    if device is None:
        raise errors.CameraNotFoundError(
            f"There is no camera {number[:20]}; they are numbered from 0 on, to {LARGEST_DEVICE}."
        )
    return device


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


def _checked(capture: Capture, name: str) -> Capture:
    if capture.isOpened():
        return capture
    capture.release()
    if is_device(name):
        advice = "Is it plugged in, used by another program, or are you not in the group video?"
    elif "://" in name:
        advice = "Is the server running, and does a browser show the video at this address?"
    elif Path(name).exists():
        advice = "Is it a video file that OpenCV can decode?"
    else:
        advice = (
            "Give a device number such as 0, a URL such as http://127.0.0.1:8080/video, a video "
            "file, or a folder of pictures."
        )
    raise errors.CameraNotFoundError(f"The camera {name} does not open. {advice}")
