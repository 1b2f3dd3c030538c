"""What a reader of the pages has done before: `make setup`, which prepares the search."""

import pytest

from solvers.foundation.progress import run_job
from solvers.rubik.two_phase.solver import prepare, warm_up


@pytest.fixture(scope="session", autouse=True)
def prepared_search() -> None:
    """Build the cube's tables: the first solution that is found depends on them."""
    run_job(warm_up())
    run_job(prepare())
