"""What all commands share that talk to a board: options and the open line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from solvers.foundation.command_line.app import stderr
from solvers.foundation.command_line.options import output_file

if TYPE_CHECKING:
    from firmware_tools.boards.facts import Board
    from firmware_tools.line.byte_link import ByteLink

BoardOption = Annotated[
    str,
    typer.Option("--board", metavar="NAME|FILE", help="A board by its name, or its .toml file."),
]
PORT_VARIABLE: Final = "AKSEN_PORT"
PortOption = Annotated[
    str | None,
    typer.Option(
        "--port",
        "-p",
        help="Serial port, pty, or address such as socket://localhost:7000 "
        f"[the environment's {PORT_VARIABLE}, or the only port].",
    ),
]
ProtocolOption = Annotated[
    str | None,
    typer.Option("--protocol", help="Boot-loader protocol, such as block [the board's own]."),
]
TraceOption = Annotated[
    Path | None, output_file("--trace", help="Write every byte of the session to this file.")
]


@contextmanager
def board_line(
    name: str, port: str | None, trace: Path | None = None
) -> "Iterator[tuple[ByteLink, Board]]":
    """Open the line to the board called `name` and close it at the end.

    Without `port` it is the one that the environment names, or the only one there is.
    """
    from firmware_tools.board_job import open_line
    from firmware_tools.boards.board_file import load_board
    from solvers.foundation.clock import SystemClock

    board = load_board(name)
    port = port or os.environ.get(PORT_VARIABLE) or _only_port()
    with open_line(board, port, SystemClock(), trace) as link:
        yield link, board


def _only_port() -> str:
    """Return the only port, and tell which it is. Raises PortNotFoundError."""
    from firmware_tools.line.serial_link import available_ports, only_port

    port = only_port(available_ports())
    stderr.print(f"Port {port.device} ({port.description})", markup=False, highlight=False)
    return port.device


def hexadecimal(chip_id: bytes) -> str:
    """Return bytes the way the documents write them."""
    return chip_id.hex(" ").upper()
