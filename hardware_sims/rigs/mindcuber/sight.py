"""What MindCuber's colour sensor sees: the compiled part.

The sensor reaches in from the back, so it is above the line from the middle of the upper face to
the middle of its back edge, however the cube is turned below it.
"""

import math
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.rigs.faults import FaultTable, draw, strikes
from solvers.foundation.compiled import kernel

COLOR_PORT: Final = 2
FAULT_GLARE: Final = 101  # at a view of a sticker; light of the room

# Where the sensor looks by the place of its arm: degrees back from the end stop, and millimetres
# from the middle of the cube. Driven to are 10 (centre), 87 (edge), 103 (corner), 200 (away); the
# millimetres are those of a cube of 57 (assumed), with straight lines between.
PLACES_DEG: Final = (10.0, 87.0, 103.0, 200.0)
PLACES_MM: Final = (0.0, 19.0, 27.0, 60.0)
PITCH_MM: Final = 19.0
HALF_STICKER_MM: Final = 8.0  # the rest of the pitch is plastic (assumed)
HALF_CUBE_MM: Final = 28.5
SPOT_MM: Final = 3.0  # radius of what it looks at (assumed)
SPOT: Final = (  # points of it: the middle counts as much as the others
    (0.0, 0.0),
    (SPOT_MM, 0.0),
    (-SPOT_MM, 0.0),
    (0.0, SPOT_MM),
    (0.0, -SPOT_MM),
    (0.7 * SPOT_MM, 0.7 * SPOT_MM),
    (-0.7 * SPOT_MM, 0.7 * SPOT_MM),
    (0.7 * SPOT_MM, -0.7 * SPOT_MM),
    (-0.7 * SPOT_MM, -0.7 * SPOT_MM),
)
LAMPS: Final = 3

# Raw red, green and blue as the brick gives them, by the letter of a face; assumed, as are those
# of the plastic between the stickers.
COLOURS: Final = {
    "U": (480, 470, 430),
    "R": (360, 90, 80),
    "F": (120, 260, 130),
    "D": (470, 400, 130),
    "L": (440, 170, 110),
    "B": (80, 150, 260),
}
BLACK_PLASTIC: Final = (45, 45, 40)
WHITE_PLASTIC: Final = (430, 420, 390)
NOTHING: Final = (30, 30, 30)
PLASTIC_INDEX: Final = len(COLOURS)
NOTHING_INDEX: Final = PLASTIC_INDEX + 1

Palette: TypeAlias = Any  # shape (8, 3): six colours in the order U R F D L B, plastic, nothing


def new_palette(plastic: tuple[int, int, int] = BLACK_PLASTIC) -> NDArray[np.float64]:
    """Return the colours of a cube with such plastic."""
    return np.array([*COLOURS.values(), plastic, NOTHING], np.float64)


@kernel
def radius_mm(back_deg: float) -> float:
    """Return how far from the middle of the cube the sensor looks."""
    last = len(PLACES_DEG) - 1
    segment = 0
    while segment < last - 1 and back_deg > PLACES_DEG[segment + 1]:
        segment += 1
    share = (back_deg - PLACES_DEG[segment]) / (PLACES_DEG[segment + 1] - PLACES_DEG[segment])
    return PLACES_MM[segment] + share * (PLACES_MM[segment + 1] - PLACES_MM[segment])


@kernel
def place_at(right_mm: float, back_mm: float) -> int:
    """Return what is at a place of the upper face: sticker 0 to 8, 9 the plastic, 10 beside it."""
    if abs(right_mm) > HALF_CUBE_MM or abs(back_mm) > HALF_CUBE_MM:
        return 10
    column = math.floor(right_mm / PITCH_MM + 0.5)
    row = math.floor(-back_mm / PITCH_MM + 0.5)
    off_mm = max(abs(right_mm - PITCH_MM * column), abs(-back_mm - PITCH_MM * row))
    if off_mm > HALF_STICKER_MM:
        return 9
    return int(3 * (row + 1) + column + 1)


@kernel
def _colour_at(rig: Any, right_mm: float, back_mm: float) -> int:
    place = place_at(right_mm, back_mm)
    if place < 9:
        return int(rig.top[place])
    return PLASTIC_INDEX if place == 9 else NOTHING_INDEX


@kernel
def _notice_sticker(rig: Any, faults: FaultTable, place: int) -> None:
    """Draw how a sticker that has just come below the sensor looks, and what shines on it."""
    if place == rig.place:
        return
    rig.place = place
    rig.glare = 0.0
    if place < 0:
        return
    rig.views += 1
    common = 2.0 * draw(rig) - 1.0
    for lamp in range(LAMPS):
        own = 2.0 * draw(rig) - 1.0
        rig.shade[lamp] = 1.0 + rig.spread * (0.7 * common + 0.3 * own)
    if strikes(rig, faults, FAULT_GLARE, rig.views):
        rig.glare = rig.drawn


@kernel
def look(
    rig: Any,
    faults: FaultTable,
    palette: Palette,
    ports: Any,
    back_deg: float,
    yaw_deg: float,
    is_flat: bool,
) -> None:
    """Give the colour sensor what is below it: with each of its lamps, and without."""
    port = ports[COLOR_PORT]
    if not port.follows_rig:
        return
    out_mm = radius_mm(back_deg) + rig.offset_mm
    sine, cosine = math.sin(math.radians(yaw_deg)), math.cos(math.radians(yaw_deg))
    right_mm, behind_mm = out_mm * sine, out_mm * cosine
    place = place_at(right_mm, behind_mm) if is_flat else 10
    _notice_sticker(rig, faults, place if place < 9 else -1)
    light = rig.room + rig.glare
    red = green = blue = 0.0
    for point in SPOT:
        colour = NOTHING_INDEX
        if is_flat:
            colour = _colour_at(rig, right_mm + point[0], behind_mm + point[1])
        red += palette[colour, 0]
        green += palette[colour, 1]
        blue += palette[colour, 2]
    lit = (red / len(SPOT), green / len(SPOT), blue / len(SPOT))
    for lamp in range(LAMPS):
        shade = rig.shade[lamp] if place < 9 else 1.0
        seen = lit[lamp] * rig.gain[lamp] * shade + light
        port.seen[lamp] = _bounded(seen + rig.noise * (2.0 * draw(rig) - 1.0))
    port.seen[LAMPS] = _bounded(light)


@kernel
def _bounded(value: float) -> int:
    return int(max(0.0, min(float(FULL_SCALE), value)))
