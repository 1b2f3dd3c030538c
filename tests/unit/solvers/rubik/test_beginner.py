"""The beginner's method solves every cube in stages that keep what was done before."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.rubik.beginner import solve_by_layers
from solvers.rubik.cubies import EDGE_NAMES, SOLVED, CubieCube
from solvers.rubik.errors import TwistedCornerError
from solvers.rubik.notation import Move, cancel
from solvers.rubik.scramble import POSITIONS, nth_state, random_state

NAMES = (
    "cross",
    "corners",
    "middle edges",
    "top cross",
    "top edges",
    "top corners",
    "top twists",
)


def edges_home(cube: CubieCube, *names: str) -> bool:
    places = [EDGE_NAMES.index(name) for name in names]
    return all(cube.edge_permutation[i] == i and cube.edge_flip[i] == 0 for i in places)


def corners_home(cube: CubieCube, places: range) -> bool:
    return all(cube.corner_permutation[i] == i and cube.corner_twist[i] == 0 for i in places)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, POSITIONS - 1))
def test_each_stage_does_what_its_name_says(number: int) -> None:
    cube = nth_state(number)
    reached = {}
    for stage in solve_by_layers(cube):
        assert cancel(stage.moves) == stage.moves
        cube = reached[stage.name] = cube.apply(stage.moves)
    assert tuple(reached) == NAMES
    for name in NAMES[:-1]:
        assert edges_home(reached[name], "DF", "DR", "DB", "DL"), name
    for name in NAMES[1:-1]:
        assert corners_home(reached[name], range(4, 8)), name
    for name in NAMES[2:-1]:
        assert edges_home(reached[name], "FR", "FL", "BR", "BL"), name
    assert all(reached[name].edge_flip[:4] == (0,) * 4 for name in NAMES[3:])
    assert all(reached[name].edge_permutation[:4] == (0, 1, 2, 3) for name in NAMES[4:])
    assert reached["top corners"].corner_permutation == tuple(range(8))
    assert cube.is_solved


def test_a_solved_cube_needs_nothing() -> None:
    assert all(stage.moves == () for stage in solve_by_layers(SOLVED))


def test_any_target_is_reached() -> None:
    start, target = random_state(1), random_state(2)
    moves = [move for stage in solve_by_layers(start, target) for move in stage.moves]
    assert start.apply(moves) == target


def test_about_as_many_moves_as_a_person_needs() -> None:
    lengths = [
        sum(len(stage.moves) for stage in solve_by_layers(random_state(seed))) for seed in range(3)
    ]
    assert 60 < sum(lengths) / len(lengths) < 160


def test_a_cross_edge_one_turn_away_takes_one_turn() -> None:
    first = solve_by_layers(SOLVED.apply([Move.F1]))[0]
    assert first.moves == (Move.F3,)


def test_an_impossible_cube_is_refused() -> None:
    twisted = CubieCube(
        SOLVED.corner_permutation, (1, *(0,) * 7), SOLVED.edge_permutation, SOLVED.edge_flip
    )
    with pytest.raises(TwistedCornerError):
        solve_by_layers(twisted)
