"""New journals get the next number; the newest is the one with the highest."""

from pathlib import Path

import pytest

from controller.errors import RobotError
from controller.motion.driving import journals


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journals, "user_state_path", lambda _: tmp_path)
    return tmp_path / "journals"


def test_numbers_count_up_and_the_newest_is_found_first(folder: Path) -> None:
    first, second, third = (journals.new_journal_path() for _ in range(3))
    assert [path.name for path in (first, second, third)] == [
        "run-000001.journal",
        "run-000002.journal",
        "run-000003.journal",
    ]
    assert journals.journals_newest_first() == [third, second, first]
    assert first.parent == folder


def test_a_million_runs_are_still_in_order(folder: Path) -> None:
    folder.mkdir()
    for number in (999_999, 1_000_000):
        (folder / f"run-{number:06}.journal").write_text("a run")
    (folder / "my own.journal").write_text("a run")
    assert journals.journals_newest_first()[0].name == "run-1000000.journal"
    assert journals.new_journal_path().name == "run-1000001.journal"


def test_a_place_that_cannot_be_written_is_a_sentence(folder: Path) -> None:
    folder.touch()
    with pytest.raises(RobotError, match="--journal"):
        journals.new_journal_path()
