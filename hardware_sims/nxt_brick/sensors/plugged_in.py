"""Sensors as things with a value that an operator sets."""

from abc import ABC, abstractmethod
from typing import Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.sensors.color import COLORS
from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.nxt_brick.sensors.input_module import LIGHT_RANGE, SOUND_RANGE
from hardware_sims.nxt_brick.sensors.ultrasonic import UltrasonicRegisters
from solvers.foundation.numbers import whole_number

PORT_NUMBERS: Final = "1234"
LARGEST_NUMBER: Final = 999_999  # each sensor has its own bound
COLOR_RAW: Final = 20  # a colour sensor pulls the converter's pin down
DARK: Final = (0,) * COLORS
# What lies under a colour sensor by its number: red, green and blue light that comes back, and
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

    `raw` is what the converter reads there, `seen` what a colour sensor's lights give (red, green,
    blue, none), all 0 to 1023.
    """

    unit: str
    largest: int
    seen: tuple[int, ...] = DARK

    def __init__(self, value: int) -> None:
        self.raw = FULL_SCALE
        self.set(value)

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
    """Brightness in percent, with its lamp on or off alike."""

    unit = "percent"
    largest = 100

    def sense(self, value: int) -> None:
        """See that much light."""
        self.raw = _raw_of_percent(value, LIGHT_RANGE)


class Sound(Sensor):
    """Loudness in percent, dB and dBA alike."""

    unit = "percent"
    largest = 100

    def sense(self, value: int) -> None:
        """Hear that much noise."""
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
        """Begin to turn there."""
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
    return PORT_NUMBERS.index(port), make(typed_number(value) if equals else usual)


def typed_number(text: str) -> int:
    """Return the number that an operator typed. Raises InvalidScenarioError."""
    number = whole_number(text, LARGEST_NUMBER)
    if number is None:
        raise InvalidScenarioError(f"{text[:20]!r} must be a whole number, not too large.")
    return number
