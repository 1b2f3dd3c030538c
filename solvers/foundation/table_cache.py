"""Generated tables in the user's cache folder: built once, checked, memory-mapped afterwards.

A table file is a 64-byte header and the raw array behind it. The header holds the file format,
the table's own version, its type and shape (as a digest) and a checksum of the data. Whatever
does not match is built again silently, so the folder may be deleted or damaged at any time.

Two processes may build the same table at once: files are replaced in one step, so a reader only
ever sees a complete one.
"""

import hashlib
import math
import mmap
import os
import struct
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import platformdirs

from solvers.foundation.files import atomic_write
from solvers.foundation.progress import Job, Progress

Table = npt.NDArray[Any]

Building = Job[Progress, Table]
"""Builds a table; its events are progress from 0 to 1."""

_HUGE_PAGE = 1 << 21

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
    build: Callable[[], Building],
    directory: Path | None = None,
) -> Building:
    """Return the table called `name`, read-only, from the cache or from `build`.

    `name` becomes the file name. `version` has to grow whenever `build` would give other values.
    There are no events when the table was in the cache. A cache that cannot be written, or whose
    files vanish, is no error: the table is then built every time.
    """
    table = load(name, version, shape, dtype, directory)
    if table is not None:
        return table
    yield Progress(name, 0.0, 1.0)
    table = yield from _build(name, shape, np.dtype(dtype), build)
    yield Progress(name, 1.0, 1.0)
    path = _path(name, directory)
    if not _write(path, version, table):
        return table
    # The mapped file is shared between processes, unlike the array just built.
    mapped = _read(path, version, shape, np.dtype(dtype), check=False)
    return table if mapped is None else mapped


def load(
    name: str,
    version: int,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    directory: Path | None = None,
    *,
    to_huge_pages: bool = False,
) -> Table | None:
    """Return the table called `name` as a read-only memory map, or None if it has to be built.

    With `to_huge_pages` it is read into memory as that of `in_huge_pages`, where the system can.
    """
    path, kind = _path(name, directory), np.dtype(dtype)
    return _read(path, version, shape, kind, check=True, to_huge_pages=to_huge_pages)


def in_huge_pages(table: Table) -> Table:
    """Return a copy of a table in memory of this process, in pages of 2 MB where the system can.

    A kernel that jumps about in hundreds of megabytes waits for the addresses of small pages as
    well as for what is in them; half a second for the copy saves it a quarter of its time.
    """
    memory = _huge_pages(table.nbytes)
    if memory is None:
        return table
    copied = np.frombuffer(memory, table.dtype, table.size).reshape(table.shape)
    copied[...] = table
    copied.setflags(write=False)
    return copied


def _huge_pages(size: int) -> mmap.mmap | None:
    """Return so much empty memory, or None on a system without huge pages or the memory."""
    huge_pages = getattr(mmap, "MADV_HUGEPAGE", None)
    if huge_pages is None:
        return None
    try:
        memory = mmap.mmap(-1, size + _HUGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError:  # there is not so much memory
        return None
    with suppress(OSError):  # a kernel without huge pages
        memory.madvise(huge_pages)
    return memory


def _path(name: str, directory: Path | None) -> Path:
    return (cache_directory() if directory is None else directory) / f"{name}.table"


def _build(
    name: str, shape: tuple[int, ...], dtype: "np.dtype[Any]", build: Callable[[], Building]
) -> Building:
    table = np.ascontiguousarray((yield from build()))
    if table.shape != shape or table.dtype != dtype:
        raise ValueError(f"table {name} came out as {table.dtype}{table.shape}, not {dtype}{shape}")
    table.setflags(write=False)
    return table


def _layout_digest(shape: tuple[int, ...], dtype: "np.dtype[Any]") -> bytes:
    return hashlib.blake2b(f"{dtype.str}{shape}".encode(), digest_size=16).digest()


def _checksum(table: Table) -> int:
    return zlib.crc32(table.data.cast("B"))


def _header(version: int, table: Table) -> bytes:
    layout = _layout_digest(table.shape, table.dtype)
    return _HEADER.pack(_MAGIC, _FILE_FORMAT, version, layout, table.nbytes, _checksum(table))


def _read(
    path: Path,
    version: int,
    shape: tuple[int, ...],
    dtype: "np.dtype[Any]",
    *,
    check: bool,
    to_huge_pages: bool = False,
) -> Table | None:
    """Map or read the file if it is whole and belongs to this table; `check` also sums it up."""
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
            table: Table
            memory = _huge_pages(data_length) if to_huge_pages else None
            if memory is None:
                table = np.memmap(file, dtype, mode="r", offset=_HEADER.size, shape=shape)
            else:
                table = np.frombuffer(memory, dtype, math.prod(shape)).reshape(shape)
                file.readinto(table.data.cast("B"))  # a file cut short meanwhile fails the check
                table.setflags(write=False)
    except OSError:
        return None
    if check and _checksum(table) != checksum:
        return None
    # A plain array over the mapping: numba compiles one kernel for mapped and for built tables.
    return table.view(np.ndarray)


def _write(path: Path, version: int, table: Table) -> bool:
    """Put the table into the cache; return whether that worked."""
    try:
        with atomic_write(path) as file:
            file.write(_header(version, table))
            file.write(table.data.cast("B"))
    except OSError:
        # Disk full, or (on Windows) another process has the file open: go on without the cache.
        return False
    return True
