"""TCP ports as endpoints of a simulated device."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing

import pytest

from hardware_sims.endpoints import TcpEndpoint
from hardware_sims.errors import SimulatorError

PATIENCE_S = 10.0  # how long a test waits for something that always comes


@pytest.fixture
def tcp() -> Iterator[TcpEndpoint]:
    with closing(TcpEndpoint()) as endpoint:
        yield endpoint


def connect(endpoint: TcpEndpoint) -> socket.socket:
    client = socket.create_connection((endpoint.host, endpoint.port), timeout=PATIENCE_S)
    assert endpoint.receive(PATIENCE_S) == b""
    return client


def test_bytes_travel_both_ways(tcp: TcpEndpoint) -> None:
    with connect(tcp) as client:
        client.sendall(b"ping")
        assert tcp.receive(PATIENCE_S) == b"ping"
        tcp.send(b"pong")
        assert client.recv(10) == b"pong"


def test_one_client_is_served_after_another(tcp: TcpEndpoint) -> None:
    with connect(tcp):
        assert tcp.connections == 1
    assert tcp.receive(PATIENCE_S) == b""  # the end of the first
    with connect(tcp) as second:
        second.sendall(b"me")
        assert tcp.receive(PATIENCE_S) == b"me"
    assert tcp.connections == 2


def test_a_dropped_client_reads_the_end(tcp: TcpEndpoint) -> None:
    with connect(tcp) as client:
        tcp.drop_client()
        assert client.recv(10) == b""
    tcp.send(b"to nobody")


def test_a_taken_port_is_named(tcp: TcpEndpoint) -> None:
    with pytest.raises(SimulatorError, match=str(tcp.port)):
        TcpEndpoint(port=tcp.port)


def test_wake_ends_a_wait_in_another_thread(tcp: TcpEndpoint) -> None:
    received: list[bytes] = []
    thread = threading.Thread(target=lambda: received.append(tcp.receive(PATIENCE_S * 10)))
    thread.start()
    tcp.wake()
    thread.join(PATIENCE_S)
    assert received == [b""]


def test_a_client_that_never_reads_loses_its_line(tcp: TcpEndpoint) -> None:
    with connect(tcp) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        tcp.send(bytes(50_000_000))  # more than all buffers between hold
        with connect(tcp) as second:
            tcp.send(b"hello")
            assert second.recv(10) == b"hello"
