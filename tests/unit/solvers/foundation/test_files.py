"""Files that are written whole or not at all."""

import os
import re
import threading
from pathlib import Path

import pytest

from solvers.foundation.errors import InvalidInputError, PuzzlerigError
from solvers.foundation.files import (
    atomic_write,
    check_writable,
    check_writable_folder,
    write_bytes,
    write_text,
)


def test_a_file_keeps_its_content_when_writing_fails_half_way(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    write_text(path, "before")

    def fail_half_way() -> None:
        with atomic_write(path) as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "table"
    with atomic_write(path) as file:
        file.write(b"all of it")
        assert not path.exists()
    assert path.read_bytes() == b"all of it"


def test_writers_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    path = tmp_path / "picture"
    contents = [bytes([letter]) * 200_000 for letter in b"abcdefgh"]
    threads = [threading.Thread(target=write_bytes, args=(path, each)) for each in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


def test_others_may_read_a_written_file_as_the_umask_allows(tmp_path: Path) -> None:
    usual, written = tmp_path / "usual", tmp_path / "written"
    usual.write_text("")
    write_text(written, "")
    assert written.stat().st_mode == usual.stat().st_mode


def test_the_reason_for_a_failure_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInputError, match=r"cannot be written: .*\. Name another\."):
        write_text(tmp_path / "file" / "x", "", error=InvalidInputError, hint="Name another.")
    with pytest.raises(PuzzlerigError):
        write_bytes(tmp_path, b"")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("folder", "it is a folder; name a file in it."),
        ("file/x.svg", "file is no folder."),
        ("file/new/x.svg", "file is no folder."),
    ],
)
def test_what_cannot_be_written_is_known_before(name: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInputError, match=re.escape(sentence)):
        check_writable(tmp_path / name)


def test_new_folders_will_be_made(tmp_path: Path) -> None:
    check_writable(tmp_path / "new" / "newer" / "x.svg")
    check_writable_folder(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInputError, match="is no folder"):
        check_writable_folder(tmp_path / "file")


def test_a_folder_of_somebody_else_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda _path, mode: not mode & os.W_OK)
    with pytest.raises(InvalidInputError, match="you may not write in"):
        check_writable(tmp_path / "x.svg")
