"""Executors for the parts of a search: processes on this machine, or a dask.distributed cluster."""

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.extras import explained_imports

# A context manager that opens an executor for the parts.
Workers: TypeAlias = Callable[[], AbstractContextManager[Executor]]

# A running scheduler answers at once.
CONNECT_TIMEOUT_S = 10
# A process that is asked to end does so at once; no search delays it.
END_TIMEOUT_S = 5
# A call that has lost more processes than this is assumed to kill them; dask allows as many.
ALLOWED_LOSSES = 3


class ClusterError(PuzzlerigError):
    """The cluster cannot be used; the message says why."""


@contextmanager
def processes(workers: int, *, forked: bool = False) -> Iterator[Executor]:
    """Provide up to `workers` processes, which leave Ctrl-C to their parent and end with it.

    There are at most as many as processors; more would only take memory. A process that is lost is
    replaced and its work restarted, as on a cluster.

    Each starts by loading everything again, half a second. With `forked` they are instead copies of
    this process, on Linux; not for a process with threads that a call might wait for.
    """
    others = set(multiprocessing.active_children())
    executor = _Processes(min(workers, os.cpu_count() or 1), forked=forked)
    try:
        yield executor
    except BaseException:
        _terminate(executor, others)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@dataclass(eq=False)
class _Task:
    """A call, the future returned for it, and how many processes it has lost."""

    call: Callable[[], Any]
    future: Future[Any]
    losses: int = 0


class _Processes(Executor):
    """An executor that opens a new pool of processes when one breaks.

    A pool breaks as a whole and does not say which call was at fault: all its calls are restarted,
    each at most `ALLOWED_LOSSES` times. The pool gets no more calls than it has processes. It is
    called without the lock held, since it calls back with locks of its own.
    """

    def __init__(self, workers: int, *, forked: bool) -> None:
        self._workers = workers
        self._waiting: deque[_Task] = deque()
        self._lock = threading.RLock()
        self._at_work = 0
        self._closed = False
        self._pool = _pool(workers, forked=forked)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Schedule a call for the next free process."""
        task = _Task(partial(fn, *args, **kwargs), Future())
        with self._lock:
            self._waiting.append(task)
        self._submit_waiting()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more calls; with `cancel_futures` start none of those waiting."""
        with self._lock:
            self._closed = True
            waiting = list(self._waiting) if cancel_futures else []
        for task in waiting:
            task.future.cancel()
        # Outside the lock: callbacks of cancelled calls take it.
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _submit_waiting(self) -> None:
        """Submit waiting calls to the processes that are free."""
        while (given := self._next()) is not None:
            task, pool = given
            try:
                with _interrupts_held():
                    running = pool.submit(task.call)
            except BrokenExecutor as error:
                self._requeue(task, pool, error)
            except RuntimeError:
                # Closed after `_next` looked, by another thread or at interpreter exit.
                task.future.set_exception(CancelledError())
            else:
                running.add_done_callback(partial(self._finish, task, pool))

    def _next(self) -> tuple[_Task, ProcessPoolExecutor] | None:
        with self._lock:
            while self._waiting and self._at_work < self._workers and not self._closed:
                task = self._waiting.popleft()
                # A task that is submitted again is running already and cannot be cancelled.
                if task.losses or task.future.set_running_or_notify_cancel():
                    self._at_work += 1
                    return task, self._pool
        return None

    def _finish(self, task: _Task, pool: ProcessPoolExecutor, done: Future[Any]) -> None:
        error = CancelledError() if done.cancelled() else done.exception()
        if isinstance(error, BrokenExecutor):
            self._requeue(task, pool, error)
        else:
            with self._lock:
                self._at_work -= 1
            if error is None:
                task.future.set_result(done.result())
            else:
                task.future.set_exception(error)
        self._submit_waiting()

    def _requeue(self, task: _Task, pool: ProcessPoolExecutor, error: BaseException) -> None:
        """Requeue a call that a pool has lost, or give it up; replace the pool."""
        with self._lock:
            self._at_work -= 1
            task.losses += 1
            again = task.losses <= ALLOWED_LOSSES and not self._closed
            if again:
                self._waiting.appendleft(task)
            if pool is self._pool and not self._closed:
                # Not forked: this is a thread of the old pool, and there are others.
                self._pool = _pool(self._workers, forked=False)
        if not again:
            task.future.set_exception(error)


def _pool(workers: int, *, forked: bool) -> ProcessPoolExecutor:
    # On other systems a copy may not use what its parent has used of them.
    if forked and sys.platform == "linux":
        context: Any = multiprocessing.get_context("fork")
        return ProcessPoolExecutor(workers, mp_context=context, initializer=_serve_forked)
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_serve)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start processes that ignore Ctrl-C, which the terminal sends to them as well.

    A process inherits the signal mask of its parent. It could ignore the signal itself only once
    Python and its modules are loaded, and until then would die with a traceback.
    """
    # Starting the tracker unblocks the signal, so it must have started before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Provide the workers of the dask.distributed scheduler at `address`."""
    client = _connect(address)
    try:
        # No two parts are the same: their arguments need not be compared.
        yield client.get_executor(pure=False)
    finally:
        client.close()


def _serve() -> None:
    """Initialise a worker process, which has blocked Ctrl-C from its start."""
    end_with_parent()


def _serve_forked() -> None:
    """Initialise a worker process that is a copy of its parent."""
    # A thread that draws may have held the locks of the parent's streams, and a process flushes
    # them when it ends. Its calls print nothing.
    sys.stdout, sys.stderr = (open(os.devnull, "w") for _ in range(2))  # noqa: SIM115, PTH123
    _serve()


def end_with_parent() -> None:
    """End this process as soon as its parent has ended, even if it was killed."""
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "only processes started by multiprocessing call this"
    parent.join()
    os._exit(1)


def _connect(address: str) -> Any:
    with explained_imports():
        import distributed
    client: Any = distributed.Client
    try:
        return client(address, timeout=CONNECT_TIMEOUT_S)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"There is no dask scheduler at {address}: {error}. Start one with: dask scheduler."
        ) from error


def _terminate(executor: Executor, others: Collection[BaseProcess]) -> None:
    """Terminate the processes in the middle of a part, which the executor would wait for."""
    executor.shutdown(wait=False, cancel_futures=True)
    own = [process for process in multiprocessing.active_children() if process not in others]
    for process in own:
        process.terminate()
    for process in own:
        process.join(END_TIMEOUT_S)
