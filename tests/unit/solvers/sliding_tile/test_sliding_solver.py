"""Every algorithm finds shortest solutions, and they lead from start to goal."""

import random
from itertools import islice
from pathlib import Path

import pytest

from solvers.foundation import table_cache
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Progress, run_job
from solvers.sliding_tile.anytime import Known
from solvers.sliding_tile.board import Board, UnsolvableError, is_solvable, parse_board, place
from solvers.sliding_tile.solver import Algorithm, Solution, choose
from solvers.sliding_tile.solver import solve as solving
from solvers.sliding_tile.whole_space import distance

KORF_GOAL = parse_board(" ".join(map(str, range(16))))
# Instances 12 and 79 of Korf (1985), with the optimal lengths published there.
KORF_EASY = [
    ("14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 45),
    ("0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 42),
]
SEARCHES = [algorithm for algorithm in Algorithm if algorithm is not Algorithm.AUTO]


def solve(start: Board, goal: Board, algorithm: Algorithm = Algorithm.AUTO) -> Solution:
    """Return a solution."""
    return run_job(solving(start, goal, algorithm))


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tables away from the user's cache."""
    monkeypatch.setattr(table_cache, "cache_directory", lambda: tmp_path)


@pytest.mark.parametrize("algorithm", SEARCHES)
def test_solutions_of_the_8_puzzle_are_shortest(algorithm: Algorithm) -> None:
    chance = random.Random(8)
    solved = 0
    while solved < 25:
        start, goal = (Board(3, 3, tuple(chance.sample(range(9), 9))) for _ in range(2))
        if not is_solvable(start, goal):
            with pytest.raises(UnsolvableError):
                solve(start, goal, algorithm)
            continue
        solution = solve(start, goal, algorithm)
        assert start.moved(solution.moves) == goal
        assert len(solution.moves) == distance(place(start, goal))
        solved += 1


@pytest.mark.parametrize("algorithm", [Algorithm.LINEAR_CONFLICT, Algorithm.WALKING_DISTANCE])
@pytest.mark.parametrize(("cells", "length"), KORF_EASY)
def test_easy_instances_of_the_15_puzzle(cells: str, length: int, algorithm: Algorithm) -> None:
    start = parse_board(cells)
    solution = solve(start, KORF_GOAL, algorithm)
    assert len(solution.moves) == length
    assert start.moved(solution.moves) == KORF_GOAL


def test_a_goal_in_the_middle_of_the_15_puzzle() -> None:
    goal = parse_board("1 2 3 4, 5 0 6 7, 8 9 10 11, 12 13 14 15")
    start = goal.moved("drurdldlluru")
    solution = solve(start, goal, Algorithm.PATTERN_DATABASE)
    assert start.moved(solution.moves) == goal
    assert len(solution.moves) == len(solve(start, goal, Algorithm.WALKING_DISTANCE).moves)


def test_boards_that_are_not_square_and_larger_ones() -> None:
    for goal in (Board(4, 2, tuple(range(8))), Board(5, 5, tuple(range(25)))):
        start = goal.moved("rdlurrdlurdl"[:9])
        solution = solve(start, goal)
        assert start.moved(solution.moves) == goal
        assert len(solution.moves) <= 9


def test_nothing_to_do_takes_no_moves() -> None:
    for algorithm in SEARCHES:
        board = parse_board("abcdefgho")
        assert solve(board, board, algorithm).moves == ""


def test_the_choice_depends_on_the_size() -> None:
    assert choose(parse_board("abcdefgho")) is Algorithm.WHOLE_SPACE
    assert choose(KORF_GOAL) is Algorithm.PATTERN_DATABASE
    assert choose(Board(2, 3, tuple(range(6)))) is Algorithm.WALKING_DISTANCE
    assert choose(Board(5, 5, tuple(range(25)))) is Algorithm.LINEAR_CONFLICT


def test_algorithms_refuse_boards_they_do_not_take() -> None:
    board = Board(5, 5, tuple(range(25)))
    with pytest.raises(InvalidInputError, match="3 x 3"):
        solve(board, board, Algorithm.WHOLE_SPACE)
    with pytest.raises(InvalidInputError, match="4 x 4"):
        solve(board, board, Algorithm.WALKING_DISTANCE)


def test_progress_is_reported() -> None:
    events: list[Progress] = []
    start = parse_board(KORF_EASY[1][0])
    solution = run_job(solving(start, KORF_GOAL, Algorithm.LINEAR_CONFLICT), events.append)
    known = [event for event in events if isinstance(event, Known)]
    bounds = [event.least for event in known]
    assert bounds[-1] == len(solution.moves)
    assert bounds == sorted(bounds)
    assert [event.done for event in known] == sorted(event.done for event in known)


def test_closing_a_search_ends_it() -> None:
    job = solving(parse_board(KORF_EASY[0][0]), KORF_GOAL, Algorithm.MANHATTAN)
    next(job)
    job.close()
    with pytest.raises(StopIteration):
        next(job)


def test_bounds_beyond_four_hundred_moves_grow() -> None:
    """A mixed board of 10 x 10 is far beyond the search, which still works correctly."""
    chance = random.Random(10)
    goal = Board(10, 10, tuple(range(100)))
    tiles = chance.sample(range(100), 100)
    start = Board(10, 10, tuple(tiles))
    if not is_solvable(start, goal):
        tiles[0], tiles[1] = tiles[1], tiles[0]
        start = Board(10, 10, tuple(tiles))
    job = solving(start, goal, Algorithm.MANHATTAN)
    bounds: list[int] = []
    for event in islice(job, 150):
        if isinstance(event, Known) and event.least:
            bounds.append(event.least)
    job.close()
    assert bounds[0] > 400
    assert bounds == sorted(bounds)
    assert len(set(bounds)) >= 3


def test_a_large_board_that_is_near_is_solved() -> None:
    goal = Board(10, 10, tuple(range(100)))
    start = goal.moved("drdrdldrdruurdldrrdllurdrd")
    solution = solve(start, goal)
    assert start.moved(solution.moves) == goal
    assert len(solution.moves) <= 26
