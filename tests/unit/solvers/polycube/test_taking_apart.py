"""Taking apart, against a slow search by plain rules and against levels that are known."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Progress, run_job
from solvers.polycube.lattice import Cell
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Placement, Shape, Target
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.polycube.taking_apart.collection import Collection, collect_job, first_apart_job
from solvers.polycube.taking_apart.disassembly import (
    Disassembly,
    Grouping,
    Hindrance,
    Move,
    Separation,
)
from tests.burrs import burr, solid_burrs
from tests.oracles.ways_apart import Space, all_shortest, play

WAYS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
SPACE = Space(CUBES)


def solution_of(pieces: list[list[Cell]]) -> PackingSolution:
    return PackingSolution(
        tuple(Placement(chr(65 + i), 0, frozenset(cells)) for i, cells in enumerate(pieces))
    )


def taken_apart(solution: PackingSolution, most_bytes: int = 1 << 24) -> Disassembly:
    return run_job(Disassembler(most_bytes).take_apart(solution))


small = st.dictionaries(
    st.tuples(*[st.integers(0, 3)] * 3), st.integers(0, 3), min_size=8, max_size=45
)


@settings(max_examples=15, deadline=None)
@given(small)
def test_agrees_with_a_plain_search_and_is_played_by_plain_rules(owner: dict[Cell, int]) -> None:
    pieces = [
        [cell for cell, piece in owner.items() if piece == wanted] for wanted in set(owner.values())
    ]
    if len(pieces) < 2:
        return
    found = taken_apart(solution_of(pieces))
    places = {number: frozenset(cells) for number, cells in enumerate(pieces)}
    assert (found.rank or None) in all_shortest(places, SPACE)
    if found.separation:
        play(found.separation, places, SPACE)
    else:
        assert found.hindrance is Hindrance.LOCKED
        stuck = {number: places[number] for number in found.stuck}
        assert all_shortest(stuck, SPACE) == {None}


def test_parts_of_several_pieces_are_taken_apart_one_after_the_other() -> None:
    # Two frames, each with a stone that goes to the side and out: the frames part first.
    frame = {
        (x, y, z)
        for x, y, z in product(range(5), range(3), range(3))
        if (y, z) != (1, 1) or x in (0, 4)
    } - {(2, 2, 1)}
    pieces = [sorted(frame), [(1, 1, 1)], [(x, y + 3, z) for x, y, z in frame], [(3, 4, 1)]]
    found = taken_apart(solution_of(pieces))
    assert found.level == "1.2.2"
    assert found.separation is not None
    assert set(found.separation.moves[0].pieces) in ({0, 1}, {2, 3})
    places = {number: frozenset(cells) for number, cells in enumerate(pieces)}
    assert found.rank in all_shortest(places, SPACE)


# --- six-piece burrs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "assemblies", "level", "come_apart"),
    [
        # Double Cross, a solid burr: level 1 as all of them (Cutler 1994).
        ((1, 154, 256, 256, 1024, 1024), 1, "1", 1),
        # Philippe Dubois' burr: 2 assemblies, 1 solution, 6.4 (puzzleworld.org, puzzle-place.com).
        ((120, 160, 256, 512, 880, 960), 2, "6.4", 1),
        # Peter Marineau's Piston Burr: 10 assemblies, 1 solution, 9.3 (puzzle-place.com).
        ((88, 512, 768, 922, 1008, 1008), 10, "9.3", 1),
        # "Artifactory 5/4": its name is its level.
        ((412, 480, 512, 704, 704, 960), 144, "5.4", 1),
        # Bruce Love's Dozen: 154 assemblies, 90 solutions, 12 moves to the first piece, the most
        # that a burr of six pieces can need.
        ((88, 512, 704, 960, 992, 1008), 154, "12.3", 90),
    ],
)
def test_known_burrs_have_the_levels_in_print(
    numbers: tuple[int, ...], assemblies: int, level: str, come_apart: int
) -> None:
    collection = Collection(keep=1, sort=True)
    run_job(collect_job(burr(*numbers), collection))
    assert collection.solutions == assemblies
    assert collection.come_apart == come_apart
    assert collection.hindered[Hindrance.LOCKED] == assemblies - come_apart
    (hardest,) = collection.chosen()
    assert hardest.found.level == level
    assert hardest.found.separation is not None
    cells = {n: placement.cells for n, placement in enumerate(hardest.solution.placements)}
    play(hardest.found.separation, cells, SPACE)


def test_solid_burrs_are_as_many_as_in_print() -> None:
    """Cutler, 1978: 314 burrs without a hole inside, of 25 pieces that are made by sawing."""
    collection = Collection(keep=1, sort=False)
    run_job(collect_job(solid_burrs(), collection))
    assert (collection.solutions, collection.come_apart) == (1063, 314)


LINKS = [
    [(x, y, 1) for x in range(3) for y in range(3) if (x, y) != (1, 1)],
    [(x, 1, z) for x in (1, 2, 3) for z in range(3) if (x, z) != (2, 1)],
]
WIDE_LINKS = [
    [(x, y, 2) for x in range(5) for y in range(5) if not (0 < x < 4 and 0 < y < 4)],
    [(x, 2, z) for x in range(2, 7) for z in range(5) if not (2 < x < 6 and 0 < z < 4)],
]


def test_links_of_a_chain_are_proven_to_stay_together() -> None:
    found = taken_apart(solution_of(LINKS))
    assert (found.level, found.hindrance, found.stuck) == (None, Hindrance.LOCKED, (0, 1))
    assert found.positions == 1
    wide = taken_apart(solution_of(WIDE_LINKS))
    # The bar of one link, one cell thick, goes anywhere in the hole of the other and back.
    assert (wide.hindrance, wide.positions) == (Hindrance.LOCKED, len(reachable(WIDE_LINKS)))


def reachable(pieces: list[list[Cell]]) -> set[Cell]:
    """Return where the second of two pieces can go in steps of one cell."""
    first, second = (frozenset(cells) for cells in pieces)
    waiting, seen = [(0, 0, 0)], {(0, 0, 0)}
    while waiting:
        x, y, z = waiting.pop()
        for dx, dy, dz in WAYS:
            at = (x + dx, y + dy, z + dz)
            moved = frozenset((a + at[0], b + at[1], c + at[2]) for a, b, c in second)
            if at not in seen and first.isdisjoint(moved):
                seen.add(at)
                waiting.append(at)
    return seen


def test_a_part_that_is_locked_proves_the_whole_locked() -> None:
    loose = [(0, 0, 9)]
    found = taken_apart(solution_of([loose, *LINKS]))
    assert (found.hindrance, found.stuck) == (Hindrance.LOCKED, (1, 2))


def in_groups(*groups: tuple[tuple[int, int], ...]) -> Disassembly:
    """Take a loose stone and two links apart, whose groups these are."""
    names = [str(number) for number in range(len(groups))]
    solution = solution_of([[(0, 0, 9)], *LINKS])
    return run_job(Disassembler().take_apart(solution, Grouping(groups, names)))


def test_pieces_of_one_group_may_stay_together() -> None:
    assert in_groups((), ((1, 1),), ((1, 1),)).level == "1"
    # A choice of groups is only looked at where pieces do not come apart; here 2 has room for both.
    assert in_groups((), ((1, 1), (2, 1)), ((2, 1), (3, 1))).level == "1"
    assert in_groups((), ((1, 1),), ((2, 1),)).stuck == (1, 2)
    assert in_groups((), (), ((1, 1),)).stuck == (1, 2)
    # All in one group from the start: something has to leave first all the same.
    alone = run_job(
        Disassembler().take_apart(solution_of(LINKS), Grouping([((1, 1),)] * 2, ["0", "1"]))
    )
    assert alone.hindrance is Hindrance.LOCKED


def test_a_group_has_room_for_so_many_copies() -> None:
    grouping = Grouping([((1, 2),)] * 4, ["a", "a", "a", "a"])
    assert grouping.accept((0, 1))
    assert not grouping.accept((2, 3))
    two = Grouping([((1, 2), (2, 2))] * 4, ["a", "a", "a", "a"])
    assert two.accept((0, 1))
    assert two.accept((2, 3))
    assert not two.accept((0, 1, 2))  # it takes the place of (0, 1), and three are too many


def test_the_groups_of_a_puzzle_come_with_its_pieces() -> None:
    cells = [frozenset({(0, 0, 9)}), *map(frozenset, LINKS)]
    pieces = [
        Piece(str(n), Shape(each), fixed_at=each, groups=((4, 1),) if n else ())
        for n, each in enumerate(cells)
    ]
    puzzle = PackingPuzzle("p", "P", Target(frozenset().union(*cells)), tuple(pieces))
    collection = Collection()
    run_job(collect_job(puzzle, collection))
    assert collection.levels == {"1": 1}


def test_a_search_without_room_says_that_it_does_not_know() -> None:
    long = 40
    hall = [(x, y, z) for x in range(long) for y in range(long) for z in (0, 3)]
    hall += [(x, y, z) for x in range(long) for y in (0, long - 1) for z in (1, 2)]
    hall += [(x, y, z) for x in (0, long - 1) for y in range(1, long - 1) for z in (1, 2)]
    caught = [(1, 1, 1)]
    told: list[Progress] = []
    given_up = run_job(
        Disassembler(most_bytes=1 << 14).take_apart(solution_of([hall, caught])), told.append
    )
    assert (given_up.level, given_up.hindrance) == (None, Hindrance.GIVEN_UP)
    assert given_up.positions < 2 * (long - 2) ** 2
    proven = taken_apart(solution_of([hall, caught]))
    assert (proven.hindrance, proven.positions) == (Hindrance.LOCKED, 2 * (long - 2) ** 2)


def test_pieces_may_go_farther_than_the_small_keys_reach() -> None:
    # A rod in a tube that is closed at one end: one move, but of more than 63 cells.
    long = 90
    tube = [(x, y, z) for x in range(long) for y in range(3) for z in range(3) if (y, z) != (1, 1)]
    tube += [(0, 1, 1), (long - 1, 1, 1)]
    found = taken_apart(solution_of([tube, [(1, 1, 1)]]))
    assert (found.hindrance, found.positions) == (Hindrance.LOCKED, long - 2)


def test_levels_are_written_and_compared_as_burrtools_does() -> None:
    out = Move((0,), (1, 0, 0), None)
    to = Move((0,), (0, 1, 0), 2)
    pair = Separation((0, 1), (out,))
    hard_pair = Separation((0, 1), (to, out))
    assert Separation((0, 1, 2), (to, to, out), pair).level == "3"
    assert Separation((0, 1, 2), (to, out), hard_pair).level == "2.2"
    both = Separation((0, 1, 2, 3), (out,), pair, hard_pair)
    assert (both.level, both.lengths) == ("1.2", (1, 1, 2))
    assert Disassembly(hard_pair).rank > Disassembly(both).rank > Disassembly(None).rank


def test_the_hardest_are_kept_in_either_order() -> None:
    numbers = (88, 512, 704, 960, 992, 1008)
    everything, hardest, in_order, counted = (
        Collection(sort=True),
        Collection(keep=5, sort=True),
        Collection(keep=5),
        Collection(keep=0),
    )
    for collection in (everything, hardest, in_order, counted):
        run_job(collect_job(burr(*numbers), collection))
    ranks = [each.found.rank for each in everything.chosen()]
    assert ranks == sorted(ranks, reverse=True)
    assert len(ranks) == 154
    assert hardest.chosen() == everything.chosen()[:5]
    assert sorted(hardest.chosen(), key=lambda each: each.number) == in_order.chosen()
    assert counted.chosen() == []
    assert counted.levels == everything.levels
    assert next(counted.hardest_levels()) == ("12.3", 1)


def test_a_collection_can_be_read_after_its_job_was_stopped() -> None:
    collection = Collection(sort=True)
    job = collect_job(burr(88, 512, 704, 960, 992, 1008), collection)
    while collection.solutions < 100:
        next(job)
    job.close()
    assert collection.counted is None
    assert len(collection.chosen()) == collection.solutions >= 100


def test_the_first_that_comes_apart_ends_the_search() -> None:
    collection = Collection()
    run_job(first_apart_job(burr(120, 160, 256, 512, 880, 960), collection))
    assert collection.chosen()[-1].found.level == "6.4"
    assert collection.come_apart == 1


def test_more_pieces_than_a_set_can_hold_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="61 pieces; at most 60"):
        taken_apart(solution_of([[(x, 0, 0)] for x in range(61)]))


def test_two_pieces_that_do_not_touch_move_together_in_one_move() -> None:
    # Two bolts lie over a shaft; both slide aside, and the key above falls through. A stone that
    # rattles elsewhere keeps the other side of the bolts' move from being the smallest of its kind.
    key = [(1, y, 2) for y in (1, 2, 3)]
    bolts = [[(1, y, 1) for y in (-1, 0, 1)], [(1, y, 1) for y in (3, 4, 5)]]
    beside = [(2, y, 1) for y in (-1, 0, 1, 3, 4, 5)]
    shaft = [(1, 2, 1), *((1, y, 0) for y in (1, 2, 3))]
    stone, behind_it = (6, 2, 1), (5, 2, 1)
    hollow = {*key, *bolts[0], *bolts[1], *beside, *shaft, stone, behind_it}
    frame = [cell for cell in product(range(9), range(-2, 7), range(4)) if cell not in hollow]
    found = taken_apart(solution_of([frame, key, *bolts, [stone]]))
    assert found.separation is None  # the stone stays in for good
    grouping = Grouping([((1, 1),)] * 5, [str(number) for number in range(5)])
    solution = solution_of([frame, key, *bolts, [stone]])
    separation = run_job(Disassembler().take_apart(solution, grouping)).separation
    assert separation is not None
    assert separation.moves == (Move((2, 3), (1, 0, 0), 1), Move((1,), (0, 0, -1), None))
