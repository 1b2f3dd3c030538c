"""Who is let in to a simulated device: this computer, and others only when told."""

import pytest

from hardware_sims.endpoints import parse_listen_address
from hardware_sims.errors import InvalidScenarioError


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


@pytest.mark.parametrize(
    "text", ["", "127.0.0.1", ":80", "127.0.0.1:http", "127.0.0.1:65536", "127.0.0.1:²"]
)
def test_malformed_addresses_are_refused(text: str) -> None:
    with pytest.raises(InvalidScenarioError, match="HOST:PORT"):
        parse_listen_address(text)


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",
        "192.168.1.2",
        "126.255.255.255",
        "128.0.0.1",
        "brick.example",
        "127.evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
    ],
)
def test_other_computers_are_let_in_only_when_told(host: str) -> None:
    with pytest.raises(InvalidScenarioError, match="--allow-remote"):
        parse_listen_address(f"{host}:0")
    assert parse_listen_address(f"{host}:0", allow_remote=True) == (host, 0)
