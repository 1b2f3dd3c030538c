"""Reads what goes into code memory."""

import io
from collections.abc import Mapping
from pathlib import Path

from hardware_sims.errors import SimulatorError
from solvers.foundation.files import read_text

CODE_BYTES = 0x10000
LARGEST_HEX_BYTES = 1 << 20  # 64 KB take under 200 KB as Intel HEX


class ImageError(SimulatorError):
    """A file is not a program for this chip."""

    exit_code = 2


def read_image(source: Mapping[int, int] | bytes | Path) -> dict[int, int]:
    """Return code bytes by address. Raises ImageError for a file that is not Intel HEX."""
    if isinstance(source, Path):
        contents = _read_intel_hex(source)
    elif isinstance(source, bytes):
        contents = dict(enumerate(source))
    else:
        contents = dict(source)
    beyond = [address for address in contents if not 0 <= address < CODE_BYTES]
    if beyond:
        raise ImageError(
            f"The image has a byte at address {min(beyond):X}h, beyond the 64 KB of code memory. "
            "Build it for an 8051."
        )
    return contents


def _read_intel_hex(path: Path) -> dict[int, int]:
    from intelhex import HexReaderError, IntelHex

    image = IntelHex()
    text = read_text(path, ImageError, "The image", LARGEST_HEX_BYTES)
    try:
        image.loadhex(io.StringIO(text))
    except (HexReaderError, ValueError) as error:
        raise ImageError(
            f"{path} is not an Intel-HEX file: {error}. Give the .ihx file that the build wrote."
        ) from error
    return {address: image[address] for address in image.addresses()}
