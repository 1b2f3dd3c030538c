"""The puzzles that come with the program, against the facts they were written from."""

import json
from pathlib import Path
from typing import Any

import pytest

from solvers.polycube import library
from solvers.polycube.errors import PuzzleError
from solvers.polycube.puzzle import Shape
from solvers.polycube.puzzle_file import dumps, loads

SHARED = Path(__file__).parents[3] / "data" / "puzzles"

FILES = {
    "bedlam": "bedlam.json",
    "soma": "soma.json",
    "ct-puzzle": "ctpuzzle.json",
    "ct-puzzle-logo": "ctpuzzle_logo.json",
    "pentomino-6x10": "pent10x6.json",
    "pentomino-5x12": "pent12x5.json",
    "pentomino-4x15": "pent15x4.json",
    "pentomino-3x20": "pent20x3.json",
    "pentomino-2x5x6": "spent2x5x6.json",
    "pentomino-3x4x5": "spent3x4x5.json",
}


def read(name: str) -> Any:
    return json.loads((SHARED / name).read_text(encoding="utf-8"))


def test_names() -> None:
    others = {"drilled-cube", "drilled-cube-plain", "loves-dozen", "hexiamonds", "marked-box"}
    in_space = {"ball-pyramid", "lonpos-pyramid", "rhombic-dodecahedron", "tetrahedra-pyramid"}
    assert set(library.names()) == {*FILES, *others, *in_space}
    with pytest.raises(PuzzleError, match="no puzzle or file 'tetris'"):
        library.load("tetris")


@pytest.mark.parametrize("name", library.names())
def test_every_puzzle_is_complete(name: str) -> None:
    puzzle = library.load(name)
    assert puzzle.name == name
    assert puzzle.title
    assert puzzle.source
    puzzle.check_volume()
    assert loads(dumps(puzzle)) == puzzle


@pytest.mark.parametrize(("name", "file"), FILES.items())
def test_pieces_and_box_agree_with_the_facts(name: str, file: str) -> None:
    puzzle, data = library.load(name), read(file)
    wanted = sorted(Shape.of(map(tuple, cells)).canonical() for cells in data["pieces"].values())
    assert sorted(piece.shape.canonical() for piece in puzzle.pieces) == wanted
    box = Shape.of(map(tuple, data["cells"]))
    assert Shape(puzzle.target.required) in box.rotations()


def test_the_drilled_cube_agrees_with_the_facts() -> None:
    puzzle, data = library.load("drilled-cube"), read("lochwuerfel.json")
    # Lines of the data's order, as (axis, place in the other two coordinates).
    order = [(0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 1, 0), (2, 0, 1)]
    tromino = {(0, 0, 0), (1, 0, 0), (0, 1, 0)}
    for piece, row in zip(puzzle.pieces, data["pieces"], strict=True):
        assert piece.shape.cells == tromino
        assert piece.bores == {line for line, bored in zip(order, row, strict=True) if bored}


def test_the_logo_is_where_it_is_printed() -> None:
    puzzle, logo = library.load("ct-puzzle-logo"), read("ctpuzzle_logo.json")["logo"]

    def cells(numbers: list[int]) -> frozenset[tuple[int, int, int]]:
        return frozenset((n % 5, n // 5 % 4, n // 20) for n in numbers)

    assert puzzle.piece("C").fixed_at == cells(logo["C(U)"])
    assert puzzle.piece("t").fixed_at == cells(logo["t6"])
    assert puzzle.piece("Q").fixed_at == frozenset(
        {(2, 0, 0), (2, 1, 0), (2, 0, 1), (2, 1, 1), (3, 1, 1)}
    )


def test_the_ubongo_pieces_agree_with_the_facts() -> None:
    wanted = read("ubongo_tasks.json")["pieces"]
    pieces = {piece.name: piece.shape for piece in library.ubongo_pieces()}
    assert pieces == {name: Shape.of(map(tuple, cells)) for name, cells in wanted.items()}
