"""Folders of compiled code, named after a digest of the sources that it was compiled from.

A kernel takes in functions and constants of other files, while numba by itself looks at one file
only. So *all* project sources count that a module imports at its top, and theirs.

The folders are next to the sources, or in the user's cache folder where that cannot be written;
those of older sources are removed.
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import platformdirs

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("solvers", "firmware_tools", "controller", "hardware_sims")
_IMPORT: Final = re.compile(
    rf"^(?:from|import) ((?:{'|'.join(PACKAGES)})\b[\w.]*)(?: import (\([^)]*\)|.*))?",
    re.MULTILINE,
)
_LATE_IMPORT: Final = re.compile(r"\blate\(\"([\w.]+)")


@cache
def sources_digest(module: str) -> str:
    """Return a digest of a module's source and of all project sources that it imports at its top.

    Imports inside functions do not count: nothing that is compiled stands behind them.
    """
    digest = hashlib.blake2b(f"{_compiler()} {sys.version}".encode(), digest_size=10)
    for name in sorted(_imported(module)):
        digest.update(name.encode())
        digest.update(_source_text(name).encode())
    return digest.hexdigest()


def _imported(module: str) -> set[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or source_of(name) is None:
            continue
        found.add(name)
        text = _source_text(name)
        waiting += _LATE_IMPORT.findall(text)
        for target, members in _IMPORT.findall(text):
            waiting += [target, *(f"{target}.{each}" for each in re.findall(r"\w+", members))]
    return found


@cache
def _compiler() -> str:
    """Return the names and versions of numba and llvmlite without importing either.

    Each installed distribution leaves a folder with both next to its package; without one,
    importlib.metadata is asked, which takes longer.
    """
    found = []
    for name in ("numba", "llvmlite"):
        spec = find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        folders = Path(spec.origin).parents[1].glob(f"{name}-*.dist-info")
        found.append(next((each.name for each in folders), "") or _query_version(name))
    return " ".join(found)


def _query_version(name: str) -> str:
    from importlib.metadata import version

    return version(name)


@cache
def _source_text(module: str) -> str:
    path = source_of(module)
    return path.read_text(encoding="utf-8") if path is not None else ""


@cache
def source_of(module: str) -> Path | None:
    """Return the source file of a module of the project."""
    stem = ROOT.joinpath(*module.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


ROOM_BYTES: Final = 64 * 1024 * 1024  # several times what all kernels take
_PICKLE_END: Final = b"."  # numba's files are pickles; one that was cut off lacks its end


@cache
def code_folder(module: str) -> Path | None:
    """Return a folder for the compiled code of a module, None where nothing can be written."""
    for next_to_source, folder in _places(module):
        if not _has_room(folder):
            continue
        if next_to_source:
            _remove_older(folder)
        _remove_torn(folder)
        return folder
    return None


def read_code(module: str, name: str) -> bytes | None:
    """Return the file `name` among the compiled code of a module, None without one."""
    for _next_to_source, folder in _places(module):
        with suppress(OSError):
            return (folder / name).read_bytes()
    return None


def compiled_folders() -> list[Path]:
    """Return all folders of compiled code, next to the sources and in the user's cache folder."""
    next_to_sources = [
        each for package in PACKAGES for each in (ROOT / package).rglob("__pycache__/compiled")
    ]
    own = platformdirs.user_cache_path("puzzlerig") / "compiled"
    return [*next_to_sources, *([own] if own.is_dir() else [])]


@cache
def _places(module: str) -> tuple[tuple[bool, Path], ...]:
    """Return the folders for compiled code, each with whether it is next to the source."""
    source = source_of(module)
    if source is None or module.partition(".")[0] not in PACKAGES:
        return ()
    name = f"{module.rpartition('.')[2]}-{sources_digest(module)}"
    return (
        (True, source.parent / "__pycache__" / "compiled" / name),
        (False, platformdirs.user_cache_path("puzzlerig") / "compiled" / name),
    )


def _has_room(folder: Path) -> bool:
    """Return whether files can be written there; numba fails at a full disk."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        return shutil.disk_usage(folder).free >= ROOM_BYTES
    except OSError:
        return False


def _remove_older(folder: Path) -> None:
    """Remove what was compiled from earlier sources of the same module."""
    stem = folder.name.rpartition("-")[0]
    for other in folder.parent.glob(f"{stem}-*"):
        if other != folder and other.name.rpartition("-")[0] == stem:
            shutil.rmtree(other, ignore_errors=True)


def _remove_torn(folder: Path) -> None:
    """Remove files that were cut off: numba would fail at them for ever instead of compiling."""
    for path in folder.rglob("*.nb?"):
        try:
            with path.open("rb") as file:
                file.seek(-1, os.SEEK_END)
                whole = file.read(1) == _PICKLE_END
        except OSError:
            whole = False
        if not whole:
            path.unlink(missing_ok=True)
