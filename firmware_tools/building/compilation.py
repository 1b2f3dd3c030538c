"""Compilation of a program's sources, including those written for the sdcc of 2004."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from firmware_tools.building.library import FirmwareLibrary
from firmware_tools.building.program import Program
from firmware_tools.building.rom_library import RomLibrary
from firmware_tools.building.source_text import (
    Rewrite,
    defined_functions,
    interrupt_prototypes,
    modernise,
    own_text,
    retired_keywords,
    returns,
    without_declarations,
)
from firmware_tools.building.toolchain import Toolchain, include_flags
from firmware_tools.errors import CompileError

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
    rewritten: tuple[Rewrite, ...]


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
    texts, rewritten = modernise(texts)
    parts = [own_text(text, program.folders) for text in texts]
    header = library.header.read_text(encoding="ascii")
    header = without_declarations(header, defined_functions(parts))
    (work / library.header.name).write_text(header, encoding="ascii")
    flags = [f"-D{old}={new}" for old, new in retired_keywords(parts).items()]
    flags += [*library.program_flags, *include_flags(work), *folders]
    if rewritten:
        texts, rewritten = modernise(_preprocess_all(written_in_c, flags, toolchain))
        written_in_c = _write_rewritten(written_in_c, texts, work / "rewritten")
    assembler = [source for source in own if source.suffix == ".asm"]
    for source in assembler:
        toolchain.assemble(source, work / f"{source.stem}.rel", (work,))
    output = _compile([*written_in_c, *generated], flags, toolchain, work)
    c_objects = [work / f"{source.stem}.rel" for source in (*written_in_c, *generated)]
    objects = [work / f"{source.stem}.rel" for source in (*own, *generated)]
    listings = [path.with_suffix(".asm").read_text(encoding="latin-1") for path in c_objects]
    about = interrupt_prototypes(parts)
    if rom is None:
        about += _library_interrupts(library, objects)
    else:
        about += ["#define ROM_LIBRARY", *rom.interrupt_prototypes]
    if any(returns(library.board.library.entry, listing) for listing in listings):
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
