"""Where compiled code is kept.

Compiled code is a cache. It lies beside the sources, or in the user's cache folder where that
cannot be written, in a folder named after a digest of its sources; old folders go.
"""

import os
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import platformdirs

from solvers.foundation.machine_code.sources import PACKAGES, source_of, sources_digest

ROOM_BYTES: Final = 64 * 1024 * 1024  # several times what all kernels take
_PICKLE_END: Final = b"."  # numba's files are pickles; one that was cut off lacks its end


@cache
def code_folder(module: str) -> Path | None:
    """Return a folder for the compiled code of a module, None where nothing can be written."""
    for beside_source, folder in _places(module):
        if not _has_room(folder):
            continue
        if beside_source:
            _remove_older(folder)
        _remove_torn(folder)
        return folder
    return None


def kept_code(module: str, name: str) -> bytes | None:
    """Return what the file `name` among the compiled code of a module holds, None without one."""
    for _beside_source, folder in _places(module):
        with suppress(OSError):
            return (folder / name).read_bytes()
    return None


@cache
def _places(module: str) -> tuple[tuple[bool, Path], ...]:
    """Return where compiled code may lie, each with whether that is beside the source."""
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
