"""The tile sets that come with the program, and one solution of each soon."""

from functools import partial

import pytest

from solvers.edge_matching.board_file import load_board
from solvers.edge_matching.errors import BoardFileError, TileFileError
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle, sample_names
from solvers.edge_matching.solution import faults
from solvers.edge_matching.solver import find_first, solve
from solvers.edge_matching.tile_file import TileSet
from solvers.foundation.progress import run_job
from solvers.search.executors import processes


@pytest.mark.parametrize("name", sample_names())
def test_a_solution_of_each_sample_is_found_in_few_nodes(name: str) -> None:
    puzzle = load_puzzle(name)
    found = run_job(find_first(puzzle))
    assert found.solution is not None
    assert faults(found.solution, puzzle.board, puzzle.tiles.tiles) == []
    assert found.nodes < 500_000  # without another try the squares alone take three times that


def test_macmahons_sets_are_complete() -> None:
    for name, colours, sides in (("macmahon-squares", 3, 4), ("macmahon-triangles", 4, 3)):
        tiles = load_puzzle(name).tiles
        least = {min(tile[at:] + tile[:at] for at in range(sides)) for tile in tiles.tiles}
        assert (len(tiles.tiles), len(least), tiles.figures) == (24, 24, colours)


def test_no_solution_is_proven_at_the_first_try() -> None:
    found = run_job(find_first(TilePuzzle(load_board("triangle-4"), TileSet(1, ((1, 1, 1),) * 4))))
    assert (found.solution, found.tries) == (None, 1)


def test_a_board_may_be_named_and_a_file_missing() -> None:
    assert load_puzzle("nine-triangles").board.name == "triangle-9"
    assert load_puzzle("macmahon-triangles", "hexagon-24").board.rim is None
    with pytest.raises(BoardFileError, match="There is no board called 'round'"):
        load_puzzle("nine-triangles", "round")
    with pytest.raises(TileFileError, match="`puzzle tiles list` shows"):
        load_puzzle("none.txt")


def test_workers_find_what_one_process_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load_puzzle("nine-triangles")
    alone = run_job(solve(puzzle))
    monkeypatch.setattr("solvers.edge_matching.solver.NODES_OF_TINY_SEARCH", 0)
    together = run_job(solve(puzzle, workers=partial(processes, 1)))
    assert set(together.solutions) == set(alone.solutions)
    assert together.count_total == alone.count_total == 3
