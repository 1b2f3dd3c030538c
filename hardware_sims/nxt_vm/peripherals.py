"""The rest of the brick as the virtual machine sees it, and what it resets there."""

from typing import Final, Protocol

from hardware_sims.nxt_firmware.flash import FlashFiles
from hardware_sims.nxt_firmware.io_maps import IoMap


class Peripherals(Protocol):
    """I/O maps (arrays of one record, `nxt_brick.io_maps`) and the devices behind them."""

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


# Mode, speed and tacho limit are obeyed; all three counts are reset.
_OUTPUT_FLAGS: Final = 0x01 | 0x02 | 0x04 | 0x08 | 0x20 | 0x40
_CHANNEL_IDLE: Final = 0
_CHANNEL_DONE: Final = 5
_SOUND_STOP: Final = 4


def reset_devices(peripherals: Peripherals) -> None:
    """Let all motors coast at count 0, forget all sensors, button counts and I2C transfers."""
    buttons = peripherals.buttons[0]["buttons"]
    for field in ("release_count", "short_release_count", "long_release_count"):
        buttons[field] = 0
    inputs = peripherals.input[0]["inputs"]
    for field in ("sensor_type", "sensor_mode", "ad_raw", "sensor_raw", "sensor_value"):
        inputs[field] = 0
    inputs["invalid_data"] = 1
    outputs = peripherals.output[0]["outputs"]
    for field in (
        "mode", "regulation_mode", "run_state", "speed", "tacho_limit", "turn_parameter",
    ):  # fmt: skip
        outputs[field] = 0
    outputs["flags"] = _OUTPUT_FLAGS
    low_speed = peripherals.low_speed[0]
    for field in ("in_pointer", "out_pointer"):
        low_speed["in_buffers"][field] = 0
        low_speed["out_buffers"][field] = 0
    low_speed["in_buffers"]["bytes_to_receive"] = 0
    for port, state in enumerate(low_speed["channel_states"]):
        if state != _CHANNEL_IDLE:
            low_speed["channel_states"][port] = _CHANNEL_DONE
            low_speed["state"] |= 1 << port


def stop_sound(peripherals: Peripherals) -> None:
    """End what is being played; the volume is the menu's again."""
    sound = peripherals.sound[0]
    sound["state"] = _SOUND_STOP
    sound["volume"] = peripherals.ui[0]["volume"]
