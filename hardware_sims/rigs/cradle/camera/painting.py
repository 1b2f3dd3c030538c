"""Pictures of what each pixel reflects: the scenery that does not move, and a pose's solids."""

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from hardware_sims.rigs.cradle.camera.levels import Level
from hardware_sims.rigs.cradle.camera.solids import (
    BEAM,
    CRADLE,
    CRADLE_RIM,
    HEIGHT_PX,
    INK,
    PLASTIC,
    WHITE_PLASTIC,
    WIDTH_PX,
    Pinhole,
    Solid,
    camera_above,
    solids,
)
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.arrays import Float32Array, Float64Array, Image

Colour = tuple[int, int, int]

# sRGB of the stickers U R F D L B under white light: two makers, one of them faded.
STICKER_SETS: Final[tuple[tuple[Colour, ...], ...]] = (
    ((235, 238, 240), (183, 18, 52), (0, 155, 72), (255, 213, 0), (255, 88, 0), (0, 70, 173)),
    ((226, 226, 218), (190, 40, 42), (52, 150, 80), (226, 210, 70), (232, 118, 42), (40, 88, 170)),
)
MATERIALS: Final[dict[str, Colour]] = {
    PLASTIC: (22, 22, 24),
    WHITE_PLASTIC: (216, 216, 212),
    INK: (30, 34, 60),
    CRADLE: (96, 98, 102),
    CRADLE_RIM: (60, 61, 64),
    BEAM: (150, 152, 154),
}
BEAM_COLOURS: Final[tuple[Colour, ...]] = (
    (120, 122, 126),
    (40, 40, 42),
    (210, 170, 30),
    (170, 172, 176),
    (150, 40, 40),
)
BEAM_COUNT: Final = 26
TABLE: Final[Colour] = (128, 104, 80)


@dataclass(frozen=True, slots=True, eq=False)
class Scenery:
    """All that one camera has drawn from its level's ranges, once.

    Pictures are BGR. `paint` maps letters and materials to BGR; `light` and `glare` are
    linear; `cube` and `logo` are the `Level`'s.
    """

    camera: Pinhole
    paint: dict[str, Colour]
    table: Image
    light: Float32Array
    glare: Float32Array
    exposure: float
    cube: str
    logo: bool


def draw_scenery(level: Level, rng: np.random.Generator) -> Scenery:
    """Draw a scene of this level."""
    camera = camera_above(
        tuple(rng.uniform(-level.tilt_deg, level.tilt_deg, 2)),
        float(rng.uniform(-level.roll_deg, level.roll_deg)),
        tuple(rng.uniform(-level.offset_mm, level.offset_mm, 2)),
    )
    return Scenery(
        camera=camera,
        paint=_paint(level, rng),
        table=_table(rng),
        light=_light(level, rng),
        glare=_glare(level, rng),
        exposure=float(rng.uniform(level.darkest_exposure, 1.0)),
        cube=level.cube,
        logo=level.logo,
    )


def _bgr(colour: Colour) -> Colour:
    return colour[2], colour[1], colour[0]


def _paint(level: Level, rng: np.random.Generator) -> dict[str, Colour]:
    colours = dict(zip("URFDLB", STICKER_SETS[rng.integers(len(STICKER_SETS))], strict=True))
    share = level.red_orange_alike
    red, orange = colours["R"], colours["L"]
    faded = [round((1 - share) * o + share * r) for r, o in zip(red, orange, strict=True)]
    colours["L"] = (faded[0], faded[1], faded[2])
    return {name: _bgr(colour) for name, colour in {**colours, **MATERIALS}.items()}


def _table(rng: np.random.Generator) -> Image:
    """Return a table with beams and pins strewn over it."""
    table = np.empty((HEIGHT_PX, WIDTH_PX, 3), np.uint8)
    table[:] = _bgr(TABLE)
    coarse = rng.normal(0, 6, (HEIGHT_PX // 8, WIDTH_PX // 8))
    grain = cv2.resize(coarse, (WIDTH_PX, HEIGHT_PX)).reshape(HEIGHT_PX, WIDTH_PX, 1)
    table = np.asarray(np.clip(table + grain, 0, 255), dtype=np.uint8)
    for _ in range(BEAM_COUNT):
        _draw_beam(table, rng)
    return table


def _draw_beam(table: Image, rng: np.random.Generator) -> None:
    colour = _bgr(BEAM_COLOURS[rng.integers(len(BEAM_COLOURS))])
    start = rng.uniform((0, 0), (WIDTH_PX, HEIGHT_PX))
    angle = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.15)
    step = np.array([np.cos(angle), np.sin(angle)]) * 18
    holes = int(rng.integers(4, 13))
    end = start + step * holes
    cv2.line(table, _pixel(start), _pixel(end), colour, 17, cv2.LINE_AA)
    dark = (int(0.4 * colour[0]), int(0.4 * colour[1]), int(0.4 * colour[2]))
    for hole in range(holes + 1):
        cv2.circle(table, _pixel(start + step * hole), 5, dark, -1, cv2.LINE_AA)


def _pixel(point: Float64Array) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _coordinates() -> tuple[Float32Array, Float32Array]:
    """Return x and y of each pixel, both -1..1."""
    y, x = np.mgrid[-1 : 1 : HEIGHT_PX * 1j, -1 : 1 : WIDTH_PX * 1j]
    return x.astype(np.float32), y.astype(np.float32)


def _light(level: Level, rng: np.random.Generator) -> Float32Array:
    x, y = _coordinates()
    angle = rng.uniform(0, 2 * np.pi)
    falloff = 1 + level.gradient * (np.cos(angle) * x + np.sin(angle) * y)
    warmth = rng.uniform(-level.light_tint, level.light_tint)
    tint = np.array([1 - warmth, 1 - 0.15 * abs(warmth), 1 + warmth], np.float32)  # blue to red
    return np.ascontiguousarray(falloff[..., None] * tint, dtype=np.float32)


def _glare(level: Level, rng: np.random.Generator) -> Float32Array:
    """Return the lamps that the top of the cube mirrors, somewhere on it."""
    x, y = _coordinates()
    glare = np.zeros_like(x)
    for _ in range(level.glares):
        centre = rng.uniform(-0.3, 0.3, 2)
        size = rng.uniform(level.least_glare, level.greatest_glare)
        distance = (x - centre[0]) ** 2 + ((y - centre[1]) * HEIGHT_PX / WIDTH_PX) ** 2
        glare += level.glare_strength * np.exp(-distance / (2 * size**2))
    return np.minimum(glare, 0.9).astype(np.float32)


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
        _fill(picture, scenery, solid)
    return picture


def paint_motion(scenery: Scenery, earlier: RigPose, pose: RigPose) -> Image:
    """Return what the picture averages over while the rig moves from one pose to another."""
    total = np.zeros(scenery.table.shape, np.float32)
    for between in _poses_between(earlier, pose):
        cv2.accumulate(paint_pose(scenery, between), total)
    return (total / MOTION_STEPS).astype(np.uint8)


def paint_hand(picture: Image, seed: int) -> None:
    """Draw a hand over the middle of the picture, not quite the same in each frame."""
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


def _fill(picture: Image, scenery: Scenery, solid: Solid) -> None:
    """Draw the polygons whose outside is seen, darker the steeper they stand."""
    corners = scenery.camera.project(solid.corners)
    # Sub-pixel corners, half a pixel off as cv2 counts from the middle of the first pixel.
    fixed = np.round((corners - 0.5) * 2**_SUBPIXEL_BITS).astype(np.int32)
    outlines = corners.astype(np.float32)
    shades = _UPRIGHT + (_FLAT - _UPRIGHT) * _flatness(solid)
    parts = zip(solid.starts, solid.counts, solid.paints, shades.tolist(), strict=True)
    for start, count, paint, shade in parts:
        end = start + count
        if cv2.contourArea(outlines[start:end], oriented=True) <= 0:
            continue
        blue, green, red = scenery.paint[paint]
        colour = round(blue * shade), round(green * shade), round(red * shade)
        cv2.fillConvexPoly(picture, fixed[start:end], colour, cv2.LINE_AA, _SUBPIXEL_BITS)


def _flatness(solid: Solid) -> Float64Array:
    """Return the vertical part of each polygon's unit normal: 1 for a flat one, 0 upright."""
    starts, middles = np.array(solid.starts), np.array(solid.counts) // 3
    first, second, third = (solid.corners[starts + step * middles] for step in range(3))
    normal = np.cross(second - first, third - first)
    return np.asarray(np.abs(normal[:, 2]) / np.linalg.norm(normal, axis=1))
