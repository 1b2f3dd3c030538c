"""Ubongo 3-D: the thesis' ladder of optimisations beside this solver.

All programs solve the tasks of `tests/data/puzzles/ubongo_tasks.json` in one process; times are
CPU seconds. The ladder is a reimplementation in plain Python and stops at the first solution of
each task; this solver also finds all solutions, and every one is checked by plain code.

The correlation of the computed difficulty with the tries of a random player is measured on the
tasks and on generated cards, as Spearman's rank correlation.
"""

import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

from solvers.foundation.progress import run_job
from solvers.polycube.ubongo.card import Card, Grade, shapes
from solvers.polycube.ubongo.card_file import load_cards
from solvers.polycube.ubongo.generator import Wanted, generate
from solvers.polycube.ubongo.solution import Solved, difficulty, solve
from solvers.search.exact_cover.search import load_kernels
from tests.benchmarks.ubongo_study.thesis import LADDER, Improvement, Problem, Task, search, turns
from tests.oracles.random_player import RandomPlayer

TASKS = Path(__file__).parents[1] / "data" / "puzzles" / "ubongo_tasks.json"

# The thesis' own program cannot be distributed, so its CPU seconds are shown with their date and
# not divided by those of this run: first solution of each of the 120 and 40 tasks of the game. Its
# numpy arrays cost more than they save on small boards.
RECORDED = "2026-11-20"
THESIS_PROGRAM = (
    ("committed version", 1.82, 3.56),
    ("with its sorting by surface", 1.53, 1.52),
    ("and its isolated-cell check", 1.30, 0.82),
)

MADE_CARDS, SEED = 100, 2027
GAMES = 60
"""Games that are averaged: the standard deviation of the mean is then an eighth."""

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
            "The thesis' own program was not measured in this run. Recorded on "
            f"{RECORDED} on another machine, for all 120 and 40 tasks of the game, first solution "
            "only: "
            + "; ".join(f"{name} {three} and {four} s" for name, three, four in THESIS_PROGRAM)
            + ".",
            "",
            *difficulty_table(groups),
        ]
    )


def difficulty_table(groups: dict[int, list[Card]]) -> list[str]:
    """Return one line per number of pieces and origin of the cards."""
    lines = [
        f"Expected tries of a card beside the mean of a random player's {GAMES} games:",
        "",
        "| cards | rank correlation of the tries | of the grades | cards made per CPU second |",
        "|---|---:|---:|---:|",
    ]
    for pieces, tasks in groups.items():
        making = generate(Wanted(pieces), MADE_CARDS, SEED)
        seconds, made = timed(run_job, making)
        named = {"tasks": tasks, "made cards": [new.card for new in made]}
        for name, cards in named.items():
            measured = [difficulty(solve(card)) for card in cards]
            played = [mean_tries(card, number) for number, card in enumerate(cards)]
            tries = rank_correlation([each.expected_tries for each in measured], played)
            ranks = [float(list(Grade).index(each.grade)) for each in measured]
            grades = rank_correlation(ranks, played)
            speed = f"{len(made) / seconds:.0f}" if name == "made cards" else ""
            lines.append(
                f"| {len(cards)} {name}, {pieces} pieces | {tries:.2f} | {grades:.2f} | {speed} |"
            )
    return lines


def mean_tries(card: Card, seed: int) -> float:
    """Return the mean number of tries of a random player until a card is solved."""
    target = frozenset(
        (x, y, z)
        for y, row in enumerate(card.rows)
        for x, mark in enumerate(row)
        if mark == "."
        for z in range(card.height)
    )
    player = RandomPlayer(target, [shapes()[number].cells for number in card.pieces], seed)
    return sum(player.tries() for _ in range(GAMES)) / GAMES


def rank_correlation(first: list[float], second: list[float]) -> float:
    """Return Spearman's rank correlation: Pearson's of the ranks, equal values sharing theirs."""
    ranked = [[ranks_of(values)[value] for value in values] for values in (first, second)]
    return statistics.correlation(*ranked)


def ranks_of(values: list[float]) -> dict[float, float]:
    """Return the mean of the ranks that each value has."""
    places: dict[float, list[int]] = {}
    for place, value in enumerate(sorted(values)):
        places.setdefault(value, []).append(place)
    return {value: statistics.mean(ranks) for value, ranks in places.items()}


def ladder_table(groups: dict[int, list[Card]]) -> list[str]:
    """Return one line per step of the ladder, and two for this solver."""
    lines = [
        "| | three pieces, s | boards tried | four pieces, s | boards tried |",
        "|---|---:|---:|---:|---:|",
    ]
    for before, improvements in zip((None, *LADDER), LADDER, strict=False):
        newest = improvements if before is None else improvements & ~before
        cells = []
        for cards in groups.values():
            tasks = [Task.of(card) for card in cards]
            seconds, tried = timed(climb_all, tasks, improvements)
            assert min(tried) > 0, "every task has a solution"
            cells.append(f"{seconds:.3f} | {sum(tried)}")
        lines.append(f"| {newest.words}, first solution | {' | '.join(cells)} |")
    for name, at_most in (("this solver, first solution", 1), ("this solver, all solutions", None)):
        cells = []
        for cards in groups.values():
            seconds, solved = timed(solve_all, cards, at_most)
            cells.append(f"{seconds:.3f} | {sum(one.nodes for one in solved)}")
        lines.append(f"| **{name}** | {' | '.join(cells)} |")
    return lines


def climb_all(tasks: list[Task], improvements: Improvement) -> list[int]:
    """Return how many boards the thesis' way tries for each task."""
    return [search(Problem.of(task, improvements), at_most=1).boards_to_first for task in tasks]


def solve_all(cards: list[Card], at_most: int | None = None) -> list[Solved]:
    """Return what this solver finds for each card."""
    return [solve(card, at_most) for card in cards]


def timed(work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> tuple[float, Result]:
    """Return the CPU seconds of a piece of work, and its result."""
    started = time.process_time()
    result = work(*args, **kwargs)
    return time.process_time() - started, result


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
