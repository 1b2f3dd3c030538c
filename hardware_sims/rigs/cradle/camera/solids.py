"""The rig as coloured polygons in the room: cradle, cube, arm and pusher in any pose.

Millimetres; x to the right, y to the front, z up, the origin in the middle of the cradle's floor.
Angles seen from above are counter-clockwise, as in `RigPose`; with y to the front that is a
rotation that takes y towards x.

A sticker of a cube of 57 mm is cut 16 mm wide (http://grrroux.free.fr/workshop/workshop.html). How
wide the gaps between pieces look, how round they are and how large makers print their names is
assumed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate
from math import cos, radians, sin
from typing import Final, Self

import numpy as np

from hardware_sims.rigs.cradle.rig import RigPose
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
        """Return the pixels (x, y) of points (..., 3); all must be in front of the camera."""
        seen = (points - self.position) @ self.axes.T
        middle = np.array([WIDTH_PX / 2, HEIGHT_PX / 2])
        return np.asarray(middle + FOCAL_LENGTH_PX * seen[..., :2] / seen[..., 2:])


def camera_above(
    tilt_deg: tuple[float, float], roll_deg: float, offset_mm: tuple[float, float]
) -> Pinhole:
    """Return a camera that looks down on the cube, the back of the rig at the top of the picture.

    It is off the vertical by the two tilts, still aims `offset_mm` from the cube's middle,
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


EDGE_MM: Final = 57.0
CUBIE_MM: Final = EDGE_MM / 3
STICKER_MM: Final = 16.0
STICKER_ROUNDING_MM: Final = 2.2
# What is seen of a piece of a cube whose plastic is not black: dark gaps are between them.
PIECE_MM: Final = 18.4
PIECE_ROUNDING_MM: Final = 1.5

WHITE_PLASTIC: Final = "white plastic"
INK: Final = "ink"
STICKERLESS: Final = "stickerless"
WHITE: Final = "white"
WHITE_FACE: Final = "U"

# Letters of the maker's name: where they start along the row, their width and height.
_LETTERS: Final = tuple((x, 1.1, 3.6) for x in (-5.0, -3.0, -1.0, 1.0, 3.0))

# For each place U R F D L B: the way it faces, the way along its rows, and the way down a column.
PLACES: Final = (
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((0, -1, 0), (-1, 0, 0), (0, 0, -1)),
)


@dataclass(frozen=True, slots=True, eq=False)
class Polygon:
    """A convex polygon (n, 3), clockwise as its outside is seen, and what it is made of.

    `paint` is a sticker's letter or a material.
    """

    corners: Float64Array
    paint: str


def colour_polygons(index: int, letter: str, cube: str, *, logo: bool) -> Iterator[Polygon]:
    """Yield what is seen of one of the 54 pieces of colour of a cube that stands on the floor."""
    if cube == WHITE:
        yield Polygon(_outlines(PIECE_MM, PIECE_ROUNDING_MM)[index], WHITE_PLASTIC)
    if cube == STICKERLESS:
        yield Polygon(_outlines(PIECE_MM, PIECE_ROUNDING_MM)[index], letter)
    else:
        yield Polygon(_outlines(STICKER_MM, STICKER_ROUNDING_MM)[index], letter)
    if logo and letter == WHITE_FACE and index % 9 == 4:
        for start, width, height in _LETTERS:
            corners = np.array([[0, -0.5], [1, -0.5], [1, 0.5], [0, 0.5]]) * (width, height)
            yield Polygon(_on_place(corners + np.array([start, 0]), index), INK)


@cache
def _outlines(side_mm: float, rounding_mm: float) -> Float64Array:
    """Return 54 rounded squares on a cube that stands on the floor, (54, n, 3)."""
    half = side_mm / 2
    quarter = np.radians([0, 30, 60, 90])
    outline = []
    for corner, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        angle = quarter + corner * np.pi / 2
        arc = rounding_mm * np.column_stack([np.cos(angle), np.sin(angle)])
        outline.append(np.array([x, y]) * (half - rounding_mm) + arc)
    flat = np.concatenate(outline)
    return np.array([_on_place(flat, index) for index in range(54)])


def _on_place(flat: Float64Array, index: int) -> Float64Array:
    """Return points (n, 2) about the middle of a piece of colour as points of the room (n, 3)."""
    place, number = divmod(index, 9)
    normal, along, down = (np.array(way, dtype=np.float64) for way in PLACES[place])
    across = flat[:, :1] + CUBIE_MM * (number % 3 - 1)
    below = flat[:, 1:] + CUBIE_MM * (number // 3 - 1)
    middle = np.array([0, 0, EDGE_MM / 2])
    return np.asarray(middle + normal * EDGE_MM / 2 + across * along + below * down)


ARM_FULL_TILT_DEG: Final = 40.0  # of motor B, at the cube's tipping point
PUSHER_TOUCHES_DEG: Final = 160.0  # of motor C
TIPPED_DEG: Final = 40.0
ROLLED_LEAN_DEG: Final = 25.0

PLASTIC: Final = "plastic"
CRADLE: Final = "cradle"
CRADLE_RIM: Final = "rim"
BEAM: Final = "beam"


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex body: its outer faces, then what sticks on them.

    The corners (n, 3) of its polygons follow one another, so that all are moved and projected at
    once: one by one, the 126 polygons of a picture take most of the time that it takes.
    """

    corners: Float64Array
    counts: tuple[int, ...]
    """How many corners each polygon has."""
    paints: tuple[str, ...]

    @classmethod
    def of(cls, polygons: Sequence[Polygon]) -> Self:
        """Return the body with these polygons."""
        return cls(
            np.concatenate([polygon.corners for polygon in polygons]),
            tuple(len(polygon.corners) for polygon in polygons),
            tuple(polygon.paint for polygon in polygons),
        )

    def __add__(self, other: "Solid") -> "Solid":
        return Solid(
            np.concatenate([self.corners, other.corners]),
            self.counts + other.counts,
            self.paints + other.paints,
        )

    def __iter__(self) -> Iterator[Polygon]:
        for start, count, paint in zip(self.starts, self.counts, self.paints, strict=True):
            yield Polygon(self.corners[start : start + count], paint)

    @property
    def starts(self) -> list[int]:
        """Where in `corners` each polygon begins."""
        return [0, *accumulate(self.counts[:-1])]

    def moved(self, rotation: Float64Array, pivot: Float64Array) -> "Solid":
        """Return the body turned about a point."""
        return replace(self, corners=(self.corners - pivot) @ rotation.T + pivot)


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
    return Solid(corners.reshape(-1, 3), 6 * (4,), 6 * (paint,))


def _cradle(cradle_deg: float) -> Solid:
    cradle = _box((84, 84, 6), (0, 0, -4), CRADLE)
    for x, y in ((40, 40), (40, -40), (-40, 40), (-40, -40)):
        cradle += _box((8, 8, 16), (x, y, 6), CRADLE_RIM)
    return cradle.moved(_yaw(cradle_deg), np.zeros(3))


def _cube(pose: RigPose, lower: Solid, upper: Solid) -> list[Solid]:
    """Return the bottom layer and the two layers above, the farther from the camera first."""
    lower = lower.moved(_yaw(pose.layer_deg), np.zeros(3))
    yaw = _yaw(pose.cube_deg)
    roll = about_x(-_roll_deg(pose))
    front_edge = np.array([0, EDGE_MM / 2, 0])
    parts = [part.moved(yaw, np.zeros(3)).moved(roll, front_edge) for part in (lower, upper)]
    return sorted(parts, key=_mean_height)


def _mean_height(solid: Solid) -> float:
    """Return the mean height of its polygons."""
    sums = np.add.reduceat(solid.corners[:, 2], solid.starts)
    return float(np.mean(sums / solid.counts))


def _roll_deg(pose: RigPose) -> float:
    """Return how far the cube leans to the front in this phase of a tilt; less than 0: back."""
    if pose.phase == "rolled":  # its stickers are already those after the tilt
        return -ROLLED_LEAN_DEG * float(np.clip(pose.pusher_deg / PUSHER_TOUCHES_DEG, 0, 1))
    lift = TIPPED_DEG * float(np.clip(pose.arm_deg / ARM_FULL_TILT_DEG, 0, 1))
    if pose.phase == "tipped":
        pushed = np.clip((pose.pusher_deg - PUSHER_TOUCHES_DEG) / 40.0, 0, 1)
        lift += (90 - TIPPED_DEG - ROLLED_LEAN_DEG) * float(pushed)
    return lift


def _layers(stickers: str, cube: str, *, bottom: bool, logo: bool) -> Solid:
    height, middle = (CUBIE_MM, CUBIE_MM / 2) if bottom else (2 * CUBIE_MM, 2 * CUBIE_MM)
    polygons = [
        polygon
        for index, letter in enumerate(stickers)
        if _is_in_bottom_layer(index) == bottom
        for polygon in colour_polygons(index, letter, cube, logo=logo)
    ]
    return _box((EDGE_MM, EDGE_MM, height), (0, 0, middle), PLASTIC) + Solid.of(polygons)


def _is_in_bottom_layer(index: int) -> bool:
    place, number = divmod(index, 9)
    return place == 3 or (place != 0 and number >= 6)


def _arm(arm_deg: float) -> Solid:
    """Return the fork behind the cube: it touches at 0 and is 18 mm away at -40."""
    gap = 0.45 * max(0.0, -arm_deg) - 0.2 * max(0.0, arm_deg)
    y = -(EDGE_MM / 2 + 6 + gap)
    return (
        _box((60, 8, 8), (0, y, 34), BEAM)
        + _box((8, 60, 8), (-26, y - 32, 34), BEAM)
        + _box((8, 60, 8), (26, y - 32, 34), BEAM)
    )


def _pusher(pusher_deg: float) -> Solid:
    """Return the rack in front of the cube: it touches at 160."""
    gap = 0.25 * (PUSHER_TOUCHES_DEG - min(pusher_deg, PUSHER_TOUCHES_DEG))
    y = EDGE_MM / 2 + 6 + gap
    return _box((24, 8, 8), (0, y, 30), BEAM) + _box((8, 70, 8), (0, y + 36, 30), BEAM)
