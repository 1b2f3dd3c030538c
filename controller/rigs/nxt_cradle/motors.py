"""The rig's motors."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Motor(StrEnum):
    """The three motors by what they move; the values are the brick's ports."""

    CRADLE = "A"
    ARM = "B"
    PUSHER = "C"


MOTOR_NAMES: Final[Mapping[Motor, str]] = MappingProxyType(
    {motor: motor.name.lower() for motor in Motor}
)
"""What the motors are called in sentences; another machine with the same brick has its own."""
