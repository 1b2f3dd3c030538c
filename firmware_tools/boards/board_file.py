"""Reads a board's facts from boards/NAME.toml, or from a file of the user's own."""

import math
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec

from firmware_tools.boards import DEFAULT_BOARD
from firmware_tools.boards.facts import (
    Address,
    Board,
    Count,
    FileName,
    Identifier,
    LibraryFacts,
    LoaderFacts,
    Mcu,
    Memory,
    Positive,
    Register,
    Table,
)
from firmware_tools.errors import InvalidBoardFactsError
from solvers.foundation.typed_files import convert, load_toml

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
    """Return the ROM's image beside the board's file, or this package's of that name."""
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
