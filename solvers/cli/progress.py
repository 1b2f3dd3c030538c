"""A bar on stderr for the estimated share of a search that is done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from solvers.cli.command_line import stderr


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[float], None]]:
    """Show a bar while the search runs; the function takes the share that is done, 0 to 1."""
    from rich.progress import Progress

    with Progress(console=stderr, transient=True) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda share: bar.update(task, completed=share)
