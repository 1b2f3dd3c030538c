"""Who searches: this process, or others."""

from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solvers.search.executors import Workers


def workers_of(processes: int) -> "Workers | None":
    """Return what opens so many processes; None for one, which is this process."""
    if processes == 1:
        return None
    from solvers.search import executors

    return partial(executors.processes, processes)
