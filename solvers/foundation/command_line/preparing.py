"""Has everything of a package compiled at once, so that no first use has to wait for it."""

from collections.abc import Callable, Mapping

from solvers.foundation.command_line.app import print_json
from solvers.foundation.command_line.progress_view import show_progress
from solvers.foundation.progress import Job, Progress


def prepare_all(steps: Mapping[str, Callable[[], object]], title: str, *, as_json: bool) -> None:
    """Do each of the named steps under one bar, and say what is prepared."""
    prepared = show_progress(_prepared(steps), title)
    if as_json:
        print_json({"prepared": list(prepared)})
    else:
        print(f"Prepared: {', '.join(prepared)}.")


def _prepared(steps: Mapping[str, Callable[[], object]]) -> Job[Progress, tuple[str, ...]]:
    for done, (name, work) in enumerate(steps.items()):
        yield Progress(name, done, len(steps), "steps")
        work()
    return tuple(steps)
