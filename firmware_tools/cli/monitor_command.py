"""`aksen monitor`: show what the program sends, send what is typed."""

import sys
import threading
from enum import StrEnum
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, Final

import typer

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.cli.board_line import BoardOption, PortOption, TraceOption, board_line
from solvers.foundation.command_line.app import JsonOption, print_json

if TYPE_CHECKING:
    from firmware_tools.line.byte_link import ByteLink


class LineEnd(StrEnum):
    """What is sent behind each line."""

    CR = "cr"
    LF = "lf"
    CRLF = "crlf"
    NONE = "none"


_BYTES = {LineEnd.CR: b"\r", LineEnd.LF: b"\n", LineEnd.CRLF: b"\r\n", LineEnd.NONE: b""}

MOST_KEPT: Final = 1_000_000
"""Characters: what `--json` prints of a program that says more is the last of it."""

SecondsOption = Annotated[
    float | None, typer.Option("--seconds", min=0.0, help="Stop after this time.")
]
SendOption = Annotated[str | None, typer.Option("--send", help="Send this text as a line first.")]
EolOption = Annotated[LineEnd, typer.Option("--eol", help="What ends a line that is sent.")]


def monitor(
    port: PortOption = None,
    seconds: SecondsOption = None,
    send: SendOption = None,
    eol: EolOption = LineEnd.LF,
    board: BoardOption = DEFAULT_BOARD,
    trace: TraceOption = None,
    as_json: JsonOption = False,
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
    from firmware_tools.line.monitor import listen
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
                del received[:-MOST_KEPT]
            else:
                print(data.decode("latin-1"), end="", flush=True)
    except KeyboardInterrupt:
        pass  # the way to leave
    return received.decode("latin-1")


def _forward_lines(outgoing: "SimpleQueue[bytes]", eol: LineEnd) -> None:
    for line in sys.stdin:
        outgoing.put(_line(line.rstrip("\n"), eol))


def _line(text: str, eol: LineEnd) -> bytes:
    return text.encode("latin-1", errors="replace") + _BYTES[eol]
