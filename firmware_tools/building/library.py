"""The firmware library: built once for each board, in the user's cache.

The cache entry is named by a hash of everything that goes into it: the library's sources, the
board's constants, the flags and the version of sdcc. It may be deleted at any time.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from firmware_tools.boards.facts import Board, Memory, Register, load_board
from firmware_tools.building.toolchain import COMMON_FLAGS, Toolchain, find_toolchain, include_flags
from firmware_tools.errors import CompileError, InvalidBoardFactsError, ToolchainError
from firmware_tools.sizes import Function
from solvers.foundation.files import write_bytes
from solvers.foundation.typed_files import read_toml

HEADER_NAME: Final = "board_map.h"

UNUSED_S: Final = 3600
"""An older library that was not used for this long is removed when a newer one is built."""


def port_map_header(board: Board) -> str:
    """Return the text of board_map.h: one #define per constant of the board."""
    lines = [
        f"/* Generated from {board.name}.toml. Change that file, not this one. */",
        "#ifndef BOARD_MAP_H",
        "#define BOARD_MAP_H",
        "",
        *(f"#define {name} {_literal(value)}" for name, value in board.constants.items()),
        "",
        *(_definition(name, register) for name, register in board.registers.items()),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _definition(name: str, register: Register) -> str:
    meaning = register.meaning.replace("*/", "* /")
    return (
        f"/* {register.access}: {meaning} */\n#define {name}_ADDRESS {_literal(register.address)}"
    )


def _literal(value: int) -> str:
    return str(value) if value < 256 else f"0x{value:04X}"


SOURCES, INCLUDE, INTERRUPTS = "lib", "include", "interrupts.toml"
_PART = re.compile(r"^#ifdef PART_(\w+)", re.MULTILINE)


class InterruptFunction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A function of the library that serves an interrupt; NAME_start enables it."""

    function: str
    number: int

    @property
    def prototypes(self) -> tuple[str, str]:
        """Return its declarations for the start-up code."""
        return (
            f"void {self.function}(void) __interrupt({self.number});",
            f"void {self.function}_start(void);",
        )


@dataclass(frozen=True, slots=True)
class FirmwareLibrary:
    """The built library of a board."""

    folder: Path
    board: Board

    @property
    def start(self) -> Path:
        """Return the object with main(): it goes first on the linker's command line."""
        return self.folder / f"{self.board.library.start_module}.rel"

    @property
    def archive(self) -> Path:
        """Return the archive with everything else."""
        return self.folder / f"{self.board.library.name}.lib"

    @property
    def private_headers(self) -> tuple[Path, ...]:
        """Return the folders of the headers that only the library itself includes."""
        return (self.folder / SOURCES, self.folder)

    @property
    def start_source(self) -> Path:
        """Return the source of `start`, for programs with interrupt functions of their own."""
        return self.folder / SOURCES / f"{self.board.library.start_module}.c"

    @property
    def interrupts(self) -> Mapping[str, InterruptFunction]:
        """Return the interrupt functions by the calls that need them."""
        path = self.folder / SOURCES / INTERRUPTS
        return read_toml(path, dict[str, InterruptFunction], "The library", ToolchainError)

    @property
    def include(self) -> Path:
        """Return the folder of the headers that programs may include."""
        return self.folder / SOURCES / INCLUDE

    @property
    def header(self) -> Path:
        """Return the header that declares the library's calls."""
        return self.include / self.board.library.header

    @property
    def program_flags(self) -> list[str]:
        """Return the flags that give every program the board's constants."""
        return [f"-DBOARD_CYCLES_PER_MS={round(self.board.mcu.cycles_per_second / 1000)}"]


def firmware_library(
    board: Board, toolchain: Toolchain, flags: tuple[str, ...] = ()
) -> FirmwareLibrary:
    """Return the library for `board`, building it if the cache does not hold it.

    Raises InvalidBoardFactsError if the board names a library that is not there.
    """
    with as_file(files("firmware_tools") / "firmware" / "lib") as libraries:
        sources = libraries / board.library.name
        if not (sources / f"{board.library.start_module}.c").is_file():
            known = ", ".join(sorted(each.name for each in libraries.iterdir() if each.is_dir()))
            raise InvalidBoardFactsError(
                f"The {board.title} names the firmware library {board.library.name!r}, "
                f"which is not in {libraries}. Known: {known}."
            )
        folder = _cache_folder() / f"library-{library_key(sources, board, toolchain, flags)}"
        if not folder.is_dir():
            try:
                _build(sources, board, toolchain, folder, flags)
            except OSError as error:
                raise ToolchainError(
                    f"The firmware library cannot be stored in {folder.parent} ({error.strerror})."
                ) from error
            with suppress(OSError):
                _remove_unused(folder)
        with suppress(OSError):  # of a user who may not write there
            os.utime(folder)
    return FirmwareLibrary(folder, board)


def _remove_unused(newest: Path) -> None:
    """Remove the libraries of earlier sources; another process may still be using a recent one."""
    now = newest.stat().st_mtime
    for other in newest.parent.glob("library-*"):
        with suppress(OSError):
            if other != newest and now - other.stat().st_mtime > UNUSED_S:
                shutil.rmtree(other)


def _cache_folder() -> Path:
    return platformdirs.user_cache_path("puzzlerig") / "aksen"


def library_key(
    sources: Path, board: Board, toolchain: Toolchain, flags: tuple[str, ...] = ()
) -> str:
    """Return the cache key: a hash of everything that the library is made from."""
    digest = hashlib.sha256()
    digest.update(f"{toolchain.version} {COMMON_FLAGS} {flags} {port_map_header(board)}".encode())
    for path in sorted(each for each in sources.rglob("*") if each.is_file()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _build(
    sources: Path, board: Board, toolchain: Toolchain, folder: Path, flags: tuple[str, ...]
) -> None:
    """Build into a temporary folder and rename it, so that a half-built library never counts."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        work = Path(temporary) / "library"
        shutil.copytree(sources, work / SOURCES)
        (work / HEADER_NAME).write_text(port_map_header(board), encoding="ascii")
        library = FirmwareLibrary(work, board)
        objects = _compile_all(library, toolchain, flags)
        toolchain.archive([path for path in objects if path != library.start], library.archive)
        try:
            work.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process may have built the same library first
                raise


def _compile_all(
    library: FirmwareLibrary, toolchain: Toolchain, flags: tuple[str, ...]
) -> list[Path]:
    """Compile every part of every source file into its own object.

    The linker takes whole objects out of an archive. With one object per call, a program gets
    exactly the calls it uses, and may define any of them itself.
    """
    jobs: list[tuple[Path, Path, list[str]]] = []
    for source in sorted(library.start_source.parent.glob("*.c")):
        parts = _PART.findall(source.read_text(encoding="ascii"))
        for part in parts:
            output = library.folder / f"{source.stem}_{part}.rel"
            jobs.append((source, output, [f"-DPART_{part}"]))
        if not parts:
            jobs.append((source, library.folder / f"{source.stem}.rel", []))
    paths = include_flags(library.include, *library.private_headers)
    with ThreadPoolExecutor(max_workers=2) as pool:
        runs = [pool.submit(toolchain.compile, s, o, [*paths, *flags, *f]) for s, o, f in jobs]
        for run in runs:
            run.result()
    return [output for _, output, _ in jobs]


# The library in ROM at 8000h: its table of jumps, and how programs and the ROM itself are linked.
#
# `python -m firmware_tools.building.library` rebuilds the ROM as boards/NAME_rom.ihx.

TABLE: Final = "rom.toml"
SLOT_BYTES: Final = 3  # LJMP
MODULE: Final = "aksen_rom"
SCHEDULER: Final = "aksen_change_process"  # it may change the stack pointer
_LAYOUT = re.compile(r"^0x[01]0:\|(.*)$", re.MULTILINE)  # of internal RAM, a character a byte
_AREA = re.compile(r"^C:\s+([0-9A-F]{8})\s+([sl]_XISEG)\s*$", re.MULTILINE)
_BITS: Final = 0x20


class RomFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file rom.toml of a library; addresses in code, xdata and internal RAM."""

    start: int
    code: int
    xdata: int
    data: int
    program_xdata_bytes: int
    program_data: int
    program_stack: int
    known: tuple[int, ...]
    slots: tuple[str, ...]
    variables: dict[str, int]
    vectors: dict[str, int]

    def address(self, name: str) -> int:
        """Return the address in the table that leads to a function."""
        return self.start + SLOT_BYTES * self.slots.index(name)

    @property
    def addresses(self) -> dict[str, int]:
        """Return what programs refer to by name: functions in the table, and variables."""
        found = {name: self.address(name) for name in self.slots}
        place = self.xdata
        for name, size in self.variables.items():
            found[name] = place
            place += size
        return found

    @property
    def functions(self) -> tuple[Function, ...]:
        """Return the table as symbols; the code behind it has one name, the scheduler's."""
        table = (Function(self.address(name), name, MODULE) for name in self.slots)
        return (*table, Function(self.code, SCHEDULER, MODULE))


@dataclass(frozen=True, slots=True)
class RomLibrary:
    """A library in ROM, as programs are linked to it."""

    facts: RomFacts
    image: Path

    @property
    def interrupt_prototypes(self) -> list[str]:
        """Return the table's interrupt functions, as the start of a program declares them."""
        return [
            f"void {name}(void) __interrupt({number});"
            for name, number in self.facts.vectors.items()
        ]

    @property
    def stub(self) -> str:
        """Return assembler that gives the table's functions their addresses."""
        # Reserve the compiler's byte of bits in every program: the stack always starts behind it.
        lines = [f"\t.module {MODULE}", "\t.area BIT_BANK (REL,OVR,DATA)", "\t.ds 1"]
        for name, address in self.facts.addresses.items():
            lines += [f"\t.globl _{name}", f"_{name} = 0x{address:04X}"]
        return "\n".join(lines) + "\n"

    def memory(self, board: Board) -> Memory:
        """Return the memory that the ROM leaves a program."""
        return msgspec.structs.replace(
            board.memory,
            xdata_bytes=self.facts.program_xdata_bytes,
            data_start=self.facts.program_data,
        )

    def unproved(self, names: Iterable[str]) -> list[str]:
        """Return which of a program's calls have an unproved place in the original's table."""
        known = {self.facts.slots[place] for place in self.facts.known}
        ours = (set(self.facts.slots) | set(self.facts.variables)) - known
        return sorted(ours & set(names))


def rom_library(board: Board, library: FirmwareLibrary) -> RomLibrary:
    """Return the ROM of a board. Raises InvalidBoardFactsError if it has none."""
    if board.rom is None:
        raise InvalidBoardFactsError(
            f"The {board.title} has no library in ROM: build without --rom-library."
        )
    return RomLibrary(rom_facts(library.folder / SOURCES / TABLE), board.rom)


def rom_facts(path: Path) -> RomFacts:
    """Read a library's rom.toml."""
    return read_toml(path, RomFacts, "The table of the ROM", InvalidBoardFactsError)


def build_rom(board: Board, toolchain: Toolchain, work: Path) -> Path:
    """Build the ROM into the folder `work` and return its image (.ihx)."""
    library = firmware_library(board, toolchain, ("-DROM_LIBRARY",))
    facts = rom_facts(library.folder / SOURCES / TABLE)
    table = work / f"{MODULE}.asm"
    table.write_text(_table(facts), encoding="ascii")
    toolchain.assemble(table, table.with_suffix(".rel"))
    image = work / f"{MODULE}.ihx"
    places = {
        "--code-loc": facts.code,
        "--xram-loc": facts.xdata,
        "--data-loc": facts.data,
        "--iram-size": board.memory.idata_bytes,
    }
    linked = toolchain.link_at([table.with_suffix(".rel")], library.archive, image, places)
    if linked.returncode != 0:
        raise CompileError(f"The ROM cannot be linked:\n{linked.stdout}{linked.stderr}")
    _check_variables(image, facts)
    return image


def _check_variables(image: Path, facts: RomFacts) -> None:
    """Raise CompileError unless programs keep their bytes and all initial values share a page.

    Initial values are copied with MOVX @Ri, whose page in P2 is set once.
    """
    layout = image.with_suffix(".mem").read_text(encoding="latin-1")
    cells = "".join(_LAYOUT.findall(layout)).replace("|", "")
    areas = _AREA.findall(image.with_suffix(".map").read_text(encoding="latin-1"))
    values = {name: int(digits, 16) for digits, name in areas}
    first, size = values["s_XISEG"], values["l_XISEG"]
    is_free = not cells[facts.program_data : _BITS].strip()
    if not is_free or first >> 8 != (first + size) >> 8:
        raise CompileError("The ROM's variables are not where programs leave room for them.")


def _table(facts: RomFacts) -> str:
    """Return assembler for the table of jumps and for the variables in front of all others."""
    frame_pointer = ["\t.globl _bp", f"_bp = 0x{facts.program_data:02X}"]  # the program's own
    lines = [f"\t.module {MODULE}", *frame_pointer, "\t.area XSEG (XDATA)"]
    for name, size in facts.variables.items():
        lines += [f"\t.globl _{name}", f"_{name}:", f"\t.ds {size}"]
    lines += ["\t.area TABLE (ABS,CODE)", f"\t.org 0x{facts.start:04X}"]
    lines += [line for name in facts.slots for line in (f"\t.globl _{name}", f"\tljmp _{name}")]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Build the ROM of the default board in its place."""
    board = load_board()
    with tempfile.TemporaryDirectory() as folder:
        image = build_rom(board, find_toolchain(), Path(folder))
        name = f"{board.name}_rom.ihx"
        write_bytes(Path(str(files("firmware_tools") / "boards" / name)), image.read_bytes())


if __name__ == "__main__":
    main()
