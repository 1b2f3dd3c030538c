"""Marks on the brick, by which a later run knows that its counters count from where they did.

A mark is the sensor type and mode of port 4, where this rig has no sensor: one telegram sets both,
and switching the brick off and starting or ending a program clear it together with the counters.
The type, one that gives its port no power, names the drive that left it, since the counts of one
mean nothing to the other. The mode says how far from straight the cradle stood: a motor comes to
stand a degree off, and one program after the other would add that up until a tilt jams.
"""

from enum import StrEnum
from typing import Final


class Mark(StrEnum):
    """Who left it. The values are types of sensors."""

    DIRECT = "LIGHT_INACTIVE"
    PROGRAM = "TEMPERATURE"


AWAY_BY_MODE: Final = {
    "RAW": 0,
    "BOOL": -3,
    "EDGE": -2,
    "PULSE": -1,
    "PERCENT": 1,
    "CELSIUS": 2,
    "FAHRENHEIT": 3,
}
"""How far from where the cradle stands it is straight, in degrees of its motor."""
_FARTHEST_DEG: Final = max(AWAY_BY_MODE.values())
_MODE_BY_AWAY: Final = {away_deg: mode for mode, away_deg in AWAY_BY_MODE.items()}


def mode_for(away_deg: int) -> str:
    """Return the mode for a number of degrees, limited to the range that modes can express."""
    return _MODE_BY_AWAY[max(-_FARTHEST_DEG, min(away_deg, _FARTHEST_DEG))]
