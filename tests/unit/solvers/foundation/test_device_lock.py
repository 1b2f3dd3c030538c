"""One device, one user: the second is told who the first is, and the dead hold nothing."""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import BinaryIO

import pytest

from solvers.foundation import device_lock
from solvers.foundation.device_lock import DeviceLock
from solvers.foundation.errors import InvalidInputError, PuzzlerigError

HOLD = """
import sys
from contextlib import closing
from solvers.foundation.device_lock import DeviceLock
lock = DeviceLock("The crane")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(device_lock, "user_runtime_path", lambda name: tmp_path / name)
    return tmp_path / "puzzlerig" / "locks"


@pytest.fixture
def holder() -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, "--of", "the crane"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_is_refused_with_the_name_of_the_first(
    holder: "subprocess.Popen[str]",
) -> None:
    with pytest.raises(PuzzlerigError, match=rf"The crane is in use by process {holder.pid} \(-c"):
        DeviceLock("The crane")
    with closing(DeviceLock("The other crane")):
        pass
    holder.communicate()
    with closing(DeviceLock("The crane")):
        pass


def test_a_killed_process_holds_nothing(holder: "subprocess.Popen[str]", folder: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    (left,) = folder.iterdir()
    assert str(holder.pid) in left.read_text()
    with closing(DeviceLock("The crane")):
        (taken,) = folder.iterdir()
        assert taken.read_text().startswith(f"process {os.getpid()} (")


def test_a_lock_leaves_nothing_behind_and_raises_what_it_is_told(folder: Path) -> None:
    with (
        closing(DeviceLock("The crane")),
        pytest.raises(InvalidInputError, match="in use by process"),
    ):
        DeviceLock("The crane", InvalidInputError)
    assert list(folder.iterdir()) == []


def test_without_a_folder_everybody_may(folder: Path) -> None:
    folder.parent.touch()
    with closing(DeviceLock("The crane")), closing(DeviceLock("The crane")):
        pass


def test_a_lock_given_back_just_before_it_is_taken_is_taken_on_a_file_that_others_find(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever gives a lock back removes its file, perhaps one that somebody has just opened."""
    lock_file = device_lock._lock
    removed: list[Path] = []

    def given_back_meanwhile(file: BinaryIO) -> bool:
        if not removed:
            removed.extend(folder.iterdir())
            for path in removed:
                path.unlink()
        return lock_file(file)

    monkeypatch.setattr(device_lock, "_lock", given_back_meanwhile)
    with closing(DeviceLock("The crane")):
        assert removed
        with pytest.raises(PuzzlerigError, match="in use by process"):
            DeviceLock("The crane")
