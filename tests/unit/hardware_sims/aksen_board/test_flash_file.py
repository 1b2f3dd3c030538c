"""The flash's content in a file."""

import zlib
from pathlib import Path

import pytest

from hardware_sims.aksen_board.flash import EMPTY, VALID, Flash, FlashFile
from hardware_sims.errors import InvalidScenarioError, SimulatorError


def test_content_and_mark_survive(tmp_path: Path) -> None:
    path = tmp_path / "flash.bin"
    flash = FlashFile(path)
    assert flash.status == EMPTY
    flash.program(0, b"\x02\x00\x30")
    assert flash.seal(3, zlib.crc32(b"\x02\x00\x30"))
    again = FlashFile(path)
    assert again.status == VALID
    assert (again.data, again.info) == (flash.data, flash.info)
    again.erase()
    assert FlashFile(path).status == EMPTY


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "flash.bin"
    FlashFile(path)
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    with pytest.raises(InvalidScenarioError, match=r"flash\.bin.*damaged"):
        FlashFile(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(SimulatorError, match="missing"):
        FlashFile(tmp_path / "missing" / "flash.bin")


def test_a_full_flash_takes_no_more_bytes() -> None:
    flash = Flash(full_from=16)
    assert flash.program(0, bytes(16))
    assert not flash.program(15, bytes(2))
