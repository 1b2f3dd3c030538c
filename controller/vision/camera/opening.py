"""Opens the source of pictures that a user names."""

import platform
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2

from controller.vision.camera.lock import CameraSettings, Capture, lock_camera
from controller.vision.camera.sources import FileSource, FolderSource, FrameSource, LiveSource
from controller.vision.errors import CameraNotFoundError
from solvers.foundation.numbers import whole_number
from solvers.rubik.facelets import FACE_LETTERS

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
        raise CameraNotFoundError(
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
        raise CameraNotFoundError(
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
    raise CameraNotFoundError(f"The camera {name} does not open. {advice}")
