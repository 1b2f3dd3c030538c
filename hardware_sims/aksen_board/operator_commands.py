"""What a person does to the board: words typed into the running simulator, one line each.

reset | red | green          press reset, with the mode switch moved first
dip N                        all switches as a number; switch 0 is its lowest bit
analog N VOLTS               an analogue input, 0 V to full scale
in N 0|1                     a digital input
ir N RATE                    light on receiver N, flashing as `125Hz` says; 0 none, 1 steady
"""

from collections.abc import Callable

from hardware_sims.aksen_board.board import Board
from hardware_sims.aksen_board.facts import BoardFacts
from hardware_sims.aksen_board.infrared import CONTINUOUS_HZ, InfraredLight
from hardware_sims.aksen_board.mode import Mode
from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.numbers import whole_number

Action = Callable[[Board], None]
LARGEST_RATE_HZ = 1000
HELP = "reset, red, green, dip N, analog N VOLTS, in N 0|1, ir N RATE"


def parse_command(line: str, facts: BoardFacts) -> Action:
    """Return what a line asks of a board; InvalidScenarioError if it makes no sense."""
    match line.split():
        case ["reset"]:
            return lambda board: board.reset()
        case [("red" | "green") as mode]:
            return lambda board: board.reset(Mode(mode))
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
    try:
        rate_hz = float(text.removesuffix("Hz"))
    except ValueError:
        rate_hz = -1.0
    if text.endswith("Hz") and 1 <= rate_hz <= LARGEST_RATE_HZ:
        return rate_hz
    raise InvalidScenarioError(
        f"{text!r} must be 0 (no light), 1 (steady) or a rate from 1Hz to {LARGEST_RATE_HZ}Hz."
    )
