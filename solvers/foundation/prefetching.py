"""Asking the processor for memory before it is needed, in compiled kernels."""

from typing import Any, Final

from solvers.foundation.compiled import IS_PLAIN, late


def _ignored(array: Any, index: Any) -> None:
    """Do nothing: plain Python has no such instruction."""


prefetch: Final = _ignored if IS_PLAIN else late("solvers.foundation.prefetching_llvm", "prefetch")
"""Bring an entry of a one-dimensional array into the processor's caches, without waiting for it.

The index is not checked. A processor waits for what it reads, unless it finds enough to do in the
instructions behind, so a kernel that jumps about in a large table asks for several entries first.
"""
