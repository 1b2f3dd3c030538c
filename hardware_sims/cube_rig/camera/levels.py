"""How hard the camera makes it: light, glare, perspective, noise, blur and compression."""

from dataclasses import dataclass
from typing import Final

from hardware_sims.errors import InvalidScenarioError


@dataclass(frozen=True, slots=True)
class Level:
    """Ranges that a scene is drawn from; 0 means none of it.

    Fractions are of full light; `exposure_follow` and `white_follow` say how much of a change of
    the picture's mean an automatic exposure or white balance takes out again (0 locked, 1 all).
    """

    name: str
    light_tint: float  # greatest deviation of a channel of the light from white
    gradient: float  # from the middle of the picture to its edge
    darkest_exposure: float
    glares: int
    glare_strength: float
    tilt_deg: float  # of the camera off the vertical, either way
    roll_deg: float
    offset_mm: float
    noise: float  # standard deviation at mid grey, in steps of 8 bits
    blur_px: float
    jpeg_quality: int
    exposure_follow: float
    white_follow: float
    red_orange_alike: float  # how far orange has faded towards red


LEVELS: Final = {
    1: Level("desk lamp, locked camera", 0.05, 0.05, 0.9, 0, 0.0, 2, 2, 4, 1.5, 0.6, 92, 0, 0, 0),
    2: Level("living room", 0.15, 0.15, 0.6, 1, 0.30, 6, 6, 8, 3.0, 0.9, 85, 0.3, 0.1, 0.1),
    3: Level(
        "evening, cheap webcam", 0.3, 0.3, 0.35, 3, 0.55, 10, 12, 12, 6.0, 1.3, 70, 0.6, 0.3, 0.3
    ),
}


def level_numbered(number: int) -> Level:
    """Return level 1, 2 or 3; raises InvalidScenarioError for another number."""
    if number not in LEVELS:
        raise InvalidScenarioError(
            f"There is no camera level {number}; the levels are 1 (easy), 2 and 3 (hard)."
        )
    return LEVELS[number]
