"""The search of cell after cell: whatever order, anchor or cut, it finds the same."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path
from random import Random

import numpy as np
import pytest

from solvers.edge_matching.board_file import load_board, parse_board
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle
from solvers.edge_matching.scan.kernel import NONE, WORD, Plan, Work, probe
from solvers.edge_matching.scan.layouts import choose, estimate, first_scan, orders
from solvers.edge_matching.scan.plan import Layout, Scan
from solvers.edge_matching.scan.search import Search, prefixes
from solvers.edge_matching.solution import faults
from solvers.edge_matching.solver import PartResult, TilePartStore, find_first, solve
from solvers.edge_matching.tile_file import TileSet, load_tiles
from solvers.foundation.progress import Progress, run_job
from tests.oracles.tile_covering import count_by_covering

EDGES_A_LABEL = 4
PUZZLES = Path(__file__).parents[3] / "data" / "puzzles" / "triangles"


@pytest.fixture(scope="module")
def triangles() -> TilePuzzle:
    """Return a puzzle with 12 solutions, 4 up to the board's turns."""
    return TilePuzzle(load_board("triangle-9"), load_tiles(PUZZLES / "puzzle1.txt"))


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search small puzzles too in parts."""
    monkeypatch.setattr("solvers.edge_matching.solver.NODES_OF_TINY_SEARCH", 0)


def whole(search: Search) -> Search:
    while not search.finished:
        search.advance(10_000)
    return search


def test_every_order_and_anchor_gives_the_same_number(triangles: TilePuzzle) -> None:
    every = tuple(orders(triangles.board))
    assert len(set(every)) == len(every) > 8
    for order in every[::3]:
        for anchor, solutions in ((None, 12), *((kind, 4) for kind in triangles.anchors[::4])):
            search = Search(Scan(triangles, Layout(order, anchor)), keep=False)
            assert whole(search).found == solutions


def test_orders_hold_every_cell_once_and_begin_outside_or_in_lines() -> None:
    board = load_board("square-4x4")
    for order in orders(board):
        assert sorted(order) == list(range(16))
    rings = [order for order in orders(board) if set(order[12:]) == {5, 6, 9, 10}]
    assert {order[0] for order in rings} >= {0, 3, 12, 15}
    touching = [{first, second} for (first, _), (second, _) in board.inner_edges]
    for ring in rings:
        assert all(set(pair) in touching for pair in pairwise(ring[:12]))


def test_beginnings_are_the_whole_search_in_parts(triangles: TilePuzzle) -> None:
    scan = choose(first_scan(triangles))
    some = prefixes(scan, 20)
    assert len(some) >= 20
    assert len({len(each) for each in some}) == 1
    found = [whole(Search(scan, each)).found for each in some]
    assert sum(found) == whole(Search(scan)).found == 4
    assert found.count(0) > 10
    assert prefixes(scan, 10**9) == prefixes(scan, 10**8) != []


def test_a_search_that_begins_anew_anywhere_finds_what_a_new_one_does(
    triangles: TilePuzzle,
) -> None:
    scan = choose(first_scan(triangles))
    again = Search(scan)
    for number, prefix in enumerate(prefixes(scan, 20)):
        again.advance(3 * number)
        again.begin(prefix)
        assert again.found == again.nodes == 0
        new = whole(Search(scan, prefix))
        assert (whole(again).found, again.nodes) == (new.found, new.nodes)
        again.begin(())


def test_a_search_in_small_portions_finds_the_same(triangles: TilePuzzle) -> None:
    scan = choose(first_scan(triangles))
    at_once = Search(scan)
    every = []
    while not at_once.finished:
        every += at_once.advance(10**9)
    slow, rows, shares = Search(scan, rows=1), [], [0.0]
    while not slow.finished:
        rows += slow.advance(7)
        shares.append(slow.share_done)
    assert rows == every
    assert slow.nodes == at_once.nodes
    assert shares == sorted(shares)
    assert (shares[-1], 0.2 < shares[len(shares) // 2] < 0.8) == (1.0, True)


def test_what_is_estimated_is_near_what_is_visited(triangles: TilePuzzle) -> None:
    for order in islice(orders(triangles.board), 3):
        scan = Scan(triangles, Layout(order, triangles.anchors[0]))
        nodes = whole(Search(scan, keep=False)).nodes
        assert 0.7 < estimate(scan, 3000) / nodes < 1.4


def test_the_frame_is_laid_first_where_all_of_it_shows_one_label() -> None:
    """A search of lines visits some twenty times as many nodes on MacMahon's squares."""
    chosen = choose(first_scan(load_puzzle("macmahon-squares"), for_one=True))
    inner = {row * 6 + column for row in (1, 2) for column in range(1, 5)}
    assert set(chosen.layout.order[16:]) == inner
    nodes = estimate(chosen, 300)
    lines = Scan(chosen.puzzle, Layout(tuple(range(24)), chosen.layout.anchor))
    assert estimate(lines, 300) > 5 * nodes


def test_where_tables_are_large_no_other_layout_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = load_puzzle("macmahon-squares")
    monkeypatch.setattr("solvers.edge_matching.scan.layouts.MOST_ENTRIES", 1)
    assert choose(first_scan(puzzle)).layout.order == next(orders(puzzle.board))


def nodes_by(plan: Plan, work: Work, depth: int) -> float:
    """Return the estimated nodes of a search on these arrays."""
    return sum(probe(plan, work, depth, seed) for seed in range(1, 1001))


def test_labels_that_are_used_up_and_an_anchor_that_is_due_end_a_part_at_once() -> None:
    puzzle = load_puzzle("macmahon-squares")
    scan = Scan(puzzle, Layout(tuple(range(24)), puzzle.anchors[-1]))
    nodes = nodes_by(scan.plan, scan.work(), scan.depth)
    plenty = scan.plan._replace(guards=np.zeros_like(scan.plan.guards))
    assert nodes_by(plenty, scan.work(), scan.depth) > 2 * nodes
    never = scan.plan._replace(due=np.full_like(scan.plan.due, NONE))
    assert nodes_by(never, scan.work(), scan.depth) > 1.3 * nodes


def test_tiles_are_laid_in_another_order_at_every_try(triangles: TilePuzzle) -> None:
    laid = set()
    for seed in range(6):
        search = Search(choose(first_scan(triangles, for_one=True)), rows=1, seed=seed)
        laid.add(search.advance(10**6)[0])
    assert len(laid) > 1
    hopeless = replace(triangles, board=replace(triangles.board, rim=3))
    assert run_job(find_first(hopeless)).solution is None


def test_boards_of_more_kinds_than_a_word_has_bits_are_searched_whole() -> None:
    """Some inner edges of the board share a label, so that there are several tiles to try."""
    columns, rows = 8, 9
    drawn = ["#" * columns] * rows
    board = parse_board(f'tiles = "squares"\nrows = {drawn}\nmatch = "same label"\nrim = 0', "big")
    tiles = [[0] * 4 for _ in board.cells]
    for number, ((cell, at), (other, other_at)) in enumerate(board.inner_edges):
        tiles[cell][at] = tiles[other][other_at] = 1 + number // EDGES_A_LABEL
    Random(5).shuffle(tiles)
    puzzle = TilePuzzle(board, TileSet(len(board.inner_edges), tuple(map(tuple, tiles))))
    assert len(puzzle.kinds) > WORD
    first = run_job(find_first(puzzle)).solution
    assert first is not None
    assert not faults(first, board, puzzle.tiles.tiles)
    counted = run_job(solve(puzzle, only_count=True)).count_total
    assert counted == count_by_covering(puzzle)[0] == 2


def stopped(puzzle: TilePuzzle, folder: Path, events: int, *, resume: bool) -> TilePartStore:
    """Search until some events have come, then stop and keep what is finished."""
    finished = TilePartStore(folder, puzzle, resume=resume)
    job = solve(puzzle, keeper=finished)
    for _ in range(events):
        next(job)
    job.close()
    assert finished.save()
    return finished


@pytest.mark.usefixtures("in_parts")
def test_a_search_that_was_stopped_goes_on(triangles: TilePuzzle, tmp_path: Path) -> None:
    alone = run_job(solve(triangles))
    first = stopped(triangles, tmp_path, 20, resume=False)
    assert 0 < first.progress[0] < first.progress[1]
    again = stopped(triangles, tmp_path, 20, resume=True)
    assert first.progress[0] < again.progress[0] < again.progress[1]
    resumed = TilePartStore(tmp_path, triangles, resume=True)
    assert run_job(solve(triangles, keeper=resumed)) == alone
    assert resumed.progress == (again.progress[1],) * 2


def test_a_tiny_search_is_not_parted_and_any_other_is(
    triangles: TilePuzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    (done,), tiny = events(triangles), run_job(solve(triangles))
    assert (done.share, tiny.nodes > 1000) == (1.0, True)
    monkeypatch.setattr("solvers.edge_matching.solver.NODES_OF_TINY_SEARCH", tiny.nodes // 2)
    assert len(list(events(triangles))) > 100
    parted = run_job(solve(triangles))
    assert set(parted.solutions) == set(tiny.solutions)


def events(puzzle: TilePuzzle) -> Iterator[Progress]:
    """Yield the events of a search."""
    yield from solve(puzzle)


def kept_counts(tmp_path: Path, puzzle: TilePuzzle) -> Iterator[int]:
    for only_count in (False, True):
        finished = TilePartStore(tmp_path, puzzle, resume=True)
        next(solve(puzzle, only_count=only_count, keeper=finished))
        yield finished.progress[0]


@pytest.mark.usefixtures("in_parts")
def test_what_was_kept_for_another_search_is_not_used(
    triangles: TilePuzzle, tmp_path: Path
) -> None:
    done = stopped(triangles, tmp_path, 30, resume=False).progress[0]
    solutions, counted = kept_counts(tmp_path, triangles)
    assert solutions >= done > counted
    other = replace(triangles, board=replace(triangles.board, rim=1))
    assert (
        TilePartStore(tmp_path, other, resume=True).path
        != stopped(triangles, tmp_path, 1, resume=False).path
    )


def test_a_damaged_row_counts_as_nothing_kept(triangles: TilePuzzle, tmp_path: Path) -> None:
    finished = TilePartStore(tmp_path, triangles, resume=True)
    finished.load(3, "way")
    finished.add(0, PartResult([(1, 2)], 1, 5))
    assert finished.save()
    assert TilePartStore(tmp_path, triangles, resume=True).load(3, "way") == {
        0: PartResult([(1, 2)], 1, 5)
    }
    assert TilePartStore(tmp_path, triangles, resume=True).load(3, "other") == {}
    finished.path.write_text(finished.path.read_text().replace("[[1, 2]]", "[[1, 3]]"))
    assert TilePartStore(tmp_path, triangles, resume=True).load(3, "way") == {}
