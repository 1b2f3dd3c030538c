"""A running board shown as a picture or as lines of JSON, and the lines typed into it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from hardware_sims.errors import SimulatorError
from solvers.foundation.command_line.app import print_json, stderr
from solvers.foundation.files import iter_lines

if TYPE_CHECKING:
    from hardware_sims.aksen_board.board import Board
    from hardware_sims.aksen_board.devices import Encoder, InfraredLight


BACKSPACES: Final = "\b\x7f"
END_OF_INPUT: Final = "\x04"


def lines_of_input(show: Callable[[str], None] | None) -> Iterator[str]:
    """Yield the lines of standard input.

    With `show`, a terminal does not echo them: what is being typed goes to `show`, which draws
    it where it disturbs nothing.
    """
    if show is None or not sys.stdin.isatty():
        yield from iter_lines(sys.stdin, SimulatorError, "The input")
        return
    typed = ""
    while key := sys.stdin.read(1):
        if key == END_OF_INPUT:
            return
        if key in "\r\n":
            yield typed
            typed = ""
        elif key in BACKSPACES:
            typed = typed[:-1]
        elif key.isprintable():
            typed += key
        show(typed)


@contextmanager
def quiet_keyboard() -> Iterator[None]:
    """Have the terminal give each key at once and echo none; Ctrl-C keeps working."""
    if not sys.stdin.isatty():
        yield
        return
    import termios

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    changed = termios.tcgetattr(descriptor)
    changed[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(descriptor, termios.TCSANOW, changed)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSANOW, before)


BANK_STEP_US: Final = 50  # shown; interrupts make the bank's pulses vary by some 15 us


class JsonLines:
    """Prints one JSON object whenever something that a person could see has changed."""

    def __init__(self) -> None:
        self._shown: dict[str, Any] = {}

    def show(self, board: "Board") -> None:
        """Print what is new."""
        state = board_state(board)
        if state != self._shown:
            self._shown = state
            print_json({"time_ms": board.now_us // 1000, **state})

    def refuse(self, command: str, sentence: str, _: "Board") -> None:
        """Print what is wrong with a command."""
        print_json({"command": command, "error": sentence})

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        return


class TerminalPicture:
    """Draws the board on stderr, with the line that is being typed below."""

    def __init__(self) -> None:
        from rich.live import Live

        self._live = Live(console=stderr, auto_refresh=False)
        self._shown: dict[str, Any] = {}
        self.typed = ""

    def show(self, board: "Board") -> None:
        """Redraw if something has changed."""
        state = {**board_state(board), "typed": self.typed}
        if state != self._shown:
            self._shown = state
            self._live.update(_picture(state), refresh=True)

    def refuse(self, command: str, sentence: str, _: "Board") -> None:  # noqa: ARG002
        """Say what is wrong with a command."""
        stderr.print(f"Error: {sentence}", markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *_: object) -> None:
        self._live.stop()


def _picture(state: dict[str, Any]) -> Any:
    from rich.panel import Panel
    from rich.text import Text

    rows = "\n".join(f"│{line}│" for line in state["lcd"])
    lines = [f"{name:<8} {text}" for name, text in _rows(state).items()]
    text = "\n".join([rows, *lines, f"> {state['typed']}"])
    return Panel(Text(text), title="AKSEN board", expand=False)


def _rows(state: dict[str, Any]) -> dict[str, str]:
    """Return the value for each name of the picture."""
    return {
        "LEDs": " ".join("●" if lit else "○" for lit in state["leds"]),
        "motors": " ".join(f"{m['power']:2}{'+-'[m['direction']]}" for m in state["motors"]),
        "servos": f"{_numbers(state['servos_us'])} us",
        "bank": f"{_numbers(state['servo_bank_us'])} us",
        "out": _levels(state["digital_outputs"]),
        "ir out": "sends" if state["ir_sending"] else "dark",
        "CAN out": " ".join(state["can_sent"][-1:]) or "-",
        "in": _levels(state["digital_inputs"]),
        "DIP": f"{state['dip']:04b}",
        "analog": " ".join(f"{volts:.1f}" for volts in state["analog_volts"]),
        "ir in": " ".join(state["ir_receivers"]),
        "encoder": " ".join(state["encoders"]),
        "mode": state["mode_led"],
        "watch": f"{state['watch_events']} events",
    }


def _numbers(values: list[int]) -> str:
    return " ".join(f"{value:4}" for value in values)


def _levels(levels: list[bool]) -> str:
    return "".join("01"[level] for level in levels)


def board_state(board: "Board") -> dict[str, Any]:
    """Return what a person could see of the board, and what hangs on its inputs."""
    devices = board.devices
    pulses_us = devices.servo_bank.pulses_us(board.now_us)
    return {
        "lcd": list(board.lcd.lines),
        "leds": list(devices.leds),
        "motors": [{"power": m.power, "direction": m.direction} for m in devices.motors],
        "servos_us": list(devices.servos_us),
        "servo_bank_us": [round(pulse_us / BANK_STEP_US) * BANK_STEP_US for pulse_us in pulses_us],
        "digital_outputs": list(devices.digital_outputs),
        "ir_sending": devices.is_sending_infrared,
        "can_sent": [f"{m.identifier.hex()} {m.data.hex()}" for m in devices.can.sent],
        "digital_inputs": list(devices.digital_inputs),
        "dip": devices.dip,
        "analog_volts": [round(volts, 2) for volts in devices.analog_volts],
        "ir_receivers": [_light(light) for light in devices.infrared],
        "encoders": [_motion(encoder) for encoder in board.encoders.on_pins],
        "running": board.is_running,
        "mode": str(board.mode),
        "mode_led": board.mode_led,
        "resets": board.resets,
        "watch_events": board.mcu.watch_event_count,
    }


def _light(light: "InfraredLight | None") -> str:
    if light is None:
        return "-"
    return f"{light.rate_hz:g}Hz" if light.rate_hz else "steady"


def _motion(encoder: "Encoder | None") -> str:
    if encoder is None or encoder.due_us is None:
        return "-"
    return f"{encoder.rate_hz:g}Hz"


def board_ending(board: "Board") -> dict[str, Any]:
    """Return how far the stack went and what the watches saw."""
    return {
        "time_ms": board.now_us // 1000,
        "stack_high_water": board.mcu.stack_high_water,
        "watch_events": [
            {
                "kind": event.kind.name.lower(),
                "pc": event.pc,
                "cycle": event.cycle,
                "address": event.address,
            }
            for event in board.mcu.watch_events()
        ],
    }
