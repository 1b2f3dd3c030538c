"""What is known of one owner's MindCuber: motors, angles, powers, pauses, seconds."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from controller.rigs.nxt_brick.calibration import BrickCalibration, CalibrationFiles, Power, Section
from controller.rigs.nxt_brick.motion import Motor

# The ports are those of its building instructions.
TABLE: Final = Motor.CRADLE  # port A
SENSOR_ARM: Final = Motor.ARM  # port B
TILT_ARM: Final = Motor.PUSHER  # port C

NAMES: Final[Mapping[Motor, str]] = MappingProxyType(
    {TABLE: "table", SENSOR_ARM: "sensor arm", TILT_ARM: "tilt arm"}
)

_Back: TypeAlias = Annotated[int, Meta(ge=0, le=400)]
_Milliseconds: TypeAlias = Annotated[int, Meta(ge=0, le=2000)]


class Table(Section, frozen=True):
    """Motor A; positive is counter-clockwise seen from above."""

    quarter_deg: Annotated[int, Meta(ge=45, le=3000)]
    play_deg: Annotated[int, Meta(ge=0, le=60)]
    """Half the play of the cube in the table."""
    held_play_deg: Annotated[int, Meta(ge=0, le=120)]
    """Half the play of the held cube: what a layer turn overshoots by, and takes back."""
    power: Power


class SensorArm(Section, frozen=True):
    """Motor B, in degrees back from its end stop."""

    centre_deg: _Back
    edge_deg: _Back
    corner_deg: _Back
    away_deg: _Back
    power: Power


class TiltArm(Section, frozen=True):
    """Motor C, in degrees back from its end stop."""

    away_deg: _Back
    """At rest: the cube can be put in and taken out."""
    release_deg: _Back
    """The whole cube may turn."""
    hold_deg: _Back
    """The two upper layers are held."""
    lower_deg: _Back
    """A cube that was tilted has come down."""
    tilt_deg: _Back
    """The cube has tipped over."""
    power: Power


class Pauses(Section, frozen=True):
    """How long the cube is given to come to rest, in milliseconds."""

    close_ms: _Milliseconds
    """Before a tilt, after the arm closed."""
    held_ms: _Milliseconds
    """Before a tilt, where the arm was closed already."""
    top_ms: _Milliseconds
    """While the cube falls over."""
    between_ms: _Milliseconds
    """Between two tilts."""
    turn_ms: _Milliseconds
    """Before a layer turn, from when the arm let a tilted cube down or closed."""


class MindCuberCalibration(BrickCalibration, frozen=True):
    """Everything that differs from one MindCuber to the next."""

    table: Table
    sensor: SensorArm
    tilt: TiltArm
    pauses: Pauses

    @property
    def powers(self) -> tuple[int, int, int]:
        """The motors' powers, in the order of their ports."""
        return self.table.power, self.sensor.power, self.tilt.power


FILES: Final = CalibrationFiles(MindCuberCalibration, "controller.rigs.mindcuber", "mindcuber.toml")
"""The default is a MindCuber of the NXT 2.0 kit."""
