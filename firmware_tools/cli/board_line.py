"""What all commands share that talk to a board: options, the open line, progress bars."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from solvers.foundation.command_line.app import stderr

if TYPE_CHECKING:
    from firmware_tools.boards.facts import Board
    from firmware_tools.flashing.flasher import Flasher, Phase, ProgressCallback
    from firmware_tools.line.byte_link import ByteLink

PortOption = Annotated[
    str,
    typer.Option(
        "--port", "-p", help="Serial port, pty, or address such as socket://localhost:7000."
    ),
]
ProtocolOption = Annotated[
    str | None, typer.Option("--protocol", help="Boot-loader protocol: block or hex-ack.")
]
TraceOption = Annotated[
    Path | None, typer.Option("--trace", help="Write every byte of the session to this file.")
]


@contextmanager
def board_link(port: str, trace: Path | None = None) -> "Iterator[tuple[ByteLink, Board]]":
    """Open the line to the board and close it at the end."""
    from firmware_tools.boards.facts import load_board
    from firmware_tools.line.ports import open_link

    board = load_board()
    link = open_link(port, board.baud, time.monotonic, trace)
    try:
        yield link, board
    finally:
        link.close()


@contextmanager
def board_flasher(
    port: str, protocol: str | None = None, trace: Path | None = None
) -> "Iterator[Flasher]":
    """Open the line and yield a flasher on it; its protocol is the board's unless one is named."""
    from firmware_tools.bootloader.protocols import find_protocol
    from firmware_tools.flashing.flasher import Flasher

    named = find_protocol(protocol) if protocol else None
    with board_link(port, trace) as (link, board):
        yield Flasher(link, board, named or find_protocol(board.loader.protocol))


@contextmanager
def progress_bars() -> "Iterator[ProgressCallback]":
    """Yield a callback that draws one bar per phase on stderr."""
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:8}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=stderr) as progress:
        bars: dict[Phase, TaskID] = {}

        def show(phase: "Phase", done: int, total: int) -> None:
            if phase not in bars:
                bars[phase] = progress.add_task(phase.value, total=total)
            progress.update(bars[phase], completed=done)

        yield show


def hexadecimal(chip_id: bytes) -> str:
    """Return bytes the way the documents write them."""
    return chip_id.hex(" ").upper()
