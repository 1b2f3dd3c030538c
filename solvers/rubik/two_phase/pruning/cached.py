"""The cube's tables in the cache, under one version."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from solvers.foundation.arrays import UInt16Array
from solvers.foundation.table_cache import Building, Table, load, load_or_build
from solvers.rubik.two_phase.pruning.distances import pair_distances

_VERSION: Final = 1


def read_only(table: Table) -> Table:
    """Return `table`, protected: numba compiles kernels anew for arrays that can be written."""
    table.setflags(write=False)
    return table


NO_TABLE: Final = read_only(np.zeros(0, np.uint8))
"""Stands for a table that was not built."""


def cached_already(name: str, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Table:
    """Return a table if it is in the cache, else an empty one."""
    table = load(f"cube-{name}", _VERSION, shape, dtype)
    return NO_TABLE if table is None else table


def cached_job(
    name: str, shape: tuple[int, ...], dtype: npt.DTypeLike, build: Callable[[], Building]
) -> Building:
    """Return a table from the cache, or from a job that tells how much of it is done."""
    return load_or_build(f"cube-{name}", _VERSION, shape, dtype, build)


def cached(
    name: str, shape: tuple[int, ...], dtype: npt.DTypeLike, make: Callable[[], Table]
) -> Building:
    """Return a table from the cache, or made in one go."""

    def build() -> Building:
        yield from ()
        return make()

    return cached_job(name, shape, dtype, build)


def pair_bounds(name: str, first: UInt16Array, second: UInt16Array) -> Building:
    """Return how far each pair of two coordinates is from (0, 0)."""
    shape = (first.shape[0] * second.shape[0],)
    return cached(name, shape, np.uint8, lambda: pair_distances(first, second))
