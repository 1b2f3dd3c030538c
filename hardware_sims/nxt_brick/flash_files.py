"""The brick's file system: names in 15.3 form, sixteen handles, a fixed amount of flash."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from hardware_sims.nxt_brick.opcodes import (
    STATUS_END_OF_FILE,
    STATUS_FILE_BUSY,
    STATUS_FILE_EXISTS,
    STATUS_FILE_FULL,
    STATUS_FILE_NOT_FOUND,
    STATUS_ILLEGAL_HANDLE,
    STATUS_ILLEGAL_NAME,
    STATUS_NO_MORE_HANDLES,
    STATUS_NO_SPACE,
)
from hardware_sims.nxt_brick.telegrams import CommandError

HANDLE_COUNT = 16
USER_FLASH = 128 * 1024
_NAME = re.compile(rb"[^.\0]{1,15}\.[^.\0]{1,3}")


@dataclass
class _ReadHandle:
    name: bytes
    position: int = 0


@dataclass
class _WriteHandle:
    name: bytes
    size: int
    data: bytearray = field(default_factory=bytearray)


@dataclass
class _FindHandle:
    found: Iterator[bytes]
    name: bytes = b""  # of no file, so that none is busy because of a search


_Kind = TypeVar("_Kind", _ReadHandle, _WriteHandle, _FindHandle)


class FlashFiles:
    """Files by name, and the handles open on them."""

    def __init__(self) -> None:
        self._files: dict[bytes, bytes] = {}
        self._handles: dict[int, _ReadHandle | _WriteHandle | _FindHandle] = {}

    @property
    def free(self) -> int:
        """Bytes of flash that are left."""
        promised = sum(
            handle.size for handle in self._handles.values() if isinstance(handle, _WriteHandle)
        )
        return USER_FLASH - promised - sum(len(data) for data in self._files.values())

    def store(self, name: bytes, data: bytes) -> None:
        """Put a whole file in, as the menu of the brick or a firmware download does."""
        self._files[name] = data

    def exists(self, name: bytes) -> bool:
        """Return whether there is a file of this name; upper and lower case are the same."""
        return self._find(name) is not None

    def open_read(self, name: bytes) -> tuple[int, int]:
        """Return a handle, and the file's size."""
        stored = self._existing(name)
        return self._new_handle(_ReadHandle(stored)), len(self._files[stored])

    def open_write(self, name: bytes, size: int) -> int:
        """Return a handle for writing `size` bytes; the file appears when that is closed."""
        if not _NAME.fullmatch(name):
            raise CommandError(STATUS_ILLEGAL_NAME)
        if self.exists(name):
            raise CommandError(STATUS_FILE_EXISTS)
        if self._is_busy(name):
            raise CommandError(STATUS_FILE_BUSY)
        if size > self.free:
            raise CommandError(STATUS_NO_SPACE)
        return self._new_handle(_WriteHandle(name, size))

    def read(self, handle: int, size: int) -> bytes:
        """Return the next bytes, fewer than `size` at the end of the file."""
        opened = self._handle(handle, _ReadHandle)
        data = self._files[opened.name][opened.position : opened.position + size]
        if size and not data:
            raise CommandError(STATUS_END_OF_FILE)
        opened.position += len(data)
        return data

    def write(self, handle: int, data: bytes) -> int:
        """Append bytes; return how many."""
        opened = self._handle(handle, _WriteHandle)
        if len(opened.data) + len(data) > opened.size:
            raise CommandError(STATUS_FILE_FULL)
        opened.data += data
        return len(data)

    def close(self, handle: int) -> None:
        """End the use of a handle."""
        opened = self._handles.pop(handle, None)
        if opened is None:
            raise CommandError(STATUS_ILLEGAL_HANDLE)
        if isinstance(opened, _WriteHandle):
            self._files[opened.name] = bytes(opened.data).ljust(opened.size, b"\0")

    def delete(self, name: bytes) -> bytes:
        """Delete a file that is not open; return its name."""
        stored = self._existing(name)
        if self._is_busy(stored):
            raise CommandError(STATUS_FILE_BUSY)
        del self._files[stored]
        return stored

    def rename(self, name: bytes, new_name: bytes) -> None:
        """Give a file another name."""
        if not _NAME.fullmatch(new_name):
            raise CommandError(STATUS_ILLEGAL_NAME)
        if self.exists(new_name):
            raise CommandError(STATUS_FILE_EXISTS)
        data = self._files[self._existing(name)]
        self.delete(name)
        self._files[new_name] = data

    def find_first(self, pattern: bytes) -> tuple[int, bytes, int]:
        """Return a handle for going on, and name and size of the first file that matches."""
        matches = re.compile(
            re.escape(pattern).replace(rb"\*", rb".*").replace(rb"\?", rb"."), re.IGNORECASE
        )
        found = [name for name in sorted(self._files) if matches.fullmatch(name)]
        if not found:
            raise CommandError(STATUS_FILE_NOT_FOUND)
        handle = self._new_handle(_FindHandle(iter(found)))
        return handle, *self.find_next(handle)

    def find_next(self, handle: int) -> tuple[bytes, int]:
        """Return name and size of the next file."""
        opened = self._handle(handle, _FindHandle)
        for name in opened.found:
            if name in self._files:
                return name, len(self._files[name])
        raise CommandError(STATUS_FILE_NOT_FOUND)

    def erase(self) -> None:
        """Delete everything."""
        self._files.clear()
        self._handles.clear()

    def _find(self, name: bytes) -> bytes | None:
        return next((stored for stored in self._files if stored.lower() == name.lower()), None)

    def _existing(self, name: bytes) -> bytes:
        stored = self._find(name)
        if stored is None:
            raise CommandError(STATUS_FILE_NOT_FOUND)
        return stored

    def _is_busy(self, name: bytes) -> bool:
        return any(handle.name.lower() == name.lower() for handle in self._handles.values())

    def _new_handle(self, opened: _ReadHandle | _WriteHandle | _FindHandle) -> int:
        for handle in range(HANDLE_COUNT):
            if handle not in self._handles:
                self._handles[handle] = opened
                return handle
        raise CommandError(STATUS_NO_MORE_HANDLES)

    def _handle(self, handle: int, kind: type[_Kind]) -> _Kind:
        opened = self._handles.get(handle)
        if not isinstance(opened, kind):
            raise CommandError(STATUS_ILLEGAL_HANDLE)
        return opened
