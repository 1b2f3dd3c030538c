"""The journal of a run: on disk line by line, checked as it is read, and numbered."""

import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.errors import InvalidJournalError, RobotError
from controller.motion.journal import (
    KEPT_RUNS,
    Journal,
    check_new_journal,
    journals_newest_first,
    new_journal_path,
    read_journal,
    remove_runs,
)
from controller.motion.primitives import Spin, Tilt, TurnLayer
from controller.motion.run_record import Recovery, RecoveryAction, RunHeader
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state
from tests.full_disk import full_disk

HEADER = RunHeader(
    start=random_state(1),
    target=SOLVED,
    moves=(Move.R1,),
    primitives=(Spin(1), Tilt(), TurnLayer(-1)),
    rig="two-servos",
    drive="direct",
    brick="usb",
    calibration={"arm": {"power": 80}},
    camera="http://camera/stream",
)


def written(path: Path) -> Path:
    with Journal(path) as journal:
        journal.start(HEADER)
        journal.record_home({"angles": [5, -1, 2]})
        journal.record_reached(0, {"step": 0})
        journal.record_reached(0, {"step": 1})
        journal.record_finished(0, Spin(1), 0.75, {"quarters": -1})
        journal.record_reached(1, {"quarters": -1, "step": 2})
    return path


def line(record: dict[str, Any]) -> bytes:
    body = json.dumps(record).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def test_it_tells_what_is_done_and_what_was_under_way(tmp_path: Path) -> None:
    record, _ = read_journal(written(tmp_path / "run.journal"))
    assert record.header == HEADER
    assert (record.finished, record.is_under_way) == (1, True)
    assert record.state == {"quarters": -1, "step": 2}
    assert not record.is_complete


def test_each_line_is_on_disk_as_soon_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal(path) as journal:
        journal.start(HEADER)
        assert read_journal(path)[0].state is None
        journal.record_home({"angle": 1})
        assert read_journal(path)[0].state == {"angle": 1}
        journal.record_reached(0, {"step": 7})
        assert read_journal(path)[0].is_under_way


def test_a_full_disk_is_a_sentence_and_leaves_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal(path) as journal, full_disk():
        journal.start(HEADER)
        with pytest.raises(RobotError, match=f"File too large.*cuberobot resume {path}`"):
            journal.record_reached(0, {"step": "x" * 20_000})
    record, _ = read_journal(path)
    assert record.header == HEADER


def test_only_a_run_that_has_not_begun_is_told_to_keep_its_journal_elsewhere(
    tmp_path: Path,
) -> None:
    """`resume` has no `--journal`."""
    large = replace(HEADER, calibration={"arm": "x" * 20_000})
    advice = {}
    for path in (tmp_path / "new.journal", written(tmp_path / "old.journal")):
        with Journal(path) as journal, full_disk(), pytest.raises(RobotError) as caught:
            journal.start(large)
        advice[path.name] = str(caught.value)
    assert "Name another place with --journal" in advice["new.journal"]
    assert "--journal" not in advice["old.journal"]


def test_a_torn_last_line_is_left_out_and_overwritten(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal")
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    record, valid_bytes = read_journal(path)
    assert (record.finished, record.is_under_way) == (1, False)
    with Journal(path, valid_bytes) as journal:
        journal.record_finished(1, Tilt(), 1.5, {})
        journal.record_finished(2, TurnLayer(-1), 1.0, {})
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


@pytest.mark.parametrize(
    "content", [b"", b"hello\n", b"\0\xff\n\n", b"x", b"00000000 \n", line({}), b"00000000\n" * 3]
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(InvalidJournalError, match="other"):
        read_journal(path)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (b"00000000 \n", "line 7: .*not JSON|line 7.*JSON"),
        (line({"event": "flown"}), "line 7"),
        (line({"event": "reached", "primitive": 2, "state": {}}), "is about primitive 3, but 1"),
        (line({"event": "reached", "primitive": -1, "state": {}}), "line 7"),
        (line({"event": "finished", "primitive": 1, "name": "tilt"}), "line 7.*'seconds'"),
    ],
)
def test_lines_that_make_no_sense_are_refused(tmp_path: Path, more: bytes, message: str) -> None:
    path = written(tmp_path / "run.journal")
    path.write_bytes(path.read_bytes() + more + line({"event": "home", "state": {}}))
    with pytest.raises(InvalidJournalError, match=message):
        read_journal(path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("version", 1, "of version 1, not of version 4"),
        ("primitives", ["fly"], "line 1"),
        ("primitives", ["spin +45"], "line 1"),
        ("state", "U" * 54, "line 1"),
        ("moves", "Q", "line 1"),
        ("colour", "red", "unknown key 'colour'"),
    ],
)
def test_another_header_is_refused(tmp_path: Path, key: str, value: Any, message: str) -> None:
    path = written(tmp_path / "run.journal")
    first, rest = path.read_bytes().split(b"\n", 1)
    record = {**json.loads(first.partition(b" ")[2]), key: value}
    path.write_bytes(line(record) + rest)
    with pytest.raises(InvalidJournalError, match=message):
        read_journal(path)


def test_more_than_was_to_be_done_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal(path) as journal:
        journal.start(replace(HEADER, primitives=(Tilt(),)))
        journal.record_finished(0, Tilt(), 1.0, {})
        with pytest.raises(InvalidJournalError, match="1 of 1 are done"):
            journal.record_finished(1, Tilt(), 1.0, {})
    with pytest.raises(InvalidJournalError, match="1 of 1 are done"):
        read_journal(path)


def test_a_cube_that_nobody_knows_any_more_has_no_plan_until_somebody_looks(tmp_path: Path) -> None:
    path = written(tmp_path / "run.journal")
    lost = Recovery(RecoveryAction.SCAN, 1, "It is stuck.", 12.5)
    with Journal(path, path.stat().st_size) as journal:
        assert journal.record == read_journal(path)[0]
        journal.record_lost()
        record, _ = read_journal(path)
        assert (record.is_lost, record.has_plan, record.is_complete) == (True, False, False)
        with pytest.raises(InvalidJournalError):
            journal.record_reached(1, {})
    path = written(tmp_path / "other.journal")
    with Journal(path, path.stat().st_size) as journal:
        journal.record_lost()
        journal.record_recovery(lost)
        journal.record_plan(random_state(2), (Move.U2,), (TurnLayer(2),))
        assert journal.record == read_journal(path)[0]
    record, _ = read_journal(path)
    assert (record.header.start, record.header.target) == (random_state(2), SOLVED)
    assert (record.header.moves, record.header.primitives) == ((Move.U2,), (TurnLayer(2),))
    # Where the rig stands was told of the old plan's drive.
    assert (record.finished, record.is_under_way, record.state) == (0, False, None)
    assert record.has_plan
    assert record.recoveries == (lost,)


def test_a_run_that_begins_with_a_scan_has_no_plan_yet(tmp_path: Path) -> None:
    path = tmp_path / "run.journal"
    with Journal(path) as journal:
        journal.start(replace(HEADER, start=None, moves=(), primitives=()))
    record, _ = read_journal(path)
    assert (record.header.start, record.has_plan, record.is_complete) == (None, False, False)


def test_a_missing_file_and_an_unwritable_place_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(InvalidJournalError, match="cannot be read"):
        read_journal(tmp_path / "none")
    (tmp_path / "file").touch()
    with pytest.raises(RobotError, match="cannot be written"):
        Journal(tmp_path / "file" / "run.journal")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("controller.motion.journal.user_state_path", lambda _: tmp_path)
    return tmp_path / "journals"


def test_numbers_count_up_and_the_newest_is_found_first(folder: Path) -> None:
    first, second, third = (new_journal_path() for _ in range(3))
    assert [path.name for path in (first, second, third)] == [
        "run-000001.journal",
        "run-000002.journal",
        "run-000003.journal",
    ]
    assert journals_newest_first() == [third, second, first]
    assert first.parent == folder


def test_a_million_runs_are_still_in_order(folder: Path) -> None:
    folder.mkdir()
    for number in (999_999, 1_000_000):
        (folder / f"run-{number:06}.journal").write_text("a run")
    (folder / "my own.journal").write_text("a run")
    assert journals_newest_first()[0].name == "run-1000000.journal"
    assert new_journal_path().name == "run-1000001.journal"


def test_a_place_that_cannot_be_written_is_a_sentence(folder: Path) -> None:
    folder.touch()
    with pytest.raises(RobotError, match="--journal"):
        new_journal_path()
    with pytest.raises(RobotError, match="--journal"):
        check_new_journal()


def test_looking_whether_a_journal_can_be_kept_leaves_nothing(folder: Path) -> None:
    check_new_journal()
    assert list(folder.iterdir()) == []


def _run_on(folder: Path, number: int, brick: str, *, is_finished: bool) -> Path:
    """Write a run on a brick, of no primitives if it is finished and else cut off in its scan."""
    path = folder / f"run-{number:06}.journal"
    with Journal(path) as journal:
        start = SOLVED if is_finished else None
        journal.start(replace(HEADER, brick=brick, start=start, moves=(), primitives=()))
    return path


def test_old_runs_go_but_for_what_can_be_resumed(folder: Path) -> None:
    moved_since = _run_on(folder, 1, "usb", is_finished=False)
    resumable = _run_on(folder, 2, "bluetooth", is_finished=False)
    finished = _run_on(folder, 3, "usb", is_finished=True)
    (damaged := folder / "run-000004.journal").write_text("no journal")
    kept = _run_on(folder, 5, "usb", is_finished=True)
    (own := folder / "my own.journal").write_text("a run")
    assert set(remove_runs(1)) == {moved_since, finished, damaged}
    assert set(folder.iterdir()) == {resumable, kept, own}


def test_runs_do_not_pile_up(folder: Path) -> None:
    folder.mkdir()
    for number in range(1, 121):
        (folder / f"run-{number:06}.journal").touch()
    newest = new_journal_path()
    left = journals_newest_first()
    assert left[0] == newest
    assert len(left) == KEPT_RUNS
