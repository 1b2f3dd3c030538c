"""What does not move: the table, the rig's frame, the light, and the colours of this cube."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from hardware_sims.cube_rig.camera.cube_faces import INK, WHITE_PLASTIC
from hardware_sims.cube_rig.camera.levels import Level
from hardware_sims.cube_rig.camera.pinhole import (
    HEIGHT_PX,
    WIDTH_PX,
    Pinhole,
    camera_above,
)
from hardware_sims.cube_rig.camera.solids import BEAM, CRADLE, CRADLE_RIM, PLASTIC
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
