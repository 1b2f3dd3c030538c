"""The board's facts, read as data from the file that the build and the firmware also use.

This is the simulator's own reader: what it does not need, it does not look at.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec

from hardware_sims.aksen_board import DEFAULT_BOARD
from hardware_sims.errors import InvalidScenarioError
from hardware_sims.mcs51.chip_state import CLOCKS_PER_CYCLE
from hardware_sims.mcs51.image import read_image
from solvers.foundation.typed_files import read_toml

CHIP: Final = "SAB 80C515A"
_SUFFIX: Final = ".toml"

Byte = Annotated[int, msgspec.Meta(ge=0, le=0xFF)]
Address = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Bytes64K = Annotated[int, msgspec.Meta(ge=0, le=0x10000)]
Few = Annotated[int, msgspec.Meta(ge=0, le=16)]
Positive = Annotated[int, msgspec.Meta(ge=1)]


class _Mcu(msgspec.Struct, frozen=True):
    name: str
    oscillator_hz: Annotated[int, msgspec.Meta(ge=100_000, le=100_000_000)]
    oscillator_periods_per_machine_cycle: int


class _Memory(msgspec.Struct, frozen=True):
    code_bytes: Annotated[int, msgspec.Meta(ge=1, le=0x10000)]
    xdata_bytes: Bytes64K


class _Serial(msgspec.Struct, frozen=True):
    baud: Positive


class _BootLoader(msgspec.Struct, frozen=True):
    chip_id: Annotated[list[Byte], msgspec.Meta(min_length=4, max_length=4)]
    block_data_bytes: Byte
    record_data_bytes: Byte
    read_bytes: Byte
    frame_silence_ms: Positive


class _Peripherals(msgspec.Struct, frozen=True):
    motor_power_max: Byte
    leds: Few
    dip_switches: Few
    motors: Few
    servos: Few
    analog_inputs: Few
    digital_inputs: Few
    ir_receivers: Few
    ir_first_input: Few
    lcd_rows: Annotated[int, msgspec.Meta(ge=1, le=2)]
    lcd_columns: Annotated[int, msgspec.Meta(ge=1, le=40)]


class _Analog(msgspec.Struct, frozen=True):
    multiplexed_inputs: Annotated[int, msgspec.Meta(ge=0, le=8)]
    multiplexed_channel: Annotated[int, msgspec.Meta(ge=0, le=7)]
    first_direct_channel: Annotated[int, msgspec.Meta(ge=0, le=7)]
    full_scale_v: Annotated[float, msgspec.Meta(gt=0)]


class _Window(msgspec.Struct, frozen=True):
    start: Address
    end: Address


class _Register(msgspec.Struct, frozen=True):
    address: Address


class _Rom(msgspec.Struct, frozen=True):
    image: str


class _Board(msgspec.Struct, frozen=True):
    title: str


class _File(msgspec.Struct, frozen=True):
    board: _Board
    mcu: _Mcu
    memory: _Memory
    serial: _Serial
    bootloader: _BootLoader
    peripherals: _Peripherals
    analog: _Analog
    io_window: _Window
    registers: dict[str, _Register]
    rom: _Rom | None = None


@dataclass(frozen=True, slots=True)
class BoardFacts:
    """What the simulator needs to know of a board; sizes in bytes."""

    title: str
    oscillator_hz: int
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
    first_infrared_input: int
    lcd_rows: int
    lcd_columns: int
    multiplexed_inputs: int
    multiplexed_channel: int
    first_direct_channel: int
    full_scale_v: float
    io_window: range
    registers: dict[str, int]
    rom: Mapping[int, int]
    """The library behind the flash in code memory, by address; empty if there is none."""

    @property
    def largest_dip(self) -> int:
        """All DIP switches on, as a number."""
        return (1 << self.dip_switches) - 1

    def us_at_clock(self, clock: int) -> int:
        """Return the microsecond in which an oscillator clock has passed."""
        return -(-clock * 1_000_000 // self.oscillator_hz)

    def clock_at_us(self, time_us: int) -> int:
        """Return the oscillator clocks that have passed by then."""
        return time_us * self.oscillator_hz // 1_000_000

    def us_at_cycle(self, cycle: int) -> int:
        """Return the whole microseconds that have passed after a number of machine cycles."""
        return cycle * CLOCKS_PER_CYCLE * 1_000_000 // self.oscillator_hz

    def cycle_at_us(self, time_us: int) -> int:
        """Return the first machine cycle by which a number of microseconds has passed."""
        return -(-time_us * self.oscillator_hz // (CLOCKS_PER_CYCLE * 1_000_000))


@lru_cache
def board_facts(name: str = DEFAULT_BOARD) -> BoardFacts:
    """Return the facts of a board: one of the distribution by its name, or a .toml file's.

    Raises InvalidScenarioError if there is none, or its processor is not the simulated one.
    """
    path = Path(name)
    if path.suffix != _SUFFIX:
        path = _own_folder() / f"{name}{_SUFFIX}"
    file = read_toml(path, _File, "The board", InvalidScenarioError)
    if (file.mcu.name, file.mcu.oscillator_periods_per_machine_cycle) != (CHIP, CLOCKS_PER_CYCLE):
        raise InvalidScenarioError(
            f"The board {path} has a {file.mcu.name} with "
            f"{file.mcu.oscillator_periods_per_machine_cycle} clocks a cycle; the simulated chip "
            f"is the {CHIP} with {CLOCKS_PER_CYCLE}."
        )
    return _facts(file, _rom(path, file.rom.image) if file.rom else {})


def _rom(board: Path, name: str) -> Mapping[int, int]:
    """Read the ROM next to the board's file, or the distribution's of that name."""
    image = board.parent / name
    return read_image(image if image.is_file() else _own_folder() / name)


def _own_folder() -> Path:
    return Path(str(files("firmware_tools") / "boards"))


def _facts(file: _File, rom: Mapping[int, int]) -> BoardFacts:
    loader, parts, analog = file.bootloader, file.peripherals, file.analog
    return BoardFacts(
        title=file.board.title,
        oscillator_hz=file.mcu.oscillator_hz,
        code_bytes=file.memory.code_bytes,
        xdata_bytes=file.memory.xdata_bytes,
        baud=file.serial.baud,
        chip_id=bytes(loader.chip_id),
        block_data_bytes=loader.block_data_bytes,
        record_data_bytes=loader.record_data_bytes,
        read_bytes=loader.read_bytes,
        frame_silence_us=loader.frame_silence_ms * 1000,
        motor_power_max=parts.motor_power_max,
        leds=parts.leds,
        dip_switches=parts.dip_switches,
        motors=parts.motors,
        servos=parts.servos,
        analog_inputs=parts.analog_inputs,
        digital_inputs=parts.digital_inputs,
        infrared_receivers=parts.ir_receivers,
        first_infrared_input=parts.ir_first_input,
        lcd_rows=parts.lcd_rows,
        lcd_columns=parts.lcd_columns,
        multiplexed_inputs=analog.multiplexed_inputs,
        multiplexed_channel=analog.multiplexed_channel,
        first_direct_channel=analog.first_direct_channel,
        full_scale_v=analog.full_scale_v,
        io_window=range(file.io_window.start, file.io_window.end + 1),
        registers={name: register.address for name, register in file.registers.items()},
        rom=rom,
    )
