"""Loads compiled searches, so that what is measured afterwards is the search alone."""

from solvers.foundation.command_line.progress_view import show_waiting


def load_search() -> None:
    """Load the compiled search."""

    def load() -> None:
        from solvers.search.exact_cover.enumeration import load_kernels

        load_kernels()

    show_waiting(load, "Loading the search; its first use compiles it")


def load_taking_apart() -> None:
    """Load the compiled search for ways apart."""

    def load() -> None:
        from solvers.polycube.taking_apart.apart import load_kernels

        load_kernels()

    show_waiting(load, "Loading the search for ways apart; its first use compiles it")


def load_tiles() -> None:
    """Load the compiled search for tiles."""

    def load() -> None:
        from solvers.edge_matching.solver import load_kernels

        load_kernels()

    show_waiting(load, "Loading the search for tiles; its first use compiles it")
