"""What the commands with exhaustive searches share: loading, worker processes, resuming."""

from functools import partial
from typing import TYPE_CHECKING, Any

from solvers.foundation.command_line.progress_view import show_waiting
from solvers.foundation.wording import counted

if TYPE_CHECKING:
    from solvers.search.executors import Workers
    from solvers.search.parts import PartStore


# Searches are loaded before a stopwatch starts, so that it measures the search alone.


def load_search() -> None:
    """Load the compiled search for packings."""

    def load() -> None:
        from solvers.search.exact_cover.search import load_kernels

        load_kernels()

    show_waiting(load, "Loading the search; its first use compiles it")


def load_taking_apart(*, rotations: bool = False) -> None:
    """Load the compiled search for ways apart."""

    def load() -> None:
        from solvers.polycube.taking_apart.apart import load_kernels

        load_kernels(rotations=rotations)

    show_waiting(load, "Loading the search for ways apart; its first use compiles it")


def load_tiles() -> None:
    """Load the compiled search for tiles."""

    def load() -> None:
        from solvers.edge_matching.solver import load_kernels

        load_kernels()

    show_waiting(load, "Loading the search for tiles; its first use compiles it")


def open_workers(processes: int) -> "Workers | None":
    """Return what opens a number of processes; None for one, which is this process."""
    if processes == 1:
        return None
    from solvers.search import executors

    # The only other thread of a command draws its progress.
    return partial(executors.processes, processes, forked=True)


def how_to_resume(
    finished: "PartStore[Any]",
    again: str,
    *,
    unit: str = "part",
    over: str = "searched",
    units: int | None = None,
) -> str:
    """Save what is finished; return how far the search was and the command that resumes it.

    Where nothing is finished, nothing is saved. `again` is the command of the same search, `unit`
    and `over` name what it consists of and what is done with that, `units` their number, if not
    all that could be stored.
    """
    done, most = finished.progress
    if not done:
        return f"before any {unit} was {over}; there is nothing to resume yet."
    searched = f"with {done} of {counted(max(done, units or most), unit)} {over}."
    if not finished.save():
        return f"{searched} They cannot be saved in {finished.path.parent}."
    return f"{searched} They are saved; resume with: {again} --resume"
