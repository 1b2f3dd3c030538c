"""How long telegrams take over each kind of line."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Latency:
    """What telegrams cost in seconds: one with a reply there, its reply back, one without."""

    there_s: float
    back_s: float
    command_s: float

    @property
    def reply_s(self) -> float:
        """How long a telegram and its reply take together."""
        return self.there_s + self.back_s


NO_LATENCY: Final = Latency(0.0, 0.0, 0.0)
USB_LATENCY: Final = Latency(0.003, 0.0, 0.001)  # how it divides is not known
# The brick has obeyed when it begins to turn the radio round for its answer, which takes it 30 ms
# (LEGO's Bluetooth developer kit).
BLUETOOTH_LATENCY: Final = Latency(0.015, 0.030, 0.003)
LATENCIES: Final = {"none": NO_LATENCY, "usb": USB_LATENCY, "bluetooth": BLUETOOTH_LATENCY}
