"""Applications of this package: folders under firmware/apps, some with several programs.

A folder of plain sources is one program. A folder with a `program.toml` holds several, which share
some sources:

    common = ["main.c"]                # in every program
    [programs.NAME]                    # built as FOLDER-NAME; the first one also as FOLDER
    sources = ["solver.c"]
    generate = "tables"                # optional: a generator of further sources

Generators belong to firmware_tools.puzzle8.sources and return texts by file name.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from firmware_tools.errors import InvalidProgramError

MANIFEST = "program.toml"


def applications_folder() -> Path:
    """Return the folder with one folder for each application."""
    return Path(str(files("firmware_tools") / "firmware" / "apps"))


def programs_of(folder: Path) -> dict[str, Mapping[str, Any]]:
    """Return the programs in a folder's manifest by name; none if it has no manifest.

    Raises InvalidProgramError if the manifest cannot be read.
    """
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return {}
    try:
        facts = tomllib.loads(manifest.read_text(encoding="utf-8"))
        common = facts.get("common", [])
        programs = {
            f"{folder.name}-{name}": {
                "sources": [folder / file for file in (*common, *entry["sources"])],
                "generate": entry.get("generate"),
            }
            for name, entry in facts["programs"].items()
        }
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InvalidProgramError(f"{manifest} cannot be read: {error}.") from error
    return {folder.name: next(iter(programs.values())), **programs}


def generated_sources(generator: str | None) -> dict[str, str]:
    """Return the texts of generated sources by file name. Raises InvalidProgramError."""
    if generator is None:
        return {}
    from firmware_tools.puzzle8.sources import GENERATORS

    if generator not in GENERATORS:
        raise InvalidProgramError(f"There is no source generator {generator!r}.")
    return GENERATORS[generator]()
