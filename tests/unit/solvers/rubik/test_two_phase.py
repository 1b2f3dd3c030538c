"""The search solves every cube, in few moves, from anywhere to anywhere, and stops when asked."""

from collections.abc import Callable
from itertools import pairwise
from time import process_time

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.rubik.cubies import SOLVED, CubieCube, axis_rotations
from solvers.rubik.errors import TwistedCornerError
from solvers.rubik.notation import Move, cancel, parse_moves
from solvers.rubik.scramble import POSITIONS, nth_state, random_state
from solvers.rubik.two_phase import coordinates as c
from solvers.rubik.two_phase.search import (
    CORNERS,
    D_EDGES,
    RUNNING,
    SLICE,
    STAGE,
    U_EDGES,
    new_search,
    set_start_positions,
)
from solvers.rubik.two_phase.solver import (
    Solution,
    best_solution,
    fewest_moves,
    moves_to,
    solve,
    solve_each,
)
from solvers.rubik.two_phase.tables import SearchTables

SUPERFLIP = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"


def ticking_clock(step_s: float) -> Callable[[], float]:
    """Return a clock that advances by `step_s` at each reading."""
    now = 0.0

    def look() -> float:
        nonlocal now
        now += step_s
        return now

    return look


def test_200_random_cubes_within_20_moves(exact_tables: SearchTables) -> None:
    for seed in range(200):
        cube = random_state(seed)
        solution = next(solve(cube, max_moves=20, tables=exact_tables))
        assert len(solution) <= 20
        assert cube.apply(solution.moves).is_solved


def test_small_tables_find_the_same_first_solution(
    small_tables: SearchTables, exact_tables: SearchTables
) -> None:
    assert exact_tables.is_exact
    assert not small_tables.is_exact
    for seed in range(10):
        first = [
            next(
                solve(
                    random_state(seed),
                    max_moves=21,
                    time_limit_s=60,
                    clock=process_time,
                    tables=tables,
                )
            ).moves
            for tables in (small_tables, exact_tables)
        ]
        assert first[0] == first[1]


@settings(max_examples=50)
@given(st.integers(0, POSITIONS - 1), st.integers(0, POSITIONS - 1))
def test_any_position_to_any_other(first: int, second: int) -> None:
    start, target = nth_state(first), nth_state(second)
    solution = next(solve(start, target))
    assert start.apply(solution.moves) == target
    assert cancel(solution.moves) == solution.moves


@settings(max_examples=50)
@given(st.lists(st.sampled_from(Move), max_size=5))
def test_short_scrambles_are_solved_in_as_few_moves(moves: list[Move]) -> None:
    *_, last = solve(SOLVED.apply(moves), time_limit_s=10, clock=process_time)
    assert len(last) <= len(cancel(moves))


@pytest.mark.parametrize(
    ("scramble", "length"), [("", 0), ("R", 1), ("R U", 2), ("U2 D2 R2 L2 F2 B2", 6), ("F' L2", 2)]
)
def test_search_of_an_easy_cube_ends_by_itself(scramble: str, length: int) -> None:
    cube = SOLVED.apply(parse_moves(scramble))
    *_, last = solve(cube)
    assert len(last) == length


def test_superflip_is_solved_in_20_moves(exact_tables: SearchTables) -> None:
    cube = SOLVED.apply(parse_moves(SUPERFLIP))
    assert cube.edge_flip == (1,) * 12
    solution = next(solve(cube, max_moves=20, tables=exact_tables))
    assert len(solution) == 20


def test_many_cubes_are_solved_in_a_row(exact_tables: SearchTables) -> None:
    assert exact_tables.is_exact
    cubes = [random_state(seed) for seed in range(20)]
    solutions = list(solve_each(cubes))
    for cube, solution in zip(cubes, solutions, strict=True):
        assert solution is not None
        assert len(solution) <= 20
        assert cube.apply(solution.moves).is_solved
    assert list(solve_each([SOLVED.apply([Move.R1])], max_moves=0)) == [None]


@pytest.mark.parametrize(("scramble", "fewest"), [("", 0), ("R2", 1), ("R U", 1), (SUPERFLIP, 10)])
def test_fewest_moves_is_a_lower_bound(scramble: str, fewest: int) -> None:
    cube = SOLVED.apply(parse_moves(scramble))
    assert fewest <= fewest_moves(cube) <= len(parse_moves(scramble))
    assert fewest_moves(SOLVED, cube) <= len(parse_moves(scramble))


def test_best_solution_reports_each_better_one() -> None:
    reported: list[Solution] = []
    best = best_solution(
        random_state(3), time_limit_s=1, clock=ticking_clock(0.01), on_better=reported.append
    )
    assert best == reported[-1]
    assert len(reported) >= 2


def test_solutions_get_strictly_shorter() -> None:
    solutions = list(solve(random_state(3), time_limit_s=1, clock=ticking_clock(0.01)))
    assert len(solutions) >= 2
    for earlier, later in pairwise(solutions):
        assert len(later) < len(earlier)
        assert later.seconds > earlier.seconds


def test_extra_moves_yield_many_different_solutions() -> None:
    cube, target = random_state(5), random_state(6)
    solutions = list(solve(cube, target, extra_moves=1, time_limit_s=0.3, clock=process_time))
    best = len(solutions[0])
    for solution in solutions:
        assert cube.apply(solution.moves) == target
        assert len(solution) <= best + 1
        best = min(best, len(solution))
    assert len({solution.moves for solution in solutions}) == len(solutions)
    assert sum(len(solution) <= best + 1 for solution in solutions) > 2


def test_max_moves_out_of_reach_yields_nothing() -> None:
    assert list(solve(random_state(1), max_moves=12, time_limit_s=0.05, clock=process_time)) == []
    assert list(solve(SOLVED.apply([Move.R1]), max_moves=0)) == []


def test_time_limit_counts_only_the_search() -> None:
    now = [0.0]
    seconds = []
    for solution in solve(random_state(1), max_moves=22, time_limit_s=1, clock=lambda: now[0]):
        now[0] += 1000  # the consumer takes its time
        seconds.append(solution.seconds)
        if len(seconds) == 2:
            break
    assert seconds == [0, 0]


def test_search_stops_at_the_time_limit() -> None:
    clock = ticking_clock(1.0)
    assert list(solve(random_state(1), max_moves=15, time_limit_s=5, clock=clock)) == []
    assert clock() < 12


def test_a_time_limit_needs_a_clock() -> None:
    with pytest.raises(ValueError, match="needs a clock"):
        next(solve(random_state(1), time_limit_s=1))


def test_impossible_change_is_refused() -> None:
    twisted = CubieCube(
        SOLVED.corner_permutation, (1, *SOLVED.corner_twist[1:]), *_edges_of(SOLVED)
    )
    with pytest.raises(TwistedCornerError):
        next(solve(twisted))
    with pytest.raises(TwistedCornerError):
        next(solve(SOLVED, twisted))
    assert next(solve(twisted, twisted)).moves == ()


def _edges_of(cube: CubieCube) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return cube.edge_permutation, cube.edge_flip


def test_a_wrong_solution_is_never_returned(small_tables: SearchTables) -> None:
    phase_1 = small_tables.phase_1
    wrong = phase_1._replace(axis_moves=np.roll(phase_1.axis_moves, 1, axis=1))
    with pytest.raises(AssertionError, match="bug"):
        next(solve(random_state(1), tables=small_tables._replace(phase_1=wrong)))


def test_numbers_that_are_not_a_cube_are_refused_before_the_kernel_uses_them() -> None:
    twice = CubieCube((0, 0, *range(2, 8)), SOLVED.corner_twist, *_edges_of(SOLVED))
    with pytest.raises(ValueError, match="no cube"):
        next(solve(twice))


def test_kernels_are_compiled_once_for_all_tables(
    small_tables: SearchTables, exact_tables: SearchTables
) -> None:
    small, exact = (numba.typeof(tables) for tables in (small_tables, exact_tables))  # type: ignore[no-untyped-call]
    assert small == exact


def test_moves_to_a_position_are_always_the_same() -> None:
    cube = random_state(11)
    assert moves_to(cube) == moves_to(cube)
    assert SOLVED.apply(moves_to(cube)) == cube


def test_kernel_sees_the_six_directions_as_the_cubies_do(small_tables: SearchTables) -> None:
    cube = random_state(8)
    state = new_search(cube, SOLVED, 20, -1)
    set_start_positions(*small_tables, state)
    assert state.control[STAGE] == RUNNING
    axis_cubes = [rotation.as_cube() for rotation in axis_rotations()]
    for direction in range(6):
        seen = cube.inverse() if direction >= 3 else cube
        axis = axis_cubes[direction % 3]
        seen = axis.inverse().compose(seen).compose(axis)
        found = state.directions[direction]
        assert found[CORNERS] == c.eight_number(np.array([seen.corner_permutation]))[0]
        for column, first in ((SLICE, 8), (U_EDGES, 0), (D_EDGES, 4)):
            labels = [p - first if 0 <= p - first < 4 else -1 for p in seen.edge_permutation]
            assert found[column] == c.four_edges_number(np.array([labels]))[0]
