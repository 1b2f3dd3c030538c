"""The program flash with its info block, in memory or in a file.

File: 8 bytes "AKSENFL1", CRC-32 of the rest, then 12 bytes of info block (FFh if there is none)
and the flash. It is replaced as a whole after each change, so a simulator that is killed leaves
what a board without power would: everything up to the last finished command.
"""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hardware_sims.errors import InvalidScenarioError, SimulatorError
from hardware_sims.mcs51.image import ImageError, read_image
from solvers.foundation.files import read_bytes, write_bytes

ERASED = 0xFF
INFO_MAGIC = b"AKSN"
INFO_BYTES = 12
LARGEST_IMAGE_BYTES = 0xFFFF
"""The info block has two bytes for the length."""
FILE_MAGIC = b"AKSENFL1"
EMPTY, INCOMPLETE, VALID = 0, 1, 2


@dataclass(frozen=True)
class ImageInfo:
    """The image that was found whole: `length` bytes from 0000h with this CRC-32."""

    length: int
    crc32: int

    def to_bytes(self) -> bytes:
        """Return the info block in the layout of docs/bootloader.md."""
        start = 0
        return INFO_MAGIC + b"".join(
            (start.to_bytes(2), self.length.to_bytes(2), self.crc32.to_bytes(4))
        )


class Flash:
    """`size` bytes of flash. Those from `full_from` on do not take what is programmed (a fault)."""

    def __init__(self, size: int, full_from: int | None = None) -> None:
        self.size = size
        self.data = bytearray([ERASED]) * size
        self.info: ImageInfo | None = None
        self._full_from = size if full_from is None else full_from

    @property
    def status(self) -> int:
        """EMPTY, INCOMPLETE or VALID."""
        if self.info is not None:
            return VALID
        return EMPTY if self.data.count(ERASED) == self.size else INCOMPLETE

    def erase(self) -> None:
        """Clear the info block, then set every byte to FFh."""
        self.clear_info()
        self.data[:] = bytes([ERASED]) * self.size
        self.keep()

    def clear_info(self) -> None:
        """Take the mark away that makes an image valid."""
        self.info = None
        self.keep()

    def program(self, address: int, values: bytes) -> bool:
        """Clear bits; return whether every byte now has its value. The range must be inside."""
        for offset, value in enumerate(values, start=address):
            if offset < self._full_from:
                self.data[offset] &= value
        self.keep()
        return self.data[address : address + len(values)] == values

    def crc32(self, start: int, length: int) -> int:
        """Return the CRC-32 of a range."""
        return zlib.crc32(self.data[start : start + length])

    def seal(self, length: int, crc32: int) -> bool:
        """Mark the image valid if its checksum is right; return whether it was."""
        if self.crc32(0, length) != crc32:
            return False
        self.info = ImageInfo(length, crc32)
        self.keep()
        return True

    def keep(self) -> None:
        """Nothing to do in memory; a flash with a file writes it here."""


class FlashFile(Flash):
    """A flash whose content is in a file, which is made if it is not there.

    Raises InvalidScenarioError if the file is something else, SimulatorError if it cannot be used.
    """

    def __init__(self, path: Path, size: int, full_from: int | None = None) -> None:
        super().__init__(size, full_from)
        self._path = path
        if path.exists():
            self._read()
        else:
            self.keep()

    def _read(self) -> None:
        content = read_bytes(self._path, InvalidScenarioError, "The flash file")
        head, body = content[: len(FILE_MAGIC) + 4], content[len(FILE_MAGIC) + 4 :]
        is_whole = len(body) == INFO_BYTES + self.size
        if not is_whole or head != FILE_MAGIC + zlib.crc32(body).to_bytes(4):
            raise InvalidScenarioError(
                f"{self._path} is not a flash file of this simulated board, or it is damaged. "
                "Name another file, or delete it to start with an empty flash."
            )
        info, self.data = body[:INFO_BYTES], bytearray(body[INFO_BYTES:])
        if info.startswith(INFO_MAGIC):
            self.info = ImageInfo(int.from_bytes(info[6:8]), int.from_bytes(info[8:12]))

    def keep(self) -> None:
        """Replace the file by the present content."""
        info = self.info.to_bytes() if self.info else bytes([ERASED]) * INFO_BYTES
        body = info + bytes(self.data)
        write_bytes(
            self._path,
            FILE_MAGIC + zlib.crc32(body).to_bytes(4) + body,
            error=SimulatorError,
            hint="Name a file in a folder that you may write to.",
        )


def install(flash: Flash, image: Mapping[int, int] | bytes | Path) -> None:
    """Put an image into an erased flash and mark it valid, as a flasher does.

    Raises ImageError if it is empty or larger than the flash.
    """
    contents = read_image(image)
    if not contents:
        raise ImageError("The image has no bytes. Build it again.")
    length = max(contents) + 1
    room = min(flash.size, LARGEST_IMAGE_BYTES)
    if length > room:
        raise ImageError(
            f"The image ends at {length - 1:X}h, beyond the board's {room} bytes of flash. "
            "Make the program smaller, or link it to start at 0000h."
        )
    whole = bytearray([ERASED]) * length
    for address, value in contents.items():
        whole[address] = value
    flash.erase()
    flash.program(0, bytes(whole))
    flash.seal(length, flash.crc32(0, length))


@dataclass(frozen=True)
class Answer:
    """Bytes to send after `work_us` of work; an error waits for a silent line first."""

    data: bytes
    work_us: int = 0
    is_error: bool = False
    starts_program: bool = False


@dataclass(frozen=True)
class LoaderTiming:
    """How long the loader works, in microseconds; typical figures of a parallel flash."""

    program_byte_us: int = 20
    erase_us: int = 1_500_000
    checksum_byte_us: int = 8
    start_program_us: int = 10_000


NO_WORK = LoaderTiming(0, 0, 0)
