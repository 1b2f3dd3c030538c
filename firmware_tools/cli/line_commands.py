"""`aksen monitor` and `aksen ports`: a terminal for the program, and the ports to find it at."""

import sys
import threading
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

import click

from firmware_tools.cli.board_line import board_line, board_option, port_option, trace_option
from solvers.foundation.command_line.app import Command, EnumChoice, json_option, print_json
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import iter_lines

if TYPE_CHECKING:
    from firmware_tools.line.byte_link import ByteLink


class LineEnd(StrEnum):
    """Line ending that is sent."""

    CR = "cr"
    LF = "lf"
    CRLF = "crlf"
    NONE = "none"


_BYTES = {LineEnd.CR: b"\r", LineEnd.LF: b"\n", LineEnd.CRLF: b"\r\n", LineEnd.NONE: b""}

MOST_CHARACTERS: Final = 1_000_000
"""Characters that `--json` prints at most: the last ones received."""

seconds_option = click.option(
    "--seconds", type=click.FloatRange(min=0.0), help="Stop after this time."
)
send_option = click.option("--send", help="Send this text as a line first.")
eol_option = click.option(
    "--eol",
    type=EnumChoice(LineEnd),
    default=LineEnd.LF.value,
    help="What ends a line that is sent.",
)


@click.command("monitor", cls=Command)
@port_option
@seconds_option
@send_option
@eol_option
@board_option
@trace_option
@json_option
def monitor(
    port: str | None,
    seconds: float | None,
    send: str | None,
    eol: LineEnd,
    board: str,
    trace: Path | None,
    as_json: bool,
) -> None:
    """Show what the program sends. Typed or piped lines go to the program; Ctrl-C ends.

    Examples:
      aksen monitor --port /dev/ttyUSB0
    """
    with board_line(board, port, trace) as (link, _):
        received = show_program(link, seconds, send, eol, quiet=as_json)
    if as_json:
        print_json({"received": received})


def show_program(
    link: "ByteLink",
    seconds: float | None,
    send: str | None = None,
    eol: LineEnd = LineEnd.LF,
    *,
    quiet: bool = False,
) -> str:
    """Show what the program sends until the time is over or Ctrl-C; if `quiet`, return it."""
    from firmware_tools.line.byte_link import listen
    from solvers.foundation.clock import SystemClock

    outgoing: SimpleQueue[bytes] = SimpleQueue()
    if send is not None:
        outgoing.put(_line(send, eol))
    threading.Thread(target=_forward_lines, args=(outgoing, eol), daemon=True).start()
    received = bytearray()
    try:
        for data in listen(link, outgoing, SystemClock(), seconds):
            if quiet:
                received += data
                del received[:-MOST_CHARACTERS]
            else:
                print(data.decode("latin-1"), end="", flush=True)
    except KeyboardInterrupt:
        pass  # the way to leave
    return received.decode("latin-1")


def _forward_lines(outgoing: "SimpleQueue[bytes]", eol: LineEnd) -> None:
    for line in iter_lines(sys.stdin, InvalidInputError, "The input"):
        outgoing.put(_line(line.rstrip("\n"), eol))


def _line(text: str, eol: LineEnd) -> bytes:
    return text.encode("latin-1", errors="replace") + _BYTES[eol]


@click.command("ports", cls=Command)
@json_option
def ports(
    as_json: bool,
) -> None:
    """List the serial ports of this computer.

    Examples:
      aksen ports
    """
    from firmware_tools.line.serial_link import available_ports

    found = available_ports()
    if as_json:
        print_json({"ports": [asdict(port) for port in found]})
    elif not found:
        print("This computer has no serial port. Plug the adapter in, or use `hwsim aksen`.")
    width = max((len(port.device) for port in found), default=0)
    for port in found if not as_json else ():
        print(f"{port.device:{width}}  {port.description}")
