"""Cubes: what is known of them, and what a plain search with a geometry of its own finds."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.drawing.shapes import Polygon, Text
from solvers.edge_matching.board import Board
from solvers.edge_matching.board_file import find_board, load_board, parse_board
from solvers.edge_matching.errors import TileFileError
from solvers.edge_matching.lattice.cubes import CUBES, standing
from solvers.edge_matching.lattice.lattice import Labels
from solvers.edge_matching.picture import to_drawing, to_text
from solvers.edge_matching.puzzle import TilePuzzle
from solvers.edge_matching.samples import load_puzzle
from solvers.edge_matching.solution import PlacedTile, faults, picture, with_turns
from solvers.edge_matching.solver import Found, solve
from solvers.edge_matching.tile_file import TileSet
from solvers.foundation.progress import run_job
from tests.oracles import cube_boxes

SIX = (1, 2, 3, 4, 5, 6)

# E. Tick's Prolog benchmark (1989), which counts 48 solutions; sides in the order of a file.
SEVEN = ("503511", "214403", "302046", "660114", "135225", "524350", "420632")


def found(board: Board, tiles: Sequence[Labels]) -> Found:
    return run_job(solve(TilePuzzle(board, TileSet(9, tuple(tiles)))))


def boxed(width: int, depth: int, height: int, *rules: str) -> Board:
    layers = [["#" * width] * depth] * height
    return parse_board("\n".join(['tiles = "cubes"', f"layers = {layers}", *rules]), "box")


def row_of(number: int) -> Board:
    return boxed(number, 1, 1, 'match = "nothing"', 'rim = "all different"')


def test_a_cube_lies_in_24_ways_and_six_colours_make_thirty() -> None:
    turned = {rotation.turned(SIX) for rotation in CUBES.rotations}
    assert turned == set(map(cube_boxes.labels_of, cube_boxes.turns(cube_boxes.cube(SIX))))
    assert len(CUBES.rotations) == len(turned) == 24
    thirty = load_puzzle("macmahon-cubes").tiles.tiles
    every = {rotation.turned(tile) for tile in thirty for rotation in CUBES.rotations}
    assert len(thirty) == 30
    assert every == set(permutations(SIX))


def test_four_cubes_of_instant_insanity_go_together_in_one_way() -> None:
    """As is known of the puzzle: https://en.wikipedia.org/wiki/Instant_Insanity."""
    puzzle = load_puzzle("instant-insanity")
    result = run_job(solve(puzzle))
    assert (result.count_total, result.count_up_to_turns) == (8, 1)
    for solution in with_turns(result.solutions, puzzle.turns):
        assert [placed.tile for placed in solution] == [1, 2, 3, 4]
        assert not faults(solution, puzzle.board, puzzle.tiles.tiles)
        for side in (0, 1, 3, 5):  # top, front, back, bottom
            assert {placed.labels[side] for placed in solution} == {1, 2, 3, 4}


def test_seven_cubes_in_a_row_have_48_solutions() -> None:
    assert found(row_of(7), [tuple(map(int, cube)) for cube in SEVEN]).count_total == 48


def test_eight_of_macmahons_thirty_make_one_of_them_in_two_ways() -> None:
    """For one model always the same eight; Conway, see https://arxiv.org/abs/2407.13208."""
    puzzle = load_puzzle("macmahon-cubes")
    chosen = set()
    for model in puzzle.tiles.tiles[::4]:
        board = replace(puzzle.board, rim=model)
        both = found(board, puzzle.tiles.tiles).solutions
        assert len(both) == 2
        assert not any(faults(each, board, puzzle.tiles.tiles) for each in both)
        eight, same = ({placed.tile for placed in each} for each in both)
        assert eight == same
        assert puzzle.tiles.tiles.index(model) + 1 not in eight
        chosen.add(frozenset(eight))
        own = [puzzle.tiles.tiles[number - 1] for number in sorted(eight)]
        assert found(replace(board, spare_tiles=False), own).count_total == 2
    assert len(chosen) == 8


def solvable(board: Board, colours: int, seed: int) -> list[Labels]:
    """Return cubes that fill the board in one way at least, shuffled and turned."""
    chance = random.Random(seed)
    tiles = [[chance.randint(1, colours) for _ in SIX] for _ in board.cells]
    for (cell, side), (other, other_side) in board.inner_edges:
        tiles[other][other_side] = tiles[cell][side]
    turned = [chance.choice(CUBES.rotations).turned(tuple(tile)) for tile in tiles]
    return chance.sample(turned, len(turned))


@settings(max_examples=5, deadline=None)
@given(
    st.sampled_from([((2, 1, 1), 1), ((1, 1, 2), 2), ((1, 3, 1), 4), ((1, 1, 3), 4)]),
    st.integers(0, 10**6),
)
def test_rows_are_filled_as_a_plain_search_fills_them(
    box: tuple[tuple[int, int, int], int], seed: int
) -> None:
    agrees_with_a_plain_search(*box, seed)


@pytest.mark.parametrize("size", [(2, 2, 1), (1, 2, 2)])
def test_boxes_are_filled_as_a_plain_search_fills_them(size: tuple[int, int, int]) -> None:
    agrees_with_a_plain_search(size, colours=9, seed=1)


def agrees_with_a_plain_search(size: tuple[int, int, int], colours: int, seed: int) -> None:
    board = boxed(*size, 'match = "same label"')
    tiles = solvable(board, colours, seed)
    result = found(board, tiles)
    every = with_turns(result.solutions, board.turns)
    plain = cube_boxes.fillings(
        cube_boxes.box(*size), list(map(cube_boxes.cube, tiles)), cube_boxes.touching_equal
    )
    wanted = {tuple(map(cube_boxes.labels_of, laid.values())) for laid in plain}
    assert wanted
    assert set(map(picture, every)) == wanted
    assert result.count_total == len(every)
    assert result.count_up_to_turns == len(result.solutions)
    assert not any(faults(solution, board, tiles) for solution in every)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6))
def test_rows_with_different_sides_are_those_of_trying_everything(seed: int) -> None:
    chance = random.Random(seed)
    board = row_of(3)
    tiles = [tuple(chance.randint(1, 4) for _ in SIX) for _ in board.cells]
    result = found(board, tiles)
    every = with_turns(result.solutions, board.turns)
    turns = [cube_boxes.turns(cube_boxes.cube(tile)) for tile in tiles]
    long_sides = (cube_boxes.TOP, cube_boxes.FRONT, cube_boxes.BACK, cube_boxes.BOTTOM)
    wanted = {
        tuple(map(cube_boxes.labels_of, row))
        for row in product(*turns)
        if all(len({cube[side] for cube in row}) == 3 for side in long_sides)
    }
    assert set(map(picture, every)) == wanted
    assert result.count_total == len(wanted)
    assert not any(faults(solution, board, tiles) for solution in every)


def test_boxes_turn_as_they_do_in_the_hand() -> None:
    touching = 'match = "same label"'
    turns = {(1, 1, 1): 24, (2, 2, 2): 24, (2, 2, 3): 8, (1, 1, 4): 8, (1, 2, 3): 4}
    for size, number in turns.items():
        assert len(boxed(*size, touching).turns) == number
    assert len(boxed(2, 2, 2, touching, "rim = 1").turns) == 24
    # A model with one colour above and one below may be turned about the upright axis alone.
    assert len(boxed(2, 2, 2, touching, "rim = [1, 2, 2, 2, 2, 3]").turns) == 4
    assert len(boxed(2, 2, 2, touching, "rim = [1, 2, 2, 2, 2, 1]").turns) == 8
    in_place = row_of(3).turns
    assert len(in_place) == 8
    assert all([cell for cell, _ in turn] == [0, 1, 2] for turn in in_place)


def test_spare_tiles_may_be_left_and_too_few_are_refused() -> None:
    puzzle = load_puzzle("macmahon-cubes")
    with pytest.raises(TileFileError, match="the board macmahon-cubes needs at least 8"):
        TilePuzzle(puzzle.board, TileSet(6, puzzle.tiles.tiles[:7]))
    two = parse_board('tiles = "squares"\nrows = ["##"]\nmatch = "same label"', "two")
    tiles = ((1, 2, 3, 4), (1, 4, 3, 2), (5, 5, 5, 5))
    chosen = found(replace(two, spare_tiles=True), tiles)
    pairs = [found(two, [tiles[a], tiles[b]]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert chosen.count_total == sum(pair.count_total for pair in pairs) == 8
    assert chosen.count_up_to_turns == sum(pair.count_up_to_turns for pair in pairs) == 4


def test_a_hint_says_nothing_else_than_the_order_of_the_tiles() -> None:
    puzzle = load_puzzle("instant-insanity", hints=("1 1 1 1",))
    assert run_job(solve(puzzle)).count_total == 8
    shown = load_puzzle("instant-insanity", hints=("1 1 1 1 1 1 2 3 2 4",))
    assert run_job(solve(shown)).count_total == 1
    with pytest.raises(TileFileError, match="places tile 2 in cell 1, but the order of the tiles"):
        load_puzzle("instant-insanity", hints=("2 1 1 1",))


def test_a_cube_is_printed_as_a_net_layer_by_layer() -> None:
    board = boxed(2, 1, 2)
    solution = tuple(PlacedTile(number, (1, 2, 3, 4, 5, number)) for number in (6, 7, 8, 9))
    net = ["    1                 1", "5   2   3   4     5   2   3   4"]
    assert to_text(solution, board).splitlines() == [
        *(*net, "    6                 7"),
        *("", ""),
        *(*net, "    8                 9"),
    ]


def test_a_picture_has_every_face_once_and_layers_below_one_another() -> None:
    solution = tuple(PlacedTile(number, (1, 2, 3, 4, 5, 6)) for number in (7, 8))
    heights = {}
    for size in ((2, 1, 1), (1, 1, 2)):
        drawing = to_drawing(solution, boxed(*size))
        texts = [shape for shape in drawing.shapes if isinstance(shape, Text)]
        # Of the two that stand together top, front and right of one are hidden by the other.
        together = "11223" if size == (2, 1, 1) else "12233"
        assert sorted(text.text for text in texts) == sorted([*"12345678", *"123456", *together])
        assert len({text.position for text in texts}) == 19
        heights[size] = drawing.height_mm
    assert heights[1, 1, 2] > 1.5 * heights[2, 1, 1]


def test_cubes_that_stand_together_cover_what_is_behind_them() -> None:
    """Of the one behind two others only the top is seen, and it comes before what covers it."""
    corners = [
        tuple((x + dx, y + dy, z) for x, y, z in CUBES.kinds[0].corners)
        for dx, dy in ((0, 1), (0, 0), (1, 0))
    ]
    labels = [(1, 2, 3, 9, 9, 9), (4, 5, 6, 9, 9, 9), (7, 8, 9, 9, 9, 9)]
    shapes = standing(list(zip(corners, labels, strict=True)))
    assert [shape.text for shape in shapes if isinstance(shape, Text)] == list("4123789")
    faces = [shape for shape in shapes if isinstance(shape, Polygon)]
    assert len({face.fill for face in faces}) == 7
    # A cube's top is above its front, which is to the left of its right side.
    top, front, right = (middle(face) for face in faces[1:4])
    assert top[1] < front[1] == pytest.approx(right[1])
    assert front[0] < top[0] < right[0]


def middle(face: Polygon) -> tuple[float, float]:
    xs, ys = zip(*face.points, strict=True)
    return sum(xs) / len(xs), sum(ys) / len(ys)


def test_eight_cubes_have_a_board_and_seven_tiles_with_six_sides_are_hexagons() -> None:
    assert load_board("cube-2x2x2").lattice == CUBES
    assert find_board(8, 6).name == "cube-2x2x2"
    assert find_board(7, 6).name == "flower-7"


def test_the_check_names_what_is_wrong_on_the_outside() -> None:
    row = row_of(2)
    tiles = ((1, 2, 3, 4, 5, 6), (1, 3, 4, 5, 6, 2))
    twice = tuple(PlacedTile(number, tile) for number, tile in enumerate(tiles, start=1))
    assert faults(twice, row, tiles) == ["cells 1 2 show a label twice on one side of the board"]
    model = replace(boxed(2, 1, 1, 'match = "same label"'), rim=(1, 2, 3, 4, 5, 6))
    alike = ((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 3, 5))
    laid = tuple(PlacedTile(number, tile) for number, tile in enumerate(alike, start=1))
    assert faults(laid, model, alike) == ["cell 2 does not show 6 outside"]
