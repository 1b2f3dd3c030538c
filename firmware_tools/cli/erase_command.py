"""`aksen erase`: empty the board's program flash."""

from firmware_tools.cli.board_line import (
    PortOption,
    ProtocolOption,
    TraceOption,
    board_flasher,
    progress_bars,
)
from solvers.foundation.command_line.app import JsonOption, print_json


def erase(
    port: PortOption,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Erase the program flash."""
    with board_flasher(port, protocol, trace) as flasher:
        flasher.connect()
        with progress_bars() as progress:
            flasher.erase(progress)
    if as_json:
        print_json({"erased": True})
    else:
        print("The flash is empty.")
