"""The paper's instances are as long as it says, and its times count for its own settings only."""

import pytest

from firmware_tools.puzzle8.protocol import PUBLISHED, Puzzle8Algorithm
from solvers.sliding_tile.board import parse_board, place
from solvers.sliding_tile.whole_space import distance


@pytest.mark.parametrize("length", PUBLISHED)
def test_an_instance_takes_as_many_moves_as_its_name_says(length: int) -> None:
    published = PUBLISHED[length]
    start, goal = parse_board(published.start), parse_board(published.goal)
    assert distance(place(start, goal)) == length


def test_times_are_by_algorithm_and_step() -> None:
    example = PUBLISHED[9]
    assert example.milliseconds(Puzzle8Algorithm.ASTAR, 12) == 1_072
    assert example.milliseconds(Puzzle8Algorithm.IDDFS_V2, 1) == 1_650
    assert example.milliseconds(Puzzle8Algorithm.IDDFS_V2, 2) is None
    assert example.milliseconds(Puzzle8Algorithm.POLICY, 1) is None
