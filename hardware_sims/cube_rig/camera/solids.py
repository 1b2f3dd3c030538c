"""The rig as coloured polygons in the room: cradle, cube, arm and pusher in any pose.

Millimetres; x to the right, y to the front, z up, the origin in the middle of the cradle's floor.
Angles seen from above are counter-clockwise, as in `RigPose`; with y to the front that is a
rotation that takes y towards x.
"""

from functools import cache
from typing import Final

import numpy as np

from hardware_sims.cube_rig.camera.cube_faces import (
    CUBIE_MM,
    EDGE_MM,
    PLACES,
    Polygon,
    colour_polygons,
)
from hardware_sims.cube_rig.camera.pinhole import about_x, about_z
from hardware_sims.cube_rig.rig import RigPose
from solvers.foundation.arrays import Float64Array

ARM_FULL_TILT_DEG: Final = 40.0  # of motor B, at the cube's tipping point
PUSHER_TOUCHES_DEG: Final = 160.0  # of motor C
TIPPED_DEG: Final = 40.0
ROLLED_LEAN_DEG: Final = 25.0

PLASTIC: Final = "plastic"
CRADLE: Final = "cradle"
CRADLE_RIM: Final = "rim"
BEAM: Final = "beam"

Solid = list[Polygon]
"""A convex body: its outer faces, then what sticks on them."""


def solids(pose: RigPose, cube: str = "black", *, logo: bool = False) -> list[Solid]:
    """Return what stands in the rig, the things on the floor first.

    `cube` is its plastic, as a `Level` names it; `logo`: its white centre has the maker's name.
    """
    lower, upper = (_layers(pose.stickers, cube, bottom=low, logo=logo) for low in (True, False))
    parts = _cube(pose, lower, upper)
    return [_cradle(pose.cradle_deg), *parts, _arm(pose.arm_deg), _pusher(pose.pusher_deg)]


def _yaw(angle_deg: float) -> Float64Array:
    return about_z(-angle_deg)


@cache
def _face_corners() -> Float64Array:
    """Return the corners of the six faces of a cube of edge 2 round the origin, (6, 4, 3)."""
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    normal, along, down = (np.array([place[i] for place in PLACES]) for i in range(3))
    return np.asarray(
        normal[:, None] + signs[None, :, :1] * along[:, None] + signs[None, :, 1:] * down[:, None],
        dtype=np.float64,
    )


def _box(size: tuple[float, float, float], middle: tuple[float, float, float], paint: str) -> Solid:
    corners = _face_corners() * (np.array(size) / 2) + np.array(middle)
    return [Polygon(face, paint) for face in corners]


def _moved(solid: Solid, rotation: Float64Array, pivot: Float64Array) -> Solid:
    return [Polygon((p.corners - pivot) @ rotation.T + pivot, p.paint) for p in solid]


def _cradle(cradle_deg: float) -> Solid:
    plate = _box((84, 84, 6), (0, 0, -4), CRADLE)
    walls = [
        wall
        for x, y in ((40, 40), (40, -40), (-40, 40), (-40, -40))
        for wall in _box((8, 8, 16), (x, y, 6), CRADLE_RIM)
    ]
    return _moved(plate + walls, _yaw(cradle_deg), np.zeros(3))


def _cube(pose: RigPose, lower: Solid, upper: Solid) -> list[Solid]:
    """Return the bottom layer and the two layers above, the farther from the camera first."""
    lower = _moved(lower, _yaw(pose.layer_deg), np.zeros(3))
    yaw = _yaw(pose.cube_deg)
    roll = about_x(-_roll_deg(pose))
    front_edge = np.array([0, EDGE_MM / 2, 0])
    parts = [_moved(_moved(part, yaw, np.zeros(3)), roll, front_edge) for part in (lower, upper)]
    return sorted(parts, key=lambda part: float(np.mean([p.corners[:, 2].mean() for p in part])))


def _roll_deg(pose: RigPose) -> float:
    """Return how far the cube leans to the front in this phase of a tilt; less than 0: back."""
    if pose.phase == "rolled":  # its stickers already lie as after the tilt
        return -ROLLED_LEAN_DEG * float(np.clip(pose.pusher_deg / PUSHER_TOUCHES_DEG, 0, 1))
    lift = TIPPED_DEG * float(np.clip(pose.arm_deg / ARM_FULL_TILT_DEG, 0, 1))
    if pose.phase == "tipped":
        pushed = np.clip((pose.pusher_deg - PUSHER_TOUCHES_DEG) / 40.0, 0, 1)
        lift += (90 - TIPPED_DEG - ROLLED_LEAN_DEG) * float(pushed)
    return lift


def _layers(stickers: str, cube: str, *, bottom: bool, logo: bool) -> Solid:
    height, middle = (CUBIE_MM, CUBIE_MM / 2) if bottom else (2 * CUBIE_MM, 2 * CUBIE_MM)
    solid = _box((EDGE_MM, EDGE_MM, height), (0, 0, middle), PLASTIC)
    for index, letter in enumerate(stickers):
        if _is_in_bottom_layer(index) == bottom:
            solid += colour_polygons(index, letter, cube, logo=logo)
    return solid


def _is_in_bottom_layer(index: int) -> bool:
    place, number = divmod(index, 9)
    return place == 3 or (place != 0 and number >= 6)


def _arm(arm_deg: float) -> Solid:
    """Return the fork behind the cube: it touches at 0 and is 18 mm away at -40."""
    gap = 0.45 * max(0.0, -arm_deg) - 0.2 * max(0.0, arm_deg)
    y = -(EDGE_MM / 2 + 6 + gap)
    return [
        *_box((60, 8, 8), (0, y, 34), BEAM),
        *_box((8, 60, 8), (-26, y - 32, 34), BEAM),
        *_box((8, 60, 8), (26, y - 32, 34), BEAM),
    ]


def _pusher(pusher_deg: float) -> Solid:
    """Return the rack in front of the cube: it touches at 160."""
    gap = 0.25 * (PUSHER_TOUCHES_DEG - min(pusher_deg, PUSHER_TOUCHES_DEG))
    y = EDGE_MM / 2 + 6 + gap
    return [*_box((24, 8, 8), (0, y, 30), BEAM), *_box((8, 70, 8), (0, y + 36, 30), BEAM)]
