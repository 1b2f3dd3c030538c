"""TCP ports and pseudo-terminals as endpoints of a simulated device."""

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware_sims.endpoints import Endpoint, PtyEndpoint, TcpEndpoint, parse_listen_address
from hardware_sims.errors import InvalidScenarioError, SimulatorError

PATIENCE_S = 10.0  # how long a test waits for something that always comes


@pytest.fixture
def tcp() -> Iterator[TcpEndpoint]:
    with TcpEndpoint() as endpoint:
        yield endpoint


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[PtyEndpoint]:
    with PtyEndpoint(tmp_path / "line") as endpoint:
        yield endpoint


def connect(endpoint: TcpEndpoint) -> socket.socket:
    client = socket.create_connection((endpoint.host, endpoint.port), timeout=PATIENCE_S)
    assert endpoint.receive(PATIENCE_S) == b""
    return client


def test_bytes_travel_both_ways_over_tcp(tcp: TcpEndpoint) -> None:
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


def test_a_dropped_tcp_client_reads_the_end(tcp: TcpEndpoint) -> None:
    with connect(tcp) as client:
        tcp.drop_client()
        assert client.recv(10) == b""
    tcp.send(b"to nobody")


def test_bytes_travel_both_ways_over_a_terminal(terminal: PtyEndpoint) -> None:
    with terminal.link.open("r+b", buffering=0) as client:
        client.write(b"\x03\x00\r\n\x1a")  # nothing that a cooked terminal would leave alone
        assert terminal.receive(PATIENCE_S) == b"\x03\x00\r\n\x1a"
        terminal.send(b"\x04\r")
        assert client.read(2) == b"\x04\r"


def test_a_dropped_terminal_is_hung_up_and_replaced(terminal: PtyEndpoint) -> None:
    with terminal.link.open("r+b", buffering=0) as client:
        terminal.drop_client()
        with pytest.raises(OSError, match="Input/output error"):
            os.write(client.fileno(), b"x")
    with terminal.link.open("r+b", buffering=0) as client:
        client.write(b"again")
        assert terminal.receive(PATIENCE_S) == b"again"
    assert terminal.connections == 2


def test_a_terminal_leaves_no_link_behind(tmp_path: Path) -> None:
    with PtyEndpoint(tmp_path / "line"):
        assert (tmp_path / "line").is_symlink()
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_the_way_of_the_link_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(InvalidScenarioError, match="notes"):
        PtyEndpoint(tmp_path / "notes")
    assert (tmp_path / "notes").read_text() == "mine"


def test_a_taken_port_is_named(tcp: TcpEndpoint) -> None:
    with pytest.raises(SimulatorError, match=str(tcp.port)):
        TcpEndpoint(port=tcp.port)


@pytest.mark.parametrize("kind", ["tcp", "terminal"])
def test_wake_ends_a_wait_in_another_thread(kind: str, request: pytest.FixtureRequest) -> None:
    endpoint: Endpoint = request.getfixturevalue(kind)
    received: list[bytes] = []
    thread = threading.Thread(target=lambda: received.append(endpoint.receive(PATIENCE_S * 10)))
    thread.start()
    endpoint.wake()
    thread.join(PATIENCE_S)
    assert received == [b""]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:0", ("127.0.0.1", 0)),
        ("localhost:2727", ("localhost", 2727)),
        ("127.3.2.1:65535", ("127.3.2.1", 65535)),
    ],
)
def test_loopback_addresses_are_read(text: str, address: tuple[str, int]) -> None:
    assert parse_listen_address(text) == address


@pytest.mark.parametrize("text", ["", "127.0.0.1", ":80", "127.0.0.1:http", "127.0.0.1:65536"])
def test_malformed_addresses_are_refused(text: str) -> None:
    with pytest.raises(InvalidScenarioError, match="HOST:PORT"):
        parse_listen_address(text)


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "brick.example"])
def test_other_computers_are_let_in_only_when_told(host: str) -> None:
    with pytest.raises(InvalidScenarioError, match="--allow-remote"):
        parse_listen_address(f"{host}:0")
    assert parse_listen_address(f"{host}:0", allow_remote=True) == (host, 0)
