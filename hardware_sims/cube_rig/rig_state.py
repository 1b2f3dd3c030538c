"""Geometry of the cube rig, and its mechanical state as a record that the kernel changes.

Angles of the arm and the pusher are degrees of their motors; angles of the cradle and the cube are
degrees of the cradle about the vertical, positive counter-clockwise seen from above (which is how a
positive turn of motor A goes, and how the move D turns the bottom layer).
"""

from typing import Any, Final, TypeAlias

import numpy as np

CRADLE_PORT: Final = 0
ARM_PORT: Final = 1
PUSHER_PORT: Final = 2

GEAR_RATIO: Final = 3.5  # 315 motor degrees turn the cradle by 90
# Half the play between cradle and cube, in degrees of the motor; a rig may have another. In that of
# the thesis +331 then -16 ends exactly.
USUAL_PLAY_DEG: Final = 16.0
MOST_PLAY_DEG: Final = 40.0

CONTACT_DEG: Final = 1e-6  # a wall that only touches does not push

# The thesis names no ends of arm and pusher; MindCuber's arm is homed against its end, so far back
# that the cube may spin. Assumed here: 10 degrees behind "away", 8 behind the pusher's home.
ARM_BACK_STOP_DEG: Final = -50.0
ARM_CLEAR_DEG: Final = -35.0  # at or behind this the whole cube may turn
ARM_DROPS_CUBE_DEG: Final = -25.0  # behind this a rolled cube slides down into the cradle
ARM_CORNER_STOP_DEG: Final = -20.0  # where the closing arm meets the corner of a cube turned askew
ARM_STUCK_DEG: Final = -5.0  # how far an arm comes away under which the cube is stuck (assumed)
ARM_RETURNS_DEG: Final = -2.0  # where it has pressed such a cube free, or leaves it next time
ARM_CLOSED_DEG: Final = -1.0
ARM_PRESS_STOP_DEG: Final = 2.0  # the cube between arm and pusher gives this much
ARM_JAM_STOP_DEG: Final = 5.0  # where the arm meets a cube that cannot tilt
ARM_TIPS_CUBE_DEG: Final = 38.0
ARM_FRONT_STOP_DEG: Final = 45.0
# A cradle that leans on the held cube with less is only feeling for it; what a motor at 35 percent
# of a full battery gives lies below.
JAM_NM: Final = 0.22
ARM_PRESS_NM: Final = 0.04  # least torque of the arm that holds the upper layers

PUSHER_HOME_STOP_DEG: Final = -8.0
PUSHER_HOME_DEG: Final = 20.0
PUSHER_CLEAR_DEG: Final = 100.0  # at or behind this the cube's corners pass it
PUSHER_TOUCHES_DEG: Final = 158.0
PUSHER_UPRIGHT_STOP_DEG: Final = 170.0  # as far as it presses into a cube that stands upright
PUSHER_ROLLS_DEG: Final = 198.0
PUSHER_FRONT_STOP_DEG: Final = 210.0

# What arm and pusher let the cube turn beyond its play when nothing presses: a layer that is not
# quite straight (2.5) and a cradle that is not quite there (0.9).
HELD_YAW_DEG: Final = 3.4
SQUARED_YAW_DEG: Final = 10.0  # a cube askew by less is straightened by arm and pusher
CRADLE_TILT_TOLERANCE_DEG: Final = 4.0
LAYER_TOLERANCE_DEG: Final = 6.0  # all layers together; one turn without overshoot leaves 4.6
LAYER_SETTLES_DEG: Final = 2.5  # a layer off by less clicks straight when the cube rolls

FREE_FRICTION_NM: Final = 0.02  # of each mechanism, without the motor's own
LAYER_FRICTION_NM: Final = 0.06  # turning a layer, at motor A
TIPPING_FRICTION_NM: Final = 0.06  # lifting the cube, at motor B
CRADLE_INERTIA_KG_M2: Final = 1.5e-3  # cradle and cube, seen from motor A

PHASE_SEATED: Final = 0  # the cube lies flat in the cradle
PHASE_TIPPED: Final = 1  # the arm holds it at the tipping point
PHASE_ROLLED: Final = 2  # it has rolled over and leans on arm and pusher

EVENT_NONE: Final = 0
EVENT_QUARTERS: Final = 1  # the layer or the cube passed the middle between two quarters
EVENT_ROLLED: Final = 2  # `rolls` times: none if it slipped
EVENT_JAMMED: Final = 3

JAM_NONE: Final = 0
JAM_ARM_IN_THE_WAY: Final = 1
JAM_PUSHER_IN_THE_WAY: Final = 2
JAM_NOT_PRESSED: Final = 3
JAM_CUBE_NOT_SEATED: Final = 4
JAM_LAYER_ASKEW: Final = 5
JAM_CRADLE_ASKEW: Final = 6
JAM_ARM_ON_CORNER: Final = 7
JAM_CUBE_UPRIGHT: Final = 8
JAM_ARM_STUCK: Final = 9

JAM_TICKS: Final = 30  # shorter contacts are touches, not jams

RIG: Final = np.dtype(
    [
        ("play_deg", "f8"),  # half the play between cradle and cube
        ("cube_deg", "f8"),  # yaw of the two upper layers
        ("layer_deg", "f8"),  # bottom layer against them
        ("skew_deg", "f8"),  # what layers turned earlier are off their quarters, added up
        ("lodged_deg", "f8"),  # yaw of a cube that lies askew on the cradle's walls; 0: it lies in
        ("cube_quarters", "i8"),  # `cube_deg` and `layer_deg` rounded to quarters
        ("layer_quarters", "i8"),
        ("phase", "i8"),
        ("event", "i8"),
        ("rolls", "i8"),  # how often the cube rolled in the last EVENT_ROLLED
        ("blocked_by", "i8"),  # jam kind of this tick's hard contact
        ("jam", "i8"),  # jam kind of the last EVENT_JAMMED
        ("jam_ticks", "i8"),
        # The build.
        ("stiffness", "f8"),  # of the cube's layers: times the usual friction
        ("wear_deg", "f8"),  # by which the play grows in each quarter that the cradle turns
        # What goes wrong: how often there was an occasion, and what is under way.
        ("tilts", "i8"),
        ("spun_quarters", "i8"),
        ("turned_quarters", "i8"),
        ("leavings", "i8"),  # of the arm, from the cube
        ("random", "i8"),  # state of the generator
        ("drawn", "f8"),  # how much of the fault that has just struck
        ("slip_left_deg", "f8"),  # by which the upper layers will be dragged along
        ("skip_left_deg", "f8"),  # of motor A, which the cradle will not follow
        ("skipped_deg", "f8"),  # of motor A, which the cradle has not followed, added up
        ("thrown_quarters", "f8"),  # what the cube will be turned by as it lands
        ("thrown_deg", "f8"),  # and lie askew
        ("arm_was_closed", "i8"),
        ("stuck_ticks", "i8"),  # for which the arm cannot come away from the cube
    ]
)

FAULT: Final = np.dtype(
    [
        ("kind", "i8"),
        ("number", "i8"),  # of the occasion, from 1; 0: any, by chance
        ("chance", "f8"),
        ("least", "f8"),  # how much, drawn evenly
        ("most", "f8"),
    ]
)
FAULT_SLIP: Final = 1  # at a tilt; degrees by which the cube lies askew then
FAULT_DOUBLE: Final = 2  # at a tilt
FAULT_THROW: Final = 3  # at a tilt; quarters
FAULT_THROW_ASKEW: Final = 4  # at a tilt; degrees
FAULT_YAW: Final = 5  # at a quarter of a spin; quarters
FAULT_SHORT: Final = 6  # at a quarter of a layer turn; degrees
FAULT_SKIP: Final = 7  # at a quarter of a layer turn; degrees of motor A
FAULT_STUCK: Final = 8  # as the arm leaves the cube; milliseconds

RigRecord: TypeAlias = Any  # the element of a RIG array: fields are read as attributes
FaultTable: TypeAlias = Any  # a FAULT array
