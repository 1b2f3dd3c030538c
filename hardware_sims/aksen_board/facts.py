"""The board's facts, read as data from the file that the build and the firmware also use."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class BoardFacts:
    """What the simulator needs of `firmware_tools/boards/aksen.toml`; sizes in bytes."""

    code_bytes: int
    xdata_bytes: int
    baud: int
    chip_id: bytes
    block_data_bytes: int
    record_data_bytes: int
    read_bytes: int
    frame_silence_us: int
    motor_power_max: int
    leds: int
    dip_switches: int
    motors: int
    servos: int
    analog_inputs: int
    digital_inputs: int
    infrared_receivers: int
    lcd_rows: int
    lcd_columns: int
    direct_channels: int
    multiplexed_channel: int
    full_scale_v: float
    io_window: range
    registers: dict[str, int]


@lru_cache(maxsize=1)
def board_facts() -> BoardFacts:
    """Read the facts once. The file belongs to the distribution, so it is there."""
    text = files("firmware_tools").joinpath("boards", "aksen.toml").read_text(encoding="utf-8")
    table: dict[str, Any] = tomllib.loads(text)
    loader, parts, analog = table["bootloader"], table["peripherals"], table["analog"]
    return BoardFacts(
        code_bytes=table["memory"]["code_bytes"],
        xdata_bytes=table["memory"]["xdata_bytes"],
        baud=table["serial"]["baud"],
        chip_id=bytes(loader["chip_id"]),
        block_data_bytes=loader["block_data_bytes"],
        record_data_bytes=loader["record_data_bytes"],
        read_bytes=loader["read_bytes"],
        frame_silence_us=loader["frame_silence_ms"] * 1000,
        motor_power_max=parts["motor_power_max"],
        leds=parts["leds"],
        dip_switches=parts["dip_switches"],
        motors=parts["motors"],
        servos=parts["servos"],
        analog_inputs=parts["analog_inputs"],
        digital_inputs=parts["digital_inputs"],
        infrared_receivers=parts["ir_receivers"],
        lcd_rows=parts["lcd_rows"],
        lcd_columns=parts["lcd_columns"],
        direct_channels=analog["direct_channels"],
        multiplexed_channel=analog["multiplexed_channel"],
        full_scale_v=analog["full_scale_v"],
        io_window=range(table["io_window"]["start"], table["io_window"]["end"] + 1),
        registers={name: entry["address"] for name, entry in table["registers"].items()},
    )
