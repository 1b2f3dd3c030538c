"""Facts of a board: what the build, the flasher and the firmware library must agree on.

The classes say what may stand in a board's file; `boards/board_file.py` reads one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

BITS_PER_BYTE_ON_THE_LINE: Final = 10  # 8N1: start bit, eight data bits, stop bit

Byte = Annotated[int, msgspec.Meta(ge=0, le=0xFF)]
Address = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Count = Annotated[int, msgspec.Meta(ge=0, le=0xFFFF)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Identifier = Annotated[str, msgspec.Meta(pattern=r"^[_A-Za-z]\w*$")]
FileName = Annotated[str, msgspec.Meta(pattern=r"^\w[\w.-]{0,99}$")]
"""Of a file in a folder that is known, not below it nor elsewhere."""
"""A name in C, or a part of one."""


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

    Its files begin with `name` and an underscore; NAME_start.c holds main(), which calls `entry`.
    """

    name: str
    header: str  # declares the calls that a program may use, or define itself
    entry: str  # the program's own main function
    tick_calls: tuple[str, ...]  # what its tick calls through addresses in xdata, not by name

    @property
    def prefix(self) -> str:
        """Return what the names of the library's modules begin with."""
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
