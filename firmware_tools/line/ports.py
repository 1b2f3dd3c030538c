"""Opens what the user calls a port: a serial port, an address, or a recorded session."""

from pathlib import Path

from firmware_tools.errors import PortError
from firmware_tools.line.byte_link import ByteLink
from firmware_tools.line.serial_link import open_port
from firmware_tools.line.trace import ReplayLink, TracingLink, read_trace
from solvers.foundation.clock import Clock

REPLAY = "replay:"


def open_link(name: str, baud: int, clock: Clock, trace: Path | None = None) -> ByteLink:
    """Open the port `name`; with `trace`, write every byte down there, timed by `clock`.

    `replay:FILE` plays a trace back. Raises PortError, InvalidTraceError.
    """
    link: ByteLink
    if name.startswith(REPLAY):
        link = ReplayLink(read_trace(Path(name.removeprefix(REPLAY))))
    else:
        link = open_port(name, baud)
    if trace is None:
        return link
    try:
        return TracingLink(link, trace.open("w", encoding="ascii"), clock)
    except OSError as error:
        link.close()
        raise PortError(f"The trace {trace} cannot be written: {error.strerror}.") from error
