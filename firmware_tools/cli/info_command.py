"""`aksen info`: ask the boot loader who it is and what is in flash."""

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import (
    BoardOption,
    PortOption,
    ProtocolOption,
    TraceOption,
    board_line,
    hexadecimal,
)
from solvers.foundation.command_line.app import JsonOption, print_json


def info(
    port: PortOption = None,
    board: BoardOption = DEFAULT_BOARD,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the chip and the state of its flash. The image is empty, incomplete or valid.

    Examples:
      aksen info --port /dev/ttyUSB0
    """
    from firmware_tools.bootloader.loader import ImageStatus
    from firmware_tools.bootloader.protocols import protocol_for
    from firmware_tools.flashing.flasher import Flasher

    with board_line(board, port, trace) as (link, facts):
        found = Flasher(link, facts, protocol_for(facts, protocol)).info()
    status = found.flash.image
    if as_json:
        print_json(
            {
                "chip_id": hexadecimal(found.chip_id),
                "image": status.name.lower(),
                "bytes": found.flash.length,
                "crc32": f"{found.flash.crc32:08X}",
            }
        )
        return
    print(f"Chip: {hexadecimal(found.chip_id)}")
    meaning = {
        ImageStatus.EMPTY: "none, the flash is empty",
        ImageStatus.INCOMPLETE: "incomplete: flashing was cut off; the board will not start it",
        ImageStatus.VALID: f"valid, {found.flash.length} bytes, CRC-32 {found.flash.crc32:08X}",
    }
    print(f"Image: {meaning[status]}")
