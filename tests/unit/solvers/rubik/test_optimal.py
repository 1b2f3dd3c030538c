"""The shortest solutions, proven: against plain searches and known positions."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from solvers.foundation.progress import Progress, run_job
from solvers.foundation.table_cache import Table
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.errors import TwistedCornerError
from solvers.rubik.notation import Move, cancel, inverse_moves, parse_moves
from solvers.rubik.optimal import cube_words, depth_search, large_table, solver
from solvers.rubik.optimal.cube_words import (
    HALF,
    make_move,
    seen_along,
    to_numbers,
    word_tables,
    words_of,
)
from solvers.rubik.optimal.depth_search import (
    ALL_MOVES,
    COLUMNS_OF_AXIS,
    SIZE,
    WORDS,
    deltas_of,
    fill_rows,
    near_by_deltas,
    near_by_table,
    new_depth_search,
)
from solvers.rubik.optimal.large_search import (
    STARTS,
    new_large_search,
    resume,
    solution_of,
    start_length,
)
from solvers.rubik.optimal.large_table import (
    NEARER,
    TETRAD,
    TETRADS,
    LargeTable,
    build_classes,
    corners,
    fill,
    index_of_nearer,
    load_large_table,
    tetrad_numbers,
)
from solvers.rubik.optimal.solver import (
    Better,
    OptimalSolution,
    Searching,
    solve_optimally,
)
from solvers.rubik.scramble import random_state
from solvers.rubik.two_phase.coordinates import (
    FLIPS,
    TWISTS,
    flip_moves,
    four_edges_moves,
    four_of_twelve,
    slice_moves,
)
from solvers.rubik.two_phase.phase_1_bounds import exact_distance
from solvers.rubik.two_phase.search import advance, new_search
from solvers.rubik.two_phase.tables import SearchTables
from tests.unit.solvers.rubik.test_two_phase import ticking_clock


def optimal(cube: CubieCube, tables: SearchTables, target: CubieCube = SOLVED) -> OptimalSolution:
    # Each look at the clock is a tenth of a second, so that two-phase search ends soon.
    return run_job(solve_optimally(cube, target, tables=tables, clock=ticking_clock(0.1)))


def fewest_by_plain_search(cube: CubieCube, at_most: int) -> int | None:
    """Return how many moves a position needs, trying all sequences in the normal form."""
    for length in range(at_most + 1):
        for moves in product(Move, repeat=length):
            if cancel(moves) == moves and cube.apply(moves).is_solved:
                return length
    return None


@pytest.mark.parametrize("text", ["", "R", "R2 L2", "U D2", "R U", "F U2 R'", "R2 F R2", "M E"])
def test_short_ones_agree_with_a_plain_search(exact_tables: SearchTables, text: str) -> None:
    cube = SOLVED.apply(parse_moves(text))
    report = optimal(cube, exact_tables)
    assert report.is_proven
    assert cube.apply(report.moves).is_solved
    assert len(report.moves) == (fewest_by_plain_search(cube, 3) or len(cancel(parse_moves(text))))


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("M2 E2 S2", 6),  # chequerboard
        ("[R, U]", 4),
        ("(R U R' U')3", 12),  # two pairs of corners
        ("R U R' U R U2 R'", 7),  # Sune
        ("R2 U R U R' U' R' U' R' U R'", 9),  # three edges: nine face turns do
        ("M' S E M S' E'", None),
    ],
)
def test_known_positions(exact_tables: SearchTables, text: str, length: int | None) -> None:
    cube = SOLVED.apply(parse_moves(text))
    report = optimal(cube, exact_tables)
    assert report.is_proven
    assert cube.apply(report.moves).is_solved
    assert len(report.moves) <= len(cancel(parse_moves(text)))
    assert length is None or len(report.moves) == length


@pytest.mark.parametrize("text", ["F2 U' L D2 R' B U L2 F'", "R U2 B' D L' F R2 U' B2 D' L"])
def test_both_directions_need_the_same_number(exact_tables: SearchTables, text: str) -> None:
    cube = SOLVED.apply(parse_moves(text))
    there, back = optimal(cube, exact_tables), optimal(SOLVED, exact_tables, cube)
    assert there.is_proven
    assert back.is_proven
    assert len(there.moves) == len(back.moves) <= len(parse_moves(text))
    assert SOLVED.apply(back.moves) == cube


def test_the_time_limit_keeps_the_best_and_what_is_proven(exact_tables: SearchTables) -> None:
    events: list[Better | Searching | Progress] = []
    job = solve_optimally(
        random_state(1), tables=exact_tables, clock=ticking_clock(0.1), time_limit_s=5
    )
    report = run_job(job, events.append)
    assert not report.is_proven
    assert random_state(1).apply(report.moves).is_solved
    assert 10 <= report.at_least < len(report.moves)
    last = [event for event in events if isinstance(event, Better)][-1]
    assert (last.moves, last.at_least) == (report.moves, report.at_least)
    searching = [event for event in events if isinstance(event, Searching)]
    assert all(0 <= event.share <= 1 and event.left_s >= 0 for event in searching)
    assert [event.nodes for event in searching] == sorted(event.nodes for event in searching)


def test_the_first_solution_keeps_to_the_time_limit(
    exact_tables: SearchTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "FIRST_TRY_S", 2.0)
    clock = ticking_clock(0.1)
    report = run_job(
        solve_optimally(random_state(1), tables=exact_tables, clock=clock, time_limit_s=0.5)
    )
    assert random_state(1).apply(report.moves).is_solved
    assert clock() < 2.0


def test_the_table_of_moves_agrees_with_the_exact_one(exact_tables: SearchTables) -> None:
    phase_1 = exact_tables.phase_1
    started = new_search(random_state(1), SOLVED, -1, -1)
    advance(*exact_tables, started, 0)
    deltas = np.zeros(SIZE, np.uint8)  # pages are only allocated when touched
    search = new_depth_search(phase_1, started, random_state(1), SOLVED)._replace(deltas=deltas)
    generator = np.random.default_rng(5)
    for class_ in generator.integers(0, 64_430, 5).tolist():
        fill_rows(phase_1, deltas, class_, class_ + 1)
        for twist, symmetry, axis in generator.integers(0, (2187, 16, 3), (20, 3)).tolist():
            here = search.path[0]
            first = COLUMNS_OF_AXIS * axis
            distance = exact_distance(phase_1, class_, twist)
            here[first : first + 4] = class_, symmetry, twist, distance
            here[WORDS + axis] = deltas_of(deltas, class_, twist)
            for remaining in range(max(distance - 1, 0), distance + 4):
                seen = near_by_table(phase_1, search, here, axis, remaining, ALL_MOVES)
                assert near_by_deltas(search, here, axis, remaining) == seen


# The large table, filled only for a few moves.

NEAR = 3


@cache
def filled(near: int) -> LargeTable:
    classes = run_job(build_classes())
    return LargeTable(run_job(fill(classes, near)), classes)


@pytest.fixture(scope="module")
def large() -> LargeTable:
    return filled(NEAR)


def test_the_large_table_is_exact(large: LargeTable) -> None:
    slices, flips, around = slice_moves(four_edges_moves()), flip_moves(), corners()

    def neighbours(position: tuple[int, ...]) -> set[tuple[int, ...]]:
        raw, twist, tetrads = position
        return {
            (
                int(slices[raw // FLIPS, move]) * FLIPS + int(flips[raw % FLIPS, move]),
                int(around.twist_moves[move, twist]),
                int(around.tetrad_moves[move, tetrads]),
            )
            for move in range(18)
        }

    def is_near(position: tuple[int, ...], *, nearer: bool = False) -> bool:
        raw, twist, tetrads = position
        class_, place = divmod(int(large.classes[raw]), 256)
        row = class_ * TWISTS + int(around.twists[place, twist])
        seen = int(around.tetrads[place, tetrads])
        index = int(index_of_nearer(row, seen)) if nearer else row * TETRADS + seen
        return bool(large.words[index] >> (place & 15) & 1)

    known: set[tuple[int, ...]] = set()
    last: set[tuple[int, ...]] = {(0, 0, 0)}
    for distance in range(NEAR + 2):
        known |= last
        some = sorted(last)[:: max(1, len(last) // 3000)]
        assert {is_near(position) for position in some} == {distance <= NEAR}
        # So few words are in the nearer part that hardly any of them meet there.
        nearer = [is_near(position, nearer=True) for position in some]
        if distance <= NEAR - NEARER:
            assert all(nearer)
        else:
            assert sum(nearer) < len(some) / 100
        last = {each for position in last for each in neighbours(position)} - known


def test_the_large_table_is_read_to_huge_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def note(*_: object, to_huge_pages: bool = False) -> Table:
        asked.append(to_huge_pages)
        return np.zeros(1, np.uint16)

    monkeypatch.setattr(large_table, "load", note)
    assert load_large_table() is not None
    assert asked == [True, True]  # the words and the classes


def test_words_follow_the_pieces() -> None:
    words = word_tables()
    for seed in range(3):
        cube = random_state(seed)
        before = words_of(cube)
        for move in Move:
            after = np.zeros_like(before)
            make_move(words, before, after, move, 0)
            assert (after == words_of(cube.apply([move]))).all()
            make_move(words, before, after, move, HALF)
            assert (after == words_of(cube.inverse().apply([move]).inverse())).all()
        numbers = np.zeros(40, np.int8)
        to_numbers(words, before, numbers)
        assert tuple(numbers.tolist()) == cube.numbers()


def coordinates(cube: CubieCube) -> tuple[int, int, int]:
    """Return flip and slice, twist and tetrads of a cube, from its pieces."""
    places = sum(1 << place for place, piece in enumerate(cube.edge_permutation) if piece >= 8)
    flips = sum(flip << place for place, flip in enumerate(cube.edge_flip[:11]))
    twist = sum(each * 3**place for place, each in enumerate(cube.corner_twist[:7]))
    first = [place for place, piece in enumerate(cube.corner_permutation) if piece in TETRAD]
    return (
        int(four_of_twelve()[places]) * FLIPS + flips,
        twist,
        int(tetrad_numbers()[sum(1 << place for place in first)]),
    )


def test_words_lead_to_the_coordinates_of_both_sides() -> None:
    words = word_tables()
    for seed in range(3):
        cube = random_state(seed)
        for half, position in ((0, cube), (HALF, cube.inverse())):
            flips, slices, ones, twos, tetrads = (
                words_of(cube)[half : half + HALF][
                    [
                        cube_words.FLIPS_AT,
                        cube_words.SLICES_AT,
                        cube_words.ONES_AT,
                        cube_words.TWOS_AT,
                        cube_words.TETRADS_AT,
                    ]
                ]
            ).tolist()
            for axis in range(3):
                assert coordinates(seen_along(position, axis)) == (
                    cube_words.raw_number(words, flips, slices, axis),
                    cube_words.twist_number(words, ones, twos, axis),
                    cube_words.tetrads_number(words, tetrads, axis),
                )


@pytest.mark.parametrize("near", [1, 2, NEAR])
def test_the_large_table_never_asks_for_too_many_moves(
    exact_tables: SearchTables, near: int
) -> None:
    table = filled(near)
    generator = np.random.default_rng(2)
    for _ in range(60):
        cube = SOLVED.apply([Move(number) for number in generator.integers(0, 18, near)])
        search = new_large_search(exact_tables.phase_1, table, cube, SOLVED, near)
        start_length(exact_tables.phase_1, search, near)
        assert search.unsorted[0] & 7 == 6  # along three axes, from both sides


def test_starts_are_searched_in_the_order_of_their_promise(
    exact_tables: SearchTables, large: LargeTable
) -> None:
    cube = SOLVED.apply(parse_moves("R U F' L2 D"))
    search = new_large_search(exact_tables.phase_1, large, cube, SOLVED, NEAR)
    start_length(exact_tables.phase_1, search, NEAR + 3 + 3)
    starts = search.control[STARTS]
    assert starts == len(sequences(3))
    promised = {int(each) >> 3: int(each) & 7 for each in search.unsorted[:starts]}
    sorted_ = search.starts[:starts].tolist()
    assert sorted(sorted_) == sorted(promised)
    counts = [promised[start] for start in sorted_]
    assert counts == sorted(counts, reverse=True)
    assert len(set(counts)) > 1


def sequences(length: int) -> list[tuple[Move, ...]]:
    """Return all move sequences in the normal form."""
    found: list[tuple[Move, ...]] = [()]
    for _ in range(length):
        longer = [(*moves, move) for moves in found for move in Move]
        found = [moves for moves in longer if cancel(moves) == moves]
    return found


def all_solutions(cube: CubieCube, length: int) -> set[tuple[Move, ...]]:
    """Return all solutions in the normal form, by meeting in the middle."""
    ends: dict[CubieCube, list[tuple[Move, ...]]] = {}
    for last in sequences(length // 2):
        ends.setdefault(SOLVED.apply(inverse_moves(last)), []).append(last)
    both = [
        (*first, *last)
        for first in sequences(length - length // 2)
        for last in ends.get(cube.apply(first), [])
    ]
    return {moves for moves in both if cancel(moves) == moves}


@pytest.mark.parametrize("near", [1, 2, NEAR])
def test_from_both_ends_no_solution_is_lost(exact_tables: SearchTables, near: int) -> None:
    phase_1, table = exact_tables.phase_1, filled(near)
    many = {"R2 L2 U2 D2": 4, "M2 E2 S2": 6, "(R2 U2)2": 6, "(R2 U2)3": 6}
    one = {"U D' R2 F": 4, "R L' U2 B D": 5, "F2 U2 R' D B U": 6, "B L D2 R' F U'": 6}
    counts = []
    for text, length in (many | one).items():
        cube = SOLVED.apply(parse_moves(text))
        search = new_large_search(phase_1, table, cube, SOLVED, near)
        start_length(phase_1, search, length)
        found = []
        while not resume(phase_1, search, 1_000_000):
            found.append(solution_of(search))
            # The last moves were left at their first solution.
            while not depth_search.resume(phase_1, search.deep, 1_000_000):
                found.append(solution_of(search))
        assert len(found) == len(set(found))
        assert all(cube.apply(moves).is_solved for moves in found)
        # Where the last moves join the others there may be two of one face, which is no solution of
        # this length: those were searched before.
        assert {moves for moves in found if cancel(moves) == moves} == all_solutions(cube, length)
        counts.append(len(found))
    assert min(counts) >= 1
    assert min(counts[: len(many)]) >= 2


@pytest.mark.parametrize("text", ["R", "R2 L2", "F U2 R'", "[R, U]", "R U F' L2 D", "M2 E2"])
def test_the_large_table_proves_the_same(
    exact_tables: SearchTables, large: LargeTable, text: str
) -> None:
    cube = SOLVED.apply(parse_moves(text))
    job = solve_optimally(cube, tables=exact_tables, clock=ticking_clock(0.1), large=large)
    report = run_job(job)
    assert report.is_proven
    assert cube.apply(report.moves).is_solved
    assert len(report.moves) == len(optimal(cube, exact_tables).moves)


def test_long_proofs_move_their_tables_to_huge_pages(
    exact_tables: SearchTables, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[int] = []

    def note(table: Table) -> Table:
        moved.append(table.size)
        return table

    monkeypatch.setattr(solver, "HUGE_PAGES", 2)
    monkeypatch.setattr(solver, "in_huge_pages", note)
    cube = SOLVED.apply(parse_moves("R U F' L2"))
    monkeypatch.setattr(solver, "_short", lambda *_: parse_moves("R U F' L2 D B' R U"))
    monkeypatch.setattr(solver, "fewest_moves", lambda *_: 1)
    assert len(optimal(cube, exact_tables).moves) == 4
    assert moved == [18 * 64_430, 0]


@pytest.mark.parametrize(
    ("with_large", "enough", "seconds"),
    [(False, 1, solver.LONG_TRY_S), (True, 2, solver.LONG_TRY_WITH_LARGE_S)],
)
def test_short_solutions_are_tried_for_as_long_as_that_pays(
    exact_tables: SearchTables,
    large: LargeTable,
    monkeypatch: pytest.MonkeyPatch,
    with_large: bool,
    enough: int,
    seconds: float,
) -> None:
    tries: list[tuple[int, float]] = []
    moves = parse_moves("R U F' L2 D B' R U")

    def note(
        _start: CubieCube, _target: CubieCube, _most: int, enough: int, time_s: float, _: object
    ) -> tuple[Move, ...] | None:
        tries.append((enough, time_s))
        return moves if len(tries) == 1 else None

    monkeypatch.setattr(solver, "LONGER", 2)
    monkeypatch.setattr(solver, "_short", note)
    monkeypatch.setattr(solver, "fewest_moves", lambda *_: 1)
    job = solve_optimally(
        SOLVED.apply(parse_moves("R U F' L2")),
        tables=exact_tables,
        clock=ticking_clock(0.1),
        large=large if with_large else None,
    )
    assert len(run_job(job).moves) == 4
    assert tries[0] == (enough, solver.FIRST_TRY_S)
    assert tries[1:] == [(length, seconds) for length in (2, 3, 4)]


def test_building_shows_how_far_it_is() -> None:
    events: list[Progress] = []
    run_job(fill(run_job(build_classes()), 1), events.append)
    shares = [event.done for event in events]
    assert len(shares) > 100
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == 1


def test_the_small_tables_prove_nothing(small_tables: SearchTables) -> None:
    with pytest.raises(ValueError, match="exact tables"):
        optimal(SOLVED, small_tables)


def test_an_impossible_cube_is_refused(exact_tables: SearchTables) -> None:
    twisted = CubieCube(
        SOLVED.corner_permutation, (1, *(0,) * 7), SOLVED.edge_permutation, SOLVED.edge_flip
    )
    with pytest.raises(TwistedCornerError):
        optimal(twisted, exact_tables)
