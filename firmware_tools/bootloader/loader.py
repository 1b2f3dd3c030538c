"""What the flasher asks of a boot loader, whatever its protocol."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Protocol

from firmware_tools.boards.facts import Board
from firmware_tools.bootloader.session import Counters
from firmware_tools.errors import TransferError
from firmware_tools.line.byte_link import ByteLink

LARGEST_IMAGE_BYTES: Final = 0xFFFF
"""Both protocols carry an image's length in two bytes."""


class ImageStatus(IntEnum):
    """What the loader says of the image in flash."""

    EMPTY = 0
    INCOMPLETE = 1
    VALID = 2


@dataclass(frozen=True)
class FlashStatus:
    """State of the flash; length and CRC-32 are 0 unless the image is valid."""

    image: ImageStatus
    length: int = 0
    crc32: int = 0

    @classmethod
    def parse(cls, data: bytes) -> "FlashStatus":
        """Return the status in the nine bytes that both protocols carry."""
        if data[0] not in tuple(ImageStatus):
            raise TransferError(f"The loader's image status {data[0]:02X}h has no meaning.")
        length, crc32 = int.from_bytes(data[3:5], "big"), int.from_bytes(data[5:9], "big")
        return cls(ImageStatus(data[0]), length, crc32)


@dataclass(frozen=True)
class Block:
    """Bytes that travel in one frame."""

    address: int
    data: bytes
    opens: bool = False  # a gap lies before it


class Loader(Protocol):
    """One boot-loader session. Order of calls: connect first; erase, program, seal; run last.

    Every method raises PortError if the line is gone, NoAnswerError on silence, TransferError if
    the loader kept refusing.
    """

    @property
    def counters(self) -> Counters:
        """Return how often frames were repeated."""

    def connect(self) -> bytes:
        """Find the loader and return its chip identifier."""

    def erase(self) -> None:
        """Erase the program flash; afterwards there is no valid image."""

    def program(self, blocks: list[Block]) -> Iterator[Block]:
        """Send the blocks; yield each when the board has it."""

    def seal(self, length: int, crc32: int) -> None:
        """Make the image valid. Raises ImageChecksumError if the loader's CRC differs."""

    def run(self) -> None:
        """Start the program. Raises NoValidImageError."""

    def status(self) -> FlashStatus:
        """Return what is in flash."""

    def crc32(self, address: int, length: int) -> int:
        """Return the CRC-32 of a range of flash."""

    def read(self, address: int, length: int) -> bytes:
        """Return at most `read_bytes` bytes of flash."""


@dataclass(frozen=True, slots=True)
class LoaderProtocol:
    """How to talk to a loader, and what that costs."""

    name: str
    open: Callable[[ByteLink, Board], Loader]
    split: Callable[[bytes, int, Board], list[Block]]
    """The blocks for one run of bytes without gaps that begins at an address."""
    wire_bytes: Callable[[list[Block], Board], int]
    """How many bytes the blocks and their answers take on the line."""
