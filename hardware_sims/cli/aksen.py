"""`hwsim aksen`: an AKSEN board on a serial line, until it is stopped."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hardware_sims.aksen_board import DEFAULT_BOARD, Mode
from hardware_sims.cli import options
from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.command_line.app import PATH, Command, EnumChoice, print_json, stderr
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


if TYPE_CHECKING:
    from hardware_sims.aksen_board.server import BoardServer


@click.command("aksen", cls=Command)
@options.listen_option
@options.allow_remote_option
@options.pty_option
@click.option("--image", type=PATH, metavar="FILE.ihx", help="Flash this program first and run it.")
@click.option("--flash", type=PATH, metavar="FILE", help="Keep the flash's content in FILE.")
@click.option(
    "--rom",
    type=PATH,
    metavar="FILE.ihx",
    help="The library in ROM at 8000h, such as a board's own.",
)
@click.option("--mode", type=EnumChoice(Mode), help="Mode switch: red loads, green runs the flash.")
@click.option("--dip", type=click.IntRange(min=0), default=0, help="The DIP switches as a number.")
@click.option(
    "--board",
    default=DEFAULT_BOARD,
    metavar="NAME|FILE",
    help="A board by its name, or its .toml file.",
)
@options.speed_option
@click.option("--free-running", is_flag=True, help="Boot loader answers as fast as it can.")
@options.faults_option
@options.end_with_input_option
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per change instead of a picture."
)
def aksen(
    listen: str,
    allow_remote: bool,
    pty: Path | None,
    image: Path | None,
    flash: Path | None,
    rom: Path | None,
    mode: Mode | None,
    dip: int,
    board: str,
    speed: float,
    free_running: bool,
    faults: Path | None,
    end_with_input: bool,
    as_json: bool,
) -> None:
    """Simulate an AKSEN board until Ctrl-C or SIGTERM.

    The first line on stdout is a JSON object with the address of its serial line. Commands may be
    typed while it runs: reset, red, green, switch red|green, dip N, analog N VOLTS, in N 0|1,
    ir N 0|1|RATE, encoder N RATE|TICKS, can ID BYTES.

    Examples:
      hwsim aksen --listen 127.0.0.1:7000
    """
    from hardware_sims.aksen_board.board import Board
    from hardware_sims.aksen_board.facts import board_facts
    from hardware_sims.aksen_board.loader.flash import Flash, FlashFile
    from hardware_sims.aksen_board.rom import read_rom
    from hardware_sims.aksen_board.serial_line import (
        SerialFaults,
        SerialPort,
        SerialTerminal,
        load_serial_faults,
    )
    from hardware_sims.aksen_board.server import BoardServer
    from hardware_sims.endpoints import parse_listen_address
    from solvers.foundation.clock import SystemClock

    facts = board_facts(board)
    if dip > facts.largest_dip:
        raise InvalidScenarioError(
            f"The {facts.title} has {facts.dip_switches} DIP switches: the number is at most "
            f"{facts.largest_dip}, not {dip}."
        )
    going_wrong = load_serial_faults(faults) if faults else SerialFaults()
    host, port = parse_listen_address(listen, allow_remote)
    size, full_from = facts.code_bytes, going_wrong.full_from
    stored = FlashFile(flash, size, full_from) if flash else Flash(size, full_from)
    library = read_rom(rom) if rom else None
    simulated = Board(
        image, flash=stored, mode=mode, is_paced=not free_running, facts=facts, rom=library
    )
    simulated.devices.dip = dip
    _warm_up()
    endpoint = SerialTerminal(pty) if pty else SerialPort(host, port)
    view = JsonLines() if as_json or not stderr.is_terminal else TerminalPicture()
    server = BoardServer(
        simulated, SystemClock(speed), endpoint, faults=going_wrong, on_step=view.show
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.stop())
    print_json({"address": server.address, "speed": speed, **board_state(simulated)})
    at_end = server.stop if end_with_input else lambda: None
    threading.Thread(target=_read_commands, args=(server, view, at_end), daemon=True).start()
    with quiet_keyboard() if isinstance(view, TerminalPicture) else nullcontext(), view:
        server.serve()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # on the way out already
    endpoint.close()
    print_json({"stopped": True, **board_ending(simulated)})


def _warm_up() -> None:
    """Compile the core before anybody waits for an answer; about ten seconds the first time."""
    from hardware_sims.mcs51.microcontroller import Microcontroller
    from solvers.foundation.command_line.progress_view import show_waiting

    show_waiting(lambda: Microcontroller().run_cycles(1), "Preparing the simulated chip")


def _read_commands(
    server: "BoardServer", view: JsonLines | TerminalPicture, at_end: Callable[[], None]
) -> None:
    from hardware_sims.aksen_board.operator_commands import parse_command

    def show(typed: str) -> None:
        if isinstance(view, TerminalPicture):
            view.typed = typed

    for line in lines_of_input(show if isinstance(view, TerminalPicture) else None):
        if line.strip():
            try:
                server.do(parse_command(line, server.board.facts))
            except SimulatorError as error:
                server.do(partial(view.refuse, line.strip(), str(error)))
    at_end()
