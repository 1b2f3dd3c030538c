"""The name under which a built library is kept: everything that goes into it counts."""

import os
import time
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from firmware_tools.boards.facts import Board
from firmware_tools.building import library
from firmware_tools.building.library import UNUSED_S, firmware_library, library_key
from firmware_tools.building.toolchain import Toolchain
from firmware_tools.errors import InvalidBoardFactsError

SDCC = Toolchain(Path("sdcc"), Path("sdar"), Path("sdas8051"), "4.2.0-13081")


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "stub.h").write_text("void led(int);\n", encoding="ascii")
    (tmp_path / "aksen_start.c").write_text("void main(void) {}\n", encoding="ascii")
    return tmp_path


def test_the_same_is_found_again(sources: Path, aksen: Board) -> None:
    assert library_key(sources, aksen, SDCC) == library_key(sources, aksen, SDCC)


def test_another_compiler_needs_another_library(sources: Path, aksen: Board) -> None:
    newer = replace(SDCC, version="4.4.0-14620")
    assert library_key(sources, aksen, newer) != library_key(sources, aksen, SDCC)


def test_another_board_needs_another_library(sources: Path, aksen: Board) -> None:
    moved = replace(aksen, constants={**aksen.constants, "TIMER_RELOAD": 1})
    assert library_key(sources, moved, SDCC) != library_key(sources, aksen, SDCC)


@pytest.mark.parametrize("name", ["aksen_start.c", "include/stub.h"])
def test_a_changed_source_needs_another_library(sources: Path, aksen: Board, name: str) -> None:
    before = library_key(sources, aksen, SDCC)
    (sources / name).write_text("/* changed */\n", encoding="ascii")
    assert library_key(sources, aksen, SDCC) != before


def test_a_library_that_is_not_there(aksen: Board) -> None:
    strange = replace(aksen, library=msgspec.structs.replace(aksen.library, name="none"))
    with pytest.raises(InvalidBoardFactsError, match=r"firmware library 'none'.* Known: aksen"):
        firmware_library(strange, SDCC)


def test_libraries_of_earlier_sources_go_unless_they_were_just_used(
    tmp_path: Path, aksen: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(library, "_build", lambda *build: build[3].mkdir())
    first = firmware_library(aksen, SDCC).folder
    second = firmware_library(aksen, replace(SDCC, version="4.4.0-14620")).folder
    assert set(tmp_path.iterdir()) == {first, second}, "another process may be using the first"
    long_ago = time.time() - UNUSED_S - 1
    os.utime(first, (long_ago, long_ago))
    os.utime(second, (long_ago, long_ago))
    firmware_library(aksen, replace(SDCC, version="4.4.0-14620"))  # used again
    third = firmware_library(aksen, replace(SDCC, version="4.5.0-15242")).folder
    assert set(tmp_path.iterdir()) == {second, third}
