"""The puzzle8 images, as built for the board, on the simulated chip: answers, cycles, sizes."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from firmware_tools.puzzle8.network import (
    INPUTS,
    Network,
    centre_positions,
    rate,
    read_network,
    shipped_network_path,
    solve,
    write_network,
)
from firmware_tools.puzzle8.protocol import PUBLISHED
from solvers.sliding_tile.board import parse_board
from solvers.sliding_tile.whole_space import UNREACHED, distances_to
from tests.benchmarks.bench_puzzle8 import LIMITS, sample
from tests.benchmarks.bench_repeated_astar import solve_on_host
from tests.benchmarks.puzzle8_runner import (
    GAVE_UP,
    UNSOLVABLE,
    SolveEntry,
    goal_with_blank,
    random_pairs,
    replay,
    unrank,
)

pytestmark = pytest.mark.needs_sdcc

Entries = Callable[[str], SolveEntry]

CODE_BYTES, XDATA_BYTES, STACK_AND_DATA_BYTES = 32_768, 7_116, 221
SMALL_IMAGE_BYTES = 16_384
NEURAL_STEP_CYCLES = 20_000
# Lengths that iddfs_v2 finds with these step widths, from the paper's tables.
PAPER_V2 = {(11, 10): 19, (12, 10): 20}


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory, firmware_cache: Path) -> Iterator[Entries]:
    folder = tmp_path_factory.mktemp("puzzle8")

    @cache
    def get(algorithm: str) -> SolveEntry:
        return SolveEntry(algorithm, folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(firmware_cache))
        yield get


@pytest.mark.parametrize(
    ("algorithm", "per_distance"), [("policy", 21), ("policy-c", 3), ("policy-small", 3)]
)
def test_stratified_pairs_are_optimal_within_the_cycles(
    algorithm: str, per_distance: int, entries: Entries
) -> None:
    entry = entries(algorithm)
    pairs = sample(per_distance, seed=5)
    assert len(pairs) >= (5_000 if algorithm == "policy" else 700)
    chance, cycles = random.Random(6), []
    for start, goal, distance in pairs:
        # Other names for the tiles: the programs must not depend on the goal's letters.
        names = str.maketrans("abcdefgh", "".join(chance.sample("abcdefgh", 8)))
        start, goal = start.translate(names), goal.translate(names)
        result = entry.solve(start, goal)
        assert (result.count, replay(start, result.moves)) == (distance, goal), (start, goal)
        cycles.append(result.cycles)
    worst, mean = LIMITS[algorithm]
    assert max(cycles) <= worst
    assert sum(cycles) / len(cycles) <= (mean or worst)


@pytest.mark.parametrize(
    "algorithm", ["policy", "policy-c", "policy-small", "iddfs_v2", "neural", "astar-repeated"]
)
def test_unsolvable_pairs_are_refused(algorithm: str, entries: Entries) -> None:
    chance = random.Random(7)
    for goal_blank in range(9):
        distances = distances_to(goal_blank)
        numbers = [n for n in chance.sample(range(362_880), 80) if distances[n] == UNREACHED]
        for number in numbers:
            result = entries(algorithm).solve(
                unrank(number, goal_blank), goal_with_blank(goal_blank)
            )
            assert result.count == UNSOLVABLE


@pytest.mark.parametrize("algorithm", [*LIMITS, "neural", "astar-repeated"])
def test_boards_that_are_the_same_take_no_moves(algorithm: str, entries: Entries) -> None:
    for blank in range(9):
        goal = goal_with_blank(blank)
        assert entries(algorithm).solve(goal, goal).count == 0


@pytest.mark.parametrize(
    "algorithm", ["policy", "policy-c", "policy-small", "neural", "astar-repeated"]
)
def test_the_image_fits_the_board(algorithm: str, entries: Entries) -> None:
    entry = entries(algorithm)
    rows = {row.name: row.used for row in entry.report.rows}
    assert entry.image_bytes <= CODE_BYTES
    assert rows["xdata"] <= XDATA_BYTES
    board_start = 24 + 11  # register banks and the library's variables
    assert rows["internal RAM"] - board_start + rows["stack, worst case"] <= STACK_AND_DATA_BYTES


def test_the_small_image_takes_16_kilobytes(entries: Entries) -> None:
    assert entries("policy-small").image_bytes <= SMALL_IMAGE_BYTES


@pytest.mark.parametrize("algorithm", ["policy", "policy-c", "policy-small", "iddfs_v1", "neural"])
def test_the_example_of_the_paper(algorithm: str, entries: Entries) -> None:
    start, goal = PUBLISHED[9].start, PUBLISHED[9].goal
    assert entries(algorithm).solve(start, goal).moves == "urulddruu"


@pytest.mark.parametrize("step_width", [1, 2, 5, 10])
@pytest.mark.parametrize("length", [8, 9, 10, 11, 12])
def test_iddfs_v2_finds_the_lengths_of_the_paper(
    length: int, step_width: int, entries: Entries
) -> None:
    start, goal = PUBLISHED[length].start, PUBLISHED[length].goal
    result = entries("iddfs_v2").solve(start, goal, step_width=step_width)
    assert replay(start, result.moves) == goal
    assert result.count == PAPER_V2.get((length, step_width), length)
    if length == 9:
        assert result.moves == "urulddruu"


@pytest.mark.parametrize("length", [8, 9, 10, 11, 12])
def test_iddfs_v1_finds_the_lengths_of_the_paper(length: int, entries: Entries) -> None:
    start, goal = PUBLISHED[length].start, PUBLISHED[length].goal
    result = entries("iddfs_v1").solve(start, goal)
    assert (result.count, replay(start, result.moves)) == (length, goal)


@pytest.mark.parametrize("parent_heuristic", [False, True])
@pytest.mark.parametrize("length", [8, 9, 10, 11, 12, 18])
def test_astar_stops_at_twelve_moves(length: int, parent_heuristic: bool, entries: Entries) -> None:
    start, goal = PUBLISHED[length].start, PUBLISHED[length].goal
    result = entries("astar").solve(start, goal, step_width=12, parent_heuristic=parent_heuristic)
    assert result.count == (length if length <= 12 else GAVE_UP)
    if length == 9:
        assert result.moves == "urulddruu"


def test_the_network_rates_as_its_model_does(entries: Entries) -> None:
    network, space = read_network(shipped_network_path()), centre_positions()
    for position in random.Random(8).sample(range(len(space.tiles)), 1_500):
        place = np.argsort(space.tiles[position])
        ratings, cycles = entries("neural").rate(place.tolist())
        assert ratings == rate(network, place)[1]
        assert cycles <= NEURAL_STEP_CYCLES


def test_the_network_walks_as_its_model_does(entries: Entries, tmp_path: Path) -> None:
    """Also one with random weights, which meets the guard against circles and gives up."""
    chance = np.random.default_rng(1)
    weights = chance.integers(-12, 13, (INPUTS + 4, 5), dtype=np.int32)
    write_network(Network(weights[:INPUTS], 10 * weights[INPUTS:].T), tmp_path / "random.json")
    images = {
        shipped_network_path(): entries("neural"),
        tmp_path / "random.json": SolveEntry("neural", tmp_path, tmp_path / "random.json"),
    }
    outcomes = set()
    for path, entry in images.items():
        network = read_network(path)
        for start, goal, _ in sample(1, seed=10)[::9]:
            result, expected = entry.solve(start, goal), None
            expected = solve(network, parse_board(start), parse_board(goal))
            assert result.moves == (expected or "")
            assert (result.count == GAVE_UP) == (expected is None)
            outcomes.add((path.name, expected is None))
    assert outcomes == {("network.json", False), ("random.json", False), ("random.json", True)}


@pytest.mark.usefixtures("entries")  # which shares the compiled library
def test_a_step_of_the_network_takes_its_cycles(tmp_path: Path) -> None:
    entry = SolveEntry("neural", tmp_path)
    entry.watch("_step")
    for start, goal, _ in sample(1, seed=11)[::12]:
        entry.solve(start, goal)
        assert max(entry.step_cycles, default=0) <= NEURAL_STEP_CYCLES


def test_repeated_astar_solves_what_its_memory_is_too_small_for(entries: Entries) -> None:
    found = shortest = 0
    for start, goal, distance in sample(1, seed=12)[::8]:
        result = entries("astar-repeated").solve(start, goal)
        assert replay(start, result.moves) == goal
        assert distance <= result.count <= 60
        found, shortest = found + result.count, shortest + distance
    assert found <= 1.5 * shortest


def test_repeated_astar_solves_a_thousand_pairs_on_the_host() -> None:
    """One of these is given up without the term for visits, and one without that for the depth."""
    _, excess = solve_on_host(random_pairs(1_000, seed=33))
    assert excess <= 1.25
