"""Proofs by colouring and parity: known ones are found, and none for what has a solution."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube import library
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattices import TETRAHEDRA, TRIANGLES
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.solving import colouring, parity, solver
from solvers.polycube.solving.colouring import proof, why_impossible
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.problem import Count
from solvers.search.exact_cover import search as exact_cover

T = Shape.from_layers([["###", ".#."]])
I4 = Shape.from_layers([["####"]])
DOMINO = Shape.from_layers([["##"]])


def puzzle(target: Target, *pieces: Piece, holes: int | None = None) -> PackingPuzzle:
    return PackingPuzzle("p", "p", target, pieces, max_holes=holes)


def brick(*size: int) -> Shape:
    return Shape(frozenset((x, y, z) for x, y, z in product(*map(range, size))))


def test_the_mutilated_chessboard() -> None:
    """Two cells of one colour are missing (Golomb, 1954; here of 8 x 10)."""
    cells = Target.box(8, 10).cells - {(0, 0, 0), (2, 0, 0)}
    board = puzzle(Target(cells), Piece("domino", DOMINO, 39, 39))
    reason = why_impossible(board)
    assert reason == (
        "Colour the cells like a chessboard: 38 of the 78 cells are dark. In any placement, these "
        "numbers of dark cells are covered: by each of 39 pieces 1. No choice adds up to 38."
    )
    assert solver.count(board) == Count(0, 0, 0)
    assert solver.find_first(board) == (None, 0)
    assert list(solver.solutions(board)) == []


@pytest.mark.parametrize(
    ("target", "piece"),
    [
        # de Bruijn, 1969: such bricks fill only boxes one side of which is a multiple of four.
        (Target.box(6, 6, 6), Piece("brick", brick(1, 2, 4), 27, 27)),
        (Target.box(10, 10), Piece("I", I4, 25, 25)),
        (Target.box(10, 10), Piece("T", T, 0, 25)),
    ],
)
def test_known_ones_are_found(target: Target, piece: Piece) -> None:
    assert why_impossible(puzzle(target, piece))


def test_small_targets_have_proofs_too() -> None:
    """Three of each tetromino: the three T cover an odd number of dark cells, all others 2 each."""
    drawn = ("####",), ("##", "##"), ("###", ".#."), ("###", "#.."), (".##", "##.")
    pieces = [
        Piece(name, Shape.from_layers([rows]), 3, 3)
        for name, rows in zip("IOTLS", drawn, strict=True)
    ]
    box = puzzle(Target.box(4, 5, 3), *pieces)
    assert why_impossible(box) == (
        "Colour the cells like a chessboard: 30 of the 60 cells are dark. In any placement, these "
        "numbers of dark cells are covered: by each of 12 pieces 2, 3 pieces 1 or 3. No choice "
        "adds up to 30."
    )
    assert solver.count(box) == Count(0, 0, 0)
    assert solver.find_first(box) == (None, 0)


def test_holes_count_as_pieces_of_one_cell() -> None:
    """Of a board of 9 x 9 a domino each leaves one cell empty, which must be of the colour of
    the corners."""
    cells = Target.box(9, 9).cells
    dominoes = Piece("domino", DOMINO, 40, 40)
    corner, beside = frozenset({(0, 0, 0), (2, 0, 0)}), frozenset({(1, 0, 0), (0, 1, 0)})
    assert why_impossible(puzzle(Target(cells - corner, corner), dominoes)) is None
    assert why_impossible(puzzle(Target(cells - beside, beside), dominoes))


@pytest.mark.parametrize(
    "name",
    [
        "soma",
        "pentomino-3x20",
        "pentomino-6x10",
        "drilled-cube",
        "ct-puzzle-logo",
        "bedlam",
        "hexiamonds",
        "ball-pyramid",
        "rhombic-dodecahedron",
        "tetrahedra-pyramid",
    ],
)
def test_nothing_is_said_of_what_has_solutions(name: str) -> None:
    packed = packing(library.load(name))
    assert proof(packed) is None
    assert parity.proof(packed) is None


def test_a_lattice_knows_colourings_of_its_own() -> None:
    """Lozenges cover triangles that stand and that hang; half octahedra cover no tetrahedra."""
    triangle = frozenset(
        TRIANGLES.cell_at((9 + column, row, 0))
        for row in range(10)
        for column in range(-row, row + 1)
    )
    lozenge = Piece("lozenge", Shape(frozenset({(1, 1, 0), (2, 2, 0)}), TRIANGLES), 50, 50)
    assert why_impossible(puzzle(Target(triangle, lattice=TRIANGLES), lozenge)) == (
        "Colour the cells dark where triangles stand on a side: 55 of the 100 cells are dark. "
        "In any placement, these numbers of dark cells are covered: by each of 50 pieces 1. No "
        "choice adds up to 55."
    )
    pyramid = library.load("tetrahedra-pyramid").target
    half = Shape(frozenset({(2, 2, 2), (2, 3, 2), (3, 2, 2), (3, 3, 2)}), TETRAHEDRA)
    reason = why_impossible(puzzle(pyramid, Piece("half", half, 23, 23)))
    assert reason is not None
    assert reason.startswith("Colour the cells dark where they are tetrahedra: 16 of the 92 cells")


def test_numbers_of_copies_that_are_open_are_left_alone() -> None:
    many = Piece("T", T, 0, 30), Piece("I", I4, 0, 30)
    assert why_impossible(puzzle(Target.box(10, 10), *many)) is None


def test_placements_are_looked_at_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = packing(puzzle(Target.box(6, 6, 6), Piece("brick", brick(1, 2, 4), 27, 27)))
    at_once = proof(packed)
    monkeypatch.setattr(colouring, "PLACEMENTS_AT_ONCE", 7)
    assert proof(packed) == at_once is not None


LONG_T = Shape.from_layers([["###", ".#.", ".#."]])


def test_parity_proves_what_no_colouring_does() -> None:
    """In 3 x 4 x 3 without a corner, seven long T: each covers two cells that are even in x, y and
    z, or none."""
    cells = Target.box(3, 4, 3).cells - {(2, 0, 2)}
    board = puzzle(Target(cells), Piece("T", LONG_T, 7, 7))
    assert proof(packing(board)) is None
    assert why_impossible(board) == (
        "Mark 7 cells, shown as X. In any placement every piece covers an even number of them: "
        "together an even number, but 7 is odd.\n"
        "XoX ooo Xo.\nooo ooo ooo\nXoX ooo XoX\nooo ooo ooo"
    )
    assert solver.count(board) == Count(0, 0, 0)


def test_pieces_that_cover_an_odd_number_are_named() -> None:
    pieces = Piece("T", T, 3, 3), Piece("I", I4, 6, 6)
    reason = parity.proof(packing(puzzle(Target.box(6, 6), *pieces)))
    assert reason is not None
    assert "3 pieces (T) cover an odd number of them each, all others an even number" in reason
    assert "together an odd number, but" in reason


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_an_odd_set_is_one_and_nothing_with_a_solution_has_one(data: st.DataObject) -> None:
    cells = sorted(Target.box(data.draw(st.integers(2, 4)), 3, data.draw(st.integers(1, 2))).cells)
    optional = frozenset(data.draw(st.sets(st.sampled_from(cells), max_size=3)))
    shapes = data.draw(
        st.lists(st.sampled_from([T, I4, DOMINO, LONG_T]), min_size=1, max_size=3, unique=True)
    )
    pieces = []
    for number, shape in enumerate(shapes):
        least = data.draw(st.integers(0, 3))
        most = data.draw(st.integers(max(1, least), 4))
        pieces.append(Piece(str(number), shape, least, most))
    board = puzzle(Target(frozenset(cells) - optional, optional), *pieces)
    try:
        cover = packing(board).cover
    except PuzzleError:
        return
    found = parity.odd_set(cover)
    if found is None:
        return
    assert exact_cover.first(cover) is None
    assert all((option & found).bit_count() % 2 == 0 for option in cover.options)
    taken = {item: number for item, (number, most) in cover.copies.items() if number == most}
    items = [item for item in range(cover.items) if found >> item & 1]
    assert all(item in taken or cover.required >> item & 1 for item in items)
    assert sum(taken.get(item, 1) for item in items) % 2 == 1
