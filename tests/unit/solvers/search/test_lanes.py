"""The vector operations and the kernels made of them, against numpy."""

from functools import reduce
from operator import or_
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solvers.foundation.compiled import compiled
from solvers.search import lanes as vectors
from solvers.search import lanes_plain
from solvers.search.exact_cover.kernels.words import (
    FEW,
    FULL,
    choose_item,
    copy_disjoint,
    copy_with,
    index_of,
    keep_hopeful,
    next_with,
    next_within,
)
from solvers.search.lanes import (
    count_bits,
    disjoint,
    equal,
    first_lane,
    load,
    load_first,
    lowest_bit_number,
    or_of_lanes,
    rotate_1,
    splat,
    store,
    store_packed,
    where,
)

SPARE = 2 * vectors.LANES
words = st.integers(0, 2**64 - 1)
# Sparse words, so that some are disjoint.
sparse = st.sets(st.integers(0, 63), max_size=4).map(lambda bits: sum(1 << bit for bit in bits))


def every_operation(a: Any, mask: Any, out: Any) -> Any:
    first, second = load(a, 0), load(a, 8)
    store(out, 0, first & second)
    store(out, 8, first | second)
    store(out, 16, first ^ second)
    store(out, 24, splat(mask))
    store(out, 32, where(first, mask))
    store(out, 40, load_first(a, 0, 3))
    store(out, 48, rotate_1(first))
    store_packed(out, 56, second, mask)
    return (
        disjoint(first, second),
        equal(first, second),
        first_lane(second),
        or_of_lanes(first),
        count_bits(mask),
        lowest_bit_number(mask),
    )


def uncompiled(function: Any) -> Any:
    """Return the function with the operations of `lanes_plain` for its own."""
    names = {**function.__globals__, **vars(lanes_plain)}
    return FunctionType(function.__code__, names)


VARIANTS = {"compiled": compiled(every_operation), "plain": uncompiled(every_operation)}


@pytest.mark.parametrize("variant", VARIANTS)
@settings(deadline=None, max_examples=50)
@given(values=st.lists(words, min_size=16, max_size=16), mask=st.integers(1, 255))
def test_operations_do_what_numpy_does(variant: str, values: list[int], mask: int) -> None:
    array = np.array(values, dtype=np.uint64)
    a, b = array[:8], array[8:]
    out = np.zeros(64, dtype=np.uint64)
    results = VARIANTS[variant](array, np.uint64(mask), out)
    packed = [word for lane, word in enumerate(values[8:]) if mask >> lane & 1]
    assert out[56 : 56 + len(packed)].tolist() == packed
    assert out[:56].reshape(-1, 8).tolist() == [
        (a & b).tolist(),
        (a | b).tolist(),
        (a ^ b).tolist(),
        [mask] * 8,
        [word if mask >> lane & 1 else 0 for lane, word in enumerate(values[:8])],
        [*values[:3], 0, 0, 0, 0, 0],
        np.roll(a, -1).tolist(),
    ]
    as_bits = [sum(1 << lane for lane in range(8) if test[lane]) for test in (a & b == 0, a == b)]
    assert [int(result) for result in results] == [
        *as_bits,
        values[8],
        int(np.bitwise_or.reduce(a)),
        mask.bit_count(),
        (mask & -mask).bit_length() - 1,
    ]


@settings(deadline=None, max_examples=100)
@given(st.lists(sparse, max_size=150), words)
def test_the_item_with_the_fewest_options_is_chosen(options: list[int], open_items: int) -> None:
    if not open_items:
        return
    array = np.zeros(len(options) + SPARE, dtype=np.uint64)
    array[: len(options)] = options
    chosen = int(choose_item(array, 0, len(options), np.uint64(open_items)))
    counts = [min(32, sum(option >> item & 1 for option in options)) for item in range(64)]
    among = [count for item, count in enumerate(counts) if open_items >> item & 1]
    assert chosen.bit_count() == 1
    assert chosen & open_items
    assert counts[chosen.bit_length() - 1] == min(among)


def segment(options: list[int], room: int = 0) -> Any:
    """Return an array that begins with a segment of these options and has room beyond it."""
    array = np.full(len(options) + SPARE + room, FULL, dtype=np.uint64)
    array[: len(options)] = options
    return array


def assert_scarcest(branch: int, options: list[int], open_items: int) -> None:
    """See that a bit is that of an open item that the fewest options have, where few do."""
    counts = [sum(option >> item & 1 for option in options) for item in range(64)]
    fewest = min((counts[item] for item in range(64) if open_items >> item & 1), default=FEW)
    if fewest >= FEW:
        assert not branch
    else:
        assert branch & open_items
        assert counts[branch.bit_length() - 1] == fewest


@settings(deadline=None, max_examples=100)
@given(st.lists(sparse, min_size=1, max_size=90), sparse, words)
@example([1] * 9 + [2] * 5, 4, 3)  # nine in all lanes together, the same
@example([1] * 64 + [2] * 5, 4, 3)  # eight in each lane, which three slices show as none
def test_filter_and_lookup(options: list[int], taken: int, allowed: int) -> None:
    size, target = len(options), len(options) + SPARE
    array = segment(options, size + SPARE)
    if not taken:
        return
    end, branch = copy_disjoint(array, 0, size, np.uint64(taken), target, np.uint64(allowed))
    kept = [option for option in options if not option & taken]
    assert_scarcest(int(branch), kept, allowed)
    assert array[target : end + vectors.LANES].tolist() == [*kept, *[int(FULL)] * vectors.LANES]
    bit = np.uint64(taken & -taken)
    having = [index for index, option in enumerate(options) if option & int(bit)]
    assert next_with(array, 0, size, bit) == (having[0] if having else size)
    within = [index for index in having if not options[index] & ~allowed]
    assert next_within(array, 0, size, bit, np.uint64(allowed)) == (within[0] if within else size)
    end = copy_with(array, 0, size, bit, target)
    assert array[target:end].tolist() == [options[index] for index in having]
    assert options[index_of(array, 0, size, np.uint64(options[-1]))] == options[-1]
    assert index_of(segment([]), 0, 0, np.uint64(taken)) == 0


@settings(deadline=None, max_examples=100)
@given(st.lists(sparse, max_size=40), st.lists(sparse.filter(bool), max_size=5), sparse)
def test_options_that_leave_some_item_without_an_option_are_dropped(
    options: list[int], children: list[int], open_items: int
) -> None:
    size, first = len(options), len(options) + SPARE
    array = segment(options, len(children) + SPARE)
    array[first : first + len(children)] = children
    end = keep_hopeful(array, 0, size, first, first + len(children), np.uint64(open_items))
    served = [
        reduce(or_, (each for each in options if not each & child), child) for child in children
    ]
    hopeful = [
        child for child, union in zip(children, served, strict=True) if not open_items & ~union
    ]
    assert array[first:end].tolist() == hopeful
