"""Code memory behind the program: the library in ROM, from a file of the user's own."""

from pathlib import Path
from typing import Final

from hardware_sims.mcs51.image import LARGEST_HEX_BYTES, ImageError, read_image
from solvers.foundation.files import read_bytes

ROM_START: Final = 0x8000
ROM_BYTES: Final = 0x8000


def read_rom(path: Path) -> dict[int, int]:
    """Return the ROM's bytes by address.

    An Intel-HEX file contains its address; any other file is a dump from 8000h on. Raises
    ImageError if that is not the ROM's place.
    """
    data = read_bytes(path, ImageError, "The ROM", LARGEST_HEX_BYTES)
    if data.startswith(b":"):
        contents = read_image(path)
    else:
        contents = {ROM_START + place: value for place, value in enumerate(data[: ROM_BYTES + 1])}
    wrong = [address for address in contents if not ROM_START <= address < ROM_START + ROM_BYTES]
    if wrong or not contents:
        raise ImageError(
            f"The ROM {path} must fill addresses from 8000h to FFFFh, and nothing else."
        )
    return contents
