"""New journals get the next number; the newest is the one with the highest."""

from pathlib import Path

import pytest

from controller.errors import InvalidJournalError, RobotError
from controller.motion.driving import journals


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(journals, "user_state_path", lambda _: tmp_path)
    return tmp_path / "journals"


def test_numbers_count_up_and_the_newest_that_was_written_is_found(folder: Path) -> None:
    first, second, third = (journals.new_journal_path() for _ in range(3))
    assert [path.name for path in (first, second, third)] == [
        "run-000001.journal",
        "run-000002.journal",
        "run-000003.journal",
    ]
    first.write_text("a run")
    second.write_text("another run")
    assert journals.newest_journal_path() == second
    assert first.parent == folder


def test_a_million_runs_are_still_in_order(folder: Path) -> None:
    folder.mkdir()
    for number in (999_999, 1_000_000):
        (folder / f"run-{number:06}.journal").write_text("a run")
    (folder / "my own.journal").write_text("a run")
    assert journals.newest_journal_path().name == "run-1000000.journal"
    assert journals.new_journal_path().name == "run-1000001.journal"


@pytest.mark.usefixtures("folder")
def test_without_any_it_says_where_it_looked() -> None:
    with pytest.raises(InvalidJournalError, match=r"no journal in .*journals"):
        journals.newest_journal_path()


def test_a_place_that_cannot_be_written_is_a_sentence(folder: Path) -> None:
    folder.touch()
    with pytest.raises(RobotError, match="--journal"):
        journals.new_journal_path()
