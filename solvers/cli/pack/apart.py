"""Runs the search that takes solutions apart, for `puzzle pack solve --apart`."""

from solvers.cli.pack.report import Report, Wanted
from solvers.foundation.command_line.progress_view import show_progress


def take_apart(report: Report, *, sort: bool, keep: int | None) -> None:
    """Fill in a report with solutions and how they come apart; Ctrl-C keeps those found so far."""
    from solvers.polycube.taking_apart.collection import Collection, collecting, first_apart

    if report.wanted is Wanted.COUNT:
        keep = 0
    collection = Collection(keep=keep, sort=sort)
    first = report.wanted is Wanted.FIRST
    job = (first_apart if first else collecting)(report.puzzle, collection)
    try:
        show_progress(job, report.puzzle.title)
    except KeyboardInterrupt:
        report.stopped = True
    report.collection = collection
    kept = collection.kept()
    if first:
        kept = [each for each in kept if each.found.separation] or kept[:1]
    report.solutions = [each.solution for each in kept]
    report.disassemblies = [each.found for each in kept]
    report.counted = collection.counted
    report.nodes = collection.counted.nodes if collection.counted else 0
