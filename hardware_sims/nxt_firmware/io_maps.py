"""The I/O maps of the brick's modules: one block of bytes a module, at the firmware's offsets.

Telegrams, programs and the modules themselves all work on these same bytes, as on the brick.
Offsets: LEGO's firmware 1.29 (c_*.iom, packed, little endian); NBC's headers give the same
(`nbc -api`). Pointers are four bytes and have no meaning here.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

# An array of one record of a module's type; its bytes are the I/O map.
IoMap: TypeAlias = NDArray[Any]

NAME_BYTES: Final = 20  # a file name of 15.3 characters and its zero byte
POOL_BYTES: Final = 32768
OUTPUTS: Final = 3
INPUTS: Final = 4
SCREEN_BYTES: Final = 800  # 8 lines of 100 columns, bit n of a byte is the n-th row of its line

OUTPUT_RECORD: Final = np.dtype(
    [
        ("tacho_count", "<i4"),
        ("block_tacho_count", "<i4"),
        ("rotation_count", "<i4"),
        ("tacho_limit", "<u4"),
        ("motor_rpm", "<i2"),
        ("flags", "u1"),
        ("mode", "u1"),
        ("speed", "i1"),
        ("actual_speed", "i1"),
        ("p_parameter", "u1"),
        ("i_parameter", "u1"),
        ("d_parameter", "u1"),
        ("run_state", "u1"),
        ("regulation_mode", "u1"),
        ("overloaded", "u1"),
        ("turn_parameter", "i1"),
        ("spare", "u1", (3,)),
    ]
)
OUTPUT_MAP: Final = np.dtype(
    [("outputs", OUTPUT_RECORD, (OUTPUTS,)), ("pwm_frequency", "u1"), ("spare", "u1", (3,))]
)

INPUT_RECORD: Final = np.dtype(
    [
        ("custom_zero_offset", "<u2"),
        ("ad_raw", "<u2"),
        ("sensor_raw", "<u2"),
        ("sensor_value", "<i2"),
        ("sensor_type", "u1"),
        ("sensor_mode", "u1"),
        ("sensor_boolean", "u1"),
        ("pins_direction", "u1"),
        ("pins_in", "u1"),
        ("pins_out", "u1"),
        ("custom_full_scale", "u1"),
        ("custom_active", "u1"),
        ("invalid_data", "u1"),
        ("spare", "u1", (3,)),
    ]
)
COLOR_RECORD: Final = np.dtype(
    [
        ("calibration", "<u4", (3, 4)),
        ("calibration_limits", "<u2", (2,)),
        ("ad_raw", "<u2", (4,)),
        ("sensor_raw", "<u2", (4,)),
        ("sensor_value", "<i2", (4,)),
        ("boolean", "u1", (4,)),
        ("calibration_state", "u1"),
        ("spare", "u1", (3,)),
    ]
)
INPUT_MAP: Final = np.dtype(
    [("inputs", INPUT_RECORD, (INPUTS,)), ("colors", COLOR_RECORD, (INPUTS,))]
)

COMMAND_MAP: Final = np.dtype(
    [
        ("format_string", "u1", (16,)),
        ("handler", "<u4"),
        ("tick", "<u4"),
        ("dataspace_offset", "<u2"),
        ("dope_vectors_offset", "<u2"),
        ("program_status", "u1"),
        ("awake", "u1"),
        ("activate_flag", "u1"),
        ("deactivate_flag", "u1"),
        ("file_name", "u1", (NAME_BYTES,)),
        ("pool", "u1", (POOL_BYTES,)),
        ("sync_time", "<u4"),
        ("sync_tick", "<u4"),
    ]
)

DISPLAY_MAP: Final = np.dtype(
    [
        ("draw", "<u4"),
        ("erase_mask", "<u4"),
        ("update_mask", "<u4"),
        ("font", "<u4"),
        ("text_lines", "<u4", (8,)),
        ("status_text", "<u4"),
        ("status_icon_file", "<u4"),
        ("screens", "<u4", (3,)),
        ("bitmaps", "<u4", (4,)),
        ("menu_text", "<u4"),
        ("menu_icons", "<u4", (3,)),
        ("step_icon_file", "<u4"),
        ("display", "<u4"),
        ("status_icons", "u1", (4,)),
        ("step_icons", "u1", (5,)),
        ("flags", "u1"),
        ("centred_lines", "u1"),
        ("normal", "u1", (SCREEN_BYTES,)),
        ("popup", "u1", (SCREEN_BYTES,)),
        ("spare", "u1"),
    ]
)

SOUND_MAP: Final = np.dtype(
    [
        ("frequency", "<u2"),
        ("duration", "<u2"),
        ("sample_rate", "<u2"),
        ("file_name", "u1", (NAME_BYTES,)),
        ("flags", "u1"),
        ("state", "u1"),
        ("mode", "u1"),
        ("volume", "u1"),
    ]
)

BUTTON_RECORD: Final = np.dtype(
    [
        ("pressed_count", "u1"),
        ("long_press_count", "u1"),
        ("short_release_count", "u1"),
        ("long_release_count", "u1"),
        ("release_count", "u1"),
        ("spare", "u1", (3,)),
    ]
)
BUTTON_MAP: Final = np.dtype([("buttons", BUTTON_RECORD, (4,)), ("states", "u1", (4,))])

UI_MAP: Final = np.dtype(
    [
        ("menu", "<u4"),
        ("battery_voltage", "<u2"),
        ("file_name", "u1", (NAME_BYTES,)),
        ("flags", "u1"),
        ("state", "u1"),
        ("button", "u1"),
        ("run_state", "u1"),
        ("battery_state", "u1"),
        ("bluetooth_state", "u1"),
        ("usb_state", "u1"),
        ("sleep_timeout", "u1"),
        ("sleep_timer", "u1"),
        ("rechargeable", "u1"),
        ("volume", "u1"),
        ("error", "u1"),
        ("on_brick_pointer", "u1"),
        ("force_off", "u1"),
    ]
)

LOADER_MAP: Final = np.dtype([("function", "<u4"), ("free_user_flash", "<u4")])

BLUETOOTH_DEVICE: Final = np.dtype(
    [
        ("name", "u1", (16,)),
        ("device_class", "u1", (4,)),
        ("address", "u1", (7,)),
        ("status", "u1"),
        ("spare", "u1", (3,)),
    ]
)
BLUETOOTH_CONNECTION: Final = np.dtype(
    [
        ("name", "u1", (16,)),
        ("device_class", "u1", (4,)),
        ("pin_code", "u1", (16,)),
        ("address", "u1", (7,)),
        ("handle", "u1"),
        ("stream_status", "u1"),
        ("link_quality", "u1"),
        ("spare", "u1"),
    ]
)
BRICK_DATA: Final = np.dtype(
    [
        ("name", "u1", (16,)),
        ("bluecore_version", "u1", (2,)),
        ("address", "u1", (7,)),
        ("bluetooth_state", "u1"),
        ("bluetooth_hardware", "u1"),
        ("time_out", "u1"),
        ("spare", "u1", (3,)),
    ]
)


def _buffer(size: int) -> np.dtype[np.void]:
    return np.dtype(
        [("bytes", "u1", (size,)), ("in_pointer", "u1"), ("out_pointer", "u1"), ("spare", "<u2")]
    )


COMM_MAP: Final = np.dtype(
    [
        ("function", "<u4"),
        ("second_function", "<u4"),
        ("devices", BLUETOOTH_DEVICE, (30,)),
        ("connections", BLUETOOTH_CONNECTION, (4,)),
        ("brick_data", BRICK_DATA),
        ("bluetooth_in", _buffer(128)),
        ("bluetooth_out", _buffer(128)),
        ("high_speed_in", _buffer(128)),
        ("high_speed_out", _buffer(128)),
        ("usb_in", _buffer(64)),
        ("usb_out", _buffer(64)),
        ("usb_poll", _buffer(64)),
        ("device_count", "u1"),
        ("device_name_count", "u1"),
        ("high_speed_flags", "u1"),
        ("high_speed_speed", "u1"),
        ("high_speed_state", "u1"),
        ("usb_state", "u1"),
        ("spare", "u1"),
    ]
)

LOW_SPEED_BUFFER: Final = np.dtype(
    [
        ("bytes", "u1", (16,)),
        ("in_pointer", "u1"),
        ("out_pointer", "u1"),
        ("bytes_to_receive", "u1"),
    ]
)
LOW_SPEED_MAP: Final = np.dtype(
    [
        ("in_buffers", LOW_SPEED_BUFFER, (INPUTS,)),
        ("out_buffers", LOW_SPEED_BUFFER, (INPUTS,)),
        ("modes", "u1", (INPUTS,)),
        ("channel_states", "u1", (INPUTS,)),
        ("error_types", "u1", (INPUTS,)),
        ("state", "u1"),
        ("speed", "u1"),
        ("spare", "u1"),
    ]
)

IO_CONTROL_MAP: Final = np.dtype([("power_on", "<u2")])


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the firmware: how clients and programs name it, and what its I/O map holds."""

    name: str
    identifier: int
    map_type: np.dtype[np.void]

    def new_map(self) -> IoMap:
        """Return an I/O map of zeros, an array of shape (1,)."""
        return np.zeros(1, self.map_type)


COMMAND: Final = Module("Command.mod", 0x00010001, COMMAND_MAP)
OUTPUT: Final = Module("Output.mod", 0x00020001, OUTPUT_MAP)
INPUT: Final = Module("Input.mod", 0x00030001, INPUT_MAP)
BUTTONS: Final = Module("Button.mod", 0x00040001, BUTTON_MAP)
COMMUNICATION: Final = Module("Comm.mod", 0x00050001, COMM_MAP)
IO_CONTROL: Final = Module("IOCtrl.mod", 0x00060001, IO_CONTROL_MAP)
SOUND: Final = Module("Sound.mod", 0x00080001, SOUND_MAP)
LOADER: Final = Module("Loader.mod", 0x00090001, LOADER_MAP)
DISPLAY: Final = Module("Display.mod", 0x000A0001, DISPLAY_MAP)
LOW_SPEED: Final = Module("Low Speed.mod", 0x000B0001, LOW_SPEED_MAP)
UI: Final = Module("Ui.mod", 0x000C0001, UI_MAP)

MODULES: Final = (
    COMMAND,
    OUTPUT,
    INPUT,
    BUTTONS,
    COMMUNICATION,
    IO_CONTROL,
    SOUND,
    LOADER,
    DISPLAY,
    LOW_SPEED,
    UI,
)
