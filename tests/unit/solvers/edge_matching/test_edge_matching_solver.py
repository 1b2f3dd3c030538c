"""All solutions, against a plain search that shares nothing with the product's."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.edge_matching.board import Board, Hint
from solvers.edge_matching.board_file import load_board, parse_board
from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.picture import to_drawing, to_text
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle
from solvers.edge_matching.solution import (
    PlacedTile,
    faults,
    picture,
    turned,
    up_to_turns,
    with_turns,
)
from solvers.edge_matching.solver import Found
from solvers.edge_matching.solver import solve as solving
from solvers.edge_matching.tile_file import TileSet, load_tiles
from solvers.foundation.progress import run_job
from tests.oracles.tile_covering import count_by_covering

PUZZLES = Path(__file__).parents[3] / "data" / "puzzles" / "triangles"


def solve(puzzle: TilePuzzle, *, only_count: bool = False) -> Found:
    """Return what is found at once; as much is found in parts."""
    found = run_job(solving(puzzle, only_count=only_count))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("solvers.edge_matching.solver.NODES_OF_TINY_SEARCH", 0)
        parted = run_job(solving(puzzle, only_count=only_count))
    numbers = found.count_total, found.count_up_to_turns, len(found.solutions)
    assert numbers == (parted.count_total, parted.count_up_to_turns, len(parted.solutions))
    return found


SMALL_BOARDS = ["triangle-4", "hexagon-6", "square-2x2"]


def plain_search(board: Board, tiles: tuple[Labels, ...]) -> set[tuple[Labels, ...]]:
    """Return the label pictures of all solutions, cell after cell, by trying everything."""
    sign = 1 if board.same_labels else -1
    rim = set(board.rim_sides)

    def fits(placed: list[Labels], labels: Labels) -> bool:
        cell = len(placed)
        for side, label in enumerate(labels):
            if (cell, side) in rim:
                if board.rim not in (None, label):
                    return False
                continue
            if board.rim_only_outside and label == board.rim:
                return False
            other, other_side = board.neighbours[cell, side]
            if other < cell and placed[other][other_side] != sign * label:
                return False
        return True

    def place_tiles(placed: list[Labels], left: list[Labels]) -> Iterator[tuple[Labels, ...]]:
        if not left:
            yield tuple(placed)
        for index, tile in enumerate(left):
            for at in range(len(tile)):
                labels = tile[at:] + tile[:at]
                if fits(placed, labels):
                    yield from place_tiles([*placed, labels], left[:index] + left[index + 1 :])

    return set(place_tiles([], list(tiles)))


def random_tiles(board: Board, figures: int, seed: int) -> TileSet:
    """Return tiles with at least one solution, shuffled and turned."""
    rng = random.Random(seed)
    halves = [half for figure in range(1, figures + 1) for half in (figure, -figure)]
    labels = [[rng.choice(halves) for _ in range(board.sides_per_tile)] for _ in board.cells]
    sign = 1 if board.same_labels else -1
    for (cell, side), (other, other_side) in board.inner_edges:
        labels[other][other_side] = sign * labels[cell][side]
    for cell, side in board.rim_sides:
        labels[cell][side] = board.rim_labels.get((cell, side), labels[cell][side])
    tiles = [tuple(tile[at:] + tile[:at]) for tile in labels for at in [rng.randrange(3)]]
    rng.shuffle(tiles)
    return TileSet(figures, tuple(tiles))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SMALL_BOARDS), st.integers(1, 3), st.integers(0, 10**6), st.booleans())
def test_finds_exactly_what_a_plain_search_finds(
    name: str, figures: int, seed: int, same_labels: bool
) -> None:
    shipped = load_board(name)
    board = replace(shipped, same_labels=same_labels)
    tiles = random_tiles(board, figures, seed)
    result = solve(TilePuzzle(board, tiles))
    found = with_turns(result.solutions, board.turns)
    assert found
    assert not any(faults(solution, board, tiles.tiles) for solution in found)
    assert set(map(picture, found)) == plain_search(board, tiles.tiles)
    assert len(found) == result.count_total
    assert len(result.solutions) == len(up_to_turns(found, board.turns)) == result.count_up_to_turns
    counted = solve(TilePuzzle(board, tiles), only_count=True)
    assert counted.count_total == result.count_total
    assert counted.count_up_to_turns == result.count_up_to_turns


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_counts_do_not_depend_on_tile_order_turns_sense_or_names(seed: int) -> None:
    board = load_board("hexagon-6")
    tiles = random_tiles(board, 3, seed)
    rng = random.Random(seed)
    names = dict(zip((1, 2, 3), rng.sample((1, 2, 3), 3), strict=True))

    def renamed(label: int) -> int:
        return names[abs(label)] * (1 if label > 0 else -1)

    other = [tuple(renamed(label) for label in reversed(tile)) for tile in tiles.tiles]
    rng.shuffle(other)
    found = solve(TilePuzzle(board, tiles))
    changed = solve(TilePuzzle(board, TileSet(3, tuple(other))))
    assert changed.count_total == found.count_total
    assert changed.count_up_to_turns == found.count_up_to_turns


def test_equal_and_symmetric_tiles_alone_are_counted_right() -> None:
    """Without a tile that can serve as an anchor, turned solutions are found and merged."""
    board = load_board("hexagon-6")
    # All labels equal: one picture, whatever is turned or exchanged.
    same = replace(board, same_labels=True)
    result = solve(TilePuzzle(same, TileSet(1, ((1, 1, 1),) * 6)))
    assert (result.count_total, result.count_up_to_turns) == (1, 1)
    # Two kinds, three of each.
    tiles = TileSet(2, ((1, 1, 1),) * 3 + ((1, 1, 2),) * 3)
    result = solve(TilePuzzle(same, tiles))
    assert {picture(s) for s in with_turns(result.solutions, same.turns)} == plain_search(
        same, tiles.tiles
    )
    assert result.count_total == len(plain_search(same, tiles.tiles))
    every = with_turns(result.solutions, same.turns)
    assert result.count_up_to_turns == len(up_to_turns(every, same.turns))


def test_a_rim_label_must_be_shown_outside() -> None:
    board = parse_board('tiles = "squares"\nrows = ["##", "##"]\nrim = 2', "rim")
    tiles = random_tiles(board, 2, seed=5)
    found = with_turns(solve(TilePuzzle(board, tiles)).solutions, board.turns)
    assert set(map(picture, found)) == plain_search(board, tiles.tiles)
    assert not any(faults(solution, board, tiles.tiles) for solution in found)


def test_a_rim_that_no_tile_can_show_has_no_solution() -> None:
    board = parse_board('tiles = "squares"\nrows = ["##", "##"]\nrim = 3', "rim")
    assert solve(TilePuzzle(board, TileSet(2, ((1, 2, 1, 2),) * 4))).count_total == 0


def test_the_rim_label_may_be_kept_for_the_outside() -> None:
    """With 0 as the rim's label, as in puzzles whose frame is grey."""
    board = parse_board('tiles = "squares"\nrows = ["###", "###"]\nrim = 0', "rim")
    strict = replace(board, rim_only_outside=True)
    labels = [
        [0, 1, 0, 0],
        [0, 2, 0, -1],
        [0, 0, 1, -2],
        [0, 1, 0, 0],
        [0, -1, 0, -1],
        [-1, 0, 0, 1],
    ]
    tiles = TileSet(2, tuple(map(tuple, labels)))
    free, kept = solve(TilePuzzle(board, tiles)), solve(TilePuzzle(strict, tiles))
    assert kept.count_total < free.count_total
    for rule, found in ((board, free), (strict, kept)):
        every = with_turns(found.solutions, rule.turns)
        assert set(map(picture, every)) == plain_search(rule, tiles.tiles)
        assert not any(faults(solution, rule, tiles.tiles) for solution in every)
    inside = [
        each
        for each in with_turns(free.solutions, board.turns)
        if faults(each, strict, tiles.tiles)
    ]
    assert len(inside) == free.count_total - kept.count_total


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.booleans())
def test_hints_leave_what_agrees_with_them(seed: int, figures: int, turned_too: bool) -> None:
    board = replace(load_board("square-2x2"), same_labels=True)
    tiles = random_tiles(board, figures, seed)
    free = solve(TilePuzzle(board, tiles))
    every = with_turns(free.solutions, board.turns)
    one = every[seed % len(every)]
    cell = seed % 4
    hint = Hint(one[cell].tile, cell, one[cell].labels if turned_too else None)
    hinted = replace(board, hints=(hint,))
    found = solve(TilePuzzle(hinted, tiles))
    own = tiles.tiles[hint.tile - 1]
    turns = [own[at:] + own[:at] for at in range(4)]
    agreeing = {
        labels
        for labels in plain_search(board, tiles.tiles)
        if labels[cell] in ([hint.labels] if turned_too else turns)
    }
    assert set(map(picture, found.solutions)) == agreeing
    assert found.count_total == found.count_up_to_turns == len(agreeing)
    assert not any(faults(solution, hinted, tiles.tiles) for solution in found.solutions)


def test_hints_that_look_alike_when_the_board_is_turned_keep_its_turns() -> None:
    board = replace(load_board("square-2x2"), same_labels=True)
    tiles = TileSet(2, ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 2), (1, 1, 1, 2)))
    for hints, turns in (((0, 3), 2), ((0, 1), 1), ((0,), 1)):
        hinted = tuple(Hint(number, cell) for number, cell in enumerate(hints, start=1))
        puzzle = TilePuzzle(replace(board, hints=hinted), tiles)
        assert len(puzzle.turns) == turns
        found = solve(puzzle)
        every = with_turns(found.solutions, puzzle.turns)
        assert len(every) == found.count_total
        agreeing = {
            labels
            for labels in plain_search(board, tiles.tiles)
            if all(labels[cell] == (1, 1, 1, 1) for cell in hints)
        }
        assert set(map(picture, every)) == agreeing


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([None, 1]), st.booleans())
def test_counts_are_those_of_an_exact_cover(seed: int, rim: int | None, only_outside: bool) -> None:
    """That search serves the scarcest cell or tile, wherever that is."""
    for board in (load_board("square-3x3"), load_board("triangle-9")):
        ruled = replace(
            board, same_labels=True, rim=rim, rim_only_outside=rim is not None and only_outside
        )
        puzzle = TilePuzzle(ruled, random_tiles(ruled, 5, seed))
        assert solve(puzzle, only_count=True).count_total == count_by_covering(puzzle)[0]


def test_hexagons_are_laid_as_a_plain_search_lays_them() -> None:
    board = replace(load_board("flower-7"), same_labels=True)
    for seed in range(3):
        tiles = random_tiles(board, 3, seed)
        every = with_turns(solve(TilePuzzle(board, tiles)).solutions, board.turns)
        assert len(board.turns) == 6
        assert set(map(picture, every)) == plain_search(board, tiles.tiles)


def test_the_seven_nuts_go_together_in_one_way() -> None:
    """As is known of the puzzle: https://www.jaapsch.net/puzzles/circus.htm."""
    found = solve(load_puzzle("seven-nuts"))
    assert (found.count_total, found.count_up_to_turns) == (6, 1)


def test_turning_a_solution_as_often_as_the_board_turns_brings_it_back() -> None:
    board = load_board("hexagon-6")
    solution = solve(TilePuzzle(board, random_tiles(board, 3, seed=1))).solutions[0]
    one_sixth = board.turns[1]
    again = turned(solution, one_sixth)
    assert again != solution
    for _ in range(5):
        again = turned(again, one_sixth)
    assert again == solution


@pytest.mark.parametrize(
    ("number", "total", "up_to_turns_of_board"), [(0, 84, 28), (1, 12, 4), (2, 33, 11), (3, 3, 1)]
)
def test_the_competitions_puzzles(number: int, total: int, up_to_turns_of_board: int) -> None:
    board = load_board("triangle-9")
    tiles = load_tiles(PUZZLES / f"puzzle{number}.txt")
    result = solve(TilePuzzle(board, tiles))
    assert (result.count_total, result.count_up_to_turns) == (total, up_to_turns_of_board)
    found = with_turns(result.solutions, board.turns)
    assert len(set(found)) == total
    assert len(up_to_turns(found, board.turns)) == up_to_turns_of_board
    assert not any(faults(solution, board, tiles.tiles) for solution in found)


def test_tiles_that_do_not_fit_the_board_are_refused() -> None:
    with pytest.raises(TileFileError, match="made for tiles with 4"):
        TilePuzzle(load_board("square-2x2"), TileSet(1, ((1, 1, 1),) * 4))
    with pytest.raises(TileFileError, match="room for exactly 9"):
        TilePuzzle(load_board("triangle-9"), TileSet(1, ((1, 1, 1),) * 4))


def test_hints_that_no_tile_fulfils_are_refused() -> None:
    board, tiles = load_board("square-2x2"), TileSet(2, ((1, 1, 1, 2),) * 4)
    with pytest.raises(TileFileError, match="places tile 5, but there are 4"):
        TilePuzzle(replace(board, hints=(Hint(5, 0),)), tiles)
    with pytest.raises(TileFileError, match="as 1 1 2 2, but the tile is 1 1 1 2"):
        TilePuzzle(replace(board, hints=(Hint(1, 0, (1, 1, 2, 2)),)), tiles)


def test_the_check_names_every_kind_of_fault() -> None:
    board = parse_board('tiles = "squares"\nrows = ["##"]\nrim = 3', "pair")
    tiles = ((3, 1, 3, 3), (3, 3, 3, -1))
    good = (PlacedTile(1, (3, 1, 3, 3)), PlacedTile(2, (3, 3, 3, -1)))
    assert not faults(good, board, tiles)
    twice = faults((good[0], good[0]), board, tiles)
    assert any("not each once" in fault for fault in twice)
    assert any("do not match" in fault for fault in twice)
    changed = (good[0], PlacedTile(2, (1, 3, 3, -1)))
    assert any("tile 2 is" in fault for fault in faults(changed, board, tiles))
    assert any("does not show 3" in fault for fault in faults(changed, board, tiles))
    hinted = replace(board, hints=(Hint(2, 0), Hint(2, 1, (3, 3, -1, 3))))
    assert faults(good, hinted, tiles) == [
        "cell 1 holds tile 1, not 2",
        "cell 2 does not show (3, 3, -1, 3)",
    ]


def test_prints_the_layout_of_the_paper() -> None:
    # The paper's own solution of puzzle0, with the number its third row lost put back.
    labels = [
        (1, -1, -2),
        (-1, 2, -1), (2, -1, -2), (1, -1, 3),
        (2, 2, -1), (1, -3, -2), (3, -2, -1), (-3, 3, 2), (-3, 2, -1),
    ]  # fmt: skip
    solution = tuple(PlacedTile(number, tile) for number, tile in enumerate(labels, start=1))
    assert [line.split() for line in to_text(solution, load_board("triangle-9")).splitlines()] == [
        ["1", "-1"], ["-2"], [],
        ["-1", "2", "2", "1", "-1"], ["-1", "-2", "-1", "3"], [],
        ["2", "2", "1", "3", "-2", "-3", "-3", "2"],
        ["-1", "-2", "-3", "-1", "2", "3", "-1"],
    ]  # fmt: skip


def test_squares_print_in_three_lines_per_row() -> None:
    board = parse_board('tiles = "squares"\nrows = ["##"]', "pair")
    solution = (PlacedTile(1, (1, -10, 3, 4)), PlacedTile(2, (5, 6, 7, 10)))
    assert to_text(solution, board).splitlines() == [
        "     1           5",
        "  4   -10    10     6",
        "     3           7",
    ]


def test_hexagons_print_in_three_lines_per_row_and_sides_without_a_figure_as_0() -> None:
    board = parse_board('tiles = "hexagons"\nrows = ["H H", " H"]', "three")
    solution = tuple(PlacedTile(n, (n, 0, 3, -4, 5, 6)) for n in (1, 2, 3))
    assert to_text(solution, board).splitlines() == [
        "   6   1       6   2",
        " 5       0   5       0",
        "  -4   3      -4   3",
        "",
        "         6   3",
        "       5       0",
        "        -4   3",
    ]
    texts = [shape.text for shape in to_drawing(solution, board).shapes if hasattr(shape, "text")]
    assert texts.count("0") == 3


@pytest.mark.parametrize("name", ["triangle-9", "square-3x3", "flower-7"])
def test_drawing_holds_every_label_once(name: str) -> None:
    board = load_board(name)
    tiles = random_tiles(board, 4, seed=2)
    solution = solve(TilePuzzle(board, tiles)).solutions[0]
    drawing = to_drawing(solution, board)
    texts = [shape.text for shape in drawing.shapes if hasattr(shape, "text")]
    wanted = [f"{label:+d}".replace("-", "\u2212") for tile in tiles.tiles for label in tile]
    numbers = [str(number) for number in range(1, len(tiles.tiles) + 1)]
    assert sorted(texts) == sorted(wanted + numbers)
