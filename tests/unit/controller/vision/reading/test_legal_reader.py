"""The most likely legal cube and its posteriors."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.vision.reading.legal_reader import (
    Assembly,
    cheapest_assembled,
    cheapest_legal,
    cheapest_per_colour,
    cheapest_pieces,
    impossible_odds,
    posterior,
)
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import FACE_LETTERS, format_facelets, parse_facelets
from solvers.rubik.scramble import POSITIONS, nth_state, random_state

positions = st.integers(0, POSITIONS - 1)
seeds = st.integers(0, 2**32 - 1)


def costs_of(facelets: str, wrong: float = 1.0) -> np.ndarray:
    colours = [FACE_LETTERS.index(letter) for letter in facelets]
    return wrong * (1 - np.eye(6)[colours])


def letters(colours: np.ndarray) -> str:
    return "".join(FACE_LETTERS[colour] for colour in colours)


def test_the_cheapest_pieces_are_those_of_the_cheapest_assembly() -> None:
    for seed in range(5):
        costs = np.random.default_rng(seed).gamma(2.0, size=(54, 6))
        found = cheapest_pieces(costs)
        assemblies = product(range(3), range(2), range(2))
        each = [cheapest_assembled(costs, Assembly(*assembly)) for assembly in assemblies]
        best = min(each, key=lambda assigned: assigned.cost)
        assert found.cost == pytest.approx(best.cost)
        assert found.cube == best.cube


@settings(max_examples=25, deadline=None)
@given(positions)
def test_a_clear_cube_is_read_as_it_is(number: int) -> None:
    facelets = format_facelets(nth_state(number))
    found = cheapest_legal(costs_of(facelets))
    assert letters(found.colours) == facelets
    assert found.cost == 0


@pytest.mark.parametrize(
    "damage",
    [
        {"corner_twist": (1, 0, 0, 0, 0, 0, 0, 0)},
        {"edge_flip": (0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)},
        {"corner_permutation": (1, 0, 2, 3, 4, 5, 6, 7)},
        {"edge_permutation": (1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)},
        {"corner_permutation": (1, 1, 2, 3, 4, 5, 6, 7)},
    ],
)
def test_a_clear_picture_of_no_cube_is_read_as_a_legal_one(
    damage: dict[str, tuple[int, ...]],
) -> None:
    cube = random_state(5).compose(replace(SOLVED, **damage))
    costs = costs_of(format_facelets(cube))
    found = cheapest_legal(costs)
    assert parse_facelets(letters(found.colours)) == found.cube
    assert found.cost == costs[np.arange(54), found.colours].sum() >= 2


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_any_costs_give_a_legal_cube_no_cheaper_than_the_balanced_one(seed: int) -> None:
    costs = np.random.default_rng(seed).gamma(2.0, size=(54, 6))
    costs[4::9] = 0
    found = cheapest_legal(costs)
    parse_facelets(letters(found.colours))  # raises if it is not legal
    assert costs[np.arange(54), found.colours].sum() == pytest.approx(found.cost)
    balanced = cheapest_per_colour(costs)
    assert balanced.cost <= found.cost + 1e-9
    assert np.bincount(balanced.colours).tolist() == [9] * 6


@settings(max_examples=10, deadline=None)
@given(seeds, positions)
def test_no_random_cube_is_cheaper(seed: int, number: int) -> None:
    costs = np.random.default_rng(seed).gamma(2.0, size=(54, 6))
    costs[4::9] = 0
    other = [FACE_LETTERS.index(letter) for letter in format_facelets(nth_state(number))]
    assert cheapest_legal(costs).cost <= costs[np.arange(54), other].sum() + 1e-9


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_posteriors_are_probabilities(seed: int) -> None:
    costs = np.random.default_rng(seed).gamma(2.0, size=(54, 6))
    belief = posterior(costs)
    assert belief.stickers.sum(axis=1) == pytest.approx(np.ones(54))
    assert belief.stickers.sum(axis=0) == pytest.approx(np.full(6, 9.0))
    probability_of_best = np.exp(belief.free_energy - cheapest_legal(costs).cost)
    assert 0 <= probability_of_best <= 1


def test_without_evidence_every_cube_is_equally_likely() -> None:
    belief = posterior(np.zeros((54, 6)))
    assert np.exp(-belief.free_energy) == pytest.approx(POSITIONS)
    off_centre = np.delete(np.arange(54), np.arange(4, 54, 9))
    # A corner or edge sticker has each colour in one of six of all cubes.
    assert belief.stickers[off_centre] == pytest.approx(np.full((48, 6), 1 / 6))


def test_costs_a_million_times_too_high_still_give_posteriors() -> None:
    facelets = format_facelets(random_state(3))
    belief = posterior(costs_of(facelets, wrong=1e6))
    assert letters(belief.stickers.argmax(axis=1)) == facelets


def test_forbidden_stickers_are_never_used() -> None:
    facelets = format_facelets(random_state(4))
    costs = costs_of(facelets)
    costs[0, FACE_LETTERS.index(facelets[0])] = np.inf
    found = cheapest_legal(costs)
    assert letters(found.colours)[0] != facelets[0]
    assert np.isfinite(found.cost)


def test_the_odds_of_impossible_cubes_are_those_of_the_posterior() -> None:
    costs = np.random.default_rng(7).gamma(2.0, size=(54, 6))
    assert impossible_odds(costs) == pytest.approx(posterior(costs).impossible)
    swapped = parse_facelets(format_facelets(random_state(3)))
    edges = (swapped.edge_permutation[1], swapped.edge_permutation[0])
    wrong = replace(swapped, edge_permutation=edges + swapped.edge_permutation[2:])
    assert impossible_odds(costs_of(format_facelets(wrong), 9.0)) > 0
    assert impossible_odds(costs_of(format_facelets(swapped), 9.0)) < 0
