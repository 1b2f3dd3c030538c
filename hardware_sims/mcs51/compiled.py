"""How the simulator's compiled functions are compiled."""

from collections.abc import Callable
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
    decorated: Function = njit(forceinline=forceinline, **options)(function)
    return decorated
