"""What a person does to the board: words typed into the running simulator, one line each.

reset | red | green          press reset, with the mode switch moved first
switch red|green             move the mode switch alone
dip N                        all switches as a number; switch 0 is its lowest bit
analog N VOLTS               an analogue input, 0 V to full scale
in N 0|1                     a digital input
ir N RATE                    light on receiver N, flashing as `125Hz` says; 0 none, 1 steady
encoder N RATE|TICKS         a wheel on encoder N turns at `40Hz`, or for N ticks; 0 stops it
can ID BYTES                 a CAN message: the identifier's four bytes and up to eight more, in hex
"""

from collections.abc import Callable

from hardware_sims.aksen_board import Mode
from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.can_controller import LARGEST_DATA, CanMessage
from hardware_sims.aksen_board.devices import (
    CONTINUOUS_HZ,
    PINS,
    TICKS_RATE_HZ,
    Encoder,
    InfraredLight,
)
from hardware_sims.aksen_board.devices import LARGEST_RATE_HZ as FASTEST_ENCODER_HZ
from hardware_sims.aksen_board.facts import BoardFacts
from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.wording import whole_number

Action = Callable[[Board], None]
LARGEST_RATE_HZ = 1000
MOST_TICKS = 65535
HELP = (
    "reset, red, green, switch red|green, dip N, analog N VOLTS, in N 0|1, ir N RATE, "
    "encoder N RATE|TICKS, can ID BYTES"
)


def parse_command(line: str, facts: BoardFacts) -> Action:
    """Return what a line asks of a board; InvalidScenarioError if it makes no sense."""
    match line.split():
        case ["reset"]:
            return lambda board: board.reset()
        case [("red" | "green") as mode]:
            return lambda board: board.reset(Mode(mode))
        case ["switch", ("red" | "green") as mode]:
            return lambda board: setattr(board, "mode", Mode(mode))
        case ["dip", number]:
            bits = _whole(number, facts.largest_dip)
            return lambda board: setattr(board.devices, "dip", bits)
        case ["analog", number, volts]:
            channel = _whole(number, facts.analog_inputs - 1)
            level = _volts(volts, facts.full_scale_v)
            return lambda board: board.devices.set_analog(channel, level)
        case ["in", number, level]:
            place, is_high = _whole(number, facts.digital_inputs - 1), bool(_whole(level, 1))
            return lambda board: board.devices.digital_inputs.__setitem__(place, is_high)
        case ["ir", number, rate]:
            place, rate_hz = _whole(number, facts.infrared_receivers - 1), _rate(rate)
            return lambda board: board.devices.infrared.__setitem__(
                place, None if rate_hz is None else InfraredLight(rate_hz, board.now_us)
            )
        case ["encoder", number, motion]:
            place, turns = _whole(number, len(PINS) - 1), _motion(motion)
            return lambda board: board.encoders.on_pins.__setitem__(place, turns(board.now_us))
        case ["can", identifier, *data]:
            message = CanMessage(_bytes(identifier, 4), _bytes("".join(data)))
            return lambda board: board.devices.can.receive(message)
    raise InvalidScenarioError(f"{line.strip()!r} is no command; there are {HELP}.")


def _whole(text: str, largest: int) -> int:
    number = whole_number(text, largest)
    if number is not None:
        return number
    raise InvalidScenarioError(f"{text!r} must be a whole number from 0 to {largest}.")


def _volts(text: str, full_scale_v: float) -> float:
    try:
        volts = float(text)
    except ValueError:
        volts = -1.0
    if 0 <= volts <= full_scale_v:
        return volts
    raise InvalidScenarioError(f"{text!r} must be a voltage from 0 to {full_scale_v:g}.")


def _rate(text: str) -> float | None:
    """Return how often light flashes a second: 0 for steady light, None for none."""
    if text in ("0", "1"):
        return None if text == "0" else CONTINUOUS_HZ
    rate_hz = _hertz(text)
    if rate_hz is not None and 1 <= rate_hz <= LARGEST_RATE_HZ:
        return rate_hz
    raise InvalidScenarioError(
        f"{text!r} must be 0 (no light), 1 (steady) or a rate from 1Hz to {LARGEST_RATE_HZ}Hz."
    )


def _hertz(text: str) -> float | None:
    """Return the rate in a text such as `125Hz`; None if it is none."""
    try:
        return float(text.removesuffix("Hz")) if text.endswith("Hz") else None
    except ValueError:
        return None


def _motion(text: str) -> Callable[[int], Encoder | None]:
    """Return what makes the motion that a rate or a number of ticks names, when it starts."""
    rate_hz = _hertz(text)
    if rate_hz is not None and 0 < rate_hz <= FASTEST_ENCODER_HZ:
        return lambda now_us: Encoder(rate_hz, now_us)
    ticks = whole_number(text, MOST_TICKS)
    if ticks is not None:
        return lambda now_us: Encoder(TICKS_RATE_HZ, now_us, ticks)
    raise InvalidScenarioError(
        f"{text!r} must be a rate up to {FASTEST_ENCODER_HZ}Hz or a number of ticks up to "
        f"{MOST_TICKS}."
    )


def _bytes(text: str, count: int | None = None) -> bytes:
    """Return bytes in hexadecimal: exactly `count`, or as many as a message may have."""
    try:
        data = bytes.fromhex(text)
    except ValueError:
        data = bytes(LARGEST_DATA + 1)
    if len(data) == count or (count is None and len(data) <= LARGEST_DATA):
        return data
    wanted = f"{count}" if count is not None else f"up to {LARGEST_DATA}"
    raise InvalidScenarioError(f"{text!r} must be {wanted} bytes in hexadecimal.")
