"""What is known of one owner's rig: angles, powers, and seconds per primitive."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from controller.motion.primitives import Primitive, Spin, Tilt

# Angles are degrees of the motor, powers percent of what the battery gives.
_Power: TypeAlias = Annotated[int, Meta(ge=20, le=100)]
_Near: TypeAlias = Annotated[float, Meta(ge=1, le=20)]
_Price: TypeAlias = Annotated[float, Meta(ge=0.05, le=60)]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the file; its keys and ranges are those of the class."""


class Cradle(_Section, frozen=True):
    """Motor A."""

    quarter_deg: Annotated[float, Meta(ge=45, le=3000)]
    slack_deg: Annotated[float, Meta(ge=0, le=90)]
    power: _Power
    short_deg: _Near
    beyond_deg: _Near
    rough_deg: _Near


class Arm(_Section, frozen=True):
    """Motor B; 0 is closed round the cube, negative away from it."""

    away_deg: Annotated[float, Meta(ge=-180, le=0)]
    closed_deg: Annotated[float, Meta(ge=-20, le=20)]
    tilt_deg: Annotated[float, Meta(ge=0, le=180)]
    settle_deg: Annotated[float, Meta(ge=-180, le=0)]
    power: _Power
    press_power: Annotated[int, Meta(ge=10, le=100)]
    short_deg: _Near
    beyond_deg: _Near
    rough_deg: _Near


class Pusher(_Section, frozen=True):
    """Motor C; 0 is home, positive towards the cube."""

    home_deg: Annotated[float, Meta(ge=-20, le=20)]
    touch_deg: Annotated[float, Meta(ge=10, le=720)]
    tilt_deg: Annotated[float, Meta(ge=10, le=720)]
    power: _Power
    short_deg: _Near
    beyond_deg: _Near
    rough_deg: _Near


class Seconds(_Section, frozen=True):
    """Mean seconds per primitive; spins and turns by one, two and three quarters either way.

    After a tilt or a spin the arm stays open while another of them follows, and need not close
    and open again: `open_arm_saving` is what that saves each time.
    """

    tilt: _Price
    spin: tuple[_Price, _Price, _Price]
    turn: tuple[_Price, _Price, _Price]
    open_arm_saving: Annotated[float, Meta(ge=0, le=5)] = 0.0

    def price(self, primitive: Primitive, before: Primitive | None) -> float:
        """Return the seconds that `primitive` takes after `before`."""
        if isinstance(primitive, Tilt):
            seconds = self.tilt
        elif isinstance(primitive, Spin):
            seconds = self.spin[abs(primitive.quarters) - 1]
        else:
            return self.turn[abs(primitive.quarters) - 1]
        return seconds - self.open_arm_saving if leaves_arm_open(before) else seconds


class Patience(_Section, frozen=True):
    """How long the driver waits, in seconds."""

    stall_s: Annotated[float, Meta(ge=0.1, le=10)]
    retry_pause_s: Annotated[float, Meta(ge=0, le=60)]
    keep_alive_s: Annotated[float, Meta(ge=5, le=240)]


class Calibration(_Section, frozen=True):
    """Everything that differs from rig to rig."""

    version: Literal[1]
    cradle: Cradle
    arm: Arm
    pusher: Pusher
    seconds: Seconds
    patience: Patience


def leaves_arm_open(primitive: Primitive | None) -> bool:
    """Say whether the arm may stay open after `primitive`: after tilts and spins."""
    return isinstance(primitive, Tilt | Spin)
