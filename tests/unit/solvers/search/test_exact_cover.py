"""The compiled exact cover against the plain one, and against numbers known from elsewhere."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.progress import run_job
from solvers.search.exact_cover import search as restarts
from solvers.search.exact_cover import search as search_module
from solvers.search.exact_cover.frontier import (
    Strip,
    count_job,
    draw_job,
    list_encoding,
    make_narrow_strip,
    make_strip,
)
from solvers.search.exact_cover.model import (
    WHOLE,
    ExactCover,
    ExactCoverError,
    Part,
    encode,
)
from solvers.search.exact_cover.search import Search, Solution, as_solutions
from solvers.search.exact_cover.symmetry import ItemPermutation, SymmetricPart, SymmetryGroup, split
from tests.oracles.exact_cover import reference_solutions


@st.composite
def covers(draw: Any) -> ExactCover:
    """Draw small problems; `spread` puts their items apart, so that options need several words."""
    items = draw(st.integers(1, 8))
    spread = draw(st.sampled_from([1, 1, 13, 30]))
    members = st.sets(st.integers(0, items - 1), min_size=1, max_size=3)
    options = draw(st.lists(members, max_size=12))
    optional = draw(st.sets(st.integers(0, items - 1), max_size=2))
    counted = draw(st.sets(st.integers(0, items - 1), max_size=2)) - optional
    copies = {}
    for item in sorted(counted):
        least = draw(st.integers(0, 2))
        copies[spread * item] = least, max(1, least + draw(st.integers(0, 2)))
    colouring = st.dictionaries(st.integers(0, 2), st.integers(0, 2), max_size=2)
    unused = set(range(spread * items)) - {spread * item for item in range(items)}
    return ExactCover.of(
        [[spread * item for item in option] for option in options],
        optional=unused | {spread * item for item in optional},
        copies=copies,
        colours=[draw(colouring) for _ in options] if draw(st.booleans()) else (),
    )


def queens(size: int) -> ExactCover:
    """Return the problem of `size` queens: rows and columns are required, diagonals optional."""
    diagonals = 2 * size - 1
    return ExactCover.of(
        [
            [row, size + column, 2 * size + row + column, 3 * size + diagonals + column - row - 1]
            for row in range(size)
            for column in range(size)
        ],
        optional=range(2 * size, 2 * size + 2 * diagonals),
    )


def board_symmetries(size: int) -> list[ItemPermutation]:
    """Return how turning and mirroring the board moves rows, columns and diagonals."""
    last = size - 1
    maps: list[Callable[[int, int], tuple[int, int]]] = [
        lambda r, c: (r, c),
        lambda r, c: (c, last - r),
        lambda r, c: (last - r, last - c),
        lambda r, c: (last - c, r),
        lambda r, c: (r, last - c),
        lambda r, c: (last - r, c),
        lambda r, c: (c, r),
        lambda r, c: (last - c, last - r),
    ]
    option = queens(size).options
    permutations = []
    for move in maps:
        images: dict[int, set[int]] = {}
        for row in range(size):
            for column in range(size):
                image_row, image_column = move(row, column)
                here, there = option[row * size + column], option[image_row * size + image_column]
                possible = {i for i in range(there.bit_length()) if there >> i & 1}
                for item in range(here.bit_length()):
                    if here >> item & 1:
                        images[item] = images.get(item, possible) & possible
        # A corner diagonal has one square only; its image is what no other line maps to.
        settled = {next(iter(found)) for found in images.values() if len(found) == 1}
        kinds = [range(2 * size), range(2 * size, 6 * size)]
        for item, found in images.items():
            if len(found) > 1:
                diagonal = {image for image in found - settled if image in kinds[item >= 2 * size]}
                images[item] = diagonal
        permutations.append(
            ItemPermutation(tuple(min(images[item]) for item in range(queens(size).items)))
        )
    return permutations


@settings(deadline=None, max_examples=250)
@given(covers())
def test_finds_what_the_plain_search_finds(cover: ExactCover) -> None:
    expected = sorted(reference_solutions(cover))
    assert sorted(search_module.solutions(cover)) == expected
    assert search_module.count(cover).solutions == len(expected)
    assert (search_module.first(cover) is None) == (not expected)
    assert all(len(solution) <= encode(cover).greatest_depth for solution in expected)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("solvers.search.exact_cover.model.FEW_ENTRIES", 0)
        assert all(len(solution) <= encode(cover).greatest_depth for solution in expected)


def test_few_items_that_options_take_last_bound_the_depth() -> None:
    wide = [[cell, 200 + cell % 2] for cell in range(200)]
    assert encode(ExactCover.of(wide, optional=range(202))).greatest_depth == 2
    assert encode(ExactCover.of(wide, copies={200: (0, 3), 201: (1, 4)})).greatest_depth == 7
    colours = [{3: 1}] * 200
    assert encode(ExactCover.of(wide, optional=range(202), colours=colours)).greatest_depth == 2


@settings(deadline=None, max_examples=100)
@given(covers(), st.integers(1, 40))
def test_parts_hold_each_solution_once(cover: ExactCover, at_least: int) -> None:
    parts = split(encode(cover), [SymmetricPart(WHOLE, (0,))], at_least)
    found = [solution for part in parts for solution in search_module.solutions(cover, part.part)]
    assert sorted(found) == sorted(reference_solutions(cover))


@settings(deadline=None, max_examples=200)
@given(covers())
def test_frontiers_count_what_the_plain_search_finds(cover: ExactCover) -> None:
    """With the bounds of counted items, which may also be more than can be taken."""
    plain = replace(cover, colours=())
    listing = list_encoding(encode(plain))
    narrow = make_strip(listing) if listing is not None else None
    if narrow is not None:
        counted = run_job(count_job(narrow))
        assert counted is not None
        assert counted.solutions == len(list(reference_solutions(plain)))


@settings(deadline=None, max_examples=100)
@given(covers(), st.integers(0, 1 << 32))
def test_a_random_solution_is_one_of_the_plain_search(cover: ExactCover, seed: int) -> None:
    plain = replace(cover, colours=())
    listing = list_encoding(encode(plain))
    narrow = make_strip(listing) if listing is not None else None
    if narrow is not None:
        drawn = run_job(draw_job(narrow, Random(seed)))
        assert drawn in (list(reference_solutions(plain)) or [()])


def test_only_bounds_that_matter_are_counted() -> None:
    """Nine options of two neighbours of ten items: five fit. Each takes item 10, the kind."""
    options = [[item, item + 1, 10] for item in range(9)]

    def bounds(least: int, most: int) -> tuple[tuple[int, int | None], ...]:
        listing = list_encoding(encode(ExactCover.of(options, copies={10: (least, most)})))
        assert listing is not None
        return listing.bounds

    assert bounds(0, 5) == ()
    assert bounds(0, 4) == ((0, 4),)
    assert bounds(2, 9) == ((2, None),)


def test_what_frontiers_cannot_count_fast_is_left_to_the_search() -> None:
    def narrow(cover: ExactCover) -> Strip | None:
        listing = list_encoding(encode(cover))
        return make_narrow_strip(listing) if listing is not None else None

    options = [[item, item + 1] for item in range(9)]
    assert narrow(ExactCover.of(options))
    assert narrow(ExactCover.of(options, colours=[{0: 1}] * 9)) is None
    pieces = [[*option, 10] for option in options]
    assert narrow(ExactCover.of(pieces)) is None
    assert narrow(ExactCover.of(pieces, copies={10: (1, 2)}))
    # A number of 63 bits and the frontier do not fit into a word.
    assert narrow(ExactCover.of(pieces, copies={10: (1 << 62, 1 << 62)})) is None
    # An option that takes nothing but a counted item has no place.
    assert narrow(ExactCover.of([*pieces, [10]], copies={10: (1, 2)})) is None
    kinds = [[*option, 10 + number % 4] for number, option in enumerate(options)]
    three, four = ({10 + kind: (1, 2) for kind in range(number)} for number in (3, 4))
    assert narrow(ExactCover.of(kinds[:3], copies=three))
    assert narrow(ExactCover.of(kinds, copies=four)) is None


def test_near_the_root_options_are_counted_exactly() -> None:
    """Items 0 and 1 have 40 and 33 options, too many for the counters; 1 is branched on first."""
    high = [[0, 2 + k] for k in range(40)]
    low = [[1, 42 + k] for k in range(33)]
    search = Search(ExactCover.of([*high, *low], optional=range(2, 75)), keep_solutions=False)
    search.advance(4)
    assert search.share_done == pytest.approx(1 / 33)


@pytest.mark.parametrize(("size", "solutions"), [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)])
def test_counts_queens(size: int, solutions: int) -> None:
    assert search_module.count(queens(size)).solutions == solutions


# Up to turning and mirroring: OEIS A002562. Some solutions, as the only one for 4 and for 6
# queens, are symmetric themselves.
@pytest.mark.parametrize(("size", "classes"), [(4, 1), (5, 2), (6, 1), (7, 6), (8, 12)])
def test_counts_classes_of_queens_by_burnside(size: int, classes: int) -> None:
    cover = queens(size)
    group = SymmetryGroup(cover, encode(cover), board_symmetries(size))
    assert len(group) == 8
    counted, total = 0.0, 0
    representatives: list[Solution] = []
    for part in group.reduce():
        search = Search(cover, part.part)
        while not search.finished:
            compared = group.compare(search.advance_rows(50), part)
            counted += compared.unchanged / len(part.left)
            total += compared.found * len(group) // len(part.left)
            representatives += as_solutions(compared.smallest, len(cover.options))
    assert round(counted, 9) == classes
    assert len(representatives) == classes
    assert total == search_module.count(cover).solutions


def test_a_search_goes_on_where_it_stopped() -> None:
    cover = queens(7)
    search = Search(cover)
    found = []
    portions = 0
    shares = []
    while not search.finished:
        found.extend(search.advance(5))
        shares.append(search.share_done)
        portions += 1
    assert portions > 20
    assert sorted(found) == sorted(reference_solutions(cover))
    assert search.nodes == search_module.count(cover).nodes
    assert shares == sorted(shares)
    assert 0.0 <= shares[0] < 0.5
    assert shares[-1] == 1.0


def test_a_search_of_large_arrays_is_left_often(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = queens(8)
    monkeypatch.setattr(search_module, "WORDS_AT_ONCE", 10 * len(cover.options))
    monkeypatch.setattr(search_module, "LARGE_WORDS", len(cover.options) - 1)
    search, portions = Search(cover), 0
    while not search.finished:
        search.advance(1_000_000)
        portions += 1
    assert (search.found, search.nodes) == (92, search_module.count(cover).nodes)
    assert portions > 20


def test_a_search_that_might_take_more_memory_than_there_is_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_module, "_memory", lambda: 10_000)
    with pytest.raises(ExactCoverError, match="more than there is: 64 ways to place"):
        Search(queens(8))


def test_more_items_than_a_word_are_searched_in_words_after_the_first_choices() -> None:
    # Dominoes on an 8 x 9 board: 72 cells; the number is known from Kasteleyn's formula.
    width, depth = 8, 9
    across = [[x + width * y, x + 1 + width * y] for y in range(depth) for x in range(width - 1)]
    down = [[x + width * y, x + width * (y + 1)] for y in range(depth - 1) for x in range(width)]
    narrow = ExactCover.of([option for option in across + down if max(option) < 6 * width])
    assert search_module.count(narrow).solutions == 167089
    first = search_module.first(ExactCover.of(across + down))
    assert first is not None
    covered = sorted(item for option in first for item in (across + down)[option])
    assert covered == list(range(width * depth))


@settings(deadline=None, max_examples=60)
@given(covers())
def test_restarts_find_one_if_there_is_one(cover: ExactCover) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(restarts, "NODES_OF_FIRST_TRY", 1)
        found = run_job(search_module.find_one_job(cover))
    expected = set(reference_solutions(cover))
    assert (found.solution in expected) if expected else (found.solution is None)


def test_restarts_leave_a_search_that_began_badly() -> None:
    """The first of two options leaves eight pigeons for seven holes, the second leaves nothing."""
    pigeons, holes = range(1, 9), range(9, 16)
    bad, good = [0], [0, *pigeons]
    in_holes = [[pigeon, hole] for pigeon in pigeons for hole in holes]
    cover = ExactCover.of([bad, good, *in_holes], optional=holes)
    steady = Search(cover)
    while not steady.advance(1000):
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(restarts, "NODES_OF_FIRST_TRY", 50)
        found = run_job(search_module.find_one_job(cover))
    assert found.solution == (1,)
    assert found.tries > 1
    assert 2 * found.nodes < steady.nodes


def test_a_generator_can_be_left_alone() -> None:
    several = search_module.solutions(queens(8))
    assert len({next(several) for _ in range(10)}) == 10


def test_contradicting_parts_have_no_solution() -> None:
    cover = queens(4)
    assert search_module.count(cover, Part(chosen=(0, 1))).solutions == 0
    assert search_module.count(cover, Part(banned=frozenset(range(16)))).solutions == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"items": 2, "options": (0,), "required": 3},
        {"items": 2, "options": (4,), "required": 3},
        {"items": 2, "options": (1,), "required": 4},
        {"items": 2, "options": (1, 2), "required": 3, "colours": ((),)},
        {"items": 2, "options": (1,), "required": 1, "copies": {1: (2, 1)}},
        {"items": 2, "options": (1,), "required": 1, "copies": {5: (1, 1)}},
    ],
)
def test_contradictions_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ExactCoverError):
        ExactCover(**arguments)


def test_equal_options_are_different_solutions_but_have_no_symmetries() -> None:
    twins = ExactCover.of([[0], [0]])
    assert sorted(search_module.solutions(twins)) == [(0,), (1,)]
    with pytest.raises(ExactCoverError):
        SymmetryGroup(twins, encode(twins), [ItemPermutation((0,))])


@pytest.mark.parametrize("rules", [{"optional": [1]}, {"copies": {1: (0, 2)}}])
def test_items_of_different_rules_are_no_images_of_each_other(rules: dict[str, Any]) -> None:
    swapped = [ItemPermutation((0, 1)), ItemPermutation((1, 0))]
    for arguments, symmetries in (({}, 2), (rules, 1)):
        cover = ExactCover.of([[0], [1]], **arguments)
        assert len(SymmetryGroup(cover, encode(cover), swapped)) == symmetries
