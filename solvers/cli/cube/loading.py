"""Gets the cube's search ready under a progress bar, once per machine."""

from solvers.foundation.command_line.progress_view import show_progress


def load_search() -> None:
    """Get the search ready to answer at once: compile it and build the small tables."""
    from solvers.rubik.two_phase.solver import warm_up

    show_progress(warm_up(), "Preparing the search, once (15 s)")


def build_exact_tables() -> None:
    """Make the search several times faster for this and all later runs."""
    from solvers.rubik.two_phase.solver import prepare

    show_progress(prepare(), "Building tables, once (15 s)")


def load_all() -> None:
    """Get everything ready: no command about cubes compiles or builds anything from now on."""
    from solvers.rubik.optimal.optimal_solver import warm_up
    from solvers.rubik.pocket.pocket_solver import load_distances

    load_search()
    build_exact_tables()
    show_progress(warm_up(), "Preparing proofs, once (15 s)")
    show_progress(load_distances(), "Building the table of 2x2x2 cubes, once (1 s)")
