"""Draws the progress of a job on stderr while it runs."""

from collections.abc import Callable
from typing import TypeVar

from solvers.foundation.command_line.app import stderr
from solvers.foundation.progress import Job, Progress, run_job

Report = TypeVar("Report")


def show_progress(job: Job[Progress, Report], title: str) -> Report:
    """Run a job to its end under a bar that bears `title`; return its report.

    The bar is only drawn where stderr is a screen, and is gone when the job ends.
    """
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bars(*columns, console=stderr, transient=True, disable=not stderr.is_terminal) as bars:
        bar = bars.add_task(title, total=None)

        def draw(event: Progress) -> None:
            name = f"{title}: {event.task}" if event.task else title
            bars.update(bar, description=name, total=event.total, completed=event.done)

        return run_job(job, draw)


def show_waiting(work: Callable[[], Report], title: str) -> Report:
    """Do something that cannot tell how far it is, under a moving mark."""
    with stderr.status(title):
        return work()
