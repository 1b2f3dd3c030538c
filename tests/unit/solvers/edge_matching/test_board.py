"""Boards: neighbours and turns follow from the drawing."""

from itertools import product

import pytest

from solvers.edge_matching.board import Side, Turn
from solvers.edge_matching.board_file import load_board, parse_board, shipped_board_names
from solvers.edge_matching.errors import BoardFileError


@pytest.mark.parametrize(
    ("name", "cells", "inner", "rim", "turns"),
    [
        ("triangle-4", 4, 3, 6, 3),
        ("triangle-9", 9, 9, 9, 3),
        ("triangle-16", 16, 18, 12, 3),
        ("hexagon-6", 6, 6, 6, 6),
        ("hexagon-24", 24, 30, 12, 6),
        ("square-2x2", 4, 4, 8, 4),
        ("square-3x3", 9, 12, 12, 4),
        ("square-4x4", 16, 24, 16, 4),
        ("square-5x5", 25, 40, 20, 4),
        ("square-6x6", 36, 60, 24, 4),
        ("flower-7", 7, 12, 18, 6),
        ("flower-19", 19, 42, 30, 6),
        ("cube-2x2x2", 8, 12, 24, 24),
    ],
)
def test_shipped_boards(name: str, cells: int, inner: int, rim: int, turns: int) -> None:
    board = load_board(name)
    assert len(board.cells) == cells
    assert len(board.inner_edges) == inner
    assert len(board.rim_sides) == rim
    assert len(board.turns) == turns


def test_every_shipped_board_is_tested() -> None:
    assert len(shipped_board_names()) == 13


@pytest.mark.parametrize(
    "name", ["triangle-9", "hexagon-24", "square-3x3", "flower-7", "cube-2x2x2"]
)
def test_turns_form_a_group_that_keeps_neighbours(name: str) -> None:
    board = load_board(name)

    def image(turn: Turn, side: Side) -> Side:
        cell, rotation = turn[side[0]]
        return cell, rotation.sides[side[1]]

    def sides(turn: Turn) -> list[Side]:
        return [image(turn, side) for side in product(*every)]

    every = range(len(board.cells)), range(board.sides_per_tile)
    for turn in board.turns:
        for first, second in board.neighbours.items():
            assert board.neighbours[image(turn, first)] == image(turn, second)
        for other in board.turns:
            both = [image(other, side) for side in sides(turn)]
            assert both in list(map(sides, board.turns))
    assert sides(board.turns[0]) == list(product(*every))


def test_a_rectangle_has_two_turns_and_a_bent_row_one() -> None:
    rectangle = parse_board('tiles = "squares"\nrows = ["###", "###"]', "rectangle")
    bent = parse_board('tiles = "squares"\nrows = ["###", "#"]', "bent")
    assert len(rectangle.turns) == 2
    assert len(bent.turns) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rows = [", "is not TOML"),
        ('rows = ["A"]', "'tiles' is missing"),
        (
            'tiles = "octagons"\nrows = ["A"]',
            "one of triangles, squares, hexagons, cubes, not 'octagons'",
        ),
        ('tiles = "triangles"', "'rows' is missing"),
        ('tiles = "triangles"\nrows = [1]', r"rows\[0\] must be a text, not 1"),
        ('tiles = "triangles"\nrows = ["  "]', "draws 0 cells"),
        ('tiles = "triangles"\nrows = ["A#"]', "row 1, column 2 holds '#'"),
        ('tiles = "triangles"\nrows = ["AVA", "AVA"]', "row 2, column 1 must hold the other kind"),
        ('tiles = "squares"\nrows = ["# #"]', "falls into parts"),
        ('tiles = "hexagons"\nrows = ["HH"]', "row 1, column 2 must be blank: hexagons are two"),
        ('tiles = "hexagons"\nrows = ["H", "H"]', "row 2, column 1 must be blank"),
        ('tiles = "squares"\nrows = ["#"]\nrim_only_outside = true', "needs a rim"),
        (
            'tiles = "squares"\nrows = ["#"]\nhint = [{tile = 1, row = 1, column = 2}]',
            "names a place that the board does not have",
        ),
        (
            'tiles = "squares"\nrows = ["##"]\nhint = [{tile = 1, row = 1, column = 2}, '
            "{tile = 1, row = 1, column = 1}]",
            "tile 1, row 1, column 1 names a tile or a place that has a hint already",
        ),
        (
            'tiles = "squares"\nrows = ["#"]\nhint = [{tile = 0, row = 1, column = 1}]',
            r"hint\[0\].tile must be",
        ),
        (
            'tiles = "squares"\nrows = ["#"]\nmatch = "any"',
            "one of nothing, opposite halves, same label",
        ),
        ('tiles = "cubes"\nrows = ["#"]\nlayers = [["#"]]', "left out: rows are given already"),
        ('tiles = "squares"\nlayers = [["#"]]', "left out: squares are drawn in rows"),
        (
            'tiles = "cubes"\nlayers = [["#"], ["H"]]',
            "layer 2, row 1, column 1 holds 'H'; expected #",
        ),
        ('tiles = "cubes"\nlayers = [["#"], [" "], ["#"]]', "falls into parts"),
        (
            'tiles = "cubes"\nrows = ["#"]\nrim = [1, 2]',
            "rim must be one label, or 6 for the sides of each cell",
        ),
        ('tiles = "squares"\nrows = ["#"]\nrim = "equal"', "or \"all different\", not 'equal'"),
        ('tiles = "triangles"\nrows = ["A"]\nrim = [1, 2, 3]', r"rim must be one label\.$"),
        (
            'tiles = "squares"\nrows = ["#"]\nrim = "all different"\nrim_only_outside = true',
            "needs a rim",
        ),
        (
            'tiles = "cubes"\nlayers = [["##"], ["# "]]\nmatch = "nothing"',
            "is for tiles in one straight row",
        ),
        ('tiles = "triangles"\nrows = ["AV"]\nmatch = "nothing"', "in one straight row"),
        (
            'tiles = "squares"\nrows = ["##"]\nmatch = "nothing"\nspare_tiles = true',
            "none of them spare",
        ),
        (
            'tiles = "cubes"\nrows = ["#"]\nhint = [{tile = 1, row = 1, column = 1, layer = 2}]',
            "tile 1, layer 2, row 1, column 1 names a place",
        ),
        ('tiles = "squares"\nrows = ["#"]\ncolour = 1', "unknown key 'colour'"),
        ("a = " + "[" * 9000, "nested too deeply"),
    ],
)
def test_broken_topology_files_end_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(BoardFileError, match=message):
        parse_board(text, "board")


def test_unknown_board_names_the_known_ones() -> None:
    with pytest.raises(BoardFileError, match="triangle-9"):
        load_board("dodecahedron")
