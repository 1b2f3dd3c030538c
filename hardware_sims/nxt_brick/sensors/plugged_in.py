"""Sensors as things with a value that an operator sets: touch, light, sound, ultrasonic."""

from abc import ABC, abstractmethod
from typing import Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.sensors.input_module import (
    FULL_SCALE,
    LIGHT_RANGE,
    SOUND_RANGE,
)
from hardware_sims.nxt_brick.sensors.ultrasonic import UltrasonicRegisters
from solvers.foundation.numbers import whole_number

PORT_NUMBERS: Final = "1234"
LARGEST_NUMBER: Final = 999_999  # each sensor has its own bound
PRESSED_RAW: Final = 183  # a pressed touch sensor is 2.2 kOhm against the 10 kOhm pull-up


class Sensor(ABC):
    """Something on a sensor port. `raw` is what the converter reads there, 0 to 1023."""

    unit: str
    largest: int

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


KINDS: Final[dict[str, tuple[type[Sensor], int]]] = {
    "touch": (Touch, 0),
    "light": (Light, 40),
    "sound": (Sound, 10),
    "ultrasonic": (Ultrasonic, 255),
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
