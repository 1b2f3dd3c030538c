"""Facts of a board, read from boards/NAME.toml and checked."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from firmware_tools.errors import InvalidBoardFactsError

BITS_PER_BYTE_ON_THE_LINE = 10  # 8N1: start bit, eight data bits, stop bit


@dataclass(frozen=True)
class Memory:
    """Sizes in bytes."""

    code_bytes: int
    xdata_bytes: int
    xdata_program_bytes: int  # what a program can count on with the whole library linked
    idata_bytes: int
    data_start: int
    stack_bytes: int


@dataclass(frozen=True)
class LoaderFacts:
    """Figures of the boot loader; docs/bootloader.md explains them."""

    protocol: str
    chip_id: bytes
    block_data_bytes: int
    record_data_bytes: int
    read_bytes: int
    frame_silence_s: float
    sync_timeout_s: float
    answer_timeout_s: float
    checksum_timeout_s: float
    erase_timeout_s: float
    sync_attempts: int
    retries_per_block: int


@dataclass(frozen=True)
class Board:
    """One board: what the build, the flasher and the firmware library must agree on."""

    name: str
    title: str
    mcu: str
    memory: Memory
    baud: int
    loader: LoaderFacts
    constants: Mapping[str, int]  # name in C -> value, for the generated header

    @property
    def seconds_per_byte(self) -> float:
        """Return the time of one byte on the serial line."""
        return BITS_PER_BYTE_ON_THE_LINE / self.baud


def load_board(name: str = "aksen") -> Board:
    """Return the facts of the board called `name`.

    Raises InvalidBoardFactsError if there is no such board or its description is wrong.
    """
    source = files("firmware_tools") / "boards" / f"{name}.toml"
    if not source.is_file():
        raise InvalidBoardFactsError(f"There is no board called {name!r} in firmware_tools/boards.")
    return parse_board(source.read_text(encoding="utf-8"), f"{name}.toml")


def parse_board(text: str, origin: str) -> Board:
    """Return the board that a TOML text describes; `origin` names it in error messages."""
    try:
        facts = tomllib.loads(text)
        return _board(facts)
    except tomllib.TOMLDecodeError as error:
        raise InvalidBoardFactsError(f"{origin} is not valid TOML: {error}.") from error
    except KeyError as error:
        raise InvalidBoardFactsError(f"{origin} lacks the entry {error.args[0]!r}.") from error
    except (TypeError, ValueError) as error:
        raise InvalidBoardFactsError(f"{origin}: {error}.") from error


def _board(facts: Mapping[str, Any]) -> Board:
    memory = Memory(**facts["memory"])
    if not memory.data_start + memory.stack_bytes < memory.idata_bytes:
        raise ValueError("the stack budget does not fit into internal RAM")
    if not memory.xdata_program_bytes <= memory.xdata_bytes:
        raise ValueError("xdata_program_bytes is larger than xdata_bytes")
    return Board(
        name=facts["board"]["name"],
        title=facts["board"]["title"],
        mcu=facts["mcu"]["name"],
        memory=memory,
        baud=_positive(facts["serial"], "baud"),
        loader=_loader(facts["bootloader"]),
        constants=_constants(facts),
    )


def _loader(facts: Mapping[str, Any]) -> LoaderFacts:
    if facts["protocol"] not in ("block", "hex-ack"):
        raise ValueError(f"unknown boot-loader protocol {facts['protocol']!r}")
    return LoaderFacts(
        protocol=facts["protocol"],
        chip_id=bytes(facts["chip_id"]),
        block_data_bytes=_positive(facts, "block_data_bytes"),
        record_data_bytes=_positive(facts, "record_data_bytes"),
        read_bytes=_positive(facts, "read_bytes"),
        frame_silence_s=_positive(facts, "frame_silence_ms") / 1000,
        sync_timeout_s=_positive(facts, "sync_timeout_ms") / 1000,
        answer_timeout_s=_positive(facts, "answer_timeout_ms") / 1000,
        checksum_timeout_s=_positive(facts, "checksum_timeout_ms") / 1000,
        erase_timeout_s=_positive(facts, "erase_timeout_ms") / 1000,
        sync_attempts=_positive(facts, "sync_attempts"),
        retries_per_block=_positive(facts, "retries_per_block"),
    )


def _positive(facts: Mapping[str, Any], name: str) -> int:
    value = facts[name]
    if not isinstance(value, int) or value <= 0:
        raise ValueError(f"{name} must be a positive whole number, not {value!r}")
    return value


def _constants(facts: Mapping[str, Any]) -> dict[str, int]:
    """Return the C constants that the firmware library's hardware layer is compiled with."""
    timer, analog, window = facts["timer"], facts["analog"], facts["io_window"]
    cycles_per_tick = (
        timer["tick_us"]
        * facts["mcu"]["oscillator_hz"]
        // (facts["mcu"]["oscillator_periods_per_machine_cycle"] * 1_000_000)
    )
    constants = {
        "TIMER_RELOAD": 0x10000 - cycles_per_tick,
        "TIMER_INTERRUPT": timer["interrupt_number"],
        "SERIAL_SREL": facts["serial"]["srel"],
        "ANALOG_DIRECT_CHANNELS": analog["direct_channels"],
        "ANALOG_MULTIPLEXED_CHANNEL": analog["multiplexed_channel"],
        "MULTIPLEXER_SETTLING_US": analog["multiplexer_settling_us"],
    }
    constants |= {name.upper(): value for name, value in facts["peripherals"].items()}
    taken: dict[int, str] = {}
    for name, register in facts["registers"].items():
        address = register["address"]
        if not window["start"] <= address <= window["end"]:
            raise ValueError(f"register {name} at {address:04X}h lies outside the I/O window")
        if address in taken:
            raise ValueError(f"registers {name} and {taken[address]} share {address:04X}h")
        taken[address] = name
        constants[f"{name}_ADDRESS"] = address
    return constants
