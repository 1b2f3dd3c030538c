"""Options and the open line, shared by all commands that talk to a board."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from firmware_tools.boards import DEFAULT_BOARD
from solvers.foundation.command_line.app import OUTPUT_FILE, json_option, stderr

if TYPE_CHECKING:
    from firmware_tools.boards.facts import Board
    from firmware_tools.bootloader.loader import LoaderProtocol
    from firmware_tools.line.byte_link import ByteLink

board_option = click.option(
    "--board",
    default=DEFAULT_BOARD,
    metavar="NAME|FILE",
    help="A board by its name, or its .toml file.",
)
PORT_VARIABLE: Final = "AKSEN_PORT"
port_option = click.option(
    "--port",
    "-p",
    help="Serial port, pty, or address such as socket://localhost:7000 "
    f"[the environment's {PORT_VARIABLE}, or the only port].",
)
protocol_option = click.option(
    "--protocol", help="Boot-loader protocol, such as block [the board's own]."
)
trace_option = click.option(
    "--trace", type=OUTPUT_FILE, help="Write every byte of the session to this file."
)


@contextmanager
def board_line(
    name: str, port: str | None, trace: Path | None = None
) -> "Iterator[tuple[ByteLink, Board]]":
    """Open the line to the board called `name` and close it at the end.

    Without `port` it is the one that the environment names, or the only one there is.
    """
    from firmware_tools.board_job import open_line
    from firmware_tools.boards.facts import load_board
    from solvers.foundation.clock import SystemClock

    board = load_board(name)
    port = port or os.environ.get(PORT_VARIABLE) or _only_port()
    with open_line(board, port, SystemClock(), trace) as link:
        yield link, board


@dataclass(frozen=True)
class LoaderTarget:
    """The boot loader that a command talks to, as its options name it."""

    board: str
    port: str | None
    protocol: str | None
    trace: Path | None

    @contextmanager
    def open(self) -> "Iterator[tuple[ByteLink, Board, LoaderProtocol]]":
        """Open the line to the board and close it at the end."""
        from firmware_tools.bootloader import protocol_for

        with board_line(self.board, self.port, self.trace) as (link, facts):
            yield link, facts, protocol_for(facts, self.protocol)


def loader_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add --port, --board, --protocol, --trace and --json to a command.

    It is called with the first four as one `target`, and with `as_json`.
    """

    @wraps(command)
    def with_target(
        *, board: str, port: str | None, protocol: str | None, trace: Path | None, **others: object
    ) -> None:
        command(target=LoaderTarget(board, port, protocol, trace), **others)

    # A decorator adds its option in front of those that are there.
    for add_option in (json_option, trace_option, protocol_option, board_option, port_option):
        add_option(with_target)
    return with_target


def _only_port() -> str:
    """Return the only port and print its name on stderr. Raises PortNotFoundError."""
    from firmware_tools.line.serial_link import available_ports, only_port

    port = only_port(available_ports())
    stderr.print(f"Port {port.device} ({port.description})", markup=False, highlight=False)
    return port.device


def hexadecimal(chip_id: bytes) -> str:
    """Return bytes in hexadecimal, separated by spaces."""
    return chip_id.hex(" ").upper()
