"""`aksen verify`: compare the board's flash with an image."""

from pathlib import Path
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
from solvers.foundation.command_line.app import JsonOption, print_json


def verify(
    image: Annotated[Path, typer.Argument(help="Intel-HEX image.")],
    port: PortOption = None,
    board: BoardOption = DEFAULT_BOARD,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the board's flash with an image. Exits with 1 if they differ.

    Examples:
      aksen verify out/hello.ihx --port /dev/ttyUSB0
    """
    from firmware_tools.board_job import verify_board
    from firmware_tools.boards.board_file import load_board
    from firmware_tools.bootloader.protocols import protocol_for
    from firmware_tools.flashing.image import load_image
    from solvers.foundation.command_line.progress_view import show_progress

    expected = load_image(image, load_board(board))
    with board_line(board, port, trace) as (link, facts):
        job = verify_board(link, facts, protocol_for(facts, protocol), expected)
        show_progress(job, facts.title)
    if as_json:
        crc32 = f"{expected.crc32:08X}"
        print_json({"verified": True, "bytes": len(expected.data), "crc32": crc32})
    else:
        print(f"Flash holds {expected.name}: {len(expected.data)} bytes are the same.")
