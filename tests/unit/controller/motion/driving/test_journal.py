"""The journal survives crashes and refuses what it cannot trust."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.errors import InvalidJournalError, RobotError
from controller.motion.driving.journal import Journal, RunHeader, read_journal

HEADER = RunHeader(
    state="U" * 54,
    target="D" * 54,
    moves="R",
    primitives=("spin +90", "tilt", "turn -90"),
    brick="usb",
    motor_control=False,
)


def written(path: Path) -> Path:
    with Journal(path) as journal:
        journal.begin(HEADER)
        journal.home((5, -1, 2), finished=0)
        journal.step(0, 0)
        journal.step(0, 1)
        journal.finish(0, "spin +90", 0.75)
        journal.step(1, 2)
    return path


def test_it_tells_what_is_done_and_what_was_under_way(tmp_path: Path) -> None:
    record, _ = read_journal(written(tmp_path / "run.journal"))
    assert record.header == HEADER
    assert (record.finished, record.step) == (1, 2)
    assert (record.home, record.home_at) == ((5, -1, 2), 0)
    assert record.cradle_quarters == -1
    assert not record.is_complete


def test_a_torn_last_line_is_left_out_and_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal")
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    record, valid_bytes = read_journal(path)
    assert (record.finished, record.step) == (1, None)
    with Journal(path, valid_bytes) as journal:
        journal.finish(1, "tilt", 1.5)
        journal.finish(2, "turn -90", 1.0)
    record, _ = read_journal(path)
    assert record.is_complete


@pytest.mark.parametrize("cut", [1, 7, 20])
def test_damage_before_the_last_line_is_refused_with_its_line(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path / "run.journal")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2][:cut] + b"x" + lines[2][cut + 1 :]
    path.write_bytes(b"".join(lines))
    with pytest.raises(InvalidJournalError, match="line 3"):
        read_journal(path)


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\0\xff\n\n", b"x"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(InvalidJournalError, match="other"):
        read_journal(path)


@pytest.mark.parametrize(
    "header", [replace(HEADER, version=99), replace(HEADER, primitives=("fly",))]
)
def test_another_version_is_refused(tmp_path: Path, header: RunHeader) -> None:
    with Journal(tmp_path / "run.journal") as journal:
        journal.begin(header)
    with pytest.raises(InvalidJournalError, match="version 1"):
        read_journal(tmp_path / "run.journal")


def test_a_missing_file_and_an_unwritable_place_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(InvalidJournalError, match="cannot be read"):
        read_journal(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(RobotError, match="cannot be written"):
        Journal(tmp_path / "file" / "run.journal")
