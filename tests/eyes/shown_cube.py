"""A cube of six photographed faces before a camera: where it is, how it is turned, how it shines.

Lengths are in pitches, the distance of neighbouring stickers. The camera is the origin and looks
along z, with x to the right and y downwards in the picture.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from solvers.foundation.arrays import Float64Array, Image
from tests.eyes.stickers import FACE_PX

HALF: Final = 1.5
FOCAL_SHARE: Final = 1.1  # focal length as a share of the picture's width: a usual webcam

_X, _Y, _Z = np.eye(3)
# Directions of columns and rows of U R F D L B, while F faces the camera and U is on top.
FACES: Final = ((_X, -_Z), (_Z, _Y), (_X, _Y), (_X, _Z), (-_Z, _Y), (-_X, _Y))


def facing(face: int) -> Float64Array:
    """Return the rotation (3, 3) that shows a face, 0..5, upright to the camera."""
    columns, rows = FACES[face]
    return np.stack([columns, rows, np.cross(columns, rows)])


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """How a cube is held: `rotation` (3, 3) from F to the camera, `place` (3,) of its middle."""

    rotation: Float64Array
    place: Float64Array


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """A lamp at `place` (3,); faces mirror `gloss` of it in a spot of `width` (sigma)."""

    place: Float64Array
    gloss: float
    width: float = 0.5


def draw_cube(picture: Image, faces: list[Image], pose: Pose, lamp: Lamp) -> None:
    """Draw a cube, its six faces FACE_PX wide, into a picture as it is seen, in place."""
    height, width = picture.shape[:2]
    focal = FOCAL_SHARE * width
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    for (columns, rows), face in zip(FACES, faces, strict=True):
        right, down = pose.rotation @ columns, pose.rotation @ rows
        outward = -np.cross(right, down)
        middle = pose.place + HALF * outward
        if middle @ outward >= 0:
            continue
        corner = middle - HALF * (right + down)
        step = 2 * HALF / FACE_PX
        homography = camera @ np.column_stack([right * step, down * step, corner])
        lit = _lit(face, (middle, right, down, outward), lamp)
        # A point of the picture between two of the face's rim takes neither: no dark seam.
        cv2.warpPerspective(
            lit,
            homography,
            (width, height),
            dst=picture,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_TRANSPARENT,
        )


def _lit(face: Image, plane: tuple[Float64Array, ...], lamp: Lamp) -> Image:
    """Return a face under a lamp: darker where it is turned away, white where it mirrors it."""
    middle, right, down, outward = plane
    towards = lamp.place - middle
    distance = float(towards @ outward)
    shade = 0.45 + 0.55 * max(0.0, distance / float(np.linalg.norm(towards)))
    lit = face * np.float32(shade ** (1 / 2.2))
    if lamp.gloss and distance > 0:
        mirrored = lamp.place - 2 * distance * outward
        spot = mirrored * float(middle @ outward) / float(mirrored @ outward) - middle
        u, v = float(spot @ right), float(spot @ down)
        if max(abs(u), abs(v)) < HALF + 3 * lamp.width:
            at = (np.arange(FACE_PX, dtype=np.float32) + 0.5) * (2 * HALF / FACE_PX) - HALF
            across = np.exp(-((at - u) ** 2) / (2 * lamp.width**2))
            along = np.exp(-((at - v) ** 2) / (2 * lamp.width**2))
            share = (lamp.gloss * np.outer(along, across))[..., None].astype(np.float32)
            lit = lit * (1 - share) + 255 * share
    return np.asarray(np.clip(lit, 0, 255), np.uint8)
