"""Progress while the cube's tables are built and its search is compiled, once per machine."""

from collections.abc import Callable

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from solvers.foundation.command_line.app import stderr


def load_search() -> None:
    """Get the search ready to answer at once: compile it and build the small tables."""
    from solvers.rubik.two_phase import solver as two_phase

    _show("Preparing the search, once (10 s)", two_phase.warm_up)


def build_exact_table() -> None:
    """Make the search several times faster for this and all later runs."""
    from solvers.rubik.two_phase import solver as two_phase

    _show("Building tables once (8 s)", two_phase.prepare)


def _show(title: str, work: Callable[[Callable[[str, float], None]], None]) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=stderr, transient=True) as bars:
        task = bars.add_task(title, total=None)
        work(lambda _name, done: bars.update(task, total=1.0, completed=done))
