"""The brick behind a TCP port or a pseudo-terminal, served by its own thread."""

import struct
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

from hardware_sims.clock import VirtualClock
from hardware_sims.endpoints import Endpoint, PtyEndpoint, TcpEndpoint
from hardware_sims.nxt_brick.brick import LineCutError, SimulatedBrick
from hardware_sims.nxt_brick.commands import Link
from hardware_sims.nxt_brick.telegrams import split_stream

HELLO: Final = 0x98
GOODBYE: Final = 0x99
LINK_TYPE: Final = b"usb"
LOOK_INTERVAL_S: Final = 0.05
YIELD_S: Final = 0.0001  # lets the serving thread come first


class Framing(Protocol):
    """How telegrams are separated on a line."""

    def feed(self, data: bytes) -> list[bytes]:
        """Take what has arrived, and return the telegrams that are complete."""

    def wrap(self, reply: bytes) -> bytes:
        """Return a reply as it goes over the line."""


class LengthPrefix:
    """Bluetooth's framing: the length as two bytes, low byte first, then the telegram."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Take what has arrived, and return the telegrams that are complete."""
        self._buffer += data
        telegrams = []
        while len(self._buffer) >= 2:
            end = 2 + int.from_bytes(self._buffer[:2], "little")
            if len(self._buffer) < end:
                break
            telegrams.append(self._buffer[2:end])
            self._buffer = self._buffer[end:]
        return telegrams

    def wrap(self, reply: bytes) -> bytes:
        """Return a reply as it goes over the line."""
        return struct.pack("<H", len(reply)) + reply


class BareStream:
    """nxt-server's framing over TCP: none, and one-byte greetings between the telegrams.

    Telegram types are 00, 01, 80, 81, so that the greetings 98 and 99 cannot be mistaken.
    """

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Take what has arrived, and return greetings and telegrams that are complete."""
        self._buffer += data
        found = []
        while self._buffer and self._buffer[0] in (HELLO, GOODBYE):
            found.append(self._buffer[:1])
            self._buffer = self._buffer[1:]
        # TCP joins what was sent apart: a hundred tones in a row arrived as two pieces. Each
        # telegram's length follows from its opcode, so they are separated by that.
        telegrams, rest = split_stream(self._buffer)
        self._buffer = rest
        if telegrams and rest[:1] and rest[0] in (HELLO, GOODBYE):
            return found + telegrams + self.feed(b"")
        return found + telegrams

    def wrap(self, reply: bytes) -> bytes:
        """Return a reply as it goes over the line."""
        return reply


class BrickServer:
    """Serves one client after another while it is entered; the brick keeps its state between.

    Without `pty_link` it listens on TCP. `address` is the one to give a driver: `ip:HOST:PORT`, or
    `devfile:PATH`.
    """

    def __init__(
        self,
        brick: SimulatedBrick,
        host: str = "127.0.0.1",
        port: int = 0,
        pty_link: Path | None = None,
    ) -> None:
        self._brick = brick
        self._endpoint: Endpoint
        self._new_framing: Callable[[], Framing]
        if pty_link is not None:
            self._endpoint = PtyEndpoint(pty_link)
            self._new_framing = LengthPrefix
            self._link = Link.BLUETOOTH
            self.address = f"devfile:{pty_link}"
        else:
            tcp = TcpEndpoint(host, port)
            self._endpoint = tcp
            self._new_framing = BareStream
            self._link = Link.USB
            self.address = f"ip:{tcp.host}:{tcp.port}"
        self._clock = brick.clock
        self._is_unplugged = False
        self._working = threading.Lock()  # held from before data is read until it is answered
        self._power_followed = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="brick-server", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        if isinstance(self._clock, VirtualClock):
            self._clock.before_now.append(self._settle)
            self._clock.before_sleep.append(self._settle)
            self._clock.after_sleep.append(self._follow_power)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(self._clock, VirtualClock):
            self._settle()  # in real time a client might never pause
            self._clock.before_now.remove(self._settle)
            self._clock.before_sleep.remove(self._settle)
            self._clock.after_sleep.remove(self._follow_power)
        self._stopping.set()
        self._endpoint.wake()
        self._thread.join()
        self._endpoint.close()

    def _serve(self) -> None:
        framing = self._new_framing()
        connections = self._endpoint.connections
        while not self._stopping.is_set():
            self._endpoint.wait(LOOK_INTERVAL_S)
            with self._working:
                # What is left unread when a socket is closed makes the client's next read an error
                # instead of the end of the line, so reading comes first.
                data = self._endpoint.receive(0.0)
                self._brick.advance()
                is_plugged_in = self._is_plugged_in()
                self._power_followed.set()
                if not is_plugged_in:
                    continue
                if self._endpoint.connections != connections:
                    connections = self._endpoint.connections
                    framing = self._new_framing()
                    if self._link is Link.USB:
                        self._brick.disconnect()  # the client before this one
                if data:
                    self._answer(framing, data)
                    self._is_plugged_in()

    def _is_plugged_in(self) -> bool:
        """Take the line away from a brick that is off, and give it back to one that is on."""
        if self._brick.is_off:
            self._endpoint.unplug()
            self._is_unplugged = True
        elif self._is_unplugged:
            self._endpoint.plug_in()
            self._is_unplugged = False
        return not self._is_unplugged

    def _follow_power(self) -> None:
        """Be gone or there, as the brick is, before a client that slept in virtual time looks."""
        if threading.get_ident() == self._thread.ident:
            return
        if self._is_unplugged or self._brick.is_off:
            # The serving thread does it: it may be waiting for the very line that is taken away.
            with self._working:
                self._power_followed.clear()
            self._endpoint.wake()
            while not self._power_followed.wait(LOOK_INTERVAL_S) and not self._stopping.is_set():
                pass

    def _settle(self) -> None:
        """Return when everything that has arrived is done."""
        if threading.get_ident() == self._thread.ident:
            return
        while True:
            with self._working:
                if not self._endpoint.wait(0.0):
                    return
            self._stopping.wait(YIELD_S)

    def _answer(self, framing: Framing, data: bytes) -> None:
        for telegram in framing.feed(data):
            if telegram == bytes((HELLO,)):
                self._endpoint.send(LINK_TYPE)
            elif telegram == bytes((GOODBYE,)):
                self._endpoint.drop_client()
                return
            else:
                try:
                    reply = self._brick.handle(telegram, self._link)
                except LineCutError:
                    self._endpoint.drop_client()
                    return
                if reply is not None:
                    self._endpoint.send(framing.wrap(reply))
