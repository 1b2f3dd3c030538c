"""Facts of a board, shared by the build, the flasher and the firmware library.

One TOML file each, boards/NAME.toml or the user's own, is read into typed classes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.errors import InvalidBoardFactsError
from solvers.foundation.typed_files import convert, load_toml

BITS_PER_BYTE_ON_THE_LINE: Final = 10  # 8N1: start bit, eight data bits, stop bit

Byte = Annotated[int, msgspec.Meta(ge=0, le=0xFF)]
Address = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Count = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Identifier = Annotated[str, msgspec.Meta(pattern=r"^[_A-Za-z]\w*$")]
"""A name in C, or a part of one."""
FileName = Annotated[str, msgspec.Meta(pattern=r"^\w[\w.-]{0,99}$")]
"""A file of the board's own folder: no path, so that a board file reads nothing elsewhere."""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of a board's file."""


class Mcu(Table, frozen=True):
    """The processor and its clock."""

    name: str
    oscillator_hz: Positive
    oscillator_periods_per_machine_cycle: Positive

    @property
    def cycles_per_second(self) -> float:
        """Return the machine cycles of a second."""
        return self.oscillator_hz / self.oscillator_periods_per_machine_cycle


class Memory(Table, frozen=True):
    """Sizes in bytes; `data_start` is the first address for variables in internal RAM."""

    code_bytes: Annotated[int, msgspec.Meta(ge=1, le=0x10000)]
    xdata_bytes: Annotated[int, msgspec.Meta(ge=0, le=0x10000)]
    idata_bytes: Annotated[int, msgspec.Meta(ge=128, le=256)]
    data_start: Annotated[int, msgspec.Meta(ge=8, le=0x7F)]


class LibraryFacts(Table, frozen=True):
    """The firmware library for the board: the folder firmware/lib/`name`.

    The names of its files start with `name` and an underscore; NAME_start.c holds main(), which
    calls `entry`.
    """

    name: str
    header: str  # declares the calls that a program may use, or define itself
    entry: str  # the program's own main function
    tick_calls: tuple[str, ...]  # functions that its tick calls through pointers in xdata

    @property
    def prefix(self) -> str:
        """Return the prefix of the library's module names."""
        return f"{self.name}_"

    @property
    def start_module(self) -> str:
        """Return the module with main()."""
        return f"{self.name}_start"


class LoaderFacts(Table, frozen=True):
    """Figures of the boot loader; docs/bootloader.md explains them."""

    protocol: str
    chip_id: tuple[Byte, Byte, Byte, Byte]
    block_data_bytes: Annotated[int, msgspec.Meta(ge=3, le=253)]
    record_data_bytes: Annotated[int, msgspec.Meta(ge=16, le=255)]
    read_bytes: Annotated[int, msgspec.Meta(ge=1, le=255)]
    frame_silence_ms: Positive
    sync_timeout_ms: Positive
    answer_timeout_ms: Positive
    checksum_timeout_ms: Positive
    erase_timeout_ms: Positive
    sync_attempts: Positive
    retries_per_block: Positive

    @property
    def chip(self) -> bytes:
        """Return the chip identifier as it travels."""
        return bytes(self.chip_id)

    @property
    def frame_silence_s(self) -> float:
        """Return how long a frame may pause before the loader gives it up."""
        return self.frame_silence_ms / 1000

    @property
    def sync_timeout_s(self) -> float:
        """Return how long an answer to the test byte may take."""
        return self.sync_timeout_ms / 1000

    @property
    def answer_timeout_s(self) -> float:
        """Return how long an answer may take that needs neither erasing nor a checksum."""
        return self.answer_timeout_ms / 1000

    @property
    def checksum_timeout_s(self) -> float:
        """Return how long an answer with a checksum over flash may take."""
        return self.checksum_timeout_ms / 1000

    @property
    def erase_timeout_s(self) -> float:
        """Return how long erasing may take."""
        return self.erase_timeout_ms / 1000


class Register(Table, frozen=True):
    """A register in the I/O window; `access` and `meaning` become comments in the C header."""

    address: Address
    access: Literal["r", "w", "rw"]
    meaning: str


@dataclass(frozen=True, slots=True)
class Board:
    """One board."""

    name: str
    title: str
    mcu: Mcu
    memory: Memory
    baud: int
    loader: LoaderFacts
    library: LibraryFacts
    constants: Mapping[str, int]  # name in C -> value, for the generated header
    registers: Mapping[str, Register]
    rom: Path | None  # image of the library in ROM, if there is one

    @property
    def seconds_per_byte(self) -> float:
        """Return the time of one byte on the serial line."""
        return BITS_PER_BYTE_ON_THE_LINE / self.baud


SUFFIX: Final = ".toml"
_WHAT: Final = "The board"

# C515A data sheet, baud rate generator: baud = 2^SMOD * fOSC / (64 * (1024 - SREL)), SMOD set.
_BAUD_DIVISOR, _SREL_VALUES = 32, 1024
_LARGEST_BAUD_ERROR: Final = 0.025  # both sides may be off; a frame of ten bits bears 5 %
_TIMER_VALUES: Final = 0x10000


class _Name(Table, frozen=True):
    name: str
    title: str


class _Serial(Table, frozen=True):
    baud: Positive


class _Timer(Table, frozen=True):
    tick_us: Positive
    interrupt_number: Annotated[int, msgspec.Meta(ge=0, le=31)]


class _Analog(Table, frozen=True):
    multiplexed_inputs: Annotated[int, msgspec.Meta(ge=0, le=8)]
    multiplexed_channel: Annotated[int, msgspec.Meta(ge=0, le=7)]
    first_direct_channel: Annotated[int, msgspec.Meta(ge=0, le=7)]
    full_scale_v: Annotated[float, msgspec.Meta(gt=0)]  # the result 255; no part of a program
    multiplexer_settling_us: Annotated[int, msgspec.Meta(ge=1, le=50)]


class _Window(Table, frozen=True):
    start: Address
    end: Address


class _Rom(Table, frozen=True):
    image: FileName


class _BoardFile(Table, frozen=True):
    board: _Name
    mcu: Mcu
    memory: Memory
    serial: _Serial
    timer: _Timer
    library: LibraryFacts
    bootloader: LoaderFacts
    peripherals: dict[Identifier, Count]
    analog: _Analog
    io_window: _Window
    registers: dict[Identifier, Register]
    rom: _Rom | None = None


def board_names() -> list[str]:
    """Return the names of the boards that come with this package."""
    folder = Path(str(files("firmware_tools") / "boards"))
    return sorted(path.stem for path in folder.glob(f"*{SUFFIX}"))


def load_board(name: str = DEFAULT_BOARD) -> Board:
    """Return the facts of a board: one of this package by its name, or a .toml file by its path.

    Raises InvalidBoardFactsError if there is no such board or its description is wrong.
    """
    return read_board(board_path(name))


def board_path(name: str) -> Path:
    """Return the file that describes the board `name`. Raises InvalidBoardFactsError."""
    if name.endswith(SUFFIX):
        return Path(name)
    if name not in board_names():
        raise InvalidBoardFactsError(
            f"There is no board {name!r}. Known: {', '.join(board_names())}; "
            f"a board of your own is a {SUFFIX} file, named with its path."
        )
    return Path(str(files("firmware_tools") / "boards" / f"{name}{SUFFIX}"))


def read_board(path: Path) -> Board:
    """Return the board that a TOML file describes. Raises InvalidBoardFactsError."""
    where = f"{_WHAT} {path}"
    facts = convert(
        load_toml(path, _WHAT, InvalidBoardFactsError), _BoardFile, where, InvalidBoardFactsError
    )
    try:
        constants = _constants(facts)
    except ValueError as reason:
        raise InvalidBoardFactsError(f"{where}: {reason}.") from None
    return Board(
        name=facts.board.name,
        title=facts.board.title,
        mcu=facts.mcu,
        memory=facts.memory,
        baud=facts.serial.baud,
        loader=facts.bootloader,
        library=facts.library,
        constants=constants,
        registers=facts.registers,
        rom=_rom(path, facts.rom.image) if facts.rom else None,
    )


def _rom(board: Path, name: str) -> Path:
    """Return the ROM's image in the folder of the board's file, or this package's of that name."""
    image = board.parent / name
    return image if image.is_file() else board_path(DEFAULT_BOARD).with_name(name)


def _constants(facts: _BoardFile) -> dict[str, int]:
    """Return the C constants that the firmware library's hardware layer is compiled with.

    Raises ValueError if the facts contradict each other.
    """
    _check_registers(facts)
    return {
        "TIMER_RELOAD": _TIMER_VALUES - _cycles_per_tick(facts),
        "TIMER_INTERRUPT": facts.timer.interrupt_number,
        "CYCLES_PER_MS": round(facts.mcu.cycles_per_second / 1000),
        "XDATA_BYTES": facts.memory.xdata_bytes,
        "SERIAL_SREL": _serial_reload(facts),
        "ANALOG_MULTIPLEXED_INPUTS": facts.analog.multiplexed_inputs,
        "ANALOG_FIRST_DIRECT_CHANNEL": facts.analog.first_direct_channel,
        "ANALOG_MULTIPLEXED_CHANNEL": facts.analog.multiplexed_channel,
        "MULTIPLEXER_SETTLING_LOOPS": _settling_loops(facts),
        **{name.upper(): value for name, value in facts.peripherals.items()},
    }


def _cycles_per_tick(facts: _BoardFile) -> int:
    cycles = round(facts.timer.tick_us * facts.mcu.cycles_per_second / 1e6)
    if not 1 <= cycles < _TIMER_VALUES:
        raise ValueError(f"a tick of {cycles} machine cycles does not fit into a 16-bit timer")
    return cycles


def _serial_reload(facts: _BoardFile) -> int:
    """Return SREL, the baud rate generator's reload value."""
    clocks = facts.mcu.oscillator_hz / (_BAUD_DIVISOR * facts.serial.baud)
    steps = round(clocks)
    if not 1 <= steps <= _SREL_VALUES or abs(clocks / steps - 1) > _LARGEST_BAUD_ERROR:
        raise ValueError(
            f"serial.baud {facts.serial.baud} cannot be made from an oscillator of "
            f"{facts.mcu.oscillator_hz} Hz"
        )
    return _SREL_VALUES - steps


def _settling_loops(facts: _BoardFile) -> int:
    """Return how often DJNZ, two machine cycles each, runs until the multiplexer is ready."""
    return math.ceil(facts.analog.multiplexer_settling_us * facts.mcu.cycles_per_second / 2e6)


def _check_registers(facts: _BoardFile) -> None:
    window = facts.io_window
    taken: dict[int, str] = {}
    for name, register in facts.registers.items():
        if not window.start <= register.address <= window.end:
            raise ValueError(
                f"register {name} at {register.address:04X}h is outside the I/O window"
            )
        if register.address in taken:
            raise ValueError(
                f"registers {name} and {taken[register.address]} share {register.address:04X}h"
            )
        taken[register.address] = name
