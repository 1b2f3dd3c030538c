"""`puzzle prepare`: compiles every search and builds its tables, so that no first use has to."""

from collections.abc import Callable
from typing import Final

from solvers.foundation.command_line.app import JsonOption
from solvers.foundation.command_line.preparing import prepare_all


def prepare(as_json: JsonOption = False) -> None:
    """Compile all searches and build their tables once (half a minute); later it takes seconds.

    Without it each search does so when it is first used.

    Examples:
      puzzle prepare
    """
    prepare_all(STEPS, "Preparing the searches", as_json=as_json)


def _packings() -> None:
    from solvers.search.exact_cover.enumeration import load_kernels

    load_kernels()


def _tiles() -> None:
    from solvers.edge_matching.solver import load_kernels

    load_kernels()


def _taking_apart() -> None:
    from solvers.polycube.taking_apart.apart import load_kernels

    load_kernels()


def _sliding_tiles() -> None:
    from solvers.foundation.progress import run_job
    from solvers.sliding_tile.board import Board
    from solvers.sliding_tile.heuristics.registry import HEURISTICS
    from solvers.sliding_tile.solver import warm_up

    # Tables belong to the place of the goal's blank; these two are what people have.
    for cells in ((*range(1, 16), 0), tuple(range(16))):
        for algorithm in HEURISTICS:
            run_job(warm_up(Board(4, 4, cells), algorithm))


def _cubes() -> None:
    from solvers.foundation.progress import run_job
    from solvers.rubik.optimal import optimal_solver
    from solvers.rubik.two_phase import solver as two_phase

    run_job(two_phase.warm_up())
    run_job(two_phase.prepare())
    run_job(optimal_solver.warm_up())


STEPS: Final[dict[str, Callable[[], None]]] = {
    "packings": _packings,
    "tiles": _tiles,
    "taking apart": _taking_apart,
    "sliding tiles": _sliding_tiles,
    "cubes": _cubes,
}
