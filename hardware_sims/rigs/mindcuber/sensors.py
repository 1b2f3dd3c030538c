"""MindCuber's two sensors as the brick has them on its ports."""

from typing import Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.nxt_brick.sensors.plugged_in import (
    Color,
    Ultrasonic,
    UltrasonicRegisters,
)

ULTRASONIC_PORT: Final = 1
CUBE_CM: Final = 12  # a program for this machine takes less than 18 for a cube
HAND_CM: Final = 6
NOTHING_CM: Final = 255
NOT_TO_BE_SET: Final = "What this sensor sees is up to the rig; type cube in or cube out."


class ColorOnArm(Color):
    """The colour sensor, which sees what the rig's arm has it above."""

    follows_rig = True

    def type_in(self, text: str) -> None:  # noqa: ARG002
        """Refuse a value. Raises InvalidScenarioError."""
        raise InvalidScenarioError(NOT_TO_BE_SET)

    def come_off(self) -> None:
        """Be no longer there, as far as the brick can tell."""
        self.raw = FULL_SCALE
        self.follows_rig = False


class _Registers(UltrasonicRegisters):
    is_off = False

    def transfer(self, sent: bytes, wanted: int) -> bytes | None:
        """Return the bytes read after `sent` was written; None from a sensor that came off."""
        return None if self.is_off else super().transfer(sent, wanted)


class UltrasonicAbove(Ultrasonic):
    """The ultrasonic sensor, which sees the cube and hands."""

    def __init__(self) -> None:
        super().__init__(NOTHING_CM)
        self.registers: _Registers = _Registers()

    def type_in(self, text: str) -> None:  # noqa: ARG002
        """Refuse a value. Raises InvalidScenarioError."""
        raise InvalidScenarioError(NOT_TO_BE_SET)

    def come_off(self) -> None:
        """Answer nothing any more."""
        self.registers.is_off = True
