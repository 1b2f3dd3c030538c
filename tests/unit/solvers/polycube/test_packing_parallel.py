"""Counts cut into parts: by executors, stopped and resumed, with damaged files."""

import contextlib
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import Any

import pytest

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Progress, run_job
from solvers.polycube import library
from solvers.polycube.errors import LostWorkerError
from solvers.polycube.puzzle import PackingPuzzle
from solvers.polycube.solving import problem, solver
from solvers.polycube.solving.parts import VERSION, FinishedParts, puzzle_hash
from solvers.polycube.solving.problem import PartCount
from solvers.search import executors

PARTS = 16


@pytest.fixture
def soma(monkeypatch: pytest.MonkeyPatch) -> PackingPuzzle:
    """A puzzle that is cut into parts, tiny as its search is."""
    monkeypatch.setattr(problem, "NODES_OF_TINY_SEARCH", 0)
    return library.load("soma")


BOTH_KINDS = pytest.mark.parametrize("forked", [False, True])


def test_a_tiny_search_is_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_workers() -> Any:
        raise AssertionError("processes for a few milliseconds")

    soma = library.load("soma")
    tiny = run_job(solver.count_job(soma, at_least_parts=PARTS, workers=no_workers))
    whole = solver.count(soma)
    assert tiny == whole
    # A node fewer is too few, wherever the limit comes within the parts.
    monkeypatch.setattr(problem, "NODES_OF_TINY_SEARCH", whole.nodes)
    assert problem.problem(soma).if_tiny(problem.problem(soma).parts()) is None


def test_counts_and_solutions_are_the_same_on_any_executor(soma: PackingPuzzle) -> None:
    threads = partial(ThreadPoolExecutor, 2)
    alone = run_job(solver.find_all_job(soma, at_least_parts=PARTS))
    assert run_job(solver.find_all_job(soma, at_least_parts=PARTS, workers=threads)) == alone
    counted = run_job(solver.count_job(soma, at_least_parts=PARTS, workers=threads))
    assert counted == alone.count


@BOTH_KINDS
def test_processes_count_the_same(soma: PackingPuzzle, forked: bool) -> None:
    heard: list[Progress] = []
    two = partial(executors.processes, 2, forked=forked)
    job = solver.count_job(soma, at_least_parts=PARTS, workers=two)
    counted = run_job(job, heard.append)
    assert (counted.up_to_symmetry, counted.total) == (240, 11520)
    assert heard[-1].share == pytest.approx(1.0)


@BOTH_KINDS
def test_closing_a_count_ends_its_workers(forked: bool) -> None:
    before = set(multiprocessing.active_children())
    long_one = library.load("bedlam")
    two = partial(executors.processes, 2, forked=forked)
    job = solver.count_job(long_one, at_least_parts=2, workers=two)
    next(job)
    started = set(multiprocessing.active_children()) - before
    job.close()
    assert len(started) == 2
    for process in started:
        assert connection.wait([process.sentinel], timeout=10)
        while process.exitcode is None:  # the pool's own thread may be the one that is told
            process.join(0.01)
        assert process.exitcode == -signal.SIGTERM, "it searched its part to the end"


class LosingExecutor(Executor):
    """Loses every part, as a pool does whose process is killed."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:  # noqa: ARG002
        future: Future[Any] = Future()
        future.set_exception(BrokenExecutor("a process was terminated abruptly"))
        return future


WAITING_PARENT = """
import sys
import time
from solvers.search.executors import processes

if __name__ == "__main__":
    with processes(2, forked=sys.argv[1] == "True") as executor:
        executor.submit(time.sleep, 0).result()
        executor.submit(time.sleep, 600)
        executor.submit(time.sleep, 600)
        print("at work", flush=True)
        time.sleep(600)
"""


@BOTH_KINDS
def test_a_worker_ends_with_a_parent_that_was_killed(tmp_path: Path, forked: bool) -> None:
    script = tmp_path / "parent.py"
    script.write_text(WAITING_PARENT)
    parent = subprocess.Popen(
        [sys.executable, script, str(forked)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == "at work\n"
    parent.kill()
    assert parent.stdout.read() == ""  # for ever, were a worker left behind that holds it
    parent.wait()
    parent.stdout.close()


DIE_ONCE = "import os; os.path.exists({0!r}) or (open({0!r}, 'x').close(), os._exit(1))"


@BOTH_KINDS
def test_a_lost_process_is_replaced(tmp_path: Path, forked: bool) -> None:
    with executors.processes(1, forked=forked) as executor:
        dying = executor.submit(exec, DIE_ONCE.format(str(tmp_path / "died")))
        after = executor.submit(abs, -7)
        assert (dying.result(), after.result()) == (None, 7)
    assert (tmp_path / "died").exists()


def test_what_kills_every_process_is_given_up() -> None:
    with executors.processes(1) as executor:
        killing = executor.submit(os._exit, 1)
        after = executor.submit(abs, -7)
        with pytest.raises(BrokenExecutor):
            killing.result()
        assert after.result() == 7


def test_what_is_to_begin_while_the_pool_is_closed_is_cancelled() -> None:
    with executors.processes(1) as executor:
        vars(executor)["_pool"].shutdown()  # as the end of the interpreter does
        with pytest.raises(CancelledError):
            executor.submit(abs, -7).result(timeout=10)


def test_there_are_no_more_processes_than_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    before = set(multiprocessing.active_children())
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    with executors.processes(999) as executor:
        asked = [executor.submit(abs, -7) for _ in range(3)]
        assert len(set(multiprocessing.active_children()) - before) == 1
        assert [each.result() for each in asked] == [7, 7, 7]


@BOTH_KINDS
def test_a_process_never_hears_of_ctrl_c(forked: bool) -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [])
    with executors.processes(1, forked=forked) as executor:
        asked = executor.submit(signal.pthread_sigmask, signal.SIG_BLOCK, [])
        assert signal.SIGINT in asked.result()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == before


def test_a_lost_worker_is_told(soma: PackingPuzzle) -> None:
    with pytest.raises(LostWorkerError, match="killed or run out of memory"):
        run_job(solver.count_job(soma, at_least_parts=PARTS, workers=LosingExecutor))


def _hold_stderr(drawing: threading.Event, go_on: threading.Event) -> None:
    class Slow(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            drawing.set()
            go_on.wait(10)
            return len(data)

    with contextlib.redirect_stderr(io.TextIOWrapper(io.BufferedWriter(Slow()))):
        print("drawn", file=sys.stderr, flush=True)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")
def test_a_forked_process_does_not_wait_for_a_thread_that_draws() -> None:
    drawing, go_on = threading.Event(), threading.Event()
    thread = threading.Thread(target=_hold_stderr, args=(drawing, go_on))
    thread.start()
    assert drawing.wait(10)
    try:
        with executors.processes(1, forked=True) as executor:
            child = executor.submit(os.getpid)
            assert child.result(timeout=10) != os.getpid()
            process = next(p for p in multiprocessing.active_children() if p.pid == child.result())
        process.join(10)
        assert process.exitcode == 0
    finally:
        go_on.set()
        thread.join()


class StoppedError(Exception):
    """What stands for Ctrl-C here."""


def stop_after(calls: int) -> Any:
    seen = 0

    def on_event(_event: Progress) -> None:
        nonlocal seen
        seen += 1
        if seen > calls:
            raise StoppedError

    return on_event


def stopped_count(folder: Path, puzzle: PackingPuzzle) -> FinishedParts:
    finished = FinishedParts(folder, puzzle, resume=False)
    job = solver.count_job(puzzle, at_least_parts=PARTS, finished=finished)
    with pytest.raises(StoppedError):
        run_job(job, stop_after(2 * 6))
    finished.save()
    return finished


def test_a_stopped_count_goes_on(tmp_path: Path, soma: PackingPuzzle) -> None:
    stopped = stopped_count(tmp_path, soma)
    done, parts = stopped.progress
    assert 0 < done < parts
    heard: list[Progress] = []
    resumed = FinishedParts(tmp_path, soma, resume=True)
    job = solver.count_job(soma, at_least_parts=PARTS, finished=resumed)
    assert run_job(job, heard.append) == solver.count(soma, at_least_parts=PARTS)
    assert (heard[0].share or 0.0) > 0.1
    assert len(heard) == 2 * (parts - done)
    resumed.remove()
    assert list(tmp_path.iterdir()) == []


def test_without_resume_it_starts_again(tmp_path: Path, soma: PackingPuzzle) -> None:
    stopped_count(tmp_path, soma)
    assert FinishedParts(tmp_path, soma, resume=False).load(PARTS) == {}


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[:0],
        lambda text: text[:-10],
        lambda text: text.replace(f'"version": {VERSION}', '"version": 0'),
        lambda text: json.dumps({**json.loads(text), "counts": {}}),
        lambda text: f"[{len(text)}, 2]",
        lambda text: "\x00" * len(text),
    ],
)
def test_a_damaged_file_counts_as_empty(tmp_path: Path, soma: PackingPuzzle, damage: Any) -> None:
    stopped = stopped_count(tmp_path, soma)
    assert FinishedParts(tmp_path, soma, resume=True).load(stopped.progress[1])
    stopped.path.write_text(damage(stopped.path.read_text(encoding="utf-8")), encoding="utf-8")
    assert FinishedParts(tmp_path, soma, resume=True).load(stopped.progress[1]) == {}


def test_a_file_of_another_cut_or_puzzle_is_not_used(tmp_path: Path, soma: PackingPuzzle) -> None:
    stopped = stopped_count(tmp_path, soma)
    parts = stopped.progress[1]
    assert FinishedParts(tmp_path, soma, resume=True).load(parts + 1) == {}
    other = replace(soma, reflections=False)
    assert FinishedParts(tmp_path, other, resume=True).load(parts) == {}
    assert puzzle_hash(replace(soma, name="x", title="y", source="z")) == puzzle_hash(soma)


def test_a_count_goes_on_where_nothing_can_be_written(tmp_path: Path, soma: PackingPuzzle) -> None:
    in_the_way = tmp_path / "state"
    in_the_way.write_text("a file, not a folder", encoding="utf-8")
    finished = FinishedParts(in_the_way, soma, resume=True)
    job = solver.count_job(soma, at_least_parts=PARTS, finished=finished)
    assert run_job(job).up_to_symmetry == 240
    assert not finished.save()


def test_the_file_is_replaced_and_never_rewritten(tmp_path: Path, soma: PackingPuzzle) -> None:
    finished = stopped_count(tmp_path, soma)
    before = finished.path.read_text(encoding="utf-8")
    finished.add(99, PartCount(1, 1, 1, 1))
    with finished.path.open(encoding="utf-8") as reader:  # somebody who has just opened it
        assert finished.save()
        assert reader.read() == before
    assert [path.name for path in tmp_path.iterdir()] == [finished.path.name]


def test_it_writes_now_and_then(tmp_path: Path, soma: PackingPuzzle, monkeypatch: Any) -> None:
    monkeypatch.setattr("solvers.search.parts.NODES_BETWEEN_WRITES", 500)
    finished = FinishedParts(tmp_path, soma, resume=False)
    job = solver.count_job(soma, at_least_parts=PARTS, finished=finished)
    with pytest.raises(StoppedError):
        run_job(job, stop_after(20))
    assert finished.path.exists()


def test_a_cluster_without_its_package_is_refused(monkeypatch: Any) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with (
        pytest.raises(InvalidInputError, match="pip install"),
        executors.cluster("tcp://127.0.0.1:1"),
    ):
        raise AssertionError("connected to nothing")
