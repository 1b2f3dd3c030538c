"""The table cache survives damage, staleness, unwritable folders and two builders at once."""

import mmap
import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import platformdirs
import pytest

from solvers.foundation import table_cache
from solvers.foundation.progress import Progress, run_job
from solvers.foundation.table_cache import Building, Table, in_huge_pages, load, load_or_build

SHAPE = (50, 20)


class CountingBuilder:
    """Builds the table 0, 1, 2, ... and counts how often it was asked to."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> Building:
        self.calls += 1
        yield Progress("squares", 500, 1000, "squares")
        return np.arange(1000, dtype=np.uint16).reshape(SHAPE)


@pytest.fixture
def build() -> CountingBuilder:
    return CountingBuilder()


def fetch(folder: Path, build: Callable[[], Building], version: int = 1) -> Table:
    return run_job(load_or_build("squares", version, SHAPE, np.uint16, build, directory=folder))


def is_right(table: Table) -> bool:
    return table.shape == SHAPE and table.dtype == np.uint16 and bool(table[49, 19] == 999)


def test_table_is_built_once_and_mapped_afterwards(tmp_path: Path, build: CountingBuilder) -> None:
    first = fetch(tmp_path, build)
    second = fetch(tmp_path, build)
    assert build.calls == 1
    assert is_right(first)
    assert is_right(second)
    assert isinstance(second.base, np.memmap)
    assert not first.flags.writeable
    assert not second.flags.writeable
    assert [path.name for path in tmp_path.iterdir()] == ["squares.table"]


def test_load_builds_nothing(tmp_path: Path, build: CountingBuilder) -> None:
    assert load("squares", 1, SHAPE, np.uint16, tmp_path) is None
    assert list(tmp_path.iterdir()) == []
    fetch(tmp_path, build)
    table = load("squares", 1, SHAPE, np.uint16, tmp_path)
    assert table is not None
    assert is_right(table)


def flip_a_data_bit(content: bytearray) -> bytearray:
    content[700] ^= 1
    return content


def change_the_magic(content: bytearray) -> bytearray:
    content[0] ^= 1
    return content


@pytest.mark.parametrize(
    "damage",
    [
        flip_a_data_bit,
        change_the_magic,
        lambda content: content[:-1],
        lambda content: content + b"x",
        lambda content: content[:10],
        lambda content: content[:0],
    ],
)
def test_damaged_file_is_rebuilt(
    tmp_path: Path, build: CountingBuilder, damage: Callable[[bytearray], bytearray]
) -> None:
    fetch(tmp_path, build)
    path = tmp_path / "squares.table"
    path.write_bytes(damage(bytearray(path.read_bytes())))
    assert is_right(fetch(tmp_path, build))
    assert build.calls == 2
    assert is_right(fetch(tmp_path, build))
    assert build.calls == 2


def test_other_version_is_rebuilt(tmp_path: Path, build: CountingBuilder) -> None:
    fetch(tmp_path, build, version=1)
    fetch(tmp_path, build, version=2)
    assert build.calls == 2


def test_same_size_in_another_layout_is_rebuilt(tmp_path: Path, build: CountingBuilder) -> None:
    fetch(tmp_path, build)
    assert load("squares", 1, (20, 50), np.uint16, tmp_path) is None
    assert load("squares", 1, SHAPE, np.int16, tmp_path) is None


def test_unwritable_cache_builds_every_time(tmp_path: Path, build: CountingBuilder) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("a file where the folder should be")
    assert is_right(fetch(in_the_way / "tables", build))
    assert is_right(fetch(in_the_way / "tables", build))
    assert build.calls == 2


def test_failed_move_leaves_no_partial_file(tmp_path: Path, build: CountingBuilder) -> None:
    (tmp_path / "squares.table").mkdir()
    assert is_right(fetch(tmp_path, build))
    assert [path.name for path in tmp_path.iterdir()] == ["squares.table"]


def test_two_builders_at_once_both_get_the_table(tmp_path: Path) -> None:
    both_are_building = threading.Barrier(2)
    tables: list[Table] = []

    def build() -> Building:
        yield Progress("squares", 0, None)
        both_are_building.wait(timeout=10)
        return np.arange(1000, dtype=np.uint16).reshape(SHAPE)

    builders = [
        threading.Thread(target=lambda: tables.append(fetch(tmp_path, build))) for _ in "ab"
    ]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join()
    assert [is_right(table) for table in tables] == [True, True]
    assert [path.name for path in tmp_path.iterdir()] == ["squares.table"]


def test_progress_names_the_table_and_is_silent_on_a_hit(
    tmp_path: Path, build: CountingBuilder
) -> None:
    def events() -> list[Progress]:
        return list(load_or_build("squares", 1, SHAPE, np.uint16, build, tmp_path))

    assert [(event.task, event.share) for event in events()] == [
        ("squares", 0.0),
        ("squares", 0.5),
        ("squares", 1.0),
    ]
    assert events() == []


def test_a_building_that_is_stopped_leaves_nothing(tmp_path: Path, build: CountingBuilder) -> None:
    job = load_or_build("squares", 1, SHAPE, np.uint16, build, tmp_path)
    next(job)
    next(job)
    job.close()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_vanishes_at_once_is_no_error(
    tmp_path: Path, build: CountingBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = table_cache._write

    def write_and_lose(path: Path, version: int, table: Table) -> bool:
        done = written(path, version, table)
        path.unlink()  # somebody empties the cache at this very moment
        return done

    monkeypatch.setattr(table_cache, "_write", write_and_lose)
    assert is_right(fetch(tmp_path, build))


def test_a_table_takes_the_place_of_the_old_one_in_one_step(
    tmp_path: Path, build: CountingBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(tmp_path, build)
    before = (tmp_path / "squares.table").read_bytes()

    def half(_version: int, _table: Table) -> bytes:
        assert (tmp_path / "squares.table").read_bytes() == before, "the old table is gone early"
        raise OSError("the disk is full")

    monkeypatch.setattr(table_cache, "_header", half)
    assert is_right(fetch(tmp_path, build, version=2))
    assert (tmp_path / "squares.table").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["squares.table"]


def test_builder_with_the_wrong_shape_is_a_bug(tmp_path: Path) -> None:
    def wrong() -> Building:
        yield from ()
        return np.zeros((3, 3), np.uint16)

    with pytest.raises(ValueError, match="squares"):
        fetch(tmp_path, wrong)


def test_cache_directory_is_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: str(tmp_path))
    assert table_cache.cache_directory() == tmp_path / "tables"


def test_a_copy_in_huge_pages_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.arange(1000, dtype=np.uint16).reshape(SHAPE)
    copied = in_huge_pages(table)
    assert is_right(copied)
    assert not copied.flags.writeable
    with monkeypatch.context() as patch:
        patch.setattr(mmap, "mmap", lambda *_: os.open("/nowhere", 0))  # no memory: OSError
        assert in_huge_pages(table) is table
    monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)  # as on other systems
    assert in_huge_pages(table) is table


def test_a_table_is_read_to_huge_pages(
    tmp_path: Path, build: CountingBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(tmp_path, build)

    def read() -> Table | None:
        return load("squares", 1, SHAPE, np.uint16, tmp_path, to_huge_pages=True)

    table = read()
    assert table is not None
    assert is_right(table)
    assert not table.flags.writeable
    assert not isinstance(table.base, np.memmap)
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    file.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    assert read() is None  # its checksum is another
    file.write_bytes(data)
    monkeypatch.delattr(mmap, "MADV_HUGEPAGE", raising=False)  # as on other systems
    mapped = read()
    assert mapped is not None
    assert is_right(mapped)
