"""A program's sources: one file, several, a folder, or an application of this package.

An application is a folder below firmware/apps. A folder of plain sources is one program. A folder
with a `program.toml` holds several, which share some sources:

    common = ["main.c"]                # in every program
    [programs.NAME]                    # built as FOLDER-NAME; the first one also as FOLDER
    sources = ["solver.c"]
    generate = "package.module:function"   # optional: returns further sources, their text by name

The generator is named and not imported here, so that an application brings its own.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec
import platformdirs

from firmware_tools.errors import InvalidProgramError
from solvers.foundation.typed_files import read_toml

MANIFEST: Final = "program.toml"

Sources = Annotated[list[str], msgspec.Meta(min_length=1)]


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    sources: Sources
    generate: str | None = None


class _Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    programs: Annotated[dict[str, _Entry], msgspec.Meta(min_length=1)]
    common: list[str] = []


@dataclass(frozen=True, slots=True)
class ApplicationProgram:
    """One program of a folder: its files, and the generator of its other sources."""

    sources: tuple[Path, ...]
    generator: str | None


def applications_folder() -> Path:
    """Return the folder with one folder for each application."""
    return Path(str(files("firmware_tools") / "firmware" / "apps"))


def programs_of(folder: Path) -> dict[str, ApplicationProgram]:
    """Return the programs in a folder's manifest by name; none if it has no manifest.

    Raises InvalidProgramError if the manifest cannot be read.
    """
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    manifest = read_toml(path, _Manifest, "The manifest", InvalidProgramError)
    programs = {
        f"{folder.name}-{name}": ApplicationProgram(
            tuple(folder / file for file in (*manifest.common, *entry.sources)), entry.generate
        )
        for name, entry in manifest.programs.items()
    }
    return {folder.name: next(iter(programs.values())), **programs}


def generated_sources(generator: str | None) -> Mapping[str, str]:
    """Return the texts of generated sources by file name. Raises InvalidProgramError."""
    if generator is None:
        return {}
    module, _, function = generator.partition(":")
    try:
        write = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidProgramError(
            f"There is no source generator {generator!r} ({error}); "
            "a manifest names it as package.module:function."
        ) from error
    sources: Mapping[str, str] = write()
    return sources


SOURCE_SUFFIXES = (".c", ".asm")


@dataclass(frozen=True)
class Program:
    """C and assembler files of one program; built files are called `name`.

    `generated` are further sources and headers: their text by file name.
    """

    name: str
    sources: tuple[Path, ...]
    generated: Mapping[str, str] = field(default_factory=dict)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Return the folders of the sources, where their own headers are."""
        return tuple(dict.fromkeys(source.parent for source in self.sources))


def default_output_folder(program: Program) -> Path:
    """Return the default output folder, in the user's cache.

    It depends on the sources' paths: the same for each build of a program, and not shared with
    another program of the same name.
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
