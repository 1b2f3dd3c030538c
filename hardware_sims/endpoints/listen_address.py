"""Where a simulated device may listen: on this computer alone, unless its owner says otherwise."""

from ipaddress import AddressValueError, IPv4Address
from typing import Final

from hardware_sims.errors import InvalidScenarioError
from solvers.foundation.numbers import whole_number

LARGEST_PORT: Final = 65535


def parse_listen_address(text: str, allow_remote: bool = False) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`.

    Raises:
        InvalidScenarioError: the text has another form, or the host is not this computer's
            loopback address and `allow_remote` is not set.
    """
    host, separator, port = text.rpartition(":")
    number = whole_number(port, LARGEST_PORT)
    if not separator or not host or number is None:
        raise InvalidScenarioError(
            f"{text!r} is no address to listen on; write HOST:PORT, for example 127.0.0.1:0."
        )
    host = host.strip("[]")
    if not allow_remote and not _is_loopback(host):
        raise InvalidScenarioError(
            f"{host} can be reached from other computers, and whoever connects drives the machine. "
            "Use 127.0.0.1, or add --allow-remote if that is what you want."
        )
    return host, number


def _is_loopback(host: str) -> bool:
    """Return whether only this computer reaches a host: localhost and 127.0.0.0/8 (RFC 1122).

    No other name: whatever it begins with, somebody else's name server says where it leads.
    """
    try:
        return IPv4Address(host).is_loopback
    except AddressValueError:
        return host == "localhost"
