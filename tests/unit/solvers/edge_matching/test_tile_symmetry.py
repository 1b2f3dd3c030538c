"""Tiles that are the same in a mirror or with other labels: one solution stands for many."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count, islice

import pytest

from solvers.edge_matching.board import Board
from solvers.edge_matching.board_file import load_board, parse_board
from solvers.edge_matching.lattice import LATTICES
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle
from solvers.edge_matching.scan.kernel import probe
from solvers.edge_matching.scan.layouts import choose, estimate, first_scan, orders
from solvers.edge_matching.scan.plan import Layout, Scan
from solvers.edge_matching.scan.search import SymmetryReducer, prefixes
from solvers.edge_matching.solution import faults, picture, turns_of, with_turns
from solvers.edge_matching.solver import Found, solve
from solvers.edge_matching.symmetry import symmetries
from solvers.edge_matching.tile_file import TileSet
from solvers.foundation.progress import run_job

CHOICE = "solvers.edge_matching.scan.layouts"
OBLONG = 'tiles = "squares"\nrows = ["####", "####"]'


@pytest.fixture
def every_search_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for symmetries where a search is over before they are found."""
    monkeypatch.setattr("solvers.edge_matching.solver.NODES_OF_TINY_SEARCH", 0)
    monkeypatch.setattr(f"{CHOICE}.SMALL", 0)
    monkeypatch.setattr(f"{CHOICE}.LARGE", 0)
    monkeypatch.setattr(f"{CHOICE}.FIRST_PROBES", 1)


@pytest.mark.parametrize("name", sorted(LATTICES))
def test_reflections_keep_neighbours_and_are_no_rotations(name: str) -> None:
    lattice = LATTICES[name]
    assert len(set(lattice.reflections)) == len(lattice.rotations)
    assert not set(lattice.reflections) & set(lattice.rotations)
    for each in lattice.reflections:
        for side, corners in enumerate(lattice.sides):
            moved = {each.corners[corner] for corner in corners}
            assert moved == set(lattice.sides[each.sides[side]])
        twice = {tuple(each.corners[corner] for corner in each.corners)}
        assert twice <= {rotation.corners for rotation in lattice.rotations}


def swapped(tile: Labels) -> Labels:
    return tuple({1: 2, 2: 1, -1: -2, -2: -1}.get(label, label) for label in tile)


def other_half(tile: Labels) -> Labels:
    return tuple(-label for label in tile)


def mirrored(tile: Labels) -> Labels:
    return tuple(reversed(tile))


def closed_set(
    board: Board, own: Labels, change: Callable[[Labels], Labels], seed: int
) -> TilePuzzle:
    """Return tiles that a change makes the same tiles of; `own` is one that it leaves as it is."""
    rng = random.Random(seed)
    labels = range(1, 5) if board.same_labels else (1, 2, -1, -2)
    tiles = [own]
    while len(tiles) < len(board.cells):
        tile = tuple(rng.choice(labels) for _ in own)
        same = change(tile) in turns_of(tile, board.lattice)
        tiles += [tile] if same else [tile, change(tile)]
        tiles = tiles[:1] if len(tiles) > len(board.cells) else tiles
    return TilePuzzle(board, TileSet(4, tuple(tiles)))


def plainly(puzzle: TilePuzzle) -> Found:
    """Return what is found where no symmetry but the board's turns is made use of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{CHOICE}.SMALL", 10**30)
        return run_job(solve(puzzle))


@pytest.mark.usefixtures("every_search_is_large")
@pytest.mark.parametrize(
    ("board_name", "change", "own"),
    [
        ("square-2x2", swapped, (1, 1, 2, 2)),
        ("2 x 4", swapped, (1, 3, 2, 3)),
        ("2 x 4", other_half, (1, 2, -1, -2)),
        ("2 x 4", mirrored, (1, 2, 3, 2)),
    ],
)
def test_every_solution_is_found_where_one_stands_for_others(
    board_name: str, change: Callable[[Labels], Labels], own: Labels
) -> None:
    board = parse_board(OBLONG, "oblong") if board_name == "2 x 4" else load_board(board_name)
    board = replace(board, same_labels=change is not other_half)
    sets = (closed_set(board, own, change, number) for number in count())
    puzzle = next(each for each in sets if len(choose(first_scan(each)).group) > len(each.turns))
    expected, found = plainly(puzzle), run_job(solve(puzzle))
    pictures = {*map(picture, with_turns(expected.solutions, puzzle.turns))}
    assert {*map(picture, with_turns(found.solutions, puzzle.turns))} == pictures
    assert not any(faults(each, board, puzzle.tiles.tiles) for each in found.solutions)
    counts = expected.count_up_to_turns, expected.count_total
    counted = run_job(solve(puzzle, only_count=True))
    assert (
        (found.count_up_to_turns, found.count_total)
        == counts
        == (len(found.solutions), len(pictures))
    )
    assert (counted.count_up_to_turns, counted.count_total) == counts


def test_macmahons_squares_have_the_symmetries_of_their_frame_and_two_colours() -> None:
    puzzle = load_puzzle("macmahon-squares")
    found = symmetries(puzzle.board, puzzle.tiles.tiles)
    assert len(found) == 8
    assert sum(each.renames_alone for each in found) == 2
    assert all(each.renamed[1] == 1 for each in found)
    free = replace(puzzle.board, rim=None)
    assert len(symmetries(free, puzzle.tiles.tiles)) == 4 * 6


def test_tiles_by_chance_have_the_turns_of_the_board_alone() -> None:
    board = load_board("square-4x4")
    rng = random.Random(1)
    tiles = tuple(tuple(rng.randint(1, 4) for _ in range(4)) for _ in board.cells)
    found = symmetries(replace(board, same_labels=True), tiles)
    assert {each.turn for each in found} == set(board.turns)
    assert all(each.renamed[label] == label for each in found for label in range(1, 5))


def test_a_beginning_stands_for_those_that_renaming_makes_of_it() -> None:
    puzzle = load_puzzle("macmahon-squares")
    order = next(islice(orders(puzzle.board), 1, None))
    for anchor in puzzle.anchors:
        scan = Scan(puzzle, Layout(order, anchor, by_all=True))
        every = prefixes(scan, 200)
        kept = SymmetryReducer(scan).prefixes(every)
        assert sum(each.images for each in kept) == len(every)
        assert len(kept) < 0.6 * len(every) or len(scan.renamings) == 1
    assert {len(puzzle.group(anchor)) for anchor in puzzle.anchors} == {2, 4, 8}


def test_what_renaming_spares_is_not_expected_to_be_visited() -> None:
    puzzle = load_puzzle("macmahon-squares")
    order = next(islice(orders(puzzle.board), 1, None))
    layouts = (Layout(order, each, by_all=True) for each in puzzle.anchors)
    scan = next(each for each in (Scan(puzzle, layout) for layout in layouts) if each.renamings[1:])
    whole = [probe(scan.plan, scan.work(), scan.depth, seed + 1) for seed in range(20)]
    assert estimate(scan, 20) == sum(whole) / 20 / 2


@pytest.mark.usefixtures("every_search_is_large")
def test_with_hints_spare_tiles_or_too_many_names_only_turns_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = load_puzzle("macmahon-squares")
    hinted = load_puzzle("macmahon-squares", hints=["1 2 2"])
    spare = replace(puzzle, board=replace(puzzle.board, spare_tiles=True))
    for each in (hinted, spare):
        assert each.group(puzzle.anchors[0]) == each.plain_group
    monkeypatch.setattr("solvers.edge_matching.symmetry.MOST_RENAMINGS", 1)
    assert symmetries(puzzle.board, puzzle.tiles.tiles) == []
