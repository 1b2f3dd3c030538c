"""A ROM is refused whose variables lie where programs' own do, or where start code cannot fill."""

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from firmware_tools.building.library import TABLE, _check_variables, rom_facts
from firmware_tools.errors import CompileError

LIBRARY = Path(str(files("firmware_tools"))) / "firmware" / "lib" / "aksen"
ROW = "0x{:02x}:|" + "{}|" * 16


def linked(folder: Path, used: Sequence[int], first: int, size: int) -> Path:
    """Write what the linker reports: the bytes of internal RAM that are used, and a segment."""
    rows = [
        ROW.format(row, *("a" if row + column in used else " " for column in range(16)))
        for row in range(0, 0x100, 0x10)
    ]
    image = folder / "rom.ihx"
    image.with_suffix(".mem").write_text("\n".join(rows) + "\n", encoding="ascii")
    lines = f"C:   {size:08X}  l_XISEG\nC:   {first:08X}  s_XISEG\n"
    image.with_suffix(".map").write_text(lines, encoding="ascii")
    return image


@pytest.mark.parametrize(
    ("used", "first", "size", "fits"),
    [
        ([0x10, 0x17], 0x1E86, 3, True),
        ([0x10, 0x18], 0x1E86, 3, False),  # a program's frame pointer
        ([0x1F], 0x1E86, 3, False),
        ([0x20], 0x1E86, 3, True),  # the bits, which programs leave room for
        ([], 0x1E01, 3, True),
        ([], 0x1E7E, 4, True),
        ([], 0x1EFE, 3, False),  # into the next page
    ],
)
def test_variables_keep_to_their_place(
    tmp_path: Path, used: list[int], first: int, size: int, fits: bool
) -> None:
    facts = rom_facts(LIBRARY / TABLE)
    image = linked(tmp_path, used, first, size)
    if fits:
        _check_variables(image, facts)
    else:
        with pytest.raises(CompileError, match="not where programs leave room"):
            _check_variables(image, facts)
