"""Build of a program: compile, link, measure, compare with the board's budget, write the image."""

import json
import re
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NoReturn

from intelhex import IntelHex

from firmware_tools.boards.facts import Board, LibraryFacts
from firmware_tools.building.compilation import CompilerWarning, compile_program, referenced
from firmware_tools.building.library import firmware_library
from firmware_tools.building.program import Program
from firmware_tools.building.rom_library import RomLibrary, rom_library
from firmware_tools.building.source_text import Rewrite, pointed_at_functions
from firmware_tools.building.toolchain import Toolchain, find_toolchain
from firmware_tools.errors import CompileError, InvalidProgramError, OverBudgetError
from firmware_tools.sizes.link_report import MemorySizes, object_xdata_bytes, parse_map, parse_mem
from firmware_tools.sizes.report import REPORT_SUFFIX, SizeReport, budget
from firmware_tools.sizes.stack_usage import StackUsage, analyse_stack
from solvers.foundation.files import atomic_write

_UNDEFINED = re.compile(r"Undefined Global '_?(\w+)' referenced by module '(\w+)'")
_NO_MEMORY = re.compile(r"ASlink-Error-((?:Insufficient|Could not get)[^\n.]*)")


@dataclass(frozen=True)
class BuildResult:
    """Result of a build; `image` is None if the program is over budget."""

    image: Path | None
    report: SizeReport
    warnings: tuple[CompilerWarning, ...]
    rewritten: tuple[Rewrite, ...] = ()
    unproved: tuple[str, ...] = ()
    """Calls whose place in the original library's ROM is unknown; empty without a ROM."""


def build(program: Program, board: Board, output: Path, *, with_rom: bool = False) -> BuildResult:
    """Build `program` for `board` into the folder `output`: NAME.ihx, .map, .mem, .size.json.

    With `with_rom`, the program calls the library in the board's ROM instead of bringing it along.
    Over budget, only the reports are written, and an older image of that name is removed.
    Raises ToolchainError, CompileError, or OverBudgetError if not even the linker could place it.
    """
    toolchain = find_toolchain()
    library = firmware_library(board, toolchain)
    with tempfile.TemporaryDirectory(prefix="aksen-build-") as folder:
        work = Path(folder)
        rom = rom_library(board, library) if with_rom else None
        compiled = compile_program(program, library, toolchain, work, rom)
        objects = compiled.objects
        image = work / f"{program.name}.ihx"
        first = [compiled.start, *([_rom_stub(rom, toolchain, work)] if rom else [])]
        board = replace(board, memory=rom.memory(board)) if rom else board
        linked = toolchain.link([*first, *objects], library.archive, image, board.memory)
        messages = linked.stdout + linked.stderr
        _check_references(messages, board.library)
        memory = image.with_suffix(".mem")
        if linked.returncode != 0 and not (memory.exists() and _NO_MEMORY.search(messages)):
            raise CompileError(f"{program.name} cannot be linked:\n{messages.strip()}")
        sizes = parse_mem(memory.read_text(encoding="latin-1"))
        if rom is not None and sizes.stack_start != rom.facts.program_stack:
            raise OverBudgetError(
                f"{program.name} has more variables in internal RAM than the eight bytes that the "
                "library in ROM leaves: put some into xdata. No image was written."
            )
        stack = _stack(image, objects, board.library, rom) if linked.returncode == 0 else None
        report = _report(program, board, sizes, objects, stack)
        if stack is None and not report.over_budget:
            _refuse_layout(program, messages, output / image.name)
        try:
            delivered = _deliver(report, image, output, compiled.warnings)
        except OSError as error:
            raise InvalidProgramError(
                f"The folder {output} cannot be written ({error.strerror}): name another with -o."
            ) from error
        unproved = tuple(rom.unproved(referenced(objects))) if rom else ()
        return replace(delivered, rewritten=compiled.rewritten, unproved=unproved)


def _rom_stub(rom: RomLibrary, toolchain: Toolchain, work: Path) -> Path:
    """Return the object that gives the functions in ROM their addresses."""
    source = work / "rom_stub.asm"
    source.write_text(rom.stub, encoding="ascii")
    toolchain.assemble(source, source.with_suffix(".rel"))
    return source.with_suffix(".rel")


def _check_references(messages: str, library: LibraryFacts) -> None:
    missing = sorted(set(_UNDEFINED.findall(messages)))
    if (library.entry, library.start_module) in missing:
        raise CompileError(
            f"The program has no {library.entry}: its entry must be void {library.entry}(void)."
        )
    if missing:
        uses = "; ".join(f"{name} (used in {module})" for name, module in missing)
        raise CompileError(f"Neither the program nor the library defines {uses}.")


def _refuse_layout(program: Program, messages: str, image: Path) -> NoReturn:
    """Raise OverBudgetError for memory that is large enough but fragmented.

    Variables in internal RAM must not be split around the register banks and the stack.
    """
    image.unlink(missing_ok=True)
    reason = _NO_MEMORY.search(messages)
    assert reason is not None
    raise OverBudgetError(
        f"{program.name} does not fit ({reason[1]}). Move variables out of internal RAM. "
        "No image was written."
    )


def _stack(
    image: Path, objects: list[Path], library: LibraryFacts, rom: RomLibrary | None
) -> StackUsage:
    code = IntelHex(str(image))
    symbols = parse_map(image.with_suffix(".map").read_text(encoding="latin-1"))
    if rom is not None:
        code.merge(IntelHex(str(rom.image)))
        symbols = replace(symbols, functions=(*symbols.functions, *rom.facts.functions))
        symbols.addresses.setdefault("_bp", rom.facts.program_data)
    listings = (path.with_suffix(".asm") for path in objects)
    texts = [path.read_text(encoding="latin-1") for path in listings if path.exists()]
    pointed_at = set().union(*map(pointed_at_functions, texts))
    return analyse_stack(code.tobinstr(), symbols, sorted(pointed_at), library)


def _report(
    program: Program,
    board: Board,
    sizes: MemorySizes,
    objects: list[Path],
    stack: StackUsage | None,
) -> SizeReport:
    own = object_xdata_bytes(path.read_text(encoding="latin-1") for path in objects)
    rows = budget(board.memory, sizes, own, stack)
    return SizeReport(program.name, board.title, rows, stack)


def _deliver(
    report: SizeReport, image: Path, output: Path, warnings: tuple[CompilerWarning, ...]
) -> BuildResult:
    output.mkdir(parents=True, exist_ok=True)
    for path in (image.with_suffix(suffix) for suffix in (".map", ".mem")):
        _write(output / path.name, path.read_bytes())
    text = json.dumps(asdict(report), indent=1)
    _write(output / f"{report.program}{REPORT_SUFFIX}", text.encode() + b"\n")
    target = output / image.name
    if report.over_budget:
        target.unlink(missing_ok=True)
        return BuildResult(None, report, warnings)
    _write(target, image.read_bytes())
    return BuildResult(target, report, warnings)


def _write(path: Path, data: bytes) -> None:
    with atomic_write(path) as file:
        file.write(data)


def require_within_budget(result: BuildResult) -> Path:
    """Return the image. Raises OverBudgetError, naming every row that is over, if there is none."""
    if result.image is None:
        rows = "; ".join(
            f"{row.name} needs {row.used} of {row.limit} bytes"
            for row in result.report.rows
            if row.over
        )
        raise OverBudgetError(
            f"{result.report.program} does not fit the {result.report.board}: {rows}. "
            "No image was written."
        )
    return result.image
