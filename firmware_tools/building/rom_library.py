"""The library in ROM at 8000h: its table of jumps, and how programs and the ROM itself are linked.

`python -m firmware_tools.building.rom_library` rebuilds the ROM as boards/NAME_rom.ihx.
"""

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

import msgspec

from firmware_tools.boards.facts import Board, Memory, load_board
from firmware_tools.building.library import SOURCES, FirmwareLibrary, firmware_library
from firmware_tools.building.toolchain import Toolchain, find_toolchain
from firmware_tools.errors import CompileError, InvalidBoardFactsError
from firmware_tools.sizes.link_report import Function
from solvers.foundation.files import write_bytes
from solvers.foundation.typed_files import read_toml

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
