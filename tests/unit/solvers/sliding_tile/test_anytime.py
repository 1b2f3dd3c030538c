"""Good solutions of boards whose shortest ones take too long."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.progress import run_job
from solvers.sliding_tile.anytime import Known, solve_anytime
from solvers.sliding_tile.beam import beam_search
from solvers.sliding_tile.board import Board, Placement
from solvers.sliding_tile.heuristics.additive import MANHATTAN
from solvers.sliding_tile.ida_star import ida_star
from solvers.sliding_tile.peeling import finish, part, peel


def mixed(width: int, height: int, goal_blank: int, seed: int, steps: int = 3000) -> Placement:
    """Return a task that a random walk from its goal makes."""
    draw = random.Random(seed)
    board = Board(width, height, tuple(range(width * height)))
    tiles, blank = list(range(width * height)), goal_blank
    for _ in range(steps):
        target = board.target(blank, draw.choice("udlr"))
        if target is not None:
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
            blank = target
    return Placement(width, height, goal_blank, tuple(tiles))


def is_solved_by(task: Placement, moves: str) -> bool:
    board = Board(task.width, task.height, tuple(range(task.cell_count)))
    tiles, blank = list(task.tiles), task.blank
    for move in moves:
        target = board.target(blank, move)
        assert target is not None
        tiles[blank], tiles[target] = tiles[target], tiles[blank]
        blank = target
    return tiles == list(range(task.cell_count))


@settings(max_examples=40)
@given(st.integers(2, 6), st.integers(2, 6), st.data())
def test_every_board_is_solved_line_by_line(width: int, height: int, data: st.DataObject) -> None:
    goal_blank = data.draw(st.integers(0, width * height - 1))
    task = mixed(width, height, goal_blank, data.draw(st.integers(0, 99)))
    moves, left, rest = run_job(peel(task))
    assert max(rest.width, rest.height) <= max(3, min(width, height))
    in_order = set(range(task.cell_count)) - set(rest.cells(width))
    assert all(left.tiles[cell] == cell for cell in in_order)
    assert is_solved_by(task, moves + finish(left, rest))


def test_the_largest_board_is_solved_at_once() -> None:
    task = mixed(10, 10, 99, 1, 20_000)
    moves, left, rest = run_job(peel(task))
    assert is_solved_by(task, moves + finish(left, rest))


def test_a_beam_finds_a_shorter_solution() -> None:
    task = mixed(5, 5, 24, 1)
    moves, left, rest = run_job(peel(task))
    by_lines = moves + finish(left, rest)
    found = run_job(beam_search(task, 2000, len(by_lines)))
    assert found is not None
    assert is_solved_by(task, found)
    assert len(found) < len(by_lines)
    assert run_job(beam_search(task, 500, 20)) is None


def test_a_beam_solves_what_is_left() -> None:
    task = mixed(6, 5, 7, 2)
    moves, left, rest = run_job(peel(task, 4))
    found = run_job(beam_search(part(left, rest), 500, 500))
    assert found is not None
    assert is_solved_by(task, moves + found)


def test_known_solutions_and_bounds_improve_and_are_true() -> None:
    task = mixed(5, 5, 24, 1)
    seen = []
    for event in solve_anytime(task, MANHATTAN):
        if isinstance(event, Known):
            seen.append(event)
            if len(event.moves) < 200 and event.least > 0:
                break
    assert all(is_solved_by(task, each.moves) for each in seen)
    lengths, bounds = [len(each.moves) for each in seen], [each.least for each in seen]
    assert lengths == sorted(lengths, reverse=True)
    assert bounds == sorted(bounds)
    assert bounds[-1] <= lengths[-1]


@pytest.mark.parametrize("side", [4, 5])
def test_the_fewest_moves_are_found_in_the_end(side: int) -> None:
    task = mixed(side, side, 0, 5, 24)
    path = run_job(solve_anytime(task, MANHATTAN))
    assert is_solved_by(task, path.moves)
    assert len(path.moves) == len(run_job(ida_star(task, MANHATTAN)).moves) <= 24
