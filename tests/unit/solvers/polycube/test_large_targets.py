"""Targets of thousands of cells: what is made ready for them, and what is counted without it."""

import tracemalloc

import numpy as np
import pytest

from solvers.foundation.progress import run_job
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.solving import solver
from solvers.polycube.solving.placements import packing
from solvers.polycube.solving.symmetry import item_permutations
from solvers.search.exact_cover import search
from solvers.search.exact_cover.model import WORD_BITS, ExactCover, ExactCoverError, encode
from solvers.search.exact_cover.symmetry import SymmetryGroup


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
