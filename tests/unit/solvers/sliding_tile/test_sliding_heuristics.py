"""Lower bounds: never above the distance, and the same in plain and in compiled code."""

import random
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from solvers.foundation import table_cache
from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress, run_job
from solvers.sliding_tile.board import MOVES, Board, Placement, place
from solvers.sliding_tile.heuristics.additive import (
    MANHATTAN,
    PATTERN_DATABASE,
    build_table,
    patterns_for,
)
from solvers.sliding_tile.heuristics.linear_conflict import LINEAR_CONFLICT
from solvers.sliding_tile.heuristics.walking_distance import WALKING_DISTANCE, walking_table
from solvers.sliding_tile.ida_star import Heuristic, Position, deepen, ida_star, slide
from solvers.sliding_tile.whole_space import UNREACHED, distance, distances_to, rank
from tests.oracles.sliding_tile_bounds import (
    line_conflicts,
    linear_conflict,
    manhattan,
    plain_distances,
    walking_distance,
)


def bound(task: Placement, heuristic: Heuristic) -> int:
    """Return the compiled bound of a task's start."""
    return int(heuristic.estimate(run_job(heuristic.prepare(task))))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tables away from the user's cache."""
    monkeypatch.setattr(table_cache, "cache_directory", lambda: tmp_path)


def random_tasks(width: int, height: int, count: int, seed: int) -> list[Placement]:
    """Return solvable tasks, made by walking away from random goals."""
    chance = random.Random(seed)
    tasks = []
    for _ in range(count):
        cells = list(range(width * height))
        chance.shuffle(cells)
        goal = Board(width, height, tuple(cells))
        start, blank = goal, goal.blank
        moves = ""
        for move in chance.choices(list(MOVES), k=80):
            target = start.target(blank, move)
            if target is not None:
                moves, blank = moves + move, target
        tasks.append(place(start.moved(moves), goal))
    return tasks


@pytest.mark.parametrize("goal_blank", range(9))
def test_no_bound_exceeds_the_distance(goal_blank: int) -> None:
    chance = random.Random(goal_blank)
    checked = 0
    while checked < 100:
        tiles = tuple(chance.sample(range(9), 9))
        task = Placement(3, 3, goal_blank, tiles)
        moves = int(distances_to(goal_blank)[rank(tiles)])
        if moves == UNREACHED:
            continue
        checked += 1
        assert manhattan(task) <= linear_conflict(task) <= moves
        assert walking_distance(task) <= moves
        assert bound(task, PATTERN_DATABASE) <= moves


@pytest.mark.parametrize("size", [(3, 3), (4, 3), (4, 4), (5, 5)])
def test_compiled_bounds_are_the_plain_ones(size: tuple[int, int]) -> None:
    for task in random_tasks(*size, 20, seed=sum(size)):
        assert bound(task, MANHATTAN) == manhattan(task)
        assert bound(task, LINEAR_CONFLICT) == linear_conflict(task)
        if max(size) < 5:
            expected = max(manhattan(task), walking_distance(task))
            assert bound(task, WALKING_DISTANCE) == expected


def test_whole_space_is_what_a_plain_search_finds() -> None:
    plain = plain_distances(1)
    table = distances_to(1)
    assert len(plain) == 181_440 == int((table != UNREACHED).sum())
    chance = random.Random(5)
    for tiles in chance.sample(sorted(plain), 2000):
        assert table[rank(tiles)] == plain[tiles] == distance(Placement(3, 3, 1, tiles))


def test_the_walking_table_of_the_15_puzzle_has_its_known_size() -> None:
    assert len(walking_table(4, 4, 0).distances) == 24_964


def test_a_pattern_of_one_tile_is_its_manhattan_distance() -> None:
    table = build_table(3, 2, 5, [0])
    assert [int(table[cell]) for cell in range(6)] == [0, 1, 2, 1, 2, 3]


def test_patterns_cover_every_tile_once() -> None:
    for size in ((3, 3), (4, 4)):
        last = size[0] * size[1] - 1
        for blank in (0, last):
            tiles = sorted(tile for pattern in patterns_for(*size, blank) for tile in pattern)
            assert tiles == [cell for cell in range(last + 1) if cell != blank]


@pytest.mark.parametrize(
    ("places", "leaving"),
    [([], 0), ([1], 0), ([0, 1, 2], 0), ([1, 0], 1), ([2, 1, 0], 2), ([0, 3, 1, 2], 1)],
)
def test_tiles_that_must_leave_their_line(places: list[int], leaving: int) -> None:
    assert line_conflicts(places) == leaving


class Misplaced(NamedTuple):
    """The bounds of a heuristic of this test: how many tiles are not at home."""

    number: Int64Array


@kernel
def misplaced_step(bounds: Misplaced, position: Position, direction: int) -> None:
    tile, to, origin = slide(position, direction)
    bounds.number[0] += (to != tile) - (origin != tile)


@kernel
def misplaced_estimate(bounds: Misplaced) -> int:
    return bounds.number[0]  # type: ignore[no-any-return]


@kernel
def misplaced_slice(position: Position, bounds: Misplaced, bound: int, budget: int) -> int:
    return deepen(position, bounds, misplaced_step, misplaced_estimate, bound, budget)


def misplaced(task: Placement) -> Job[Progress, Misplaced]:
    yield from ()
    wrong = sum(cell != goal for cell, goal in enumerate(task.tiles) if goal != task.goal_blank)
    return Misplaced(np.array([wrong], dtype=np.int64))


def test_a_heuristic_is_added_without_touching_the_search() -> None:
    """Tiles that are not at home, a bound that no module of the product has."""
    mine = Heuristic(misplaced, misplaced_estimate, misplaced_slice)
    chance = random.Random(4)
    for _ in range(5):
        tiles = chance.sample(range(9), 9)
        task = Placement(3, 3, 8, tuple(tiles))
        if distance(task) == UNREACHED:
            continue
        found = run_job(ida_star(task, mine))
        assert len(found.moves) == distance(task)
