"""What all commands share that talk to a board: options and the open line."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from firmware_tools.boards.facts import Board
    from firmware_tools.line.byte_link import ByteLink

BoardOption = Annotated[
    str,
    typer.Option("--board", metavar="NAME|FILE", help="A board by its name, or its .toml file."),
]
PortOption = Annotated[
    str,
    typer.Option(
        "--port",
        "-p",
        envvar="AKSEN_PORT",
        help="Serial port, pty, or address such as socket://localhost:7000.",
    ),
]
ProtocolOption = Annotated[
    str | None,
    typer.Option("--protocol", help="Boot-loader protocol, such as block [the board's own]."),
]
TraceOption = Annotated[
    Path | None, typer.Option("--trace", help="Write every byte of the session to this file.")
]


@contextmanager
def board_line(
    name: str, port: str, trace: Path | None = None
) -> "Iterator[tuple[ByteLink, Board]]":
    """Open the line to the board called `name` and close it at the end."""
    from firmware_tools.board_job import open_line
    from firmware_tools.boards.board_file import load_board
    from solvers.foundation.clock import SystemClock

    board = load_board(name)
    with open_line(board, port, SystemClock(), trace) as link:
        yield link, board


def hexadecimal(chip_id: bytes) -> str:
    """Return bytes the way the documents write them."""
    return chip_id.hex(" ").upper()
