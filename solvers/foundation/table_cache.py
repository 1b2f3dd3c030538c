"""Generated tables in the user's cache folder: built once, checked, memory-mapped afterwards.

A table file is a 64-byte header and the raw array behind it. The header holds the file format,
the table's own version, its type and shape (as a digest) and a checksum of the data. Whatever
does not match is built again without a word, so the folder may be deleted or damaged at any time.

Two processes may build the same table at once: each writes a file of its own and moves it into
place in one step, so a reader only ever sees a complete file.
"""

import contextlib
import hashlib
import math
import os
import struct
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs

Table = npt.NDArray[Any]

Report = Callable[[float], None]
"""Tells how much of one table is built, from 0 to 1."""

Progress = Callable[[str, float], None]
"""Hears the name of the table being built and how much of it is done, from 0 to 1."""

_MAGIC = b"PZLTABLE"
_FILE_FORMAT = 1
# magic, file format, table version, digest of type and shape, length and CRC-32 of the data;
# padded to a cache line so that the mapped data stays aligned.
_HEADER = struct.Struct("<8sII16sQI20x")


def cache_directory() -> Path:
    """Return the folder of the tables; it need not exist."""
    return Path(platformdirs.user_cache_dir("puzzlerig", appauthor=False)) / "tables"


def load_or_build(
    name: str,
    version: int,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    build: Callable[[Report], Table],
    progress: Progress | None = None,
    directory: Path | None = None,
) -> Table:
    """Return the table called `name`, read-only, from the cache or from `build`.

    `name` becomes the file name. `version` has to grow whenever `build` would give other values.
    `build` gets a function to report its own progress to; `progress` hears it together with the
    name, and is never called when the table was in the cache. A cache that cannot be written is
    no error: the table is then built every time.
    """
    table = load(name, version, shape, dtype, directory)
    if table is not None:
        return table
    table = _build(name, shape, np.dtype(dtype), build, progress)
    path = _path(name, directory)
    if _write(path, version, table):
        # The mapped file is shared between processes, unlike the array just built.
        table = _read(path, version, shape, np.dtype(dtype), check=False)
        assert table is not None
    return table


def load(
    name: str,
    version: int,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    directory: Path | None = None,
) -> Table | None:
    """Return the table called `name` as a read-only memory map, or None if it has to be built."""
    return _read(_path(name, directory), version, shape, np.dtype(dtype), check=True)


def _path(name: str, directory: Path | None) -> Path:
    return (cache_directory() if directory is None else directory) / f"{name}.table"


def _build(
    name: str,
    shape: tuple[int, ...],
    dtype: "np.dtype[Any]",
    build: Callable[[Report], Table],
    progress: Progress | None,
) -> Table:
    def report(fraction: float) -> None:
        if progress is not None:
            progress(name, fraction)

    report(0.0)
    table = np.ascontiguousarray(build(report))
    if table.shape != shape or table.dtype != dtype:
        raise ValueError(f"table {name} came out as {table.dtype}{table.shape}, not {dtype}{shape}")
    table.setflags(write=False)
    report(1.0)
    return table


def _layout_digest(shape: tuple[int, ...], dtype: "np.dtype[Any]") -> bytes:
    return hashlib.blake2b(f"{dtype.str}{shape}".encode(), digest_size=16).digest()


def _checksum(table: Table) -> int:
    return zlib.crc32(table.data.cast("B"))


def _header(version: int, table: Table) -> bytes:
    layout = _layout_digest(table.shape, table.dtype)
    return _HEADER.pack(_MAGIC, _FILE_FORMAT, version, layout, table.nbytes, _checksum(table))


def _read(
    path: Path, version: int, shape: tuple[int, ...], dtype: "np.dtype[Any]", *, check: bool
) -> Table | None:
    """Map the file if it is whole and belongs to this table; `check` also sums up its data."""
    data_length = math.prod(shape) * dtype.itemsize
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
            if len(header) < _HEADER.size:
                return None
            if os.fstat(file.fileno()).st_size != _HEADER.size + data_length:
                return None
            *identity, checksum = _HEADER.unpack(header)
            layout = _layout_digest(shape, dtype)
            if identity != [_MAGIC, _FILE_FORMAT, version, layout, data_length]:
                return None
            table = np.memmap(file, dtype, mode="r", offset=_HEADER.size, shape=shape)
    except OSError:
        return None
    if check and _checksum(table) != checksum:
        return None
    # A plain array over the mapping: numba compiles one kernel for mapped and built tables alike.
    return table.view(np.ndarray)


def _write(path: Path, version: int, table: Table) -> bool:
    """Put the table into the cache in one step; return whether that worked."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, partial = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".partial")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_header(version, table))
            file.write(table.data.cast("B"))
        Path(partial).replace(path)
    except OSError:
        # Disk full, or (on Windows) another process has the file open: go on without the cache.
        with contextlib.suppress(OSError):
            Path(partial).unlink()
        return False
    return True
