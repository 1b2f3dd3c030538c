"""Where the parts of a search run: processes of this machine, or a dask.distributed cluster."""

import multiprocessing
import os
import signal
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

from solvers.foundation.errors import InvalidInputError, PuzzlerigError

Workers: TypeAlias = Callable[[], AbstractContextManager[Executor]]
"""Opens what searches the parts."""

# A scheduler that is there answers at once.
CONNECT_TIMEOUT_S = 10
# A process that is told to end does so at once; no search can hinder it.
END_TIMEOUT_S = 5
# A call that has lost more processes than this is what kills them; dask allows as many.
ALLOWED_LOSSES = 3


class ClusterError(PuzzlerigError):
    """The cluster cannot be used; the message says why."""


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Provide so many processes, which leave Ctrl-C to their parent and end with it.

    More than the machine has processors would only take memory and turns from one another.
    A process that is lost is replaced, and what it did is begun again, as a cluster does.
    """
    others = set(multiprocessing.active_children())
    executor = _Processes(min(workers, os.cpu_count() or 1))
    try:
        yield executor
    except BaseException:
        _terminate(executor, others)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@dataclass(eq=False)
class _Task:
    """A call, the future that was handed out for it, and how many processes it has lost."""

    call: Callable[[], Any]
    future: Future[Any]
    losses: int = 0


class _Processes(Executor):
    """Gives as many calls to a pool of processes as it has, and opens another one if that breaks.

    A pool breaks as a whole, and does not say which call was at work: all that it had are begun
    again, each of them at most `ALLOWED_LOSSES` times. The pool is called without the lock held,
    since it calls back with locks of its own.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._waiting: deque[_Task] = deque()
        self._lock = threading.RLock()
        self._at_work = 0
        self._closed = False
        self._pool = _pool(workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Take a call to be made by the next process that is free."""
        task = _Task(partial(fn, *args, **kwargs), Future())
        with self._lock:
            self._waiting.append(task)
        self._give()
        return task.future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls; with `cancel_futures` begin none of those that wait."""
        with self._lock:
            self._closed = True
            waiting = list(self._waiting) if cancel_futures else []
        for task in waiting:
            task.future.cancel()
        self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _give(self) -> None:
        """Give waiting calls to the processes that are free."""
        while (given := self._next()) is not None:
            task, pool = given
            try:
                with _interrupts_held():
                    running = pool.submit(task.call)
            except BrokenExecutor as error:
                self._lost(task, pool, error)
            except RuntimeError:
                # Closed since it was asked whether it is, by another thread or at the very end.
                task.future.set_exception(CancelledError())
            else:
                running.add_done_callback(partial(self._ended, task, pool))

    def _next(self) -> tuple[_Task, ProcessPoolExecutor] | None:
        with self._lock:
            while self._waiting and self._at_work < self._workers and not self._closed:
                task = self._waiting.popleft()
                if task.losses or task.future.set_running_or_notify_cancel():
                    self._at_work += 1
                    return task, self._pool
        return None

    def _ended(self, task: _Task, pool: ProcessPoolExecutor, done: Future[Any]) -> None:
        error = CancelledError() if done.cancelled() else done.exception()
        if isinstance(error, BrokenExecutor):
            self._lost(task, pool, error)
        else:
            with self._lock:
                self._at_work -= 1
            if error is None:
                task.future.set_result(done.result())
            else:
                task.future.set_exception(error)
        self._give()

    def _lost(self, task: _Task, pool: ProcessPoolExecutor, error: BaseException) -> None:
        """Let a call wait again that a pool has lost, in the end give it up; replace the pool."""
        with self._lock:
            self._at_work -= 1
            task.losses += 1
            again = task.losses <= ALLOWED_LOSSES and not self._closed
            if again:
                self._waiting.appendleft(task)
            if pool is self._pool and not self._closed:
                self._pool = _pool(self._workers)
        if not again:
            task.future.set_exception(error)


def _pool(workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_serve)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let processes that are started here begin deaf to Ctrl-C, which is sent to them as well.

    A process keeps the mask of whoever starts it; that it ignores the signal it could only say
    when Python and its modules are loaded, and until then it would die with a traceback.
    """
    # It unblocks the signal when it starts, so that must be over.
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
    """Begin the life of a worker; it has been deaf to Ctrl-C from the start."""
    end_with_parent()


def end_with_parent() -> None:
    """From now on, end this process when its parent is no more, even if that was killed."""
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "whoever calls this was started by multiprocessing"
    parent.join()
    os._exit(1)


def _connect(address: str) -> Any:
    try:
        import distributed
    except ImportError as error:
        raise InvalidInputError(
            "A cluster needs the package distributed; install it with: pip install "
            "'puzzlerig[cluster]'."
        ) from error
    client: Any = distributed.Client
    try:
        return client(address, timeout=CONNECT_TIMEOUT_S)
    except (OSError, ValueError) as error:
        raise ClusterError(
            f"There is no dask scheduler at {address}: {error}. Start one with: dask scheduler."
        ) from error


def _terminate(executor: Executor, others: Collection[BaseProcess]) -> None:
    """End the processes in the middle of a part, which the executor itself would wait for."""
    executor.shutdown(wait=False, cancel_futures=True)
    own = [process for process in multiprocessing.active_children() if process not in others]
    for process in own:
        process.terminate()
    for process in own:
        process.join(END_TIMEOUT_S)
