"""What the virtual machine needs of the rest of the brick."""

from typing import Protocol

from hardware_sims.nxt_firmware.files.flash import FlashFiles
from hardware_sims.nxt_firmware.io_maps import IoMap


class Peripherals(Protocol):
    """I/O maps (arrays of one record, `nxt_brick.io_maps`) and what lies behind them."""

    output: IoMap
    input: IoMap
    sound: IoMap
    buttons: IoMap
    display: IoMap
    low_speed: IoMap
    communication: IoMap
    ui: IoMap
    files: FlashFiles

    def read_io_map(self, pattern: bytes, offset: int, count: int) -> bytes:
        """Read from the first module whose name matches.

        Raises:
            CommandError: with the loader's status, if there is no such module or place.
        """

    def write_io_map(self, pattern: bytes, offset: int, data: bytes) -> None:
        """Write to the first module whose name matches; raises as `read_io_map`."""

    def stay_awake(self) -> None:
        """Start the sleep timer again."""
