"""Symmetries of moves and positions, and the classes of flip and slice."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.rubik.cubies import SOLVED, CubieCube, Symmetry, axis_rotations, up_down_symmetries
from solvers.rubik.notation import Move
from solvers.rubik.scramble import POSITIONS, nth_state
from solvers.rubik.two_phase import coordinates

packed_flip_slices = cache(coordinates.packed_flip_slices)
representatives = cache(lambda: coordinates.flip_slice_representatives(packed_flip_slices()))
flip_moves = cache(coordinates.flip_moves)
slice_moves = cache(lambda: coordinates.slice_moves(coordinates.four_edges_moves()))
twist_moves = cache(coordinates.twist_moves)

move_lists = st.lists(st.sampled_from(Move), max_size=25)
symmetries = st.sampled_from(up_down_symmetries())


def phase_1_numbers(moves: list[Move]) -> tuple[int, int]:
    """Return the raw flip-slice number and the twist after some moves from solved."""
    slice_, flip, twist = 0, 0, 0
    for move in moves:
        slice_ = int(slice_moves()[slice_, move])
        flip, twist = int(flip_moves()[flip, move]), int(twist_moves()[twist, move])
    return slice_ * 2048 + flip, twist


def test_there_are_16_symmetries_half_of_them_mirrors() -> None:
    found = up_down_symmetries()
    assert len(set(found)) == 16
    assert sum(symmetry.is_mirror for symmetry in found) == 8
    assert all(first.after(second) in found for first in found for second in found)


def test_products_and_inverses_are_numbered_as_the_symmetries() -> None:
    products, inverses = coordinates.symmetry_products(), coordinates.symmetry_inverses()
    for i, first in enumerate(up_down_symmetries()):
        assert products[i, inverses[i]] == products[inverses[i], i] == 0
        for j, second in enumerate(up_down_symmetries()):
            assert up_down_symmetries()[products[i, j]] == first.after(second)


@given(move_lists, symmetries)
def test_conjugated_positions_are_reached_by_conjugated_moves(
    moves: list[Move], symmetry: Symmetry
) -> None:
    raw, twist = phase_1_numbers(moves)
    image_raw, image_twist = phase_1_numbers([symmetry.conjugate(move) for move in moves])
    # Both are in the same class, and normalising both gives twists of one orbit.
    assert packed_flip_slices()[raw] >> 4 == packed_flip_slices()[image_raw] >> 4
    number = up_down_symmetries().index(symmetry)
    assert coordinates.normalised_twists()[image_twist, number] == twist


@given(move_lists)
def test_packed_symmetry_leads_from_the_representative(moves: list[Move]) -> None:
    raw, _ = phase_1_numbers(moves)
    class_, number = divmod(int(packed_flip_slices()[raw]), 16)
    inverse = up_down_symmetries()[coordinates.symmetry_inverses()[number]]
    back, _ = phase_1_numbers([inverse.conjugate(move) for move in moves])
    assert back == representatives()[class_]


def test_classes_cover_all_raw_numbers() -> None:
    own = coordinates.own_flip_slice_symmetries(representatives())
    orbits = 16 // np.array([int(mask).bit_count() for mask in own])
    assert len(representatives()) == coordinates.FLIP_SLICE_CLASSES
    assert orbits.sum() == 495 * 2048
    assert own[0] == 0xFFFF


def test_class_moves_agree_with_raw_moves() -> None:
    table = coordinates.flip_slice_class_moves(packed_flip_slices(), flip_moves(), slice_moves())
    for class_ in range(0, coordinates.FLIP_SLICE_CLASSES, 997):
        slice_, flip = divmod(int(representatives()[class_]), 2048)
        for move in Move:
            raw = int(slice_moves()[slice_, move]) * 2048 + int(flip_moves()[flip, move])
            assert table[class_, move] == packed_flip_slices()[raw]


@given(st.integers(0, POSITIONS - 1), st.sampled_from(axis_rotations()), st.sampled_from(Move))
def test_rotations_conjugate_positions_as_they_conjugate_moves(
    number: int, rotation: Symmetry, move: Move
) -> None:
    def conjugated(cube: CubieCube) -> CubieCube:
        return rotation.as_cube().inverse().compose(cube).compose(rotation.as_cube())

    cube = nth_state(number)
    expected = conjugated(cube).apply([rotation.conjugate(move)])
    assert conjugated(cube.apply([move])) == expected
    assert conjugated(SOLVED).is_solved


def test_a_mirror_is_no_cube() -> None:
    with pytest.raises(ValueError, match="mirror"):
        up_down_symmetries()[8].as_cube()
