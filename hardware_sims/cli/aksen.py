"""`hwsim aksen`: an AKSEN board on a serial line, until it is stopped."""

import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hardware_sims.aksen_board import DEFAULT_BOARD
from hardware_sims.aksen_board.mode import Mode
from hardware_sims.cli.aksen_views import (
    JsonLines,
    TerminalPicture,
    board_ending,
    board_state,
    lines_of_input,
    quiet_keyboard,
)
from hardware_sims.cli.options import (
    allow_remote_option,
    end_with_input_option,
    faults_option,
    listen_option,
    pty_option,
    speed_option,
)
from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.command_line.app import PATH, Command, EnumChoice, print_json, stderr

if TYPE_CHECKING:
    from hardware_sims.aksen_board.server import BoardServer


@click.command("aksen", cls=Command)
@listen_option
@allow_remote_option
@pty_option
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
@speed_option
@click.option("--free-running", is_flag=True, help="Boot loader answers as fast as it can.")
@faults_option
@end_with_input_option
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
    from hardware_sims.endpoints.endpoint import parse_listen_address
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
    kept = FlashFile(flash, size, full_from) if flash else Flash(size, full_from)
    library = read_rom(rom) if rom else None
    simulated = Board(
        image, flash=kept, mode=mode, is_paced=not free_running, facts=facts, rom=library
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
