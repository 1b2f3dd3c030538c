"""Leaves out the options that a choice excludes, and counts those that stay in the same pass.

Looked at on their own, options that have just been written are waited for; and few slices of the
counters are enough where some item has few options, which is nearly always.
"""

from typing import Any

from solvers.foundation.compiled import kernel
from solvers.search.exact_cover.kernels.words import (
    FULL,
    NOTHING,
    add_four,
    add_slices,
    lowest_bit,
)
from solvers.search.lanes import (
    LANES,
    count_bits,
    disjoint,
    first_lane,
    load,
    rotate_1,
    rotate_2,
    rotate_4,
    splat,
    store,
    store_packed,
    where,
)

FEW = 8
"""An item with so many options, or more, is none that the fewest take."""


@kernel(error_model="numpy", inlining="llvm")
def _move(words: Any, at: int, end: int, forbidden: Any, target: int) -> Any:
    """Write the disjoint ones of eight words to `target`; return which these are."""
    if at >= end:
        return NOTHING
    options = load(words, at)
    kept = disjoint(options, forbidden)
    store_packed(words, target, options, kept)
    return kept


@kernel(error_model="numpy", inlining="numba")
def copy_disjoint(
    words: Any, start: int, end: int, taken: Any, target: int, open_items: Any
) -> tuple[int, Any]:
    """Make a segment at `target` of the words of another without a bit of `taken`.

    Returns the end of the copy, and the bit of an open item that the fewest of its words have, or
    no bit if each has `FEW` or more.
    """
    forbidden = splat(taken)
    zero = splat(NOTHING)
    s0, s1, s2, s3 = zero, zero, zero, zero
    for i in range(start, end, 4 * LANES):
        kept = _move(words, i, end, forbidden, target)
        a = where(load(words, i), kept)
        target += count_bits(kept)
        kept = _move(words, i + LANES, end, forbidden, target)
        b = where(load(words, i + LANES), kept)
        target += count_bits(kept)
        kept = _move(words, i + 2 * LANES, end, forbidden, target)
        c = where(load(words, i + 2 * LANES), kept)
        target += count_bits(kept)
        kept = _move(words, i + 3 * LANES, end, forbidden, target)
        d = where(load(words, i + 3 * LANES), kept)
        target += count_bits(kept)
        s0, s1, carry = add_four(s0, s1, a, b, c, d)
        s3 = s3 | (s2 & carry)
        s2 = s2 ^ carry
    store(words, target, splat(FULL))
    for distance in (4, 2, 1):
        if distance == 4:
            t0, t1, t2, t3 = rotate_4(s0), rotate_4(s1), rotate_4(s2), rotate_4(s3)
        elif distance == 2:
            t0, t1, t2, t3 = rotate_2(s0), rotate_2(s1), rotate_2(s2), rotate_2(s3)
        else:
            t0, t1, t2, t3 = rotate_1(s0), rotate_1(s1), rotate_1(s2), rotate_1(s3)
        carry = s0 & t0
        s0 = s0 ^ t0
        s1, carry = add_slices(s1, t1, carry)
        s2, carry = add_slices(s2, t2, carry)
        s3 = s3 | t3 | carry
    fewest = open_items & ~first_lane(s3)
    for slice_word in (first_lane(s2), first_lane(s1), first_lane(s0)):
        fewer = fewest & ~slice_word
        if fewer:
            fewest = fewer
    return target, lowest_bit(fewest)
