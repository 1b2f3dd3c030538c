"""Cuts: connected pieces of the sizes that were asked for, and small changes that keep them."""

import random
from collections.abc import Callable
from itertools import product

import pytest

from solvers.polycube.design import cutting
from solvers.polycube.design.cutting import (
    Cut,
    are_connected,
    cut,
    cut_target,
    exchange,
    recut,
    shift,
)
from solvers.polycube.puzzle import Target

BOX = frozenset(product(range(3), range(3), range(3)))
SIZES = (4, 4, 4, 5, 5, 5)


def hangs_together(cells: frozenset[tuple[int, int, int]]) -> bool:
    """Tell it in another way than the product: by what a growing set of cells reaches."""
    reached = {min(cells)}
    for _ in cells:
        reached |= {c for c in cells for r in reached if sum(abs(a - b) for a, b in zip(c, r)) == 1}  # noqa: B905
    return reached == cells


def is_a_cut(pieces: Cut) -> bool:
    return (
        sorted(map(len, pieces)) == list(SIZES)
        and frozenset().union(*pieces) == BOX
        and all(map(hangs_together, pieces))
    )


def made(seed: int = 1) -> Cut:
    pieces = cut(BOX, SIZES, random.Random(seed))
    assert pieces is not None
    return pieces


@pytest.mark.parametrize("seed", range(4))
def test_the_pieces_fill_the_target_and_hang_together(seed: int) -> None:
    assert is_a_cut(made(seed))
    assert made(seed) == made(seed)
    assert made(seed) != made(seed + 1)


@pytest.mark.parametrize("change", [recut, exchange])
def test_a_change_leaves_all_pieces_but_two(change: Callable[..., Cut]) -> None:
    pieces, rng = made(), random.Random(5)
    for _ in range(30):
        changed = change(pieces, rng)
        assert is_a_cut(changed)
        assert len(set(changed) - set(pieces)) == 2
        pieces = changed


def test_an_exchange_is_one_cell_each() -> None:
    before = made()
    after = exchange(before, random.Random(3))
    changed = [piece for piece in before if piece not in after]
    assert len(changed) == 2
    assert all(any(len(old - new) == 1 for new in after) for old in changed)


def test_narrow_places_are_cut_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cutting, "ATTEMPTS", 3)
    cells = frozenset(product(range(4), range(4), range(4)))
    assert all(cut(cells, (4, *(5,) * 12), random.Random(seed)) for seed in range(5))


def test_what_cannot_be_cut_or_changed() -> None:
    cross = frozenset({(1, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0), (1, 2, 0)})
    assert cut(cross, (2, 3), random.Random(1)) is None
    assert cut(cross, (1, 4), random.Random(1)) is not None
    bar = (frozenset({(0, 0, 0)}), frozenset({(1, 0, 0)}))
    assert recut(bar, random.Random(1)) == bar
    star = cross - {(1, 1, 0)}
    assert are_connected(cross)
    assert not are_connected(star)
    assert not are_connected(frozenset())


def test_a_shift_moves_a_hole_and_keeps_all_pieces_connected() -> None:
    corners = frozenset(product((0, 2), (0, 2), (0, 2)))
    rng = random.Random(4)
    pieces = cut_target(Target(BOX - corners, corners), (5, 6, 6, 6), rng)
    assert pieces is not None
    seen = set()
    for _ in range(40):
        changed = shift(pieces, rng, optional=corners)
        filled = frozenset().union(*changed)
        assert sorted(map(len, changed)) == [5, 6, 6, 6]
        assert (len(filled), filled >= BOX - corners) == (23, True)
        assert all(map(hangs_together, (*changed, filled)))
        assert len(set(changed) - set(pieces)) <= 1
        seen.add(filled)
        pieces = changed
    assert len(seen) > 5


def test_holes_never_part_the_rest() -> None:
    row = Target(frozenset({(0, 0, 0), (3, 0, 0)}), frozenset({(1, 0, 0), (2, 0, 0), (4, 0, 0)}))
    assert cut_target(row, (2, 2), random.Random(1)) is not None
    assert cut_target(row, (1, 2), random.Random(1)) is None
