"""The two sets of tables the search works with."""

from pathlib import Path

import pytest

from solvers.foundation import table_cache
from solvers.foundation.progress import run_job
from solvers.rubik.two_phase import tables
from solvers.rubik.two_phase.tables import SearchTables, build_exact_tables, search_tables


@pytest.fixture(scope="session")
def exact_tables() -> SearchTables:
    """Return the tables with the exact one of phase 1; built once per machine."""
    return run_job(build_exact_tables())


@pytest.fixture(scope="session")
def small_tables(run_folder: Path) -> SearchTables:
    """Return the tables as they are on a machine without the exact one."""
    folder = run_folder / "small-tables"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_cache, "cache_directory", lambda: folder)
        patch.setattr(tables, "_process_tables", None)
        return search_tables()
