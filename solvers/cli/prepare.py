"""`puzzle prepare` and `puzzle cube prepare`: compile searches and build tables in advance."""

from collections.abc import Callable
from typing import Final

import click

from solvers.foundation.command_line.app import Command, json_option, print_json
from solvers.foundation.command_line.progress_view import prepare_all
from solvers.foundation.progress import run_job


@click.command("prepare", cls=Command)
@json_option
def prepare(
    as_json: bool,
) -> None:
    """Compile all searches and build their tables once (half a minute); later it takes seconds.

    Without it each search does so when it is first used.

    Examples:
      puzzle prepare
    """
    prepare_all(_STEPS, "Preparing the searches", as_json=as_json)


@click.command("prepare", cls=Command)
@click.option(
    "--large", is_flag=True, help="Also build the large table for proofs: 978 MB, a minute."
)
@json_option
def prepare_cube(
    large: bool,
    as_json: bool,
) -> None:
    """Compile the search and build all tables, unless they are there already.

    With the large table, `puzzle cube solve --optimal` is several times faster.

    Examples:
      puzzle cube prepare
    """
    from solvers.cli.cube.solving import load_all, load_large
    from solvers.foundation.table_cache import cache_directory

    load_all()
    if large:
        load_large()
    if as_json:
        print_json({"prepared": True, "directory": str(cache_directory())})
    else:
        print(f"The tables are in {cache_directory()}.")


def _prepare_packing() -> None:
    from solvers.polycube.solving import first_fit
    from solvers.search.exact_cover.search import load_kernels

    load_kernels()
    first_fit.load_kernels()


def _prepare_tiles() -> None:
    from solvers.edge_matching.solver import load_kernels

    load_kernels()


def _prepare_taking_apart() -> None:
    from solvers.polycube.taking_apart.apart import load_kernels

    load_kernels()


def _prepare_turning() -> None:
    from solvers.polycube.taking_apart.apart import load_kernels

    load_kernels(rotations=True)


def _prepare_sliding_tiles() -> None:
    from solvers.sliding_tile.board import Board
    from solvers.sliding_tile.solver import heuristics, warm_up

    # Tables depend on the goal's blank; people put it last or first.
    for cells in ((*range(1, 16), 0), tuple(range(16))):
        for algorithm in heuristics():
            run_job(warm_up(Board(4, 4, cells), algorithm))


def _prepare_cubes() -> None:
    from solvers.rubik.optimal import solver as optimal
    from solvers.rubik.two_phase import solver as two_phase

    run_job(two_phase.warm_up())
    run_job(two_phase.prepare())
    run_job(optimal.warm_up())


_STEPS: Final[dict[str, Callable[[], None]]] = {
    "packings": _prepare_packing,
    "tiles": _prepare_tiles,
    "taking apart": _prepare_taking_apart,
    "taking apart by turns": _prepare_turning,
    "sliding tiles": _prepare_sliding_tiles,
    "cubes": _prepare_cubes,
}
