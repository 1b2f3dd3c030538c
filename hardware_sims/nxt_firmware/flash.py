"""The loader module: files in flash, sixteen handles, four write buffers (d_loader.c).

The directory has the newest file first, and a handle knows its file by the place there, as in the
firmware: so a search resumes where it was even after its handle has been closed.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from hardware_sims.nxt_firmware import statuses
from hardware_sims.nxt_firmware.statuses import CommandError

LONGEST_NAME: Final = 19  # 15.3 characters as the menu shows them; the loader takes any 19


def matcher(pattern: bytes) -> Callable[[bytes], bool]:
    """Return a test of names: `*.*` is all, `name.*` a prefix, `*.ext` anything with that in it.

    Only these forms are wildcards; any other pattern is a whole name (dLoaderInsertSearchStr).
    """
    wanted = pattern.upper()
    # Looked for anywhere in the name, so "a*.*b" is all files too (strstr in
    # dLoaderInsertSearchStr).
    if b"*.*" in pattern:
        return lambda name: True  # noqa: ARG005
    if b".*" in pattern:
        prefix = wanted[:-1]
        return lambda name: name.upper().startswith(prefix)
    if b"*." in pattern:
        part = wanted[1:5]
        return lambda name: part in name.upper()
    return lambda name: name.upper() == wanted


HANDLES: Final = 16
WRITE_BUFFERS: Final = 4
# Flash from STARTOFUSERFLASH (122100h) to the table of files at its end, and that table: 128
# entries of four bytes, the last of which holds the version of the format (d_loader.h).
SECTOR_BYTES: Final = 256
TABLE_ENTRIES: Final = 2 * SECTOR_BYTES // 4
MOST_FILES: Final = TABLE_ENTRIES - 1
USER_FLASH: Final = 0x140000 - 4 * TABLE_ENTRIES - 0x122100
SECTORS: Final = USER_FLASH // SECTOR_BYTES
HEADER_BYTES: Final = 36  # name, start, two sizes, checksum, type; the list of sectors follows
LINEAR_PARTS: Final = (b".RXE", b".SYS", b".RTM")  # names that open_write makes linear


@dataclass
class File:
    """One file; `size` is the room that was reserved for it, `data` what has been written."""

    name: bytes
    size: int
    data: bytearray = field(default_factory=bytearray)
    is_linear: bool = False
    is_data_file: bool = False
    sectors: list[int] = field(default_factory=list)
    header_bytes: int = 0  # stays as it was made when the file is cropped


class _Use(Enum):
    FREE = auto()
    SEARCHING = auto()
    READING = auto()
    WRITING = auto()


@dataclass
class _Handle:
    use: _Use = _Use.FREE
    index: int = -1  # place in the directory of the file last found
    pattern: bytes = b""
    file: File | None = None
    position: int = 0
    is_cut: bool = False  # more was written than the file can hold
    stored: int = 0  # bytes of a data file that its header in flash knows of


def _header_bytes(size: int) -> int:
    """Return what name, sizes and list of sectors take of a file of `size` bytes."""
    listed = (size + HEADER_BYTES - 1) // SECTOR_BYTES
    listed = (size + HEADER_BYTES + 2 * listed - 1) // SECTOR_BYTES  # the list may need one more
    return -(-(HEADER_BYTES + 2 * listed) // 4) * 4


def _sector_count(header_bytes: int, size: int) -> int:
    """Return how many sectors a file takes; its first bytes fill the header's last sector."""
    headers, used = divmod(header_bytes, SECTOR_BYTES)
    if not used:  # the body starts a new sector, which even an empty one keeps
        return headers + max(1, -(-size // SECTOR_BYTES))
    return headers + 1 + -(-max(0, size - (SECTOR_BYTES - used)) // SECTOR_BYTES)


def _room_in(sectors: int) -> int:
    """Return the size of the one file that fills this many sectors (dLoaderCalcFreeFileSpace)."""
    if not sectors:
        return 0
    listed = sectors - 1
    if (2 * listed + HEADER_BYTES) % SECTOR_BYTES < 4:
        listed -= 1
    return sectors * SECTOR_BYTES - -(-(HEADER_BYTES + 2 * listed) // 4) * 4


class FlashFiles:
    """Files by name, and the handles open on them. Methods raise CommandError."""

    def __init__(self) -> None:
        self._directory: list[File] = []
        self._handles = [_Handle() for _ in range(HANDLES)]
        self._is_used = bytearray(SECTORS)

    @property
    def free(self) -> int:
        """Bytes of the largest file that the sectors that are left can hold."""
        return _room_in(self._is_used.count(0))

    def store(self, name: bytes, data: bytes) -> None:
        """Put a whole file in, in the place of one with that name. Raises CommandError."""
        stored = self.lookup(name)
        if stored is not None:
            self._forget(self._directory.index(stored))
        linear = any(part in name.upper() for part in LINEAR_PARTS)
        file = File(name, len(data), bytearray(data), is_linear=linear)
        self._allocate(file)
        self._insert(file)

    def lookup(self, pattern: bytes) -> File | None:
        """Return the newest file that matches, None if there is none."""
        matches = matcher(pattern)
        return next((file for file in self._directory if matches(file.name)), None)

    def listing(self) -> list[File]:
        """Return all files, the newest first."""
        return list(self._directory)

    def open_read(self, name: bytes) -> tuple[int, int]:
        """Return a handle, and how many bytes can be read."""
        handle = self._find(name, _Use.READING)
        opened = self._handles[handle]
        file = self._directory[opened.index]
        if file.size == 0:
            # The firmware forgets which handle it took, and closes number 0 (dLoaderOpenRead).
            with suppress(CommandError):
                self.close(0)
            raise CommandError(statuses.FILE_NOT_FOUND)
        opened.file, opened.position = file, 0
        return handle, len(file.data)

    def open_write(self, name: bytes, size: int) -> int:
        """Return a handle for a new file of `size` bytes; it exists once closed with all of them.

        Names of programs make a linear file, which can be started.
        """
        linear = any(part in name.upper() for part in LINEAR_PARTS)
        return self._create(File(name, size, is_linear=linear))

    def open_write_linear(self, name: bytes, size: int) -> int:
        """Return a handle for a new file in consecutive sectors of the flash."""
        return self._create(File(name, size, is_linear=True))

    def open_write_data(self, name: bytes, size: int) -> int:
        """Return a handle for a new data file, which exists at once and may stay partly empty.

        Names of programs are refused.
        """
        if any(part in name.upper() for part in LINEAR_PARTS):
            raise CommandError(statuses.ILLEGAL_NAME)
        return self._create(File(name, size, is_data_file=True))

    def open_append(self, name: bytes) -> tuple[int, int]:
        """Return a handle for writing on in a data file, and the room that is left in it."""
        handle = self._find(name, _Use.READING)
        opened = self._handles[handle]
        file = self._directory[opened.index]
        status = statuses.OK
        if self._is_being_written(name):
            status = statuses.FILE_BUSY
        elif not file.is_data_file:
            status = statuses.APPEND_NOT_POSSIBLE
        elif len(file.data) >= file.size:
            status = statuses.FILE_FULL
        elif self._writers() >= WRITE_BUFFERS:
            status = statuses.NO_WRITE_BUFFERS
        if status:
            opened.use = _Use.FREE
            raise CommandError(status)
        opened.use, opened.file, opened.is_cut = _Use.WRITING, file, False
        opened.stored = len(file.data)
        return handle, file.size - len(file.data)

    def read(self, handle: int, size: int) -> tuple[int, bytes]:
        """Return a status and the next bytes; fewer than `size` with "end of file"."""
        opened = self._opened(handle, _Use.READING)
        file = self._file(opened)
        data = bytes(file.data[opened.position : opened.position + size])
        opened.position += len(data)
        return statuses.OK if len(data) == size else statuses.END_OF_FILE, data

    def write(self, handle: int, data: bytes) -> tuple[int, int]:
        """Append bytes; return a status and how many found room."""
        opened = self._opened(handle, _Use.WRITING)
        file = self._file(opened)
        room = file.size - len(file.data)
        if len(data) > room:
            opened.is_cut = True
        file.data += data[:room]
        status = statuses.END_OF_FILE_EXPECTED if opened.is_cut else statuses.OK
        return status, min(len(data), room)

    def close(self, handle: int) -> None:
        """End the use of a handle; a file that is not complete is dropped, unless it is data."""
        if handle >= HANDLES:
            return
        opened = self._handles[handle]
        if opened.use is _Use.FREE:
            raise CommandError(statuses.HANDLE_ALREADY_CLOSED)
        file = opened.file
        is_new = opened.use is _Use.WRITING and file is not None and not file.is_data_file
        if is_new and file is not None:
            if not opened.is_cut and len(file.data) == file.size:
                self._insert(file)
                opened.index = 0
            else:
                self._release(file, 0)
        opened.use, opened.file = _Use.FREE, None

    def crop(self, handle: int) -> None:
        """Close a data file and give back the room that it has not used."""
        file = self._handles[handle].file if handle < HANDLES else None
        self.close(handle)
        if file is not None and file in self._directory:
            file.size = len(file.data)
            self._release(file, _sector_count(file.header_bytes, file.size))

    def delete(self, name: bytes) -> None:
        """Delete the newest file that matches, which must not be open."""
        handle = self._find(name, _Use.READING)
        index = self._handles[handle].index
        self._handles[handle].use = _Use.FREE
        self._check_not_busy(self._directory[index])
        self._forget(index)

    def rename(self, name: bytes, new_name: bytes) -> None:
        """Give a file another name."""
        self._check_name(new_name)
        if self.lookup(new_name) is not None:
            raise CommandError(statuses.FILE_EXISTS)
        file = self.lookup(name)
        if file is None:
            raise CommandError(statuses.FILE_NOT_FOUND)
        self._check_not_busy(file)
        file.name = new_name

    def find_first(self, pattern: bytes) -> tuple[int, File]:
        """Return a handle for going on, and the newest file that matches."""
        handle = self._find(pattern, _Use.SEARCHING)
        return handle, self._directory[self._handles[handle].index]

    def find_next(self, handle: int) -> File:
        """Return the next older file that matches; closed handles continue as well."""
        if handle >= HANDLES:
            raise CommandError(statuses.FILE_NOT_FOUND)
        searching = self._handles[handle]
        matches = matcher(searching.pattern)
        for index in range(searching.index + 1, len(self._directory)):
            if matches(self._directory[index].name):
                searching.index = index
                return self._directory[index]
        raise CommandError(statuses.FILE_NOT_FOUND)

    def resolve(self, name: bytes) -> tuple[int, bool]:
        """Return the handle that is open on a file, and whether it is for writing."""
        for number, handle in enumerate(self._handles):
            if handle.file is not None and matcher(name)(handle.file.name):
                return number, handle.use is _Use.WRITING
        raise CommandError(statuses.HANDLE_ALREADY_CLOSED)

    def erase(self) -> None:
        """Delete everything."""
        self._directory.clear()
        self._handles = [_Handle() for _ in range(HANDLES)]
        self._is_used = bytearray(SECTORS)

    def lose_power(self) -> None:
        """Forget what is not in flash: handles, unfinished files, what was added to data files.

        The header of a data file learns its new length only when the file is closed.
        """
        for handle in self._handles:
            if handle.use is _Use.WRITING and handle.file is not None:
                if handle.file.is_data_file:
                    del handle.file.data[handle.stored :]
                else:
                    self._release(handle.file, 0)
        self._handles = [_Handle() for _ in range(HANDLES)]

    def _create(self, file: File) -> int:
        number = self._free_handle()
        self._check_name(file.name)
        if self.lookup(file.name) is not None or self._is_being_written(file.name):
            raise CommandError(statuses.FILE_EXISTS)
        # Files being written have no entry yet. The firmware means to count only these, but data
        # files have one and are counted as well (dLoaderAvailFileNo compares with another type).
        if len(self._directory) + self._writers() >= MOST_FILES:
            raise CommandError(statuses.NO_MORE_FILES)
        if self._writers() >= WRITE_BUFFERS:
            raise CommandError(statuses.NO_WRITE_BUFFERS)
        self._allocate(file)
        handle = self._handles[number]
        if file.is_data_file:
            self._insert(file)
        handle.use, handle.file, handle.pattern = _Use.WRITING, file, file.name
        handle.index, handle.is_cut, handle.stored = 0, False, 0
        return number

    def _allocate(self, file: File) -> None:
        """Give a file its sectors: the first that are free, in one piece if it is linear."""
        if file.size > self.free:
            raise CommandError(statuses.NO_SPACE)
        # Name, sizes and the list of sectors stand before the body, and the body starts right
        # behind them in the same sector: a file of one byte takes one sector, of 221 bytes two.
        file.header_bytes = _header_bytes(file.size)
        count = _sector_count(file.header_bytes, file.size)
        if file.is_linear:
            first = self._is_used.find(bytes(count))
            if first < 0:
                raise CommandError(statuses.NO_LINEAR_SPACE)
            file.sectors = list(range(first, first + count))
        else:
            file.sectors = [n for n, used in enumerate(self._is_used) if not used][:count]
        for sector in file.sectors:
            self._is_used[sector] = 1

    def _release(self, file: File, first: int) -> None:
        """Give back all sectors of a file but the `first` ones."""
        for sector in file.sectors[first:]:
            self._is_used[sector] = 0
        del file.sectors[first:]

    def _find(self, pattern: bytes, use: _Use) -> int:
        number = self._free_handle()
        self._check_name(pattern)
        handle = self._handles[number]
        handle.pattern, handle.index, handle.file = pattern, -1, None
        self.find_next(number)
        handle.use = use
        return number

    def _free_handle(self) -> int:
        for number, handle in enumerate(self._handles):
            if handle.use is _Use.FREE:
                return number
        raise CommandError(statuses.NO_MORE_HANDLES)

    @staticmethod
    def _check_name(name: bytes) -> None:
        if len(name) > LONGEST_NAME:
            raise CommandError(statuses.ILLEGAL_NAME)

    def _opened(self, handle: int, use: _Use) -> _Handle:
        if handle >= HANDLES or self._handles[handle].use is not use:
            raise CommandError(statuses.ILLEGAL_HANDLE)
        return self._handles[handle]

    @staticmethod
    def _file(handle: _Handle) -> File:
        if handle.file is None:
            raise CommandError(statuses.ILLEGAL_HANDLE)
        return handle.file

    def _writers(self) -> int:
        return sum(handle.use is _Use.WRITING for handle in self._handles)

    def _is_being_written(self, name: bytes) -> bool:
        return any(
            handle.use is _Use.WRITING and handle.pattern.upper() == name.upper()
            for handle in self._handles
        )

    def _check_not_busy(self, file: File) -> None:
        if any(handle.file is file for handle in self._handles):
            raise CommandError(statuses.FILE_BUSY)

    def _insert(self, file: File) -> None:
        self._directory.insert(0, file)
        for handle in self._handles:
            if handle.use is not _Use.FREE:
                handle.index += 1

    def _forget(self, index: int) -> None:
        self._release(self._directory[index], 0)
        del self._directory[index]
        for handle in self._handles:
            if handle.use is not _Use.FREE and handle.index > index:
                handle.index -= 1
