"""Draws the solids of a pose into a picture of what each pixel reflects."""

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from hardware_sims.cube_rig.camera.cube_faces import Polygon
from hardware_sims.cube_rig.camera.pinhole import Pinhole
from hardware_sims.cube_rig.camera.scenery import Colour, Scenery
from hardware_sims.cube_rig.camera.solids import solids
from hardware_sims.cube_rig.rig import RigPose
from solvers.foundation.arrays import Float64Array, Image

# cv2 takes corners in sixteenths of a pixel.
_SUBPIXEL_BITS: Final = 4

# How much of the light from above reaches a surface, flat or upright (Lambert's law with light
# from all around).
_FLAT: Final = 1.0
_UPRIGHT: Final = 0.45

MOTION_STEPS: Final = 5
SKIN: Final = (120, 150, 205)


def paint_pose(scenery: Scenery, pose: RigPose) -> Image:
    """Return the reflecting surfaces in the picture, BGR in 8 bits, without light."""
    picture = scenery.table.copy()
    for solid in solids(pose, scenery.cube, logo=scenery.logo):
        for polygon in solid:
            _fill(picture, scenery.camera, polygon, scenery.paint[polygon.paint])
    return picture


def paint_motion(scenery: Scenery, earlier: RigPose, pose: RigPose) -> Image:
    """Return what the picture averages over while the rig moves from one pose to another."""
    total = np.zeros(scenery.table.shape, np.float32)
    for between in _poses_between(earlier, pose):
        cv2.accumulate(paint_pose(scenery, between), total)
    return (total / MOTION_STEPS).astype(np.uint8)


def paint_hand(picture: Image, seed: int) -> None:
    """Lay a hand over the middle of the picture, not quite the same in each frame."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(seed)
    x, y = np.array([width / 2, height / 2]) + rng.normal(0, 4, 2)
    for finger in range(4):
        tip = (round(x - 90 + 48 * finger), round(y - 120 + 12 * abs(finger - 1.5)))
        root = (round(x - 70 + 46 * finger), round(y + 40))
        cv2.line(picture, root, tip, SKIN, 40, cv2.LINE_AA)
    palm = np.array([[x - 100, y], [x + 105, y], [x + 120, height], [x - 60, height]])
    cv2.fillConvexPoly(picture, palm.astype(np.int32), SKIN, cv2.LINE_AA)


def _poses_between(earlier: RigPose, pose: RigPose) -> list[RigPose]:
    if (earlier.stickers, earlier.phase) != (pose.stickers, pose.phase):
        return [earlier] * (MOTION_STEPS // 2) + [pose] * (MOTION_STEPS - MOTION_STEPS // 2)
    names = ("cradle_deg", "arm_deg", "pusher_deg", "cube_deg", "layer_deg")
    return [
        replace(
            pose,
            **{
                name: (1 - share) * getattr(earlier, name) + share * getattr(pose, name)
                for name in names
            },
        )
        for share in np.linspace(0, 1, MOTION_STEPS).tolist()
    ]


def _fill(picture: Image, camera: Pinhole, polygon: Polygon, colour: Colour) -> None:
    """Draw a polygon, darker the steeper it stands, unless its back is seen."""
    corners = camera.project(polygon.corners)
    if cv2.contourArea(corners.astype(np.float32), oriented=True) <= 0:
        return
    shade = _UPRIGHT + (_FLAT - _UPRIGHT) * _flatness(polygon.corners)
    shaded = tuple(round(channel * shade) for channel in colour)
    # Sub-pixel corners, half a pixel off as cv2 counts from the middle of the first pixel.
    fixed = np.round((corners - 0.5) * 2**_SUBPIXEL_BITS).astype(np.int32)
    cv2.fillConvexPoly(picture, fixed, shaded, cv2.LINE_AA, _SUBPIXEL_BITS)


def _flatness(corners: Float64Array) -> float:
    """Return the vertical part of the unit normal: 1 for a flat surface, 0 for an upright one."""
    middle = len(corners) // 3
    (ax, ay, az), (bx, by, bz) = corners[[middle, 2 * middle]] - corners[0]
    x, y, z = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
    return float(abs(z) / (x * x + y * y + z * z) ** 0.5)
