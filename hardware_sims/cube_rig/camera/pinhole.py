"""Points of the room to pixels. Millimetres; x to the right, y to the front, z up."""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import numpy as np

from solvers.foundation.arrays import Float64Array

WIDTH_PX: Final = 640
HEIGHT_PX: Final = 480
FOCAL_LENGTH_PX: Final = 700.0  # 49 degrees across, a common webcam
CAMERA_HEIGHT_MM: Final = 260.0  # above the cradle's floor


@dataclass(frozen=True, slots=True, eq=False)
class Pinhole:
    """A camera at `position`; rows of `axes` are its right, down and viewing directions."""

    position: Float64Array
    axes: Float64Array

    def project(self, points: Float64Array) -> Float64Array:
        """Return the pixels (x, y) of points (..., 3); all must lie in front of the camera."""
        seen = (points - self.position) @ self.axes.T
        middle = np.array([WIDTH_PX / 2, HEIGHT_PX / 2])
        return np.asarray(middle + FOCAL_LENGTH_PX * seen[..., :2] / seen[..., 2:])


def camera_above(
    tilt_deg: tuple[float, float], roll_deg: float, offset_mm: tuple[float, float]
) -> Pinhole:
    """Return a camera that looks down on the cube, the back of the rig at the top of the picture.

    It stands beside the vertical by the two tilts, still aims `offset_mm` from the cube's middle,
    and is rolled about its own axis.
    """
    looking_down = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
    turn = about_z(roll_deg) @ about_y(tilt_deg[0]) @ about_x(tilt_deg[1])
    axes = looking_down @ turn
    aim = np.array([*offset_mm, 40.0])
    return Pinhole(aim - (CAMERA_HEIGHT_MM - 40.0) * axes[2], axes)


def about_x(angle_deg: float) -> Float64Array:
    """Return the rotation that takes y towards z."""
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def about_y(angle_deg: float) -> Float64Array:
    """Return the rotation that takes z towards x."""
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    return np.array([[c, 0, s], [0.0, 1, 0], [-s, 0, c]])


def about_z(angle_deg: float) -> Float64Array:
    """Return the rotation that takes x towards y."""
    c, s = cos(radians(angle_deg)), sin(radians(angle_deg))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
