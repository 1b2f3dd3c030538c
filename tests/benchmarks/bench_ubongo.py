"""Ubongo 3-D: the thesis' ladder of optimisations beside this solver.

All programs solve the tasks of `tests/data/puzzles/ubongo_tasks.json` in one process; times are
CPU seconds. The ladder is written anew in plain Python and stops at the first solution of each
task; this solver also finds all solutions, and every one is checked by plain code.
"""

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from solvers.polycube.ubongo.card import Card, shapes
from solvers.polycube.ubongo.solve import Solved, solve
from solvers.polycube.ubongo.task_file import load_cards
from solvers.search.exact_cover.enumeration import load_kernels
from tests.benchmarks.thesis_ladder import LADDER, Rung, Task, turns
from tests.benchmarks.thesis_ladder import solve as climb

TASKS = Path(__file__).parents[1] / "data" / "puzzles" / "ubongo_tasks.json"

# What the thesis' own program took here for the whole game, 120 and 40 tasks, first solution only
# (facts on packing puzzles, section 2); its numpy arrays cost more than they save on small boards.
THESIS_PROGRAM = (
    ("committed version", 1.82, 3.56),
    ("with its sorting by surface", 1.53, 1.52),
    ("and its isolated-cell check", 1.30, 0.82),
)

P = ParamSpec("P")
Result = TypeVar("Result")


def run() -> str:
    """Return the tables."""
    cards = list(load_cards(TASKS))
    groups = {number: [c for c in cards if len(c.pieces) == number] for number in (3, 4)}
    started = time.process_time()
    load_kernels()
    loading = time.process_time() - started
    gc.freeze()  # as `puzzle ubongo solve` does, see there
    first_run, solved = timed(solve_all, cards)
    for one in solved:
        check(one)
    total = sum(len(one.solutions) for one in solved)
    return "\n".join(
        [
            f"{len(groups[3])} tasks with three pieces and {len(groups[4])} with four. "
            f"All {len(cards)} with all {total} solutions: **{first_run:.3f} s** on the first "
            f"run, after {loading:.2f} s for loading the compiled search.",
            "",
            *ladder_table(groups),
            "",
            "The thesis' own program on this machine, for all 120 and 40 tasks of the game, first "
            "solution only: "
            + "; ".join(f"{name} {three} and {four} s" for name, three, four in THESIS_PROGRAM)
            + ".",
        ]
    )


def ladder_table(groups: dict[int, list[Card]]) -> list[str]:
    """Return one line per rung of the ladder, and two for this solver."""
    lines = [
        "| | three pieces, s | boards tried | four pieces, s | boards tried |",
        "|---|---:|---:|---:|---:|",
    ]
    for rung in LADDER:
        cells = []
        for cards in groups.values():
            tasks = [task_of(card) for card in cards]
            seconds, tried = timed(climb_all, tasks, rung)
            assert min(tried) > 0, "every task has a solution"
            cells.append(f"{seconds:.3f} | {sum(tried)}")
        lines.append(f"| {rung.name}, first solution | {' | '.join(cells)} |")
    for name, at_most in (("this solver, first solution", 1), ("this solver, all solutions", None)):
        cells = []
        for cards in groups.values():
            seconds, solved = timed(solve_all, cards, at_most)
            cells.append(f"{seconds:.3f} | {sum(one.nodes for one in solved)}")
        lines.append(f"| **{name}** | {' | '.join(cells)} |")
    return lines


def climb_all(tasks: list[Task], rung: Rung) -> list[int]:
    """Return how many boards the thesis' way tries for each task."""
    return [climb(task, rung) for task in tasks]


def solve_all(cards: list[Card], at_most: int | None = None) -> list[Solved]:
    """Return what this solver finds for each card."""
    return [solve(card, at_most) for card in cards]


def timed(work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> tuple[float, Result]:
    """Return the CPU seconds of a piece of work, and its result."""
    started = time.process_time()
    result = work(*args, **kwargs)
    return time.process_time() - started, result


def task_of(card: Card) -> Task:
    """Return a card in the ladder's terms."""
    layer = [0 if mark == "." else 1 for row in card.rows for mark in row]
    return Task(
        tuple(shapes()[number].cells for number in card.pieces),
        len(card.rows[0]),
        len(card.rows),
        card.height,
        tuple(layer * card.height),
    )


def check(solved: Solved) -> None:
    """Look at every solution with the eyes of the rules alone."""
    card = solved.card
    fields = {(x, y) for y, row in enumerate(card.rows) for x, m in enumerate(row) if m == "."}
    target = {(x, y, z) for x, y in fields for z in range(card.height)}
    seen = set()
    for solution in solved.solutions:
        cells = [cell for placement in solution.placements for cell in placement.cells]
        assert len(cells) == len(target)
        assert set(cells) == target
        for placement in solution.placements:
            low = [min(cell[axis] for cell in placement.cells) for axis in range(3)]
            moved = frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in placement.cells)
            assert moved in turns(shapes()[int(placement.piece)].cells)
        seen.add(frozenset((p.piece, p.cells) for p in solution.placements))
    assert len(seen) == len(solved.solutions) > 0
