"""How the simulator's compiled functions are compiled, and when a kept one is out of date."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile `function` at its first call and keep the result on disk.

    No function here makes or keeps an array, so none needs to count references to those it is
    handed: without `_nrt=False` that counting makes the core ten times slower.
    """
    return _compile(function, forceinline=False)


def inlined(function: Function) -> Function:
    """Compile `function` into its callers.

    A chip is 17 arrays, and a call hands over some 120 numbers for it; what runs at each interrupt
    saves that: a program with a timer interrupt every millisecond runs 2.6 times as fast.
    """
    return _compile(function, forceinline=True)


def _compile(function: Function, forceinline: bool) -> Function:
    options: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False}
    dispatcher: Any = njit(forceinline=forceinline, **options)(function)
    # numba takes a kept function for up to date if its own file has not changed. These call each
    # other and share constants across files, so all of the package's files count.
    dispatcher._cache._cache_file._source_stamp = sources_stamp()
    decorated: Function = dispatcher
    return decorated


@lru_cache(maxsize=1)
def sources_stamp() -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change and size of each source file of this package."""
    sources = sorted(Path(__file__).parent.glob("*.py"))
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sources)
