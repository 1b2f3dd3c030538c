"""`aksen run`: start the program in flash."""

from firmware_tools.cli.board_line import PortOption, ProtocolOption, TraceOption, board_flasher
from solvers.cli.command_line import JsonOption, print_json


def run(
    port: PortOption,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start the program in flash; after that only reset brings the boot loader back."""
    with board_flasher(port, protocol, trace) as flasher:
        flasher.connect()
        flasher.run()
    if as_json:
        print_json({"running": True})
    else:
        print("Running. `aksen monitor` shows what the program sends.")
