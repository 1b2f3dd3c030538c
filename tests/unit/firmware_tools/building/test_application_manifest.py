"""The manifest of a folder with several programs."""

from pathlib import Path

import pytest

from firmware_tools.building.application import generated_sources, programs_of
from firmware_tools.errors import InvalidProgramError


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[programs.one]\nsource = 1\n", "unknown key 'source'"),
        ("[programs.one]\n", "'sources' is missing"),
        ("[programs.one]\nsources = []\n", "sources"),
        ("[programs]\n", "programs"),
        ('common = "main.c"\n[programs.one]\nsources = ["a.c"]\n', "common must be a list"),
        ("[programs", "is not TOML"),
    ],
)
def test_a_wrong_manifest_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "program.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidProgramError, match=message):
        programs_of(tmp_path)


@pytest.mark.parametrize(
    "name", ["none-such", "firmware_tools.puzzle8.sources", "firmware_tools.puzzle8.sources:none"]
)
def test_a_generator_that_is_not_there(name: str) -> None:
    with pytest.raises(InvalidProgramError, match=f"no source generator '{name}'"):
        generated_sources(name)


def test_a_folder_without_a_manifest_has_no_named_programs(tmp_path: Path) -> None:
    assert programs_of(tmp_path) == {}
