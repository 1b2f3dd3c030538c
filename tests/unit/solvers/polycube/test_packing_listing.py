"""Solutions told as they are found: in one order, whoever searches, and in little memory."""

from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job, Progress, run_job
from solvers.polycube import library
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target
from solvers.polycube.solving import parts as parts_module
from solvers.polycube.solving.parts import Found, RowBuffer
from solvers.polycube.solving.problem import Count, problem
from solvers.polycube.solving.solver import find_all_job, list_job

PARTS = 16


@pytest.fixture
def soma() -> PackingPuzzle:
    return library.load("soma")


class Backwards(Executor):
    """Does nothing until all parts are there, then the last first; notes what is in a folder."""

    def __init__(self, parts: int, folder: Path, seen: list[int]) -> None:
        self.parts, self.folder, self.seen = parts, folder, seen
        self.calls: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls.append((Future(), partial(fn, *args, **kwargs)))
        if len(self.calls) == self.parts:
            for future, call in reversed(self.calls):
                future.set_result(call())
                self.seen.append(len(list(self.folder.iterdir())))
        return self.calls[-1][0]


def told(job: Job[Progress, Count]) -> tuple[list[tuple[PackingSolution, ...]], Count]:
    """Run a job; return the solutions as they came, together or one after the other."""
    heard: list[Progress] = []
    count = run_job(job, heard.append)
    return [event.solutions for event in heard if isinstance(event, Found)], count


def test_the_order_is_the_same_whoever_is_ready_first(
    soma: PackingPuzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts_module, "MOST_IN_MEMORY", 100)
    monkeypatch.setattr(parts_module, "ROWS_AT_ONCE", 3)
    alone = run_job(find_all_job(soma, at_least_parts=PARTS))
    parts, files = len(problem(soma).parts(PARTS)), list[int]()
    backwards = partial(Backwards, parts, tmp_path, files)
    shared, count = told(list_job(soma, at_least_parts=PARTS, workers=backwards, folder=tmp_path))
    assert count == alone.count
    assert [each for some in shared for each in some] == list(alone.solutions)
    assert max(map(len, shared)) == 3
    assert files[-1] > 2, "what waits is in files"
    assert list(tmp_path.iterdir()) == []
    unshared, _ = told(list_job(soma, at_least_parts=PARTS, workers=backwards))
    assert unshared == shared


def test_solutions_are_told_before_the_search_is_over_some_at_a_time() -> None:
    """Of the 12,988,816 ways to lay dominoes on a chessboard, the first few."""
    domino = Piece("domino", Shape.of([(0, 0, 0), (1, 0, 0)]), 32, 32)
    board = PackingPuzzle("board", "board", Target.box(8, 8), (domino,), reflections=True)
    job = list_job(board)
    events = [next(job) for _ in range(20)]
    job.close()
    found = [event.solutions for event in events if isinstance(event, Found)]
    assert found
    assert all(event.share < 0.5 for event in events if event.share is not None)
    assert max(map(len, found)) < 2000
    every = [solution for some in found for solution in some]
    assert len({frozenset(each.placements) for each in every}) == len(every) > 0


@pytest.mark.parametrize(("options", "size"), [(200, 1), (40_000, 2), (70_000, 4)])
def test_rows_take_no_more_memory_than_is_allowed(
    options: int, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts_module, "MOST_IN_MEMORY", 1000)
    rows = np.random.default_rng(1).integers(0, options + 1, (700, 6))
    for folder in (tmp_path, None):
        keeper = RowBuffer(options, folder)
        for start in range(0, 700, 70):
            keeper.add(rows[start : start + 70])
        found = keeper.rows()
        in_file = found.file.stat().st_size if found.file else 0
        assert in_file + len(found.rest) == rows.size * size
        assert len(found.rest) <= 1000 or folder is None
        assert np.array_equal(np.concatenate(list(found.take())), rows)
        assert list(tmp_path.iterdir()) == []


def test_a_part_without_solutions_has_no_rows() -> None:
    assert list(RowBuffer(10, None).rows().take()) == []


def test_a_folder_that_takes_no_more_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts_module, "MOST_IN_MEMORY", 10)
    keeper = RowBuffer(10, tmp_path / "gone")
    with pytest.raises(PuzzlerigError, match=r"cannot be stored in .*gone: No such file.*TMPDIR"):
        keeper.add(np.zeros((10, 10), dtype=np.int64))
