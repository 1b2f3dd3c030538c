"""A pseudo-terminal as the board's serial line: knows its speed, and never makes the board wait."""

from functools import cache
from pathlib import Path

from hardware_sims.endpoints.pseudo_terminal import PtyEndpoint

SPEED_FIELD = 5  # of tcgetattr: the output speed, which is the host's


@cache
def speeds() -> dict[int, int]:
    """Return the baud rate of each of this system's codes for speeds."""
    import termios  # where there are no terminals, nothing below is called

    names = (name for name in dir(termios) if name.startswith("B") and name[1:].isdigit())
    return {getattr(termios, name): int(name[1:]) for name in names}


class SerialTerminal(PtyEndpoint):
    """A terminal whose client sets the baud rate, as on a real serial port."""

    def __init__(self, link: Path) -> None:
        super().__init__(link, self._take_terminal)

    def _take_terminal(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @property
    def baud(self) -> int:
        """Speed that the client has set; the system's own default until it has."""
        import termios

        return speeds().get(termios.tcgetattr(self._descriptor)[SPEED_FIELD], 0)

    def send(self, data: bytes) -> None:
        """Write what the terminal's buffer takes; the rest is lost, as when nobody listens."""
        self._write(data)
