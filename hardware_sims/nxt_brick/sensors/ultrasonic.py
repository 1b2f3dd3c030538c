"""The registers of LEGO's ultrasonic sensor on the I2C bus.

Source: LEGO Mindstorms NXT Hardware Developer Kit, appendix 7.
"""

from typing import Final

ADDRESS: Final = 0x02
READ_BIT: Final = 0x01
NOTHING_SEEN: Final = 255

_CONSTANTS: Final = {
    0x00: b"V1.0\0\0\0\0",
    0x08: b"LEGO\0\0\0\0",
    0x10: b"Sonar\0\0\0",
    0x11: b"\0",  # zero, scale and divisor of the factory
    0x12: b"\1",
    0x13: b"\x0e",
    0x14: b"10E-2m\0",
}
_INTERVAL: Final = 0x40
_COMMAND: Final = 0x41
_FIRST_ECHO: Final = 0x42
_ECHOES: Final = 8
_ZERO: Final = 0x50  # then scale and divisor
_OFF: Final = 0
_SINGLE_SHOT: Final = 1
_CONTINUOUS: Final = 2
_WARM_RESET: Final = 4


class UltrasonicRegisters:
    """What the bus sees of the sensor, in front of something at `distance_cm` (255: nothing)."""

    def __init__(self) -> None:
        self.distance_cm = NOTHING_SEEN
        self._reset()

    def _reset(self) -> None:
        self._interval = 1
        self._command = _CONTINUOUS
        self._calibration = bytearray(b"\0\1\x0e")
        self._echoes = bytes((NOTHING_SEEN,)) * _ECHOES

    def transfer(self, sent: bytes, wanted: int) -> bytes | None:
        """Return the bytes read after `sent` was written; None if the address is another's."""
        if not sent or sent[0] & ~READ_BIT != ADDRESS:
            return None
        if len(sent) >= 3:
            self._write(sent[1], sent[2:])
        return self._read(sent[1], wanted) if wanted and len(sent) >= 2 else bytes(wanted)

    def _write(self, register: int, data: bytes) -> None:
        for address, value in enumerate(data, start=register):
            if address == _INTERVAL:
                self._interval = value
            elif address == _COMMAND:
                self._obey(value)
            elif _ZERO <= address < _ZERO + len(self._calibration):
                self._calibration[address - _ZERO] = value

    def _obey(self, command: int) -> None:
        if command == _WARM_RESET:
            self._reset()
            return
        self._command = command
        if command == _SINGLE_SHOT:
            self._echoes = self._seen()
            self._command = _OFF

    def _seen(self) -> bytes:
        return bytes((self.distance_cm,)).ljust(_ECHOES, bytes((NOTHING_SEEN,)))

    def _read(self, register: int, wanted: int) -> bytes:
        if register in _CONSTANTS:
            return _CONSTANTS[register].ljust(wanted, b"\0")[:wanted]
        if self._command == _CONTINUOUS:
            self._echoes = self._seen()
        measuring = bytes((self._interval, self._command)) + self._echoes
        state = measuring.ljust(_ZERO - _INTERVAL, b"\0") + self._calibration
        start = max(0, register - _INTERVAL)
        return state[start : start + wanted].ljust(wanted, b"\0")
