"""Sensors with a value that an operator sets, and the ultrasonic sensor's registers."""

from abc import ABC, abstractmethod
from typing import Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.sensors.color import COLORS
from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.nxt_brick.sensors.input_module import LIGHT_RANGE, SOUND_RANGE
from solvers.foundation.wording import whole_number

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


PORT_NUMBERS: Final = "1234"
LARGEST_NUMBER: Final = 999_999  # each sensor has its own bound
COLOR_RAW: Final = 20  # a colour sensor pulls the converter's pin down
DARK: Final = (0,) * COLORS
# What is under a colour sensor by its number: red, green and blue light that comes back, and
# the room's. LEGO's thresholds (c_input.c) give each its number.
SAMPLES: Final = (
    DARK,
    (110, 105, 100, 60),
    (240, 280, 370, 150),
    (250, 370, 280, 150),
    (600, 500, 320, 200),
    (580, 300, 280, 180),
    (650, 640, 630, 250),
)
TURNING_TICKS: Final = 10  # a step of the rotation sensor; six turns a second
LEVELS_RAW: Final = (350, 560, 970, 790)  # of the rotation sensor, in the order of its steps
PRESSED_RAW: Final = 183  # a pressed touch sensor is 2.2 kOhm against the 10 kOhm pull-up


class Sensor(ABC):
    """Something on a sensor port.

    `raw` is what the converter reads there, `raw_lit` the same while the port lights a lamp, `seen`
    what a colour sensor's lights give (red, green, blue, none), all 0 to 1023. One that
    `follows_rig` sees what the rig gives it in each millisecond.
    """

    unit: str
    largest: int
    follows_rig = False
    seen: tuple[int, ...] = DARK

    def __init__(self, value: int) -> None:
        self.raw = FULL_SCALE
        self.set(value)

    @property
    def raw_lit(self) -> int:
        """What the converter reads while the port lights a lamp."""
        return self.raw

    def type_in(self, text: str) -> None:
        """Set the value that an operator typed. Raises InvalidScenarioError."""
        self.set(typed_number(text))

    def set(self, value: int) -> None:
        """Give the sensor something to sense. Raises InvalidScenarioError."""
        if not 0 <= value <= self.largest:
            raise InvalidScenarioError(
                f"{value} cannot be sensed there; give {self.unit} from 0 to {self.largest}."
            )
        self.sense(value)

    def move(self) -> bool:
        """Let a millisecond pass; return whether the sensor is in motion."""
        return False

    @abstractmethod
    def sense(self, value: int) -> None:
        """Take on a value of the range."""


class Touch(Sensor):
    """A button: 0 released, 1 pressed."""

    unit = "a number"
    largest = 1

    def sense(self, value: int) -> None:
        """Press or release."""
        self.raw = PRESSED_RAW if value else FULL_SCALE


class Light(Sensor):
    """Brightness in percent: with the sensor's lamp on, and in the room's light alone.

    Typed as `LIT/UNLIT`; without the second, a third of the first comes from the room (assumed,
    LEGO publishes no figure).
    """

    unit = "percent"
    largest = 100
    _lit = 0

    @property
    def raw_lit(self) -> int:
        """What the converter reads with the lamp on."""
        return _raw_of_percent(self._lit, LIGHT_RANGE)

    def type_in(self, text: str) -> None:
        """Set `LIT` or `LIT/UNLIT`. Raises InvalidScenarioError."""
        lit, separator, unlit = text.partition("/")
        if not separator:
            self.set(typed_number(lit))
            return
        room = typed_number(unlit)
        self.set(room)  # checks the range
        self.set(typed_number(lit))
        self.raw = _raw_of_percent(room, LIGHT_RANGE)

    def sense(self, value: int) -> None:
        """See that much light with the lamp on."""
        self._lit = value
        self.raw = _raw_of_percent(value // 3, LIGHT_RANGE)


class Sound(Sensor):
    """Loudness in percent, dB and dBA alike."""

    unit = "percent"
    largest = 100

    def sense(self, value: int) -> None:
        """Sense that much noise."""
        self.raw = _raw_of_percent(value, SOUND_RANGE)


class Ultrasonic(Sensor):
    """Distance in centimetres; 255 is "nothing in reach"."""

    unit = "centimetres"
    largest = 255

    def __init__(self, value: int) -> None:
        self.registers = UltrasonicRegisters()
        super().__init__(value)

    def sense(self, value: int) -> None:
        """See something at that distance."""
        self.registers.distance_cm = value


class Color(Sensor):
    """The colour sensor over one of LEGO's colours: 1 black, blue, green, yellow, red, 6 white."""

    unit = "a colour's number"
    largest = len(SAMPLES) - 1

    def __init__(self, value: int) -> None:
        super().__init__(value)
        self.raw = COLOR_RAW

    def sense(self, value: int) -> None:
        """See that colour; 0 is nothing at all."""
        self.see(*SAMPLES[value])

    def see(self, red: int, green: int, blue: int, blank: int) -> None:
        """See what gives these readings with each of the lights and with none."""
        self.seen = (red, green, blue, blank)


class Rotation(Sensor):
    """The rotation sensor of the RCX, which turns to a number of sixteenths of a turn."""

    unit = "sixteenths of a turn"
    largest = 10_000

    def __init__(self, value: int) -> None:
        self._place = 0
        self._ticks = 0
        super().__init__(value)
        self.raw = LEVELS_RAW[0]

    def sense(self, value: int) -> None:
        """Start turning to it."""
        self._target = value

    def move(self) -> bool:
        """Turn a step further when it is time."""
        if self._place == self._target:
            return False
        self._ticks += 1
        if self._ticks == TURNING_TICKS:
            self._ticks = 0
            self._place += 1 if self._target > self._place else -1
            self.raw = LEVELS_RAW[self._place % len(LEVELS_RAW)]
        return True


KINDS: Final[dict[str, tuple[type[Sensor], int]]] = {
    "touch": (Touch, 0),
    "light": (Light, 40),
    "sound": (Sound, 10),
    "ultrasonic": (Ultrasonic, 255),
    "color": (Color, 6),
    "rotation": (Rotation, 0),
}


def _raw_of_percent(percent: int, usable: tuple[int, int]) -> int:
    zero, width_percent = usable
    rest = FULL_SCALE - (FULL_SCALE * percent + 50) // 100
    return min(FULL_SCALE, zero - (-rest * width_percent // 100))


def parse_sensor(text: str) -> tuple[int, Sensor]:
    """Return port (0 to 3) and sensor of `PORT:KIND` or `PORT:KIND=VALUE`, such as `1:touch=1`.

    Raises:
        InvalidScenarioError: the text has another form.
    """
    port, _, rest = text.partition(":")
    kind, equals, value = rest.partition("=")
    if len(port) != 1 or port not in PORT_NUMBERS or kind not in KINDS:
        raise InvalidScenarioError(
            f"{text!r} is no sensor; write PORT:KIND or PORT:KIND=VALUE with a port from 1 to 4 "
            f"and {', '.join(KINDS)}, for example 4:ultrasonic=30."
        )
    make, usual = KINDS[kind]
    sensor = make(usual)
    if equals:
        sensor.type_in(value)
    return PORT_NUMBERS.index(port), sensor


def typed_number(text: str) -> int:
    """Return the number that an operator typed. Raises InvalidScenarioError."""
    number = whole_number(text, LARGEST_NUMBER)
    if number is None:
        raise InvalidScenarioError(f"{text[:20]!r} must be a whole number, not too large.")
    return number
