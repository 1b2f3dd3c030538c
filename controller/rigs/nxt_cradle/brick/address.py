"""How a brick is named on the command line."""

from dataclasses import dataclass, field
from typing import Final

from controller.errors import InvalidAddressError
from solvers.foundation.wording import whole_number

FORMS: Final = (
    "usb, bluetooth, bluetooth:00:16:53:01:02:03, devfile:/dev/rfcomm0 or ip:127.0.0.1:2727"
)
LARGEST_PORT: Final = 65535

ASK_DOCTOR: Final = "; `cuberobot doctor` shows it"
"""Left out where doctor itself speaks."""

_ADVICE: Final = {
    "usb": "Is it switched on and plugged in? On Linux your user needs a udev rule for LEGO's "
    f"devices (vendor 0694){ASK_DOCTOR}.",
    "bluetooth": "Is it switched on, paired and Bluetooth enabled? Without PyBluez, bind it to a "
    "device file (`rfcomm bind 0 ADDRESS`) and use devfile:/dev/rfcomm0.",
    "devfile": "Is the device bound (`rfcomm bind 0 ADDRESS`) and may you read and write it?",
    "socket": "Is `hwsim nxt` or `nxt-server` running there, and is the brick awake? It switches "
    "itself off after ten minutes without a command (30 s at `--speed 20`): switch it on again.",
}


@dataclass(frozen=True, slots=True)
class BrickAddress:
    """Where a brick is: one of nxt-python's back ends and what that needs to know."""

    backend: str
    filters: dict[str, str | int] = field(default_factory=dict)
    text: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def advice(self) -> str:
        """What to check when no brick answers there."""
        return _ADVICE[self.backend]


def parse_address(text: str) -> BrickAddress:
    """Read a brick address.

    `usb` and `bluetooth` take the first brick found, or the one whose name (usb) or hardware
    address (bluetooth) follows a colon. Raises InvalidAddressError.
    """
    scheme, _, rest = text.partition(":")
    if scheme == "usb":
        return BrickAddress("usb", {"name": rest} if rest else {}, text)
    if scheme == "bluetooth":
        return BrickAddress("bluetooth", {"host": rest} if rest else {}, text)
    if scheme == "devfile" and rest:
        return BrickAddress("devfile", {"filename": rest}, text)
    if text.startswith("/"):
        return BrickAddress("devfile", {"filename": text}, text)
    host, _, port = rest.rpartition(":")
    number = whole_number(port, LARGEST_PORT)
    if scheme == "ip" and host and number:
        return BrickAddress("socket", {"server_host": host, "server_port": number}, text)
    raise InvalidAddressError(f"{text!r} is no brick address. Write {FORMS}.")
