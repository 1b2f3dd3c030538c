"""How long telegrams take over each kind of line."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Latency:
    """What a telegram costs on its way, in seconds: one with a reply, and one without."""

    reply_s: float
    command_s: float


NO_LATENCY: Final = Latency(0.0, 0.0)
USB_LATENCY: Final = Latency(0.003, 0.001)
BLUETOOTH_LATENCY: Final = Latency(0.045, 0.003)  # the brick takes 30 ms to turn the radio round
LATENCIES: Final = {"none": NO_LATENCY, "usb": USB_LATENCY, "bluetooth": BLUETOOTH_LATENCY}
