"""Colours of cells and counted holes, against trying everything."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell
from solvers.polycube.marks import BORES, COLOURS, Marks, on_cells, values_on_cells
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps, loads
from solvers.polycube.solving import solver
from solvers.polycube.solving.parts import puzzle_hash

Marked = frozenset[tuple[Cell, int]]  # cells with their colours, 0 for neutral


def turns(piece: Marked) -> set[Marked]:
    """Return a marked piece in all its orientations, at the origin."""

    def to_origin(cells: Marked) -> Marked:
        low = [min(cell[axis] for cell, _ in cells) for axis in range(3)]
        return frozenset(((x - low[0], y - low[1], z - low[2]), c) for (x, y, z), c in cells)

    found = {to_origin(piece)}
    while True:
        about_x = {frozenset(((x, -z, y), c) for (x, y, z), c in each) for each in found}
        about_z = {frozenset(((-y, x, z), c) for (x, y, z), c in each) for each in found}
        more = {to_origin(each) for each in about_x | about_z} - found
        if not more:
            return found
        found |= more


def all_packings(puzzle: PackingPuzzle) -> set[frozenset[Marked]]:
    """Return every way to fill the target, as the set of marked pieces that lie in it."""
    below = dict(values_on_cells(puzzle.target.marks))
    pairs = puzzle.kind("colours").pairs
    corner = [range(extent + 1) for extent in puzzle.target.bounding_box[1]]

    def placements(piece: Piece) -> list[Marked]:
        colours = dict(values_on_cells(piece.marks))
        marked = frozenset((cell, colours.get(cell, 0)) for cell in piece.shape.cells)
        moved = (
            frozenset(((x + i, y + j, z + k), c) for (x, y, z), c in turned)
            for turned in turns(marked)
            for i, j, k in product(*corner)
        )
        return [
            each
            for each in moved
            if all(
                cell in puzzle.target.cells
                and (not c or cell not in below or (c, below[cell]) in pairs)
                for cell, c in each
            )
        ]

    lying = {piece.name: placements(piece) for piece in puzzle.pieces}

    def fill(copies: list[Piece], taken: frozenset[Cell]) -> Iterator[frozenset[Marked]]:
        if not copies:
            empty = puzzle.target.cells - taken
            if not empty & puzzle.target.required and len(empty) <= puzzle.holes:
                yield frozenset()
            return
        for each in lying[copies[0].name]:
            cells = frozenset(cell for cell, _ in each)
            if not cells & taken:
                for rest in fill(copies[1:], taken | cells):
                    yield rest | {each}

    ranges = [range(piece.copies_min, piece.copies_max + 1) for piece in puzzle.pieces]
    found = set()
    for numbers in product(*ranges):
        pieces = zip(puzzle.pieces, numbers, strict=True)
        found |= set(fill([piece for piece, n in pieces for _ in range(n)], frozenset()))
    return found


BOARD = [(x, y, 0) for x in range(3) for y in range(2)]
colours = st.lists(st.integers(0, 2), min_size=6, max_size=6)


def marked(cells: list[Cell], numbers: list[int]) -> Marks:
    return on_cells((cell, c) for cell, c in zip(cells, numbers, strict=False) if c)


@settings(max_examples=10, deadline=None)
@given(
    colours,
    colours,
    st.frozensets(st.tuples(st.integers(1, 2), st.integers(1, 2))),
    st.sampled_from([None, 0, 1, 2]),
    st.integers(0, 2),
)
def test_counts_agree_with_trying_everything(
    below: list[int],
    own: list[int],
    pairs: frozenset[tuple[int, int]],
    max_holes: int | None,
    optional: int,
) -> None:
    domino = [(0, 0, 0), (1, 0, 0)]
    bent = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    puzzle = PackingPuzzle(
        "any",
        "Any",
        Target(
            frozenset(BOARD[optional:]),
            frozenset(BOARD[:optional]),
            marks=marked(BOARD, below),
        ),
        (
            Piece("domino", Shape.of(domino), 0, 2, marks=marked(domino, own)),
            Piece("bent", Shape.of(bent), 0, 2, marks=marked(bent, own[2:])),
            Piece("stone", Shape.of([(0, 0, 0)]), 0, 1, marks=marked([(0, 0, 0)], own[5:])),
        ),
        kinds=(BORES, replace(COLOURS, pairs=pairs)),
        max_holes=max_holes,
    )
    assert loads(dumps(puzzle)) == puzzle
    wanted = all_packings(puzzle)
    assert solver.count(puzzle).total == len(wanted)
    found = {
        frozenset(frozenset(each.cells) for each in solution.placements)
        for solution in solver.solutions(puzzle, every=True)
    }
    assert found == {
        frozenset(frozenset(cell for cell, _ in each) for each in packing) for packing in wanted
    }


def test_what_colours_and_holes_say_belongs_to_the_puzzle() -> None:
    cells = frozenset(BOARD)
    bar = Piece("bar", Shape.of(BOARD))
    plain = PackingPuzzle("p", "P", Target(cells), (bar,))
    first = on_cells([(BOARD[0], 1)])
    paired = (BORES, replace(COLOURS, pairs=frozenset({(1, 1)})))
    hashes = {
        puzzle_hash(puzzle)
        for puzzle in (
            plain,
            PackingPuzzle("p", "P", Target(cells, marks=first), (bar,)),
            PackingPuzzle("p", "P", Target(cells), (bar,), kinds=paired),
            PackingPuzzle("p", "P", Target(cells), (bar,), max_holes=1),
            PackingPuzzle("p", "P", Target(cells), (Piece("b", bar.shape, marks=first),)),
            PackingPuzzle("p", "P", Target(cells), (Piece("b", bar.shape, groups=((1, 1),)),)),
        )
    }
    assert len(hashes) == 6


def test_volumes_that_leave_too_many_holes_are_refused() -> None:
    target = Target(frozenset(BOARD[2:]), frozenset(BOARD[:2]))
    pieces = (Piece("square", Shape.of([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)])),)
    assert solver.count(PackingPuzzle("p", "P", target, pieces)).total == 1
    with pytest.raises(PuzzleError, match="have 4 cubes, but its target needs 5"):
        solver.count(PackingPuzzle("p", "P", target, pieces, max_holes=1))


@pytest.mark.parametrize(
    ("colours", "message"),
    [
        ([((9, 9, 9), 1)], r"colours are on \(9, 9, 9\), which is none of its cells"),
        ([((0, 0, 0), 1), ((0, 0, 0), 2)], "two different colours are at one place"),
        ([((0, 0, 0), 62)], "from 1 to 61"),
    ],
)
def test_colours_that_make_no_sense_are_refused(
    colours: list[tuple[Cell, int]], message: str
) -> None:
    with pytest.raises(PuzzleError, match=message):
        Piece("stone", Shape.of([(0, 0, 0)]), marks=on_cells(colours))
    with pytest.raises(PuzzleError, match=message):
        Target(frozenset({(0, 0, 0)}), marks=on_cells(colours))
