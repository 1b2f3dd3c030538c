"""The firmware library: built once for each board and kept in the user's cache.

The cache entry is named by a hash of everything that goes into it: the library's sources, the
board's constants, the flags and the version of sdcc. It may be deleted at any time.
"""

import hashlib
import re
import shutil
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from firmware_tools.boards.facts import Board, Register
from firmware_tools.building.toolchain import COMMON_FLAGS, Toolchain, include_flags
from firmware_tools.errors import InvalidBoardFactsError, ToolchainError
from solvers.foundation.typed_files import read_toml

HEADER_NAME: Final = "board_map.h"


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
                    f"The firmware library cannot be kept in {folder.parent} ({error.strerror})."
                ) from error
    return FirmwareLibrary(folder, board)


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
    """Compile every part of every source file into an object of its own.

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
