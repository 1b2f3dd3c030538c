"""Loads the exact-cover search, so that what is measured afterwards is the search alone."""

from solvers.foundation.command_line.progress_view import show_waiting


def load_search() -> None:
    """Load the compiled search."""

    def load() -> None:
        from solvers.search.exact_cover.enumeration import load_kernels

        load_kernels()

    show_waiting(load, "Loading the search; its first use compiles it")
