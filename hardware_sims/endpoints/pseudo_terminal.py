"""A device behind a pseudo-terminal, as behind a serial port."""

import os
import select
from collections.abc import Callable
from pathlib import Path

from hardware_sims.endpoints.endpoint import CHUNK, SEND_PATIENCE_S, Waker
from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.device_lock import DeviceLock


class PtyEndpoint:
    """A raw pseudo-terminal behind a symbolic link, as a serial port or /dev/rfcomm0 looks.

    The slave side is kept open here, so that clients may come and go; a pseudo-terminal does not
    show when they do, and `connections` counts the terminals opened. `on_new_terminal` is called
    with each slave descriptor (a board that paces itself reads the baud rate from it).
    """

    def __init__(self, link: Path, on_new_terminal: Callable[[int], None] | None = None) -> None:
        if link.exists() and not link.is_symlink():
            raise InvalidScenarioError(
                f"{link} exists and is not a link; name a path that is free for the terminal."
            )
        self.link = link
        self._lock = DeviceLock(f"The pseudo-terminal {link.absolute()}", SimulatorError)
        self._on_new_terminal = on_new_terminal
        self._waker = Waker()
        self._connections = 0
        self._is_unplugged = False
        try:
            self._open()
        except SimulatorError:
            self._waker.close()
            self._lock.close()
            raise

    def _open(self) -> None:
        self._master, self._slave = _raw_terminal()
        partial = self.link.with_name(self.link.name + ".partial")
        partial.unlink(missing_ok=True)
        try:
            partial.symlink_to(os.ttyname(self._slave))
            partial.replace(self.link)
        except OSError as error:
            os.close(self._master)
            os.close(self._slave)
            raise SimulatorError(
                f"Cannot create the link {self.link}: {error.strerror or error}."
            ) from error
        self._connections += 1
        if self._on_new_terminal is not None:
            self._on_new_terminal(self._slave)

    @property
    def connections(self) -> int:
        """How many terminals have been opened so far."""
        return self._connections

    def receive(self, timeout_s: float) -> bytes:
        """Return what the client sent, or b"" when nothing came in that time."""
        return os.read(self._master, CHUNK) if self.wait(timeout_s) else b""

    def wait(self, timeout_s: float) -> bool:
        """Return whether data comes before the time is over."""
        return self._waker.wait_for(None if self._is_unplugged else self._master, timeout_s)

    def send(self, data: bytes) -> None:
        """Write `data`; where the client does not take it, the terminal is hung up."""
        while data and not self._is_unplugged:
            _, writable, _ = select.select([], [self._master], [], SEND_PATIENCE_S)
            if not writable:
                self.drop_client()
                return
            data = data[self._write(data) :]

    def _write(self, data: bytes) -> int:
        """Write what the terminal's buffer takes; return how many bytes that were."""
        os.set_blocking(self._master, False)
        try:
            return os.write(self._master, data)
        except BlockingIOError:
            return 0
        finally:
            os.set_blocking(self._master, True)

    def drop_client(self) -> None:
        """Hang the terminal up and put a new one behind the link."""
        if not self._is_unplugged:
            os.close(self._master)
            os.close(self._slave)
            self._open()

    def unplug(self) -> None:
        """Hang up and remove the link, as /dev/rfcomm0 goes when its device is gone."""
        if not self._is_unplugged:
            self._is_unplugged = True
            self.link.unlink(missing_ok=True)
            os.close(self._master)
            os.close(self._slave)

    def plug_in(self) -> None:
        """Put a new terminal behind the link."""
        self._open()
        self._is_unplugged = False

    def wake(self) -> None:
        """Make a `receive` that waits in another thread return at once."""
        self._waker.wake()

    def close(self) -> None:
        """Remove the link and close both sides."""
        self.unplug()
        self._waker.close()
        self._lock.close()


def _raw_terminal() -> tuple[int, int]:
    """Return both sides of a new terminal that leaves every byte as it is."""
    try:
        import pty
        import tty
    except ImportError:
        raise SimulatorError(
            "This system has no pseudo-terminals; listen on a TCP port with --listen instead."
        ) from None
    master, slave = pty.openpty()
    tty.setraw(slave)
    return master, slave
