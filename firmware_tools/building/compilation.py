"""Compiles a program's sources so that those of 2004 go through a compiler of today unchanged."""

import re
from dataclasses import dataclass
from pathlib import Path

from firmware_tools.building.library import FirmwareLibrary
from firmware_tools.building.program import Program
from firmware_tools.building.source_text import (
    defined_functions,
    interrupt_prototypes,
    retired_keywords,
    without_declarations,
)
from firmware_tools.building.toolchain import Toolchain, include_flags

LIMITED_RANGE = 94  # "comparison is always true due to limited range": nearly always a bug
_WARNING = re.compile(r"^(\S+?):(\d+): warning (\d+): (.*)$", re.M)


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


def compile_program(
    program: Program, library: FirmwareLibrary, toolchain: Toolchain, work: Path
) -> CompiledProgram:
    """Compile and assemble every source into the folder `work`. Raises CompileError."""
    texts = program.texts()
    flags = [f"-D{old}={new}" for old, new in retired_keywords(texts).items()]
    own = defined_functions(texts)
    header = library.header.read_text(encoding="ascii")
    (work / library.header.name).write_text(without_declarations(header, own), encoding="ascii")
    flags += library.program_flags
    flags += include_flags(work, library.include, *program.folders)
    objects, output = [], ""
    for source in (*program.sources, *_write_generated(program, work)):
        objects.append(work / f"{source.stem}.rel")
        if source.suffix == ".asm":
            toolchain.assemble(source.resolve(), objects[-1], (work,))
        else:
            output += toolchain.compile(source.resolve(), objects[-1], flags)
    start = _start(interrupt_prototypes(texts), library, toolchain, work)
    return CompiledProgram(start, objects, _warnings(output))


def _write_generated(program: Program, work: Path) -> list[Path]:
    """Write the generated files into `work` and return those to compile."""
    for name, text in program.generated.items():
        (work / name).write_text(text, encoding="ascii")
    return [work / name for name in program.generated if Path(name).suffix == ".c"]


def _start(
    prototypes: list[str], library: FirmwareLibrary, toolchain: Toolchain, work: Path
) -> Path:
    """Return the library's start, or one with vectors for the program's interrupt functions."""
    if not prototypes:
        return library.start
    (work / "program_interrupts.h").write_text("\n".join(prototypes) + "\n", encoding="ascii")
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
