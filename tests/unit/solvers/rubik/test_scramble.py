"""Random positions are reachable, reproducible and uniform."""

from collections import Counter
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from solvers.rubik.facelets import check_solvable
from solvers.rubik.scramble import POSITIONS, nth_state, random_state


@given(st.integers(0, POSITIONS - 1))
def test_every_number_gives_a_reachable_position(number: int) -> None:
    check_solvable(nth_state(number))


def test_there_are_as_many_positions_as_the_cube_has() -> None:
    assert POSITIONS == 43_252_003_274_489_856_000


def test_number_0_is_solved_and_seeds_are_reproducible() -> None:
    assert nth_state(0).is_solved
    assert random_state(7) == random_state(7)
    assert len({random_state(seed) for seed in range(100)}) == 100


def test_different_numbers_give_different_positions() -> None:
    numbers = range(0, POSITIONS, POSITIONS // 5000)
    assert len({nth_state(number) for number in numbers}) == len(numbers)


def test_pieces_are_everywhere_equally_often() -> None:
    cubes = [random_state(seed) for seed in range(2400)]
    corners = Counter(cube.corner_permutation[0] for cube in cubes)
    edges = Counter(cube.edge_permutation[11] for cube in cubes)
    twists = Counter(cube.corner_twist[7] for cube in cubes)
    flips = Counter(cube.edge_flip[11] for cube in cubes)
    # Expected 300, 200, 800 and 1200; a fixed seed range, so no chance of a random failure.
    assert all(abs(corners[piece] - 300) < 70 for piece in range(8))
    assert all(abs(edges[piece] - 200) < 60 for piece in range(12))
    assert all(abs(twists[twist] - 800) < 100 for twist in range(3))
    assert all(abs(flips[flip] - 1200) < 120 for flip in range(2))


def test_last_two_edges_are_ordered_by_the_corners_parity() -> None:
    # Of the 24 orders of four edges that share the rest, 12 go with even corners.
    edge_orders = {nth_state(k * 2**11 * 3**7 * 40_320).edge_permutation[8:] for k in range(12)}
    assert len(edge_orders) == 12
    assert edge_orders < set(permutations(range(8, 12)))
