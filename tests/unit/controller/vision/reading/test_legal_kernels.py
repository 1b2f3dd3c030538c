"""The dynamic programmes against plain enumeration of every arrangement."""

from itertools import permutations, product

import numpy as np
import pytest

from controller.vision.reading.legal_reader import (
    arrangement_weights,
    cheapest_arrangements,
    cheapest_balanced,
)
from solvers.foundation.arrays import Float64Array
from solvers.rubik.facelets import is_odd

Arrangement = tuple[tuple[int, ...], tuple[int, ...]]


def all_arrangements(places: int, turns: int, odd: bool, total: int = 0) -> list[Arrangement]:
    return [
        (order, turned)
        for order in permutations(range(places))
        if is_odd(order) == odd
        for turned in product(range(turns), repeat=places)
        if sum(turned) % turns == total
    ]


def entries(table: Float64Array, arrangement: Arrangement) -> Float64Array:
    order, turned = arrangement
    return table[np.arange(len(order)), order, turned]


@pytest.mark.parametrize(("places", "turns"), [(4, 3), (5, 2)])
@pytest.mark.parametrize("odd", [False, True])
def test_cheapest_arrangement_is_the_cheapest_of_all(places: int, turns: int, odd: bool) -> None:
    cost = np.random.default_rng(places).gamma(2.0, size=(places, places, turns))
    totals, found = cheapest_arrangements(cost, turns)
    for total in range(turns):
        arrangements = all_arrangements(places, turns, odd, total)
        expected = min(entries(cost, each).sum() for each in arrangements)
        assert totals[total, int(odd)] == pytest.approx(expected)
        pieces, turned = found[total, int(odd)].T
        arrangement = tuple(pieces), tuple(turned)
        assert arrangement in arrangements
        assert entries(cost, arrangement).sum() == pytest.approx(expected)


@pytest.mark.parametrize(("places", "turns"), [(4, 3), (5, 2)])
@pytest.mark.parametrize("odd", [False, True])
def test_weights_add_up_over_all_arrangements(places: int, turns: int, odd: bool) -> None:
    weight = np.random.default_rng(places).uniform(0.1, 1.0, (places, places, turns))
    totals, shares = arrangement_weights(weight)
    expected = np.zeros_like(weight)
    for arrangement in all_arrangements(places, turns, odd):
        order, turned = arrangement
        expected[np.arange(places), order, turned] += entries(weight, arrangement).prod()
    assert totals[0, int(odd)] == pytest.approx(expected[0].sum())
    assert shares[int(odd)] == pytest.approx(expected)


@pytest.mark.parametrize(("places", "turns"), [(4, 3), (5, 2)])
def test_totals_of_all_sums_and_parities_are_those_of_any_arrangement(
    places: int, turns: int
) -> None:
    weight = np.random.default_rng(places).uniform(0.1, 1.0, (places, places, turns))
    totals, _ = arrangement_weights(weight)
    any_turn = weight.sum(axis=2)
    expected = sum(
        any_turn[np.arange(places), order].prod() for order in permutations(range(places))
    )
    assert totals.shape == (turns, 2)
    assert totals.sum() == pytest.approx(expected)


def test_balanced_assignment_is_the_cheapest_of_all() -> None:
    cost = np.random.default_rng(1).gamma(2.0, size=(6, 6))
    total, assigned = cheapest_balanced(cost, 1)
    assert sorted(assigned) == list(range(6))
    assert cost[np.arange(6), assigned].sum() == pytest.approx(total)
    assert total == pytest.approx(
        min(cost[np.arange(6), order].sum() for order in permutations(range(6)))
    )


def test_balanced_assignment_uses_each_colour_as_often() -> None:
    cost = np.random.default_rng(2).gamma(2.0, size=(24, 6))
    total, assigned = cheapest_balanced(cost, 4)
    assert np.bincount(assigned).tolist() == [4] * 6
    # Exchanging the colours of any two stickers never makes it cheaper.
    for first, second in product(range(24), repeat=2):
        exchanged = assigned.copy()
        exchanged[[first, second]] = assigned[[second, first]]
        assert cost[np.arange(24), exchanged].sum() >= total - 1e-9
