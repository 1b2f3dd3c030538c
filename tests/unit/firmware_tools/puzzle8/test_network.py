"""The network of the 8-puzzle: its images, its file, its walks, and the training."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from firmware_tools.puzzle8 import training
from firmware_tools.puzzle8.network import (
    ACTIONS,
    ACTIONS_SEEN,
    INPUTS,
    MOST_MOVES,
    SYMMETRIES,
    UNIT_BYTES,
    InvalidNetworkError,
    Network,
    centre_positions,
    read_network,
    shipped_network_path,
    solve,
    ways_to_centre,
    write_network,
)
from firmware_tools.puzzle8.protocol import Puzzle8Algorithm
from firmware_tools.puzzle8.session import puzzle8_program
from firmware_tools.puzzle8.tables import neural_sources
from firmware_tools.puzzle8.training import (
    TrainingReport,
    Walks,
    measure_pairs,
    pair_lengths,
    train,
    walk_all,
)
from solvers.foundation.progress import run_job
from solvers.sliding_tile.board import Board, is_solvable, place


@pytest.fixture(scope="module")
def shipped() -> Network:
    return read_network(shipped_network_path())


def random_network(seed: int, units: int = 5) -> Network:
    chance = np.random.default_rng(seed)
    first = chance.integers(-12, 13, (INPUTS, units), dtype=np.int32)
    return Network(first, chance.integers(-127, 128, (units, 4), dtype=np.int32))


@pytest.fixture(scope="module")
def lost(shipped: Network) -> tuple[Network, Walks]:
    """Return a network that lacks some units, and its walks, some of which give up."""
    second = shipped.second.copy()
    second[:16] = 0
    network = Network(shipped.first, second)
    return network, walk_all(network.choices())


def random_pairs(count: int, seed: int) -> list[tuple[Board, Board]]:
    chance = random.Random(seed)
    boards = [Board(3, 3, tuple(chance.sample(range(9), 9))) for _ in range(4 * count)]
    pairs = zip(boards[::2], boards[1::2], strict=True)
    return [pair for pair in pairs if is_solvable(*pair)][:count]


def test_symmetric_positions_have_one_image_and_the_same_moves() -> None:
    space = centre_positions()
    assert (len(space.tiles), len(space.inputs)) == (181_440, 22_780)
    for position in random.Random(1).sample(range(181_440), 50):
        for symmetry in SYMMETRIES:
            tiles = np.empty(9, dtype=np.int64)
            tiles[list(symmetry)] = np.array(symmetry)[space.tiles[position]]
            other = int(space.ranks_to_numbers(tiles[None])[0])
            assert space.images[other] == space.images[position]
            assert space.distances[other] == space.distances[position]
    by_hand = space.neighbours[np.arange(181_440)[:, None], np.array(ACTIONS_SEEN)[space.views]]
    assert ((by_hand >= 0) == space.legal[space.images]).all()
    nearer = (by_hand >= 0) & (space.distances[by_hand] < space.distances[:, None])
    assert (nearer == space.optimal[space.images]).all()


def test_every_image_selects_nine_inputs_of_nine_tiles() -> None:
    inputs = centre_positions().inputs
    assert (inputs[:, 0] < 3).all()
    assert ((inputs[:, 1:] - 3) // 9 == np.arange(8)).all()


def test_the_shipped_network_solves_every_pair(shipped: Network) -> None:
    assert shipped.is_exact(centre_positions().inputs)
    assert shipped.origin == f"aksen puzzle8 train --units {training.UNITS} --seed {training.SEED}"
    report = measure_pairs(shipped.choices())
    assert (report.pairs, report.solved) == (1_632_960, 1_632_960)
    assert report.excess <= 1.01
    assert report.longest <= 34


@pytest.mark.parametrize("is_shipped", [True, False])
def test_all_walks_at_once_are_the_single_ones(
    is_shipped: bool, shipped: Network, lost: tuple[Network, Walks]
) -> None:
    network, walks = (shipped, walk_all(shipped.choices())) if is_shipped else lost
    gave_up = 0
    for start, goal in random_pairs(25, seed=4):
        task = place(start, goal)
        length = int(pair_lengths(walks, np.array([task.tiles]), task.goal_blank)[0])
        moves = solve(network, start, goal)
        if moves is None:
            gave_up += 1
            assert length > MOST_MOVES
        else:
            assert start.moved(moves) == goal
            assert length == len(moves)
    assert (gave_up == 0) == is_shipped


def test_the_guard_leads_out_of_circles(lost: tuple[Network, Walks]) -> None:
    network, guarded = lost
    assert guarded.unfinished < walk_all(network.choices(), guarded=False).unfinished


def test_perfect_moves_are_perfect_walks_to_the_centre() -> None:
    space = centre_positions()
    choices = np.argsort(~space.optimal, axis=1, kind="stable")
    assert (walk_all(choices).lengths == space.distances).all()


def test_a_corner_has_two_ways_to_the_centre() -> None:
    ways = [len(ways_to_centre(blank)) for blank in range(9)]
    assert ways == [2, 1, 2, 1, 1, 1, 2, 1, 2]
    goal = Board(3, 3, (0, 1, 2, 3, 4, 5, 6, 7, 8))
    assert {goal.moved(way).blank for way in ways_to_centre(0)} == {4}


def test_training_repeats_itself_and_fits_the_board() -> None:
    reports = [run_job(train(3, seed, epochs=1)) for seed in (1, 1, 2)]
    rows = [report.network.rows for report in reports]
    assert rows[0] == rows[1] != rows[2]
    assert reports[0].network.is_exact(centre_positions().inputs)


def test_training_ends_when_nothing_improves(monkeypatch: pytest.MonkeyPatch) -> None:
    best = Network(np.zeros((INPUTS, 1), dtype=np.int32), np.zeros((1, 4), dtype=np.int32))
    excess = iter([1.5, 1.2, 1.1, *[1.3] * 20])

    def judge(_: object, epochs: int) -> TrainingReport:
        return TrainingReport(best, epochs, 0, next(excess))

    monkeypatch.setattr(training._Trainer, "run_epoch", lambda *_: None)
    monkeypatch.setattr(training._Trainer, "judge", judge)
    assert run_job(train(1, epochs=100)).excess == 1.1
    assert len(list(excess)) == 23 - 6  # three without progress after the third


@pytest.mark.parametrize("units", [0, 129])
def test_a_number_of_units_that_is_not_possible(units: int) -> None:
    with pytest.raises(InvalidNetworkError, match="1 to 128 units"):
        run_job(train(units))


def test_a_network_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    network = random_network(7)
    write_network(network, path)
    assert read_network(path).rows == network.rows


def test_an_edited_network_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_network(random_network(7), path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["units"][0][0] += 1
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InvalidNetworkError, match="cut off or edited"):
        read_network(path)


def test_the_source_holds_every_weight(shipped: Network) -> None:
    source = neural_sources()["puzzle8_network.c"]
    body = source.partition("network[")[2].partition("= {")[2].partition("}")[0]
    numbers = [int(number) for number in re.findall(r"\d+", body)]
    units = np.array(numbers).reshape(shipped.units, UNIT_BYTES)
    first = units[:, :INPUTS].astype(np.uint8).view(np.int8)
    assert (shipped.first == first.T).all()
    assert (units[:, INPUTS:] - 128 == shipped.second).all()
    assert len(ACTIONS) == UNIT_BYTES - INPUTS


def test_only_neural_takes_a_network(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    write_network(random_network(7), path)
    mine = puzzle8_program(Puzzle8Algorithm.NEURAL, path).generated
    assert mine == neural_sources(read_network(path))
    assert mine != puzzle8_program(Puzzle8Algorithm.NEURAL).generated
    with pytest.raises(InvalidNetworkError, match="policy has no network"):
        puzzle8_program(Puzzle8Algorithm.POLICY, path)
