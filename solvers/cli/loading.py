"""What a search shows on stderr: that it is loading, and the estimated share that is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from solvers.foundation.command_line.app import stderr


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[float], None]]:
    """Show a bar while the search runs; the function takes the share that is done, 0 to 1."""
    from rich.progress import Progress

    with Progress(console=stderr, transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda share: bar.update(task, completed=share)


def load_search() -> None:
    """Load the compiled search, so that what is measured afterwards is the search alone."""
    with stderr.status("Loading the search; its first use compiles it"):
        from solvers.search.exact_cover.enumeration import load_kernels

        load_kernels()
