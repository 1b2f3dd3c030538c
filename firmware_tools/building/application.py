"""Applications of this package: folders under firmware/apps, some with several programs.

A folder of plain sources is one program. A folder with a `program.toml` holds several, which share
some sources:

    common = ["main.c"]                # in every program
    [programs.NAME]                    # built as FOLDER-NAME; the first one also as FOLDER
    sources = ["solver.c"]
    generate = "package.module:function"   # optional: returns further sources, their text by name

The generator is named and not imported here, so that an application brings its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import msgspec

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
    """One program of a folder: its files, and who writes the rest of its sources."""

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
