"""nxt-python over our Bluetooth sockets: the real library, a stand-in for the radio.

At the far end of a socket pair is a simulated brick, whose bytes come one by one, as a stream is
free to deliver them.
"""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from controller.errors import BrickNotFoundError, LinkLostError
from controller.rigs.nxt_brick import bluetooth, brick_link
from controller.rigs.nxt_brick.brick_link import BrickLink, parse_address
from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.commands import Link
from hardware_sims.nxt_brick.server import LengthPrefix

ADDRESS = parse_address("bluetooth:00:16:53:01:02:03")
CALLED = ("00:16:53:01:02:03", 1)  # address and RFCOMM channel


class FarEnd:
    """A brick that answers at the far end of a line, on a thread of its own."""

    def __init__(self) -> None:
        self.near, self.far = socket.socketpair()
        self.called: list[Any] = []
        self.thread = threading.Thread(target=self._answer, daemon=True)
        self.thread.start()

    def _answer(self) -> None:
        brick, framing = SimulatedBrick(VirtualClock()), LengthPrefix()
        while data := self.far.recv(1):
            for telegram in framing.feed(data):
                reply = brick.handle(telegram, Link.BLUETOOTH)
                for byte in framing.wrap(reply) if reply is not None else b"":
                    self.far.sendall(bytes((byte,)))


@pytest.fixture
def far_end(monkeypatch: pytest.MonkeyPatch) -> Iterator[FarEnd]:
    end = FarEnd()

    class Line(bluetooth.RfcommSocket):
        """Ours, but for the radio."""

        def __init__(self, protocol: int) -> None:
            assert protocol == bluetooth.OwnBluetooth.RFCOMM
            socket.socket.__init__(self, fileno=end.near.detach())

        def connect(self, address: Any, /) -> None:
            end.called.append(address)

    monkeypatch.setattr(bluetooth.OwnBluetooth, "BluetoothSocket", Line)
    monkeypatch.setattr(brick_link, "FAMILY", socket.AF_UNIX)  # this Python may have none
    yield end
    end.far.shutdown(socket.SHUT_RDWR)
    end.thread.join(60)
    assert not end.thread.is_alive()
    end.near.close()
    end.far.close()


def test_a_brick_answers_in_whole_telegrams(far_end: FarEnd) -> None:
    with BrickLink(ADDRESS) as link:
        assert link.battery().volts > 5
        assert link.name() == "NXT"
    assert far_end.called == [CALLED]


def test_a_line_that_ends_is_a_lost_link(far_end: FarEnd) -> None:
    with BrickLink(ADDRESS) as link:
        far_end.far.shutdown(socket.SHUT_RDWR)
        with pytest.raises(LinkLostError):
            link.battery()


def test_where_there_is_no_radio_the_brick_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_protocol: int) -> None:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(bluetooth.OwnBluetooth, "BluetoothSocket", refuse)
    monkeypatch.setattr(brick_link, "FAMILY", socket.AF_UNIX)
    with pytest.raises(BrickNotFoundError, match=r"bluetooth:00:16:53.*Write its address"):
        BrickLink(ADDRESS)
