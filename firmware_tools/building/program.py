"""A program's sources: one file, several, a folder, or an application of this package."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from firmware_tools.building.application import applications_folder, generated_sources, programs_of
from firmware_tools.errors import InvalidProgramError

SOURCE_SUFFIXES = (".c", ".asm")


@dataclass(frozen=True)
class Program:
    """C and assembler files that make one program; `name` names what is built from them.

    `generated` are further sources and headers: their text by file name.
    """

    name: str
    sources: tuple[Path, ...]
    generated: Mapping[str, str] = field(default_factory=dict)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Return the folders of the sources, where their own headers are."""
        return tuple(dict.fromkeys(source.parent for source in self.sources))


def usual_folder(program: Program) -> Path:
    """Return the folder in the user's cache for what is built where nobody names another.

    It is the same each time, and another for another program of the same name.
    """
    sources = "\n".join(str(source.resolve()) for source in program.sources)
    digest = hashlib.blake2b(sources.encode(), digest_size=4).hexdigest()
    built = platformdirs.user_cache_path("puzzlerig") / "aksen" / "built"
    return built / f"{program.name}-{digest}"


def application_names() -> list[str]:
    """Return the names of the programs that come with this package."""
    return sorted(
        name
        for folder in applications_folder().iterdir()
        if any(folder.glob("*.c"))
        for name in programs_of(folder) or [folder.name]
    )


def find_program(names: Sequence[str]) -> Program:
    """Return the program named by C files, by one folder, or by one application's name.

    Raises InvalidProgramError if it is none of these.
    """
    if not names:
        raise InvalidProgramError("Name the C files of a program, or an application.")
    paths = [Path(name) for name in names]
    if len(paths) == 1 and paths[0].suffix not in SOURCE_SUFFIXES:
        return _from_folder(names[0])
    for path in paths:
        if path.suffix not in SOURCE_SUFFIXES:
            raise InvalidProgramError(
                f"{path} is not a source file; its name must end in .c or .asm."
            )
        if not path.is_file():
            raise InvalidProgramError(f"There is no file {path}.")
    return _program(paths[0].stem, paths)


def _from_folder(name: str) -> Program:
    folder = Path(name)
    if not folder.is_dir():
        if name not in application_names():
            known = ", ".join(application_names()) or "none"
            raise InvalidProgramError(
                f"{name} is neither a C file nor a folder nor an application (known: {known})."
            )
        return _application(name)
    sources = sorted(path for path in folder.iterdir() if path.suffix in SOURCE_SUFFIXES)
    if not sources:
        raise InvalidProgramError(f"There is no source file in {folder}.")
    return _program(folder.resolve().name, sources)


def _application(name: str) -> Program:
    for folder in applications_folder().iterdir():
        programs = programs_of(folder)
        if name in programs:
            entry = programs[name]
            return Program(name, entry.sources, generated_sources(entry.generator))
    return _from_folder(str(applications_folder() / name))


def _program(name: str, sources: Iterable[Path]) -> Program:
    by_stem: dict[str, Path] = {}
    for source in sources:
        other = by_stem.setdefault(source.stem, source)
        if other != source:
            raise InvalidProgramError(f"{other} and {source} have the same name: rename one.")
    return Program(name, tuple(by_stem.values()))
