"""Everything the search looks up, from the cache or built.

The small tables take about a second to build and are always there. The exact ones, one for each
phase, take some seconds more; they are used when `build_exact_tables` was called once on this
machine.
"""

from typing import NamedTuple

import numpy as np

from solvers.foundation.arrays import UInt8Array
from solvers.foundation.progress import Job, Progress, run_job
from solvers.rubik.two_phase import coordinates
from solvers.rubik.two_phase.coordinates import FOUR_EDGES
from solvers.rubik.two_phase.phase_1_tables import (
    Phase1Tables,
    build_phase_1_exact,
    load_phase_1_exact,
    phase_1_tables,
)
from solvers.rubik.two_phase.phase_2_tables import (
    Phase2Tables,
    build_phase_2_exact,
    load_phase_2_exact,
    phase_2_tables,
)
from solvers.rubik.two_phase.pruning.cached import cached


class SearchTables(NamedTuple):
    """What the search needs."""

    phase_1: Phase1Tables
    phase_2: Phase2Tables

    @property
    def is_exact(self) -> bool:
        """Whether the exact tables of both phases are there."""
        return self.phase_1.exact.size > 0 and self.phase_2.exact.size > 0


_process_tables: SearchTables | None = None


def search_tables() -> SearchTables:
    """Return the tables of this process; the exact ones are used if they are in the cache."""
    return run_job(load_search_tables())


def load_search_tables() -> Job[Progress, SearchTables]:
    """Do what `search_tables` does, telling which table is being built."""
    global _process_tables
    if _process_tables is None:
        _process_tables = yield from _assemble((load_phase_1_exact(), load_phase_2_exact()))
    return _process_tables


def build_exact_tables() -> Job[Progress, SearchTables]:
    """Return the tables with the exact ones, building those that are not in the cache yet.

    From now on `search_tables` returns the same. If the cache folder cannot be written, that
    lasts only as long as the process.
    """
    global _process_tables
    tables = yield from load_search_tables()
    if not tables.is_exact:
        exact = (
            (yield from build_phase_1_exact(tables.phase_1)),
            (yield from build_phase_2_exact(tables.phase_2)),
        )
        tables = _process_tables = yield from _assemble(exact)
    return tables


def _assemble(exact: tuple[UInt8Array, UInt8Array]) -> Job[Progress, SearchTables]:
    four_edges = yield from cached(
        "four-edges-moves", (FOUR_EDGES, 18), np.uint16, coordinates.four_edges_moves
    )
    phase_1 = yield from phase_1_tables(coordinates.slice_moves(four_edges), exact[0])
    return SearchTables(phase_1, (yield from phase_2_tables(four_edges, exact[1])))
