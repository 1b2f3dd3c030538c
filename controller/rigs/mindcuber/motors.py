"""MindCuber's motors, on the ports that its building instructions give them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from controller.rigs.nxt_cradle.motors import Motor

TABLE: Final = Motor.CRADLE  # port A
SENSOR_ARM: Final = Motor.ARM  # port B
TILT_ARM: Final = Motor.PUSHER  # port C

NAMES: Final[Mapping[Motor, str]] = MappingProxyType(
    {TABLE: "table", SENSOR_ARM: "sensor arm", TILT_ARM: "tilt arm"}
)
