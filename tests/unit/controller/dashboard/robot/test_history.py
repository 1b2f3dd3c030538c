"""What the Robot page keeps over restarts, whatever became of the file meanwhile."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from controller.dashboard.hub import Hub
from controller.dashboard.robot.history import (
    HISTORY,
    MOST_SOLVES,
    VERSION,
    History,
    PastSolve,
    Records,
    earlier_runs,
    find_journal,
)
from controller.errors import RobotError
from controller.motion.journal import Journal, new_journal_path
from controller.motion.primitives import Spin, Tilt
from controller.motion.run_record import RunHeader
from solvers.foundation.errors import InvalidInputError
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move
from solvers.rubik.scramble import random_state

SOLVE = PastSolve("2026-11-22 10:00", "usb", "program", 20, 51, 62.8, 66.4, 1, 0.998)
HEADER = RunHeader(
    random_state(1), SOLVED, (Move.R1,), (Spin(1), Tilt()), "nxt-cradle", "direct", "usb", {}
)


def test_solves_come_back_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "history.json"
    for retries in range(3):
        History(path).add(msgspec.structs.replace(SOLVE, retries=retries))
    again = History(path)
    assert [solve.retries for solve in again.solves] == [0, 1, 2]
    assert again.solves[2] == msgspec.structs.replace(SOLVE, retries=2)
    assert again.trouble == ""


def test_the_oldest_solves_are_dropped(tmp_path: Path) -> None:
    history = History(tmp_path / "history.json")
    history.solves = (SOLVE,) * MOST_SOLVES
    history.add(msgspec.structs.replace(SOLVE, moves=3))
    assert len(history.solves) == MOST_SOLVES
    assert history.solves[-1].moves == 3


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b'"retries":1', b'"retries":2', "damaged"),
        (b'"version":%d' % VERSION, b'"version":99', "version 99"),
        (b"{", b"[", "no history"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_and_kept_beside_a_new_one(
    tmp_path: Path, old: bytes, new: bytes, why: str
) -> None:
    path = tmp_path / "history.json"
    History(path).add(SOLVE)
    broken = path.read_bytes().replace(old, new, 1)
    path.write_bytes(broken)
    history = History(path)
    assert why in history.trouble
    assert history.solves == ()
    history.add(SOLVE)
    assert History(path).solves == (SOLVE,)
    assert (tmp_path / "history.unreadable.json").read_bytes() == broken


def test_a_solve_that_cannot_be_kept_is_shown_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    records = Records(hub := Hub())
    (tmp_path / "puzzlerig").write_text("a file where a folder should be")
    assert "cannot be written" in records.add(SOLVE)
    assert hub.value(HISTORY) == (SOLVE,)
    with pytest.raises(RobotError):
        History(tmp_path / "puzzlerig" / "history.json").add(SOLVE)


def keep(finished: int, brick: str = "usb") -> str:
    path = new_journal_path()
    with Journal(path) as journal:
        journal.start(replace(HEADER, brick=brick))
        for index, primitive in enumerate(HEADER.primitives[:finished]):
            journal.record_finished(index, primitive, 1.0, {})
    return path.stem


def test_only_the_newest_run_of_a_robot_can_be_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.motion.journal.user_state_path", lambda _: tmp_path)
    oldest, other = keep(1), keep(1, brick="bluetooth")
    assert [(run.name, run.can_resume) for run in earlier_runs("usb")] == [
        (other, False),
        (oldest, True),
    ]
    assert [run.can_resume for run in earlier_runs(None)] == [False, False]
    keep(2)  # a newer run has moved the cube since, and is finished
    (tmp_path / "journals" / "run-000009.journal").write_text("my diary\n")
    runs = earlier_runs("usb")
    assert [run.can_resume for run in runs] == [False, False, False]
    assert [(run.finished, run.total, run.state) for run in runs] == [
        (2, 2, "finished"),
        (1, 2, "stopped"),
        (1, 2, "stopped"),
    ]
    assert [run.can_resume for run in earlier_runs("bluetooth")] == [False, True, False]


def test_a_journal_is_named_and_never_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.motion.journal.user_state_path", lambda _: tmp_path)
    name = keep(1)
    assert find_journal(name).stem == name
    for wrong in ("run-000002", f"../journals/{name}", ""):
        with pytest.raises(InvalidInputError, match="no journal"):
            find_journal(wrong)
