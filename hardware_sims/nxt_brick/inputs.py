"""The four sensor ports, with nothing plugged in."""

import struct
from dataclasses import dataclass

from hardware_sims.nxt_brick.opcodes import (
    STATUS_BUS_ERROR,
    STATUS_NOT_READY,
    STATUS_OUT_OF_RANGE,
)
from hardware_sims.nxt_brick.telegrams import CommandError

PORT_COUNT = 4
OPEN_PORT_RAW = 1023  # the converter's full scale, pulled up
LOWEST_LOWSPEED_TYPE = 0x0A
HIGHEST_LOWSPEED_TYPE = 0x0B


@dataclass
class _Port:
    sensor_type: int = 0
    sensor_mode: int = 0


class Inputs:
    """Sensor ports 1 to 4, numbered 0 to 3."""

    def __init__(self) -> None:
        self._ports = [_Port() for _ in range(PORT_COUNT)]

    def set_mode(self, port: int, sensor_type: int, sensor_mode: int) -> None:
        """Tell what is plugged in and how its values are to be reported."""
        self._ports[self._checked(port)] = _Port(sensor_type, sensor_mode)

    def values(self, port: int) -> bytes:
        """Return the body of the reply to GET_IN_VALS."""
        told = self._ports[self._checked(port)]
        return struct.pack(
            "<B??BBHHhh",
            port,
            True,
            False,
            told.sensor_type,
            told.sensor_mode,
            OPEN_PORT_RAW,
            OPEN_PORT_RAW,
            OPEN_PORT_RAW if told.sensor_mode == 0 else 0,
            OPEN_PORT_RAW,
        )

    def reset_scaled(self, port: int) -> None:
        """Zero a counted value; there is none without a sensor."""
        self._checked(port)

    def check_bus(self, port: int) -> None:
        """Raise what a transfer on the port's bus ends in: nobody is there to answer."""
        sensor_type = self._ports[self._checked(port)].sensor_type
        if not LOWEST_LOWSPEED_TYPE <= sensor_type <= HIGHEST_LOWSPEED_TYPE:
            raise CommandError(STATUS_NOT_READY)
        raise CommandError(STATUS_BUS_ERROR)

    def reset_all(self) -> None:
        """Forget all settings, as at the start and the end of a program."""
        self._ports = [_Port() for _ in range(PORT_COUNT)]

    @staticmethod
    def _checked(port: int) -> int:
        if port >= PORT_COUNT:
            raise CommandError(STATUS_OUT_OF_RANGE)
        return port
