"""The flash's content in a file."""

import zlib
from pathlib import Path

import pytest

from hardware_sims.aksen_board.facts import board_facts
from hardware_sims.aksen_board.loader.flash import EMPTY, VALID, Flash, FlashFile
from hardware_sims.errors import InvalidScenarioError, SimulatorError

FLASH_BYTES = board_facts().code_bytes


def test_content_and_mark_survive(tmp_path: Path) -> None:
    path = tmp_path / "flash.bin"
    flash = FlashFile(path, FLASH_BYTES)
    assert flash.status == EMPTY
    flash.program(0, b"\x02\x00\x30")
    assert flash.seal(3, zlib.crc32(b"\x02\x00\x30"))
    again = FlashFile(path, FLASH_BYTES)
    assert again.status == VALID
    assert (again.data, again.info) == (flash.data, flash.info)
    again.erase()
    assert FlashFile(path, FLASH_BYTES).status == EMPTY


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "flash.bin"
    FlashFile(path, FLASH_BYTES)
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)
    with pytest.raises(InvalidScenarioError, match=r"flash\.bin.*damaged"):
        FlashFile(path, FLASH_BYTES)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SimulatorError, match=r"flash\.bin.*Name a file in a folder"):
        FlashFile(tmp_path / "file" / "flash.bin", FLASH_BYTES)


def test_the_file_is_replaced_and_never_written_into(tmp_path: Path) -> None:
    path = tmp_path / "flash.bin"
    flash = FlashFile(path, FLASH_BYTES)
    empty = path.read_bytes()
    with path.open("rb") as before:
        flash.program(0, b"\x02\x00\x30")
        assert before.read() == empty  # whoever reads has the old one, whole
    assert [each.name for each in tmp_path.iterdir()] == ["flash.bin"]


def test_a_file_of_another_board_is_refused(tmp_path: Path) -> None:
    FlashFile(tmp_path / "flash.bin", 2 * FLASH_BYTES)
    with pytest.raises(InvalidScenarioError, match="not a flash file of this simulated board"):
        FlashFile(tmp_path / "flash.bin", FLASH_BYTES)


def test_a_full_flash_takes_no_more_bytes() -> None:
    flash = Flash(FLASH_BYTES, full_from=16)
    assert flash.program(0, bytes(16))
    assert not flash.program(15, bytes(2))
