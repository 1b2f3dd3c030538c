"""Good solutions of boards whose shortest ones take too long."""

import random
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.progress import Progress, run_job
from solvers.sliding_tile import anytime, beam
from solvers.sliding_tile.anytime import Known, solve_anytime
from solvers.sliding_tile.beam import beam_search, widest_beam
from solvers.sliding_tile.board import Board, Placement
from solvers.sliding_tile.heuristics.additive import MANHATTAN
from solvers.sliding_tile.heuristics.linear_conflict import LINEAR_CONFLICT
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


def test_memory_grows_with_the_beam() -> None:
    task = mixed(5, 5, 24, 1)
    peaks = []
    for width in (100, 4000):
        tracemalloc.start()
        run_job(beam_search(task, width, 40))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    table = beam.SEEN_BITS * 4000 * 40 // 8
    assert peaks[0] < 1_000_000
    assert table < peaks[1] < 50 * table


@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 4), (4, 6), (7, 3)])
def test_a_beam_goes_by_the_bound_that_ida_star_goes_by(width: int, height: int) -> None:
    task = mixed(width, height, 3, width)
    tables = beam._tables(task, np.random.default_rng(1))
    boards, moves = beam._start(task, tables)
    seen, latest = np.zeros(1 << 15, np.uint8), np.empty(1 << 14, np.int32)
    for _ in range(6):
        moves = beam._next(boards, moves, tables, seen, latest)
        boards = beam._moved(boards, moves, tables)
    assert len(moves.distance) > 20
    # Tables for lines of more than six places would be too large.
    heuristic = LINEAR_CONFLICT if max(width, height) <= 6 else MANHATTAN
    for cells, distance in zip(boards.cells.tolist(), moves.distance.tolist(), strict=True):
        bounds = run_job(heuristic.prepare(replace(task, tiles=tuple(cells))))
        assert distance == heuristic.estimate(bounds)


def test_parts_of_a_solution_are_searched_again() -> None:
    task = mixed(5, 5, 24, 1)
    moves, left, rest = run_job(peel(task))
    best = moves + finish(left, rest)
    *_, shorter = anytime._by_windows(task, best, 50)
    assert len(shorter) < 0.9 * len(best)
    assert is_solved_by(task, shorter)


def test_no_beam_takes_more_memory_than_there_is_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert widest_beam(1000) * 1000 * beam.BYTES_PER_BOARD <= beam.MOST_BYTES
    monkeypatch.setattr(beam, "MOST_BYTES", 300_000)
    monkeypatch.setattr(anytime, "BEAM_WIDTHS", (50_000,))
    widths: list[int] = []

    def search(_: Placement, width: int, most: int) -> Iterator[Progress]:
        widths.append(width * most * beam.BYTES_PER_BOARD)
        yield from ()

    monkeypatch.setattr(anytime, "beam_search", search)
    task = mixed(5, 5, 24, 1)
    moves, left, rest = run_job(peel(task))
    list(anytime._shorter(task, moves + finish(left, rest)))
    assert widths
    assert max(widths) <= 300_000


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
