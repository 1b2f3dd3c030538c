"""Exposure and white balance of a camera: settled once, then locked, and read back.

A camera that adapts to each face shows the same sticker in six different colours; locking it is
worth more than any model of colours.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2

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
