"""Build of a program: compile, link, measure, compare with the board's budget, write the image.

Sources written for the sdcc of 2004 are compiled too.
"""

import json
import re
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NoReturn

from intelhex import IntelHex

from firmware_tools.boards.facts import Board, LibraryFacts
from firmware_tools.building import source_text
from firmware_tools.building.library import (
    FirmwareLibrary,
    RomLibrary,
    firmware_library,
    rom_library,
)
from firmware_tools.building.program import Program
from firmware_tools.building.toolchain import Toolchain, find_toolchain, include_flags
from firmware_tools.errors import CompileError, InvalidProgramError, OverBudgetError
from firmware_tools.sizes import (
    REPORT_SUFFIX,
    MemorySizes,
    SizeReport,
    StackUsage,
    analyse_stack,
    budget,
    object_xdata_bytes,
    parse_map,
    parse_mem,
)
from solvers.foundation.files import atomic_write

LIMITED_RANGE = 94  # "comparison is always true due to limited range": nearly always a bug
_WARNING = re.compile(r"^(\S+?):(\d+): warning (\d+): (.*)$", re.M)
_SYMBOL = re.compile(r"^S _(\w+) (Ref|Def)", re.M)  # of an object
_ERROR = re.compile(r"^(\S+?:\d+): error (\d+): ", re.M)
# What to change where sdcc refuses what compilers once took; by the number of its error.
_CHANGES = {
    7: "write the parameters' types inside the parentheses",
    101: "declare the function with its parameters, above the call",
    102: "give the call all arguments that the function's declaration names",
    226: "write the result's type in front of the name, `int` if there is none",
}


@dataclass(frozen=True)
class CompilerWarning:
    """One warning of sdcc."""

    file: str
    line: int
    kind: int
    text: str


@dataclass(frozen=True)
class CompiledProgram:
    """Objects ready for the linker; `start` holds main() and goes first."""

    start: Path
    objects: list[Path]
    warnings: tuple[CompilerWarning, ...]
    rewritten: tuple[source_text.Rewrite, ...]


def compile_program(
    program: Program,
    library: FirmwareLibrary,
    toolchain: Toolchain,
    work: Path,
    rom: RomLibrary | None = None,
) -> CompiledProgram:
    """Compile and assemble every source into the folder `work`.

    Raises CompileError, with what is wrong in all of them.
    """
    own = [source.resolve() for source in program.sources]
    written_in_c = [source for source in own if source.suffix == ".c"]
    generated = _write_generated(program, work)
    folders = include_flags(library.include, *program.folders)
    flags = [*library.program_flags, *folders, *include_flags(work)]
    texts = _preprocess_all(written_in_c, flags, toolchain)
    texts, rewritten = source_text.modernise(texts)
    parts = [source_text.own_text(text, program.folders) for text in texts]
    header = library.header.read_text(encoding="ascii")
    header = source_text.without_declarations(header, source_text.defined_functions(parts))
    (work / library.header.name).write_text(header, encoding="ascii")
    flags = [f"-D{old}={new}" for old, new in source_text.retired_keywords(parts).items()]
    flags += [*library.program_flags, *include_flags(work), *folders]
    if rewritten:
        texts, rewritten = source_text.modernise(_preprocess_all(written_in_c, flags, toolchain))
        written_in_c = _write_rewritten(written_in_c, texts, work / "rewritten")
    assembler = [source for source in own if source.suffix == ".asm"]
    for source in assembler:
        toolchain.assemble(source, work / f"{source.stem}.rel", (work,))
    output = _compile([*written_in_c, *generated], flags, toolchain, work)
    c_objects = [work / f"{source.stem}.rel" for source in (*written_in_c, *generated)]
    objects = [work / f"{source.stem}.rel" for source in (*own, *generated)]
    listings = [path.with_suffix(".asm").read_text(encoding="latin-1") for path in c_objects]
    about = source_text.interrupt_prototypes(parts)
    if rom is None:
        about += _library_interrupts(library, objects)
    else:
        about += ["#define ROM_LIBRARY", *rom.interrupt_prototypes]
    if any(source_text.returns(library.board.library.entry, listing) for listing in listings):
        about.append("#define PROGRAM_RETURNS")
    start = _start(about, library, toolchain, work)
    return CompiledProgram(start, objects, _warnings(output), tuple(rewritten))


def _preprocess_all(sources: list[Path], flags: list[str], toolchain: Toolchain) -> list[str]:
    return [toolchain.preprocess(source, flags) for source in sources]


def _compile(sources: list[Path], flags: list[str], toolchain: Toolchain, work: Path) -> str:
    """Compile all sources and return the warnings. Raises CompileError for all that fail."""
    output, refusals = "", []
    for source in sources:
        try:
            output += toolchain.compile(source, work / f"{source.stem}.rel", flags)
        except CompileError as error:
            refusals.append(str(error))
    if refusals:
        text = "\n".join(refusals)
        hints = [
            f"{place}: {_CHANGES[int(number)]}."
            for place, number in _ERROR.findall(text)
            if int(number) in _CHANGES
        ]
        raise CompileError("\n".join([text, *dict.fromkeys(hints)]))
    return output


def _write_rewritten(sources: list[Path], texts: list[str], folder: Path) -> list[Path]:
    """Write the texts into files named as the sources, and return these."""
    folder.mkdir()
    paths = [folder / source.name for source in sources]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    return paths


def _write_generated(program: Program, work: Path) -> list[Path]:
    """Write the generated files into `work` and return those to compile."""
    for name, text in program.generated.items():
        (work / name).write_text(text, encoding="ascii")
    return [work / name for name in program.generated if Path(name).suffix == ".c"]


def referenced(objects: Iterable[Path]) -> set[str]:
    """Return the names of C that objects refer to and none of them defines."""
    symbols = [
        symbol for path in objects for symbol in _SYMBOL.findall(path.read_text(encoding="latin-1"))
    ]
    names: dict[str, set[str]] = {"Ref": set(), "Def": set()}
    for name, kind in symbols:
        names[kind].add(name)
    return names["Ref"] - names["Def"]


def _library_interrupts(library: FirmwareLibrary, objects: list[Path]) -> list[str]:
    """Return the start-up code's lines for the library's interrupt functions in use."""
    names = referenced(objects)
    used = [interrupt for call, interrupt in library.interrupts.items() if call in names]
    lines = [line for interrupt in used for line in interrupt.prototypes]
    starts = " ".join(f"{interrupt.function}_start();" for interrupt in used)
    return [*lines, f"#define PROGRAM_INTERRUPTS {starts}"] if used else []


def _start(lines: list[str], library: FirmwareLibrary, toolchain: Toolchain, work: Path) -> Path:
    """Return the library's start-up object, compiled again if the program needs `lines` in it."""
    if not lines:
        return library.start
    (work / "program.h").write_text("\n".join(lines) + "\n", encoding="ascii")
    output = work / library.start.name
    flags = include_flags(work, library.include, *library.private_headers)
    toolchain.compile(library.start_source, output, flags)
    return output


def _warnings(output: str) -> tuple[CompilerWarning, ...]:
    found = (
        CompilerWarning(Path(file).name, int(line), int(kind), text)
        for file, line, kind, text in _WARNING.findall(output)
    )
    return tuple(dict.fromkeys(found))


_UNDEFINED = re.compile(r"Undefined Global '_?(\w+)' referenced by module '(\w+)'")
_NO_MEMORY = re.compile(r"ASlink-Error-((?:Insufficient|Could not get)[^\n.]*)")


@dataclass(frozen=True)
class BuildResult:
    """Result of a build; `image` is None if the program is over budget."""

    image: Path | None
    report: SizeReport
    warnings: tuple[CompilerWarning, ...]
    rewritten: tuple[source_text.Rewrite, ...] = ()
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
    pointed_at = set().union(*map(source_text.pointed_at_functions, texts))
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
