"""Brick addresses as people write them."""

import pytest

from controller.errors import InvalidAddressError
from controller.rigs.nxt_brick.brick_link import parse_address


@pytest.mark.parametrize(
    ("text", "backend", "filters"),
    [
        ("usb", "usb", {}),
        ("usb:Cuby", "usb", {"name": "Cuby"}),
        ("bluetooth", "bluetooth", {}),
        ("bluetooth:00:16:53:01:02:03", "bluetooth", {"host": "00:16:53:01:02:03"}),
        ("devfile:/dev/rfcomm0", "devfile", {"filename": "/dev/rfcomm0"}),
        ("/dev/pts/3", "devfile", {"filename": "/dev/pts/3"}),
        ("ip:127.0.0.1:2727", "socket", {"server_host": "127.0.0.1", "server_port": 2727}),
    ],
)
def test_known_forms(text: str, backend: str, filters: dict[str, str | int]) -> None:
    address = parse_address(text)
    assert (address.backend, address.filters, str(address)) == (backend, filters, text)


@pytest.mark.parametrize(
    "text",
    ["", "ip", "ip:", "ip:host", "ip:host:0", "ip:host:70000", "ip::5", "tcp:a:1", "devfile:"],
)
def test_other_text_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(InvalidAddressError, match=r"ip:127\.0\.0\.1:2727"):
        parse_address(text)
