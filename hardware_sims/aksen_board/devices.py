"""Everything in the board's input/output window, 8000h to 80FFh, and on the chip's own pins."""

from dataclasses import dataclass
from typing import Final

from hardware_sims.aksen_board.can_controller import REGISTERS as CAN_REGISTERS
from hardware_sims.aksen_board.can_controller import CanController
from hardware_sims.aksen_board.facts import BoardFacts
from hardware_sims.aksen_board.lcd import CharacterLcd
from hardware_sims.mcs51.microcontroller import Microcontroller
from solvers.foundation.arrays import Int64Array

PINS: Final = ((3, 2), (3, 3), (1, 4))
"""Port and bit of encoders 0, 1 and 2: INT0, INT1, INT2 (board's handbook, circuit diagram)."""

LARGEST_RATE_HZ: Final = 5000
TICKS_RATE_HZ: Final = 500


@dataclass
class Encoder:
    """A wave from `since_us` on: `rate_hz` falling edges a second, `ticks` of them or for ever.

    The first edge comes half a period after the start.
    """

    rate_hz: float
    since_us: int
    ticks: int | None = None
    _changes: int = 0

    @property
    def is_high(self) -> bool:
        """Level of the pin by now."""
        return self._changes % 2 == 0

    @property
    def due_us(self) -> int | None:
        """When the level changes next; None when it does no more."""
        if self.ticks is not None and self._changes >= 2 * self.ticks:
            return None
        return self.since_us + round((self._changes + 1) * 500_000 / self.rate_hz)

    def change(self) -> None:
        """Let the level change."""
        self._changes += 1


class Encoders:
    """All encoders; what is on an encoder's pin is None or an `Encoder`."""

    def __init__(self) -> None:
        self.on_pins: list[Encoder | None] = [None] * len(PINS)

    def turn(self, mcu: Microcontroller, now_us: int) -> int | None:
        """Give the pins their levels; return when one changes next."""
        dues = []
        for encoder, (port, bit) in zip(self.on_pins, PINS, strict=True):
            while encoder and (due_us := encoder.due_us) is not None:
                if due_us > now_us:
                    dues.append(due_us)
                    break
                encoder.change()
            mcu.set_pin(port, bit, encoder is None or encoder.is_high)
        return min(dues, default=None)


SEEN_US: Final = 30_000
CONTINUOUS_HZ: Final = 0


@dataclass
class InfraredLight:
    """Light that shines on a receiver since `since_us`, flashing at `rate_hz`, or continuous."""

    rate_hz: float
    since_us: int

    def is_seen(self, now_us: int) -> bool:
        """Return whether the receiver's output is low now."""
        age_us = now_us - self.since_us
        if self.rate_hz != CONTINUOUS_HZ:
            period_us = 1e6 / self.rate_hz
            age_us = int(age_us % period_us)
            if age_us >= period_us / 2:
                return False
        return 0 <= age_us < SEEN_US


SERVOS: Final = 8
FORGOTTEN_US: Final = 60_000  # three frames without a pulse


class ServoBank:
    """Measures pulses on eight levels."""

    def __init__(self) -> None:
        self._levels = 0xFF
        self._risen_us: list[int | None] = [None] * SERVOS
        self._pulses: list[tuple[int, int]] = [(0, -FORGOTTEN_US)] * SERVOS  # length, its end

    def set_levels(self, levels: int, now_us: int) -> None:
        """Take the pins' levels from now on, pin 8 in bit 0."""
        changed = levels ^ self._levels
        for servo in range(SERVOS):
            if not changed >> servo & 1:
                continue
            risen_us = self._risen_us[servo]
            if levels >> servo & 1:
                self._risen_us[servo] = now_us
            elif risen_us is not None:
                self._pulses[servo] = (now_us - risen_us, now_us)
        self._levels = levels

    def pulses_us(self, now_us: int) -> list[int]:
        """Return the length of each pin's last pulse, 0 where none came for some frames."""
        return [length if now_us - end_us < FORGOTTEN_US else 0 for length, end_us in self._pulses]


OPEN_BUS = 0xFF
DIRECTION_BIT = 0x80
TEN_BITS = 1023


@dataclass
class Motor:
    """`power` in tenths, 0 to 10; `direction` 0 or 1."""

    power: int = 0
    direction: int = 0


class Devices:
    """The registers of the window, the state behind them, and the inputs that a person sets."""

    def __init__(self, facts: BoardFacts, analog: Int64Array) -> None:
        self._facts = facts
        self._channels = analog
        self.lcd = CharacterLcd(facts.lcd_rows, facts.lcd_columns)
        self.dip = 0
        self.digital_inputs = [True] * facts.digital_inputs  # an open input reads 1
        self.infrared: list[InfraredLight | None] = [None] * facts.infrared_receivers
        self.can = CanController()
        can = facts.registers["CAN"]
        self._can = range(can, can + CAN_REGISTERS)
        self._analog_levels = [TEN_BITS] * facts.analog_inputs  # pull-ups: an open one reads 255
        self._names = {address: name for name, address in facts.registers.items()}
        self.reset()

    def reset(self) -> None:
        """Outputs go off; the display and the inputs keep what they have."""
        self._led_bits = 0
        self._digital_outputs = [True] * self._facts.digital_inputs
        self.is_sending_infrared = False
        self.servo_bank = ServoBank()
        self.can.reset()
        self.motors = [Motor() for _ in range(self._facts.motors)]
        self.servos_us = [0] * self._facts.servos
        self._servo_high = [0] * self._facts.servos
        self._select(0)

    @property
    def leds(self) -> tuple[bool, ...]:
        """Which LEDs are lit, LED 0 first."""
        return tuple(bool(self._led_bits >> number & 1) for number in range(self._facts.leds))

    def light_all(self, is_lit: bool) -> None:
        """Let the board's own firmware switch the LEDs."""
        self._led_bits = (1 << self._facts.leds) - 1 if is_lit else 0

    def set_analog(self, number: int, volts: float) -> None:
        """Put a voltage on analogue input `number`, 0 V to full scale."""
        share = min(max(volts / self._facts.full_scale_v, 0.0), 1.0)
        self._analog_levels[number] = round(share * TEN_BITS)
        self._select(self._selected)

    def _select(self, address: int) -> None:
        """Connect the multiplexer's input; it settles at once here (10 us on the board)."""
        self._selected = address & 7
        behind = self._facts.multiplexed_inputs
        direct = self._analog_levels[behind:]
        first = self._facts.first_direct_channel
        self._channels[first : first + len(direct)] = direct
        level = self._analog_levels[self._selected] if self._selected < behind else 0
        self._channels[self._facts.multiplexed_channel] = level

    def read(self, address: int, cycle: int) -> int:
        """Return what MOVX reads at `address` in machine cycle `cycle`."""
        now_us = self._facts.us_at_cycle(cycle)
        if address in self._can:
            return self.can.read(address - self._can.start)
        match self._names.get(address):
            case "LCD_COMMAND":
                return self.lcd.read_status(now_us)
            case "LCD_DATA":
                return self.lcd.read_data(now_us)
            case "DIP":
                return self.dip & self._facts.largest_dip
            case "DIGITAL_IN_LOW":
                return _bits(self._digital_levels(now_us)[:8])
            case "DIGITAL_IN_HIGH":
                return _bits(self._digital_levels(now_us)[8:])
        return OPEN_BUS

    @property
    def analog_volts(self) -> tuple[float, ...]:
        """Voltages on the analogue inputs; open ones are pulled up to full scale."""
        return tuple(level * self._facts.full_scale_v / TEN_BITS for level in self._analog_levels)

    @property
    def digital_outputs(self) -> tuple[bool, ...]:
        """Levels that the program gives its digital pins, pin 0 first; 1 is also an input's."""
        return tuple(self._digital_outputs)

    def _digital_levels(self, now_us: int) -> list[bool]:
        """Return what stands on the inputs; receivers of light pull some of them down."""
        levels = [a and b for a, b in zip(self.digital_inputs, self._digital_outputs, strict=True)]
        for number, light in enumerate(self.infrared, self._facts.first_infrared_input):
            if light is not None and light.is_seen(now_us):
                levels[number] = False
        return levels

    def write(self, address: int, value: int, cycle: int) -> None:
        """Take what MOVX writes to `address`."""
        if address in self._can:
            self.can.write(address - self._can.start, value)
            return
        name = self._names.get(address, "")
        if name == "LCD_COMMAND":
            self.lcd.write_command(value, self._facts.us_at_cycle(cycle))
        elif name == "LCD_DATA":
            self.lcd.write_data(value, self._facts.us_at_cycle(cycle))
        elif name == "LEDS":
            self._led_bits = value
        elif name == "ANALOG_SELECT":
            self._select(value)
        elif name in ("DIGITAL_OUT_LOW", "DIGITAL_OUT_HIGH"):
            first = 0 if name.endswith("LOW") else 8
            self._digital_outputs[first : first + 8] = [bool(value >> n & 1) for n in range(8)]
            if first:
                self.servo_bank.set_levels(value, self._facts.us_at_cycle(cycle))
        elif name == "IR_OUT":
            self.is_sending_infrared = bool(value & 1)
        elif name.startswith("MOTOR_"):
            power = min(value & 0x0F, self._facts.motor_power_max)
            self.motors[_number(name)] = Motor(power, int(bool(value & DIRECTION_BIT)))
        elif name.startswith("SERVO_"):
            self._write_servo(_number(name), value, is_low_byte=name.endswith("LOW"))

    def _write_servo(self, number: int, value: int, is_low_byte: bool) -> None:
        if is_low_byte:
            self.servos_us[number] = self._servo_high[number] << 8 | value
        else:
            self._servo_high[number] = value


def _number(register: str) -> int:
    return int(register.split("_")[1])


def _bits(levels: list[bool]) -> int:
    return sum(1 << number for number, level in enumerate(levels) if level)
