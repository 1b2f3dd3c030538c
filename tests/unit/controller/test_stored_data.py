"""What is stored on a computer, and what of it can go."""

import json
import sys
from pathlib import Path

import pytest

from controller import stored_data
from controller.cli.main import main
from controller.motion import journal
from controller.stored_data import clean

KILOBYTE = bytes(1024)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with `cache`, `state` and `config`, and something of everything in it."""
    for name in ("cache", "state", "config"):
        monkeypatch.setattr(stored_data, f"user_{name}_path", lambda _, name=name: tmp_path / name)
    monkeypatch.setattr(journal, "user_state_path", lambda _: tmp_path / "state")
    monkeypatch.setattr(stored_data, "cache_directory", lambda: tmp_path / "cache" / "tables")
    monkeypatch.setattr(stored_data, "compiled_folders", lambda: [tmp_path / "compiled"])
    for path in (
        "compiled/kernel.o",
        "cache/tables/cube.table",
        "cache/aksen/library-1/aksen.lib",
        "state/journals/run-000001.journal",
        "state/history.json",
        "state/packing/soma/1",
        "config/rig.toml",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(KILOBYTE)
    return tmp_path


def test_all_kinds_are_listed_with_their_places_and_sizes(home: Path) -> None:
    found = {each.name: each for each in stored_data.stored_data()}
    assert {each.bytes for each in found.values()} == {len(KILOBYTE)}
    assert found["calibration"].paths == (home / "config",)
    assert found["calibration"].size == "1 KB"
    assert found["unfinished searches"].paths == (home / "state" / "packing",)


def test_only_what_is_made_again_or_of_no_use_is_removed(home: Path) -> None:
    assert clean() == 4 * len(KILOBYTE)
    left = {str(each.relative_to(home)) for each in home.rglob("*") if each.is_file()}
    assert left == {"state/history.json", "state/packing/soma/1", "config/rig.toml"}
    assert clean() == 0


def test_doctor_cleans_and_lists_what_is_left(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["cuberobot", "doctor", "--clean", "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    found = json.loads(capsys.readouterr().out)
    assert found["freed_bytes"] == 4 * len(KILOBYTE)
    left = {each["name"] for each in found["stored"] if each["bytes"]}
    assert left == {"history of solves", "unfinished searches", "calibration"}
    assert not (home / "compiled").exists()
