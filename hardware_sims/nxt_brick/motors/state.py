"""What one motor output of the brick remembers, as a record that the compiled kernels share.

Field names and widths follow LEGO's firmware 1.29 (d_output.c) where it has the same variable.
"""

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hardware_sims.nxt_firmware.io_maps import OUTPUT_MAP, OUTPUTS
from solvers.foundation.compiled import kernel


@kernel
def whole(value: Any) -> int:
    """Return a field of a record as a number wide enough to calculate with."""
    return np.int64(value)  # type: ignore[return-value]


@kernel
def bound(value: int, limit: int) -> int:
    """Return `value` cut to -limit .. limit."""
    return max(-limit, min(limit, value))


@kernel
def divide(value: int, divisor: int) -> int:
    """Divide towards zero; by zero the result is 0, as IAR's library has it."""
    if divisor == 0:
        return 0
    quotient = abs(value) // abs(divisor)
    return quotient if (value < 0) == (divisor < 0) else -quotient


@kernel
def towards_zero(value: int) -> int:
    """Return the next number on the way to zero."""
    if value > 0:
        return value - 1
    if value < 0:
        return value + 1
    return 0


TICK_S: Final = 0.001  # the firmware looks at its outputs once in each

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
STATE_HOLD: Final = 0x60  # inside the firmware only, until the end of the tick

SLOWEST_RAMP: Final = 10  # power at which a ramp starts and ends
DEFAULT_P: Final = 96
DEFAULT_I: Final = 32
DEFAULT_D: Final = 32

MOTOR: Final = np.dtype(
    [
        # Speeds in power units, -100 to 100.
        ("set_speed", "i1"),
        ("target_speed", "i1"),
        ("actual_speed", "i1"),
        ("turn_parameter", "i1"),
        ("run_state", "u1"),
        ("regulation", "u1"),
        ("overloaded", "u1"),
        ("runs_forever", "u1"),
        ("brakes", "u1"),  # between the pulses the motor is shorted, not left open
        # Counts in degrees.
        ("edges", "i4"),  # counted by the interrupt since the module read them last
        ("tacho_count", "i4"),
        ("block_count", "i4"),
        ("rotation_count", "i4"),
        ("count_to_run", "i4"),
        # Regulation, once in 101 ticks.
        ("p_parameter", "u1"),
        ("i_parameter", "u1"),
        ("d_parameter", "u1"),
        ("regulation_ticks", "u1"),
        ("counts_since_regulation", "i4"),
        ("position_error", "i2"),
        ("accumulated_error", "i2"),
        # Ramps.
        ("ramp_up_ticks", "u2"),
        ("ramp_up_increment", "i2"),
        ("ramp_down_ticks", "u2"),
        ("ramp_down_increment", "i2"),
        ("ramp_start_count", "i4"),
        ("ramp_last_count", "i4"),
        # The machine behind the electronics.
        ("shaft_deg", "f8"),
        ("speed_deg_s", "f8"),
        ("encoder_deg", "i8"),
        ("friction_nm", "f8"),
        ("inertia_kg_m2", "f8"),
        # A fault holds the shaft before this tick.
        ("stall_until_tick", "i8"),
    ],
    align=True,
)

# What two motors that are kept in step have in common; there is one such pair at a time.
SYNCHRONISATION: Final = np.dtype(
    [("turn_sum", "i4"), ("old_error", "i4"), ("accumulated_error", "i4")]
)

MotorRecord: TypeAlias = Any  # one element of a MOTOR array: fields are read as attributes
MotorArray: TypeAlias = NDArray[np.void]
SyncRecord: TypeAlias = Any

# Philo's NXT motor curves fitted by Watanabe, as used in Yamamoto's NXTway-GS.
ARMATURE_OHM: Final = 6.69
BACK_EMF_V_S: Final = 0.468
TORQUE_NM_A: Final = 0.317
VISCOUS_NM_S: Final = 0.0022
# Rotor and gear train alone would follow within a millisecond; with a mechanism on the shaft the
# rise takes 50 to 80 ms, which this inertia gives: R J / (K_e K_t) = 45 ms.
INERTIA_KG_M2: Final = 1.0e-3
FRICTION_NM: Final = 0.02  # dry friction of the gear train: about 5 % power before it starts


class OutputState(NamedTuple):
    """All that the output module works on.

    `io_map` has shape (3,) and is the part of the module's I/O map with one record a motor;
    `motors` has shape (3,), `sync` (1,).
    """

    io_map: NDArray[np.void]
    motors: MotorArray
    sync: NDArray[np.void]


def new_motors() -> MotorArray:
    """Return three motors at rest, as after switching on, with nothing but themselves to turn."""
    motors = np.zeros(OUTPUTS, MOTOR)
    motors["friction_nm"] = FRICTION_NM
    motors["inertia_kg_m2"] = INERTIA_KG_M2
    motors["runs_forever"] = 1
    motors["p_parameter"] = DEFAULT_P
    motors["i_parameter"] = DEFAULT_I
    motors["d_parameter"] = DEFAULT_D
    return motors


def new_outputs(io_map: NDArray[np.void] | None = None) -> OutputState:
    """Return the outputs of a brick that is switched on, on `io_map` (shape (1,)) if given."""
    whole = np.zeros(1, OUTPUT_MAP) if io_map is None else io_map
    outputs: NDArray[np.void] = whole["outputs"][0]
    outputs["p_parameter"] = DEFAULT_P
    outputs["i_parameter"] = DEFAULT_I
    outputs["d_parameter"] = DEFAULT_D
    return OutputState(outputs, new_motors(), np.zeros(1, SYNCHRONISATION))
