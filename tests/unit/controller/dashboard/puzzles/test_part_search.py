"""The search part by part: what it tells adds up, and what is known is not searched again."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from controller.dashboard.puzzles import packing
from controller.dashboard.puzzles.packing import Known, PartDone, Prepared, searching
from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.puzzle import PackingSolution
from solvers.polycube.solving import solver
from solvers.polycube.solving.problem import Count

SOMA = library.load("soma")


@pytest.fixture(autouse=True)
def threads_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told does not depend on where parts are searched; processes are dear."""
    monkeypatch.setattr(packing, "processes", ThreadPoolExecutor)


def run(known: Known) -> tuple[Prepared, list[PartDone], Count]:
    events: list[Prepared | PartDone] = []
    count = run_job(searching(SOMA, 2, known, keep_solutions=True), events.append)
    begun, *done = events
    assert isinstance(begun, Prepared)
    return begun, [each for each in done if isinstance(each, PartDone)], count


def told(events: list[PartDone]) -> list[PackingSolution]:
    return [solution for each in events for solution in each.solutions]


def test_parts_add_up_and_solutions_keep_their_order_over_a_stop() -> None:
    begun, done, count = run(Known())
    assert (count.up_to_symmetry, count.total) == (240, 11520)
    assert sorted(each.number for each in done) == list(range(begun.parts))
    assert done[-1].so_far == count
    assert done[-1].share == 1.0
    solutions = told(done)
    whole = run_job(solver.find_all_job(SOMA, at_least_parts=begun.parts))
    assert solutions == list(whole.solutions)

    # A stop in the middle keeps the parts without a gap, with their solutions.
    kept = next(each for each in done if each.ordered > begun.parts // 2)
    before = done[: done.index(kept) + 1]
    counts = {each.number: each.count for each in before if each.number < kept.ordered}
    begun, rest, again = run(Known(counts, kept.ordered, len(told(before))))
    assert begun.counts == counts
    assert not set(counts) & {each.number for each in rest}
    assert again == count
    assert told(before) + told(rest) == solutions


def test_more_solutions_than_are_kept_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    _, done, _ = run(Known())
    monkeypatch.setattr(packing, "MAX_SOLUTIONS", 100)
    _, capped, count = run(Known())
    assert told(capped) == told(done)[:100]
    assert count.up_to_symmetry == 240
