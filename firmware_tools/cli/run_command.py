"""`aksen run`: start the program in flash."""

from typing import Annotated

import typer

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import (
    BoardOption,
    PortOption,
    ProtocolOption,
    TraceOption,
    board_line,
)
from firmware_tools.cli.monitor_command import SecondsOption, show_program
from solvers.foundation.command_line.app import JsonOption, print_json


def run(
    port: PortOption = None,
    monitor: Annotated[
        bool, typer.Option("--monitor", help="Show what the program sends, from its first byte.")
    ] = False,
    seconds: SecondsOption = None,
    board: BoardOption = DEFAULT_BOARD,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Start the program in flash. Only reset brings the boot loader back.

    Examples:
      aksen run --port /dev/ttyUSB0 --monitor
    """
    from firmware_tools.bootloader.protocols import protocol_for
    from firmware_tools.flashing.flasher import Flasher

    with board_line(board, port, trace) as (link, facts):
        flasher = Flasher(link, facts, protocol_for(facts, protocol))
        flasher.connect()
        flasher.run()
        if not as_json:
            print("Running." if monitor else "Running. `aksen monitor` shows what it sends.")
        received = show_program(link, seconds, quiet=as_json) if monitor else None
    if as_json:
        heard = {} if received is None else {"received": received}
        print_json({"running": True, **heard})
