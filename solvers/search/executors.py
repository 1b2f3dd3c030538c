"""Where the parts of a search run: processes of this machine, or a dask.distributed cluster."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from solvers.foundation.errors import InvalidInputError, PuzzlerigError

Workers: TypeAlias = Callable[[], AbstractContextManager[Executor]]
"""Opens what searches the parts."""

# A scheduler that is there answers at once.
CONNECT_TIMEOUT_S = 10
# A process that is told to end does so at once; no search can hinder it.
END_TIMEOUT_S = 5


class ClusterError(PuzzlerigError):
    """The cluster cannot be used; the message says why."""


@contextmanager
def processes(workers: int) -> Iterator[Executor]:
    """Provide so many processes, which leave Ctrl-C to their parent and end with it."""
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(
        workers,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_serve,
    )
    try:
        yield executor
    except BaseException:
        _terminate(executor, others)
        raise
    finally:
        executor.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Provide the workers of the dask.distributed scheduler at `address`."""
    client = _connect(address)
    try:
        yield client.get_executor()
    finally:
        client.close()


def _serve() -> None:
    """Begin the life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent is no more, even if that was killed."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
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
