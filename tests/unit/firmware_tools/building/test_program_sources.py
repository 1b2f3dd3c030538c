"""Programs by name, folder or file, and the manifests of applications."""

from pathlib import Path

import pytest

from firmware_tools.building.program import (
    application_names,
    find_program,
    generated_sources,
    programs_of,
)
from firmware_tools.errors import InvalidProgramError


def test_files_folders_and_applications(tmp_path: Path) -> None:
    (tmp_path / "robot").mkdir()
    for name in ("main.c", "motor.c", "fast.asm", "notes.txt"):
        (tmp_path / "robot" / name).touch()
    folder = find_program([str(tmp_path / "robot")])
    assert folder.name == "robot"
    assert [path.name for path in folder.sources] == ["fast.asm", "main.c", "motor.c"]
    files = find_program([str(tmp_path / "robot/motor.c"), str(tmp_path / "robot/main.c")])
    assert files.name == "motor"
    assert "hello" in application_names()
    assert find_program(["hello"]).sources[0].name == "hello.c"


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "Name the C files"),
        (["nothing.c"], "no file nothing.c"),
        (["nothing"], "neither a source|neither a C file"),
        (["a.c", "b.pas"], "no file a.c"),
        (["."], "no source file"),
    ],
)
def test_what_is_no_program(
    names: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidProgramError, match=message):
        find_program(names)


def test_two_sources_of_one_name(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.c").touch()
    with pytest.raises(InvalidProgramError, match="same name"):
        find_program([str(tmp_path / "a/x.c"), str(tmp_path / "b/x.c")])


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
    "name", ["none-such", "firmware_tools.puzzle8.tables", "firmware_tools.puzzle8.tables:none"]
)
def test_a_generator_that_is_not_there(name: str) -> None:
    with pytest.raises(InvalidProgramError, match=f"no source generator '{name}'"):
        generated_sources(name)


def test_a_folder_without_a_manifest_has_no_named_programs(tmp_path: Path) -> None:
    assert programs_of(tmp_path) == {}
