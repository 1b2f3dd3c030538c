"""What one motor output of the brick remembers, as a record that the compiled kernels share.

Field names follow LEGO's firmware (d_output.c) where it has the same counter.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

MOTOR_COUNT: Final = 3
TICK_S: Final = 0.001  # the firmware's motor interrupt

# Mode bits, regulation modes and run states of SET_OUT_STATE (LEGO's direct commands document).
MODE_ON: Final = 0x01
MODE_BRAKE: Final = 0x02
MODE_REGULATED: Final = 0x04
REGULATION_NONE: Final = 0
REGULATION_SPEED: Final = 1
REGULATION_SYNC: Final = 2
STATE_IDLE: Final = 0x00
STATE_RAMP_UP: Final = 0x10
STATE_RUNNING: Final = 0x20
STATE_RAMP_DOWN: Final = 0x40
STATE_HOLD: Final = 0x60  # inside the firmware only, for one tick; never sent in a reply

MOTOR: Final = np.dtype(
    [
        # As told by SET_OUT_STATE, and reported again.
        ("power", "i8"),
        ("mode", "i8"),
        ("regulation_mode", "i8"),
        ("turn_ratio", "i8"),
        ("tacho_limit", "i8"),
        # The controller's speeds, in power units -100..100.
        ("set_speed", "i8"),
        ("target_speed", "i8"),
        ("actual_speed", "i8"),
        ("run_state", "i8"),
        ("regulation", "i8"),
        ("brakes_when_off", "i8"),
        # Counters in degrees.
        ("tacho_count", "i8"),
        ("block_count", "i8"),
        ("rotation_count", "i8"),
        ("count_to_run", "i8"),
        ("runs_forever", "i8"),
        # Speed regulation, once per 100 ms.
        ("regulation_ticks", "i8"),
        ("counts_since_regulation", "i8"),
        ("position_error", "i8"),
        ("accumulated_error", "i8"),
        # Ramps.
        ("ramp_increment", "i8"),
        ("ramp_last_count", "i8"),
        ("ramp_ticks", "i8"),
        # A move of the MotorControl program.
        ("move_active", "i8"),
        ("move_holds", "i8"),
        ("move_goal", "i8"),
        ("move_top_speed", "f8"),  # degrees per second, above 0
        ("move_setpoint", "f8"),
        ("move_setpoint_speed", "f8"),
        ("move_error_sum", "f8"),
        ("move_quiet_ticks", "i8"),
        ("move_stalled_ticks", "i8"),
        # The machine behind the electronics.
        ("shaft_deg", "f8"),
        ("speed_deg_s", "f8"),
        ("encoder_deg", "i8"),
        ("friction_nm", "f8"),
        ("inertia_kg_m2", "f8"),
        # A fault holds the shaft before this tick.
        ("stall_until_tick", "i8"),
    ]
)

MotorRecord: TypeAlias = Any  # one element of a MOTOR array: fields are read as attributes
MotorArray: TypeAlias = NDArray[np.void]

# Philo's NXT motor curves fitted by Watanabe, as used in Yamamoto's NXTway-GS.
ARMATURE_OHM: Final = 6.69
BACK_EMF_V_S: Final = 0.468
TORQUE_NM_A: Final = 0.317
VISCOUS_NM_S: Final = 0.0022
# Rotor and gear train alone would follow within a millisecond; with a mechanism on the shaft the
# rise takes 50 to 80 ms, which this inertia gives: R J / (K_e K_t) = 45 ms.
INERTIA_KG_M2: Final = 1.0e-3
FRICTION_NM: Final = 0.02  # dry friction of the gear train: about 5 % power before it starts


def new_motors() -> MotorArray:
    """Return three motors at rest, as after switching on, with nothing but themselves to turn."""
    motors = np.zeros(MOTOR_COUNT, MOTOR)
    motors["friction_nm"] = FRICTION_NM
    motors["inertia_kg_m2"] = INERTIA_KG_M2
    motors["runs_forever"] = 1
    return motors
