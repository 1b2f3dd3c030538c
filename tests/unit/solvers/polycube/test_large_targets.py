"""Targets of thousands of cells: what is made ready for them, and what is counted without it."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.errors import PuzzleError, TooManyPlacementsError
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.solving import placements, solver
from solvers.polycube.solving.first_fit import FirstFit
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.symmetry import item_permutations
from solvers.search.exact_cover import search
from solvers.search.exact_cover.model import WORD_BITS, ExactCover, ExactCoverError, encode
from solvers.search.exact_cover.symmetry import SymmetryGroup
from tests.oracles.packing_rules import check_solution


def dominoes(width: int, depth: int) -> PackingPuzzle:
    number = width * depth // 2
    piece = Piece("domino", Shape.of([(0, 0, 0), (1, 0, 0)]), number, number)
    return PackingPuzzle("dominoes", "dominoes", Target.box(width, depth), (piece,))


def test_options_are_kept_as_short_rows_of_items() -> None:
    encoding = encode(ExactCover.of([[0, 5, 64], [130], [64, 65]]))
    beyond = 3 * WORD_BITS
    assert encoding.rows.tolist() == [[0, 5, 64], [130, beyond, beyond], [64, 65, beyond]]
    taking = encoding.taking(np.arange(3), [5, 64, 100, 130])
    assert [options.tolist() for options in taking] == [[0], [0, 2], [], [1]]


def test_no_table_of_all_options_and_cells_is_made() -> None:
    """The booleans of one would be 13 MB; for pentominoes in 20 x 20 x 20 a thousand times that."""
    packed = packing(dominoes(50, 50))
    encoding = encode(packed.cover)
    permutations = list(item_permutations(packed, reflections=True))
    tracemalloc.start()
    try:
        group = SymmetryGroup(packed.cover, encoding, permutations)
        parts = list(group.reduce())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(group), bool(parts)) == (16, True)  # turned over too
    assert peak < encoding.options * encoding.bits


def test_what_is_narrow_is_counted_though_a_search_would_need_too_much_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two rows of dominoes are Fibonacci's numbers."""
    monkeypatch.setattr(search, "_memory", lambda: 10_000)
    puzzle = dominoes(20, 2)
    assert solver.count(puzzle).total == 10_946
    with pytest.raises(ExactCoverError, match="more than there is"):
        run_job(solver.count_job(puzzle, only_parts=True))


def test_a_first_solution_needs_no_table_of_all_placements(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither too many placements nor too little memory for them ends the search for one."""
    soma = library.load("soma")
    with monkeypatch.context() as patched:
        patched.setattr(search, "_memory", lambda: 10_000)
        found, nodes = solver.find_first(replace(soma, name="little memory"))
    assert found is not None
    assert nodes > 0
    check_solution(soma, found)
    with monkeypatch.context() as patched:
        patched.setattr(placements, "MOST_CELLS", 1000)
        many = replace(soma, name="many placements")
        with pytest.raises(TooManyPlacementsError, match="too many to search"):
            solver.count(many)
        found, _ = solver.find_first(many)
        assert found is not None
        with pytest.raises(TooManyPlacementsError):  # bores are not known to that search
            solver.find_first(replace(library.load("drilled-cube"), name="drilled"))


def test_pieces_are_put_into_large_targets_where_they_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "packing", None)  # which makes all placements
    cubes = Target.box(12, 12, 12)
    domino = Piece("domino", Shape.of([(0, 0, 0), (1, 0, 0)]), 864, 864)
    puzzle = PackingPuzzle("dominoes", "dominoes", cubes, (domino,))
    found, nodes = solver.find_first(puzzle)
    assert found is not None
    assert nodes < 2000
    check_solution(puzzle, found)


def test_a_large_target_that_cannot_be_filled_is_proven_so() -> None:
    cells = Target.box(24, 24).cells - {(0, 0, 0), (23, 23, 0)}
    domino = Piece("domino", Shape.of([(0, 0, 0), (1, 0, 0)]), 287, 287)
    assert solver.find_first(PackingPuzzle("p", "p", Target(cells), (domino,))) == (None, 0)


SHAPES = [
    Shape.from_layers([rows])
    for rows in (["##"], ["###"], ["##", "#."], ["##", "##"], ["####"], ["###", "#.."], ["#"])
]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_first_fit_finds_a_solution_where_there_is_one(data: st.DataObject) -> None:
    """With holes, with copies that need not be used, and in three dimensions."""
    width, depth, height = (data.draw(st.integers(1, most)) for most in (4, 3, 2))
    cells = sorted(Target.box(width, depth, height).cells)
    optional = frozenset(data.draw(st.sets(st.sampled_from(cells), max_size=4)))
    chosen = data.draw(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=4, unique=True))
    pieces = []
    for number, shape in enumerate(chosen):
        least = data.draw(st.integers(0, 2))
        most = data.draw(st.integers(max(1, least), 3))
        pieces.append(Piece(str(number), shape, least, most))
    holes = data.draw(st.none() | st.integers(0, 3))
    target = Target(frozenset(cells) - optional, optional)
    puzzle = PackingPuzzle("p", "p", target, tuple(pieces), max_holes=holes)
    try:
        exists = solver.count(puzzle).total > 0
    except PuzzleError:
        exists = False
    fit = FirstFit(puzzle)
    found = run_job(fit.search())
    assert (found is not None) == exists
    assert fit.finished == (found is None)
    if found is not None:
        check_solution(puzzle, found)
