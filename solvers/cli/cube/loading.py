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
