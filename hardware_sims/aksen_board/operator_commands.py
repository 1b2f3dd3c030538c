"""What a person does to the board: words typed into the running simulator, one line each.

reset | red | green          press reset, with the mode switch moved first
dip N                        all four switches as a number, 0 to 15
analog N VOLTS               input 0 to 14, 0 to 5 V
in N 0|1                     digital input 0 to 15
ir N 0|1                     receiver 0 to 2 sees its carrier
"""

from collections.abc import Callable

from hardware_sims.aksen_board.board import Board, Mode
from hardware_sims.errors import InvalidScenarioError

Action = Callable[[Board], None]
HELP = "reset, red, green, dip N, analog N VOLTS, in N 0|1, ir N 0|1"


def parse_command(line: str) -> Action:
    """Return what a line asks for; InvalidScenarioError if it makes no sense."""
    match line.split():
        case ["reset"]:
            return lambda board: board.reset()
        case [("red" | "green") as mode]:
            return lambda board: board.reset(Mode(mode))
        case ["dip", number]:
            bits = _whole(number, 15)
            return lambda board: setattr(board.devices, "dip", bits)
        case ["analog", number, volts]:
            channel, level = _whole(number, 14), _volts(volts)
            return lambda board: board.devices.set_analog(channel, level)
        case ["in", number, level]:
            place, is_high = _whole(number, 15), bool(_whole(level, 1))
            return lambda board: board.devices.digital_inputs.__setitem__(place, is_high)
        case ["ir", number, level]:
            place, is_seen = _whole(number, 2), bool(_whole(level, 1))
            return lambda board: board.devices.infrared.__setitem__(place, is_seen)
    raise InvalidScenarioError(f"{line.strip()!r} is no command; there are {HELP}.")


def _whole(text: str, largest: int) -> int:
    if text.isdigit() and int(text) <= largest:
        return int(text)
    raise InvalidScenarioError(f"{text!r} must be a whole number from 0 to {largest}.")


def _volts(text: str) -> float:
    try:
        volts = float(text)
    except ValueError:
        volts = -1.0
    if 0 <= volts <= 5:
        return volts
    raise InvalidScenarioError(f"{text!r} must be a voltage from 0 to 5.")
