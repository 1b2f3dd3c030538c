"""`aksen info`: ask the boot loader who it is and what is in flash."""

from firmware_tools.cli.board_line import (
    PortOption,
    ProtocolOption,
    TraceOption,
    board_flasher,
    hexadecimal,
)
from solvers.foundation.command_line.app import JsonOption, print_json


def info(
    port: PortOption,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the chip and the state of its flash. The image is empty, incomplete or valid."""
    from firmware_tools.bootloader.loader import ImageStatus

    with board_flasher(port, protocol, trace) as flasher:
        board = flasher.info()
    status = board.flash.image
    if as_json:
        print_json(
            {
                "chip_id": hexadecimal(board.chip_id),
                "image": status.name.lower(),
                "bytes": board.flash.length,
                "crc32": f"{board.flash.crc32:08X}",
            }
        )
        return
    print(f"Chip: {hexadecimal(board.chip_id)}")
    meaning = {
        ImageStatus.EMPTY: "none, the flash is empty",
        ImageStatus.INCOMPLETE: "incomplete: flashing was cut off; the board will not start it",
        ImageStatus.VALID: f"valid, {board.flash.length} bytes, CRC-32 {board.flash.crc32:08X}",
    }
    print(f"Image: {meaning[status]}")
