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
    options: dict[str, Any] = {"cache": True, "error_model": "numpy", "_nrt": False}
    decorated: Function = njit(**options)(function)
    return decorated
