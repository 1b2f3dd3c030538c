"""`aksen verify`: compare the board's flash with an image."""

from pathlib import Path
from typing import Annotated

import typer

from firmware_tools.cli.board_line import (
    PortOption,
    ProtocolOption,
    TraceOption,
    board_flasher,
    progress_bars,
)
from solvers.foundation.command_line.app import JsonOption, print_json


def verify(
    image: Annotated[Path, typer.Argument(help="Intel-HEX image.")],
    port: PortOption,
    protocol: ProtocolOption = None,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare the board's flash with an image. Exits with 1 if they differ."""
    from firmware_tools.boards.facts import load_board
    from firmware_tools.flashing.image import load_image

    expected = load_image(image, load_board())
    with board_flasher(port, protocol, trace) as flasher:
        flasher.connect()
        with progress_bars() as progress:
            flasher.verify(expected, progress)
    if as_json:
        crc32 = f"{expected.crc32:08X}"
        print_json({"verified": True, "bytes": len(expected.data), "crc32": crc32})
    else:
        print(f"Flash holds {expected.name}: {len(expected.data)} bytes are the same.")
