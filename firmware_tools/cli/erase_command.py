"""`aksen erase`: empty the board's program flash."""

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import (
    BoardOption,
    PortOption,
    ProtocolOption,
    TraceOption,
    board_line,
)
from solvers.foundation.command_line.app import JsonOption, print_json


def erase(
    port: PortOption = None,
    board: BoardOption = DEFAULT_BOARD,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Erase the program flash.

    Examples:
      aksen erase --port /dev/ttyUSB0
    """
    from firmware_tools.board_job import erase_board
    from firmware_tools.bootloader.protocols import protocol_for
    from solvers.foundation.command_line.progress_view import show_progress

    with board_line(board, port, trace) as (link, facts):
        show_progress(erase_board(link, facts, protocol_for(facts, protocol)), facts.title)
    if as_json:
        print_json({"erased": True})
    else:
        print("The flash is empty.")
