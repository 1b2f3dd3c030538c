"""Images in Intel HEX, checked against the board's program memory."""

import io
import zlib
from dataclasses import dataclass
from pathlib import Path

from intelhex import HexReaderError, IntelHex, IntelHexError

from firmware_tools.boards.facts import Board
from firmware_tools.errors import InvalidImageError
from solvers.foundation.files import read_bytes

ERASED = 0xFF
END_RECORD = ":00000001FF"
MAX_FILE_BYTES = 1 << 20  # 32 KB as Intel HEX is under 100 KB; anything above 1 MB is a mistake


@dataclass(frozen=True)
class Image:
    """Bytes of program memory from address 0; gaps hold FFh, as erased flash does."""

    name: str
    data: bytes
    used_bytes: int  # bytes that the file itself gives

    @property
    def crc32(self) -> int:
        """Return the CRC-32 that the boot loader compares."""
        return zlib.crc32(self.data)


def load_image(path: Path, board: Board) -> Image:
    """Return the image in an Intel-HEX file.

    Raises InvalidImageError if it is no Intel HEX, contradicts itself, does not start at 0000h,
    or is too big for the board.
    """
    text = read_bytes(path, InvalidImageError, "The image", MAX_FILE_BYTES)
    return parse_image(text, path.name, board)


def parse_image(text: bytes, name: str, board: Board) -> Image:
    """Return the image in the bytes of an Intel-HEX file called `name`; errors as load_image."""
    addresses = _addresses(text, name)
    highest = addresses.maxaddr()
    if highest is None:
        raise InvalidImageError(f"{name} is empty: it holds no data records.")
    limit = board.memory.code_bytes
    if highest >= limit:
        raise InvalidImageError(
            f"{name} is too big: it reaches address {highest:04X}h, and the {board.title}'s "
            f"program memory ends at {limit - 1:04X}h."
        )
    if addresses.minaddr() != 0:
        raise InvalidImageError(
            f"{name} starts at {addresses.minaddr():04X}h, but the processor starts at 0000h: "
            "it was linked for another memory map."
        )
    addresses.padding = ERASED
    data = bytes(addresses.tobinarray(start=0, end=highest))
    return Image(name, data, len(addresses))


def _addresses(text: bytes, name: str) -> IntelHex:
    addresses = IntelHex()
    try:
        lines = text.decode("ascii")
        addresses.loadhex(io.StringIO(lines))
    except UnicodeDecodeError as error:
        raise InvalidImageError(f"{name} is not Intel HEX: it is not a text file.") from error
    except (HexReaderError, IntelHexError) as error:
        raise InvalidImageError(f"{name} is not an Intel-HEX image: {error}.") from error
    if END_RECORD not in lines.upper():
        raise InvalidImageError(f"{name} has no end record: the file was cut off.")
    return addresses
