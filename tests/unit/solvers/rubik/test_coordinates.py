"""Coordinates and their move tables agree with the cubies they stand for."""

from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solvers.rubik.cubies import MOVE_CUBES, CubieCube
from solvers.rubik.notation import Move
from solvers.rubik.scramble import POSITIONS, nth_state
from solvers.rubik.two_phase import coordinates as c

cubes = st.integers(0, POSITIONS - 1).map(nth_state)

twist_moves = cache(c.twist_moves)
flip_moves = cache(c.flip_moves)
four_edges_moves = cache(c.four_edges_moves)
slice_moves = cache(lambda: c.slice_moves(four_edges_moves()))
corner_moves = cache(c.corner_moves)
edge_moves = cache(c.phase_2_edge_moves)


def twist(cube: CubieCube) -> int:
    return int(c.twist_number(np.array([cube.corner_twist]))[0])


def flip(cube: CubieCube) -> int:
    return int(c.flip_number(np.array([cube.edge_flip]))[0])


def four_edges(cube: CubieCube, first: int) -> int:
    labels = [piece - first if 0 <= piece - first < 4 else -1 for piece in cube.edge_permutation]
    return int(c.four_edges_number(np.array([labels]))[0])


def corners(cube: CubieCube) -> int:
    return int(c.eight_number(np.array([cube.corner_permutation]))[0])


@given(cubes, st.sampled_from(Move))
def test_move_tables_agree_with_cubies(cube: CubieCube, move: Move) -> None:
    after = cube.apply([move])
    assert twist_moves()[twist(cube), move] == twist(after)
    assert flip_moves()[flip(cube), move] == flip(after)
    assert corner_moves()[corners(cube), move] == corners(after)
    for first in (0, 4, 8):
        assert four_edges_moves()[four_edges(cube, first), move] == four_edges(after, first)
    assert slice_moves()[four_edges(cube, 8) // 24, move] == four_edges(after, 8) // 24


@given(st.permutations(range(8)), st.sampled_from(range(10)))
def test_phase_2_edges_agree_with_cubies(edges: list[int], number: int) -> None:
    sources = MOVE_CUBES[c.PHASE_2_MOVES[number]].edge_permutation[:8]
    after = [edges[source] for source in sources]
    before_number, after_number = c.eight_number(np.array([edges, after]))
    assert edge_moves()[before_number, number] == after_number


def test_numbers_and_pieces_are_inverse() -> None:
    assert (c.twist_number(c.twist_digits()) == np.arange(2187)).all()
    assert (c.flip_number(c.flip_digits()) == np.arange(2048)).all()
    assert (c.four_edges_number(c.four_edges_labels()) == np.arange(11_880)).all()
    assert (c.eight_number(c.eight_orders()) == np.arange(40_320)).all()


def test_sums_of_twists_and_flips_are_closed() -> None:
    assert (c.twist_digits().sum(axis=1) % 3 == 0).all()
    assert (c.flip_digits().sum(axis=1) % 2 == 0).all()


def test_solved_is_number_0_everywhere() -> None:
    solved = nth_state(0)
    assert twist(solved) == flip(solved) == corners(solved) == four_edges(solved, 8) == 0


def test_every_quarter_turn_has_order_four() -> None:
    for table in (twist_moves(), flip_moves(), four_edges_moves(), corner_moves()):
        everything = np.arange(len(table))
        for move in (Move.U1, Move.R1, Move.F1, Move.D1, Move.L1, Move.B1):
            once = table[:, move]
            assert (once[once] == table[:, move + 1]).all()
            assert (once[table[:, move + 2]] == everything).all()


def test_phase_2_moves_keep_twist_flip_and_slice() -> None:
    for move in Move:
        keeps = [twist_moves()[0, move], flip_moves()[0, move], slice_moves()[0, move]] == [0, 0, 0]
        assert keeps == (move in c.PHASE_2_MOVES)


def test_splits_are_the_places_of_the_first_four() -> None:
    splits = c.phase_2_split_moves(edge_moves())
    everything = np.arange(40_320)
    assert splits.shape == (70, 10)
    for number in range(10):
        assert (edge_moves()[:, number] // 576 == splits[everything // 576, number]).all()


def test_upper_splits_are_255_outside_the_two_layers() -> None:
    splits = c.splits_of_upper_edges()
    assert sorted(splits[splits < 255]) == list(range(70))
    assert splits[0] == 255
