"""The ways in which the rig can jam, in words."""

from dataclasses import dataclass
from typing import Final

from hardware_sims.cube_rig.rig_state import (
    JAM_ARM_IN_THE_WAY,
    JAM_ARM_ON_CORNER,
    JAM_ARM_STUCK,
    JAM_CRADLE_ASKEW,
    JAM_CUBE_NOT_SEATED,
    JAM_CUBE_UPRIGHT,
    JAM_LAYER_ASKEW,
    JAM_NOT_PRESSED,
    JAM_PUSHER_IN_THE_WAY,
)

EXPLANATIONS: Final = {
    JAM_ARM_IN_THE_WAY: (
        "The cradle turned while the arm stood at {arm_deg:.0f} degrees, and the arm stopped the "
        "cube's corners; the arm has to be away (-40) to spin the cube."
    ),
    JAM_PUSHER_IN_THE_WAY: (
        "The cradle turned while the pusher stood at {pusher_deg:.0f} degrees, and the pusher "
        "stopped the cube's corners; it has to be home (0) to spin the cube."
    ),
    JAM_NOT_PRESSED: (
        "The cradle turned while pusher and arm touched the cube without pressing, and dragged the "
        "whole cube against them; the arm motor has to be driven forward to turn a layer."
    ),
    JAM_CUBE_NOT_SEATED: (
        "The cradle turned while the cube did not lie in it; after a tilt the pusher has to go "
        "home and the arm back to -30, so that the cube drops."
    ),
    JAM_LAYER_ASKEW: (
        "The layers are {skew_deg:.1f} degrees off their quarters in sum, too much for the cube "
        "to tilt or spin; a layer turn needs overshoot (16 degrees of the motor in a usual rig) to "
        "take up the slack."
    ),
    JAM_CRADLE_ASKEW: (
        "The cradle stands {cradle_off_deg:.1f} degrees off a quarter turn, so the arm cannot "
        "tilt the cube."
    ),
    JAM_ARM_ON_CORNER: (
        "The arm came down on a corner of the cube, which stands {cube_off_deg:.0f} degrees off a "
        "quarter turn."
    ),
    JAM_CUBE_UPRIGHT: (
        "The pusher ran into the cube while the arm stood at {arm_deg:.0f} degrees; to tilt it the "
        "arm has to be at 40 first."
    ),
    JAM_ARM_STUCK: (
        "The arm could not come away from the cube, which was stuck under it; pressing it forward "
        "once more sets it free."
    ),
}


@dataclass(frozen=True)
class JamEvent:
    """Something ran into something: when (simulated seconds), what kind, and in words."""

    time_s: float
    kind: int
    sentence: str
