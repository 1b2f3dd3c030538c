"""Segments of an array of options, each a single 64-bit word, for the inner search.

A segment starts at a multiple of eight and is followed by a row of full words. These are disjoint
from nothing, so loops over eight words at a time need no special case at the end.
"""

from typing import Any

import numpy as np

from solvers.foundation.compiled import kernel
from solvers.search import lanes

# Counters of options saturate here.
SATURATED = 32

NOTHING = np.uint64(0)
ONE = np.uint64(1)
FULL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
LANE_BITS = np.uint64(0xFF)


@kernel(error_model="numpy", inlining="llvm")
def add_four(s0: Any, s1: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    """Add four options to the two lowest slices; return these and the carry to the next slice.

    Slice k holds bit k of 64 counters, one for each item, so that one addition in carry-save form
    counts an option for all items at once.
    """
    half = s0 ^ a
    carry_1 = (s0 & a) | (half & b)
    s0 = half ^ b
    half = s0 ^ c
    carry_2 = (s0 & c) | (half & d)
    s0 = half ^ d
    half = s1 ^ carry_1
    return s0, half ^ carry_2, (s1 & carry_1) | (half & carry_2)


@kernel(error_model="numpy", inlining="llvm")
def add_slices(s: Any, t: Any, carry: Any) -> Any:
    """Add two slices and a carry (a full adder); return the sum and the carry out."""
    half = s ^ t
    return half ^ carry, (s & t) | (half & carry)


@kernel(error_model="numpy")
def scarcest(words: Any, start: int, size: int, open_items: Any) -> tuple[int, Any]:
    """Return the smallest number of options that take an open item, and the items with that number.

    Numbers of `SATURATED` and more are not distinguished.
    """
    zero = lanes.splat(NOTHING)
    s0, s1, s2, s3, s4, s5 = zero, zero, zero, zero, zero, zero
    for i in range(0, size, 4 * lanes.LANES):
        a = lanes.load_first(words, start + i, size - i)
        b = lanes.load_first(words, start + i + lanes.LANES, size - i - lanes.LANES)
        c = lanes.load_first(words, start + i + 2 * lanes.LANES, size - i - 2 * lanes.LANES)
        d = lanes.load_first(words, start + i + 3 * lanes.LANES, size - i - 3 * lanes.LANES)
        s0, s1, carry = add_four(s0, s1, a, b, c, d)
        half = s2 & carry
        s2 = s2 ^ carry
        carry = s3 & half
        s3 = s3 ^ half
        half = s4 & carry
        s4 = s4 ^ carry
        # The highest slice saturates: it stays set once a counter has reached SATURATED, so that
        # counters never wrap around.
        s5 = s5 | half
    # Add up the eight lanes by folding them: afterwards each lane holds the sums of all.
    for distance in (4, 2, 1):
        if distance == 4:
            t0, t1, t2 = lanes.rotate_4(s0), lanes.rotate_4(s1), lanes.rotate_4(s2)
            t3, t4, t5 = lanes.rotate_4(s3), lanes.rotate_4(s4), lanes.rotate_4(s5)
        elif distance == 2:
            t0, t1, t2 = lanes.rotate_2(s0), lanes.rotate_2(s1), lanes.rotate_2(s2)
            t3, t4, t5 = lanes.rotate_2(s3), lanes.rotate_2(s4), lanes.rotate_2(s5)
        else:
            t0, t1, t2 = lanes.rotate_1(s0), lanes.rotate_1(s1), lanes.rotate_1(s2)
            t3, t4, t5 = lanes.rotate_1(s3), lanes.rotate_1(s4), lanes.rotate_1(s5)
        carry = s0 & t0
        s0 = s0 ^ t0
        s1, carry = add_slices(s1, t1, carry)
        s2, carry = add_slices(s2, t2, carry)
        s3, carry = add_slices(s3, t3, carry)
        s4, carry = add_slices(s4, t4, carry)
        s5 = s5 | t5 | carry
    # Binary search from the highest slice down: items whose counter has a 0 there, if any, have
    # fewer options than those with a 1.
    fewest, number = open_items, 0
    for slice_word in (
        lanes.first_lane(s5),
        lanes.first_lane(s4),
        lanes.first_lane(s3),
        lanes.first_lane(s2),
        lanes.first_lane(s1),
        lanes.first_lane(s0),
    ):
        number *= 2
        fewer = fewest & ~slice_word
        if fewer:
            fewest = fewer
        else:
            number += 1
    return number, fewest


@kernel(error_model="numpy", inlining="numba")
def choose_item(words: Any, start: int, size: int, open_items: Any) -> Any:
    """Return the bit of an open item that the fewest options take."""
    return lowest_bit(scarcest(words, start, size, open_items)[1])


@kernel(error_model="numpy")
def lowest_bit(word: Any) -> Any:
    """Return the lowest bit set in a word."""
    # word & -word, written without negating an unsigned number.
    return word & (~word + ONE)


@kernel(error_model="numpy")
def index_of(words: Any, start: int, end: int, word: Any) -> int:
    """Return the index of `word` in a segment, or `end` if it is not there."""
    wanted = lanes.splat(word)
    for i in range(start, end, lanes.LANES):
        matching = lanes.equal(lanes.load(words, i), wanted)
        if matching:
            return int(i + lanes.lowest_bit_number(matching))
    return end


@kernel(error_model="numpy")
def next_with(words: Any, start: int, end: int, bit: Any) -> int:
    """Return the index of the first word of a segment that has `bit`, or `end`."""
    wanted = lanes.splat(bit)
    for i in range(start, end, lanes.LANES):
        lanes_with_bit = ~lanes.disjoint(lanes.load(words, i), wanted) & LANE_BITS
        if lanes_with_bit:
            return int(min(i + lanes.lowest_bit_number(lanes_with_bit), end))
    return end


@kernel(error_model="numpy")
def next_within(words: Any, start: int, end: int, bit: Any, allowed: Any) -> int:
    """Return the index of the first word of a segment that has `bit` and no bit that is not
    `allowed`, or `end`.
    """
    wanted, outside = lanes.splat(bit), lanes.splat(~allowed)
    for i in range(start, end, lanes.LANES):
        options = lanes.load(words, i)
        lanes_found = ~lanes.disjoint(options, wanted) & lanes.disjoint(options, outside)
        if lanes_found:
            return int(min(i + lanes.lowest_bit_number(lanes_found), end))
    return end


@kernel(error_model="numpy")
def copy_with(words: Any, start: int, end: int, bit: Any, target: int) -> int:
    """Copy the words of a segment that have `bit` to `target` on; return the end of the copy."""
    wanted = lanes.splat(bit)
    for i in range(start, end, lanes.LANES):
        options = lanes.load(words, i)
        having = ~lanes.disjoint(options, wanted) & LANE_BITS
        lanes.store_packed(words, target, options, having)
        target += lanes.count_bits(having)
    # The last eight words may contain full words from beyond the segment, which have every bit.
    full_words = -(end - start) % lanes.LANES
    return target - full_words


@kernel(error_model="numpy")
def keep_hopeful(
    words: Any, start: int, end: int, children: int, children_end: int, open_items: Any
) -> int:
    """Keep the options that leave every other open item at least one option of a segment.

    The options are words from `children` on; returns their new end. Two are tested at a time, so
    that the processor works on one while the other waits for memory.
    """
    kept = children
    # `kept` never overtakes `child`, so the survivors can be written over the options already read.
    for child in range(children, children_end, 2):
        first, second = words[child], words[child + 1]
        first_lanes, second_lanes = lanes.splat(first), lanes.splat(second)
        first_union = second_union = lanes.splat(NOTHING)
        for i in range(start, end, lanes.LANES):
            options = lanes.load(words, i)
            first_union = first_union | lanes.where(options, lanes.disjoint(options, first_lanes))
            second_union = second_union | lanes.where(
                options, lanes.disjoint(options, second_lanes)
            )
        words[kept] = first
        kept += 0 if open_items & ~(first | lanes.or_of_lanes(first_union)) else 1
        if child + 1 < children_end:
            words[kept] = second
            kept += 0 if open_items & ~(second | lanes.or_of_lanes(second_union)) else 1
    return kept


# A choice excludes options; those that stay are copied and counted in the same pass. In a pass of
# its own, counting would wait for the words just written. Four counter slices are enough where some
# item has fewer than `FEW` options, which is nearly always.

# From this number of options on, an item does not count as the one with the fewest.
FEW = 8


@kernel(error_model="numpy", inlining="llvm")
def _move(words: Any, at: int, end: int, forbidden: Any, target: int) -> Any:
    """Write the words that are disjoint from `forbidden` to `target`; return which these are."""
    if at >= end:
        return NOTHING
    options = lanes.load(words, at)
    kept = lanes.disjoint(options, forbidden)
    lanes.store_packed(words, target, options, kept)
    return kept


@kernel(error_model="numpy", inlining="numba")
def copy_disjoint(
    words: Any, start: int, end: int, taken: Any, target: int, open_items: Any
) -> tuple[int, Any]:
    """Copy the words of a segment that share no bit with `taken` into a segment at `target`.

    Return the end of the copy, and the bit of an open item that the fewest copied words have, or no
    bit if each has `FEW` or more.
    """
    forbidden = lanes.splat(taken)
    zero = lanes.splat(NOTHING)
    s0, s1, s2, s3 = zero, zero, zero, zero
    for i in range(start, end, 4 * lanes.LANES):
        kept = _move(words, i, end, forbidden, target)
        a = lanes.where(lanes.load(words, i), kept)
        target += lanes.count_bits(kept)
        kept = _move(words, i + lanes.LANES, end, forbidden, target)
        b = lanes.where(lanes.load(words, i + lanes.LANES), kept)
        target += lanes.count_bits(kept)
        kept = _move(words, i + 2 * lanes.LANES, end, forbidden, target)
        c = lanes.where(lanes.load(words, i + 2 * lanes.LANES), kept)
        target += lanes.count_bits(kept)
        kept = _move(words, i + 3 * lanes.LANES, end, forbidden, target)
        d = lanes.where(lanes.load(words, i + 3 * lanes.LANES), kept)
        target += lanes.count_bits(kept)
        s0, s1, carry = add_four(s0, s1, a, b, c, d)
        # Slice 3 saturates: a set bit means FEW or more.
        s3 = s3 | (s2 & carry)
        s2 = s2 ^ carry
    # The row of full words that ends every segment.
    lanes.store(words, target, lanes.splat(FULL))
    for distance in (4, 2, 1):
        if distance == 4:
            t0, t1, t2, t3 = (
                lanes.rotate_4(s0),
                lanes.rotate_4(s1),
                lanes.rotate_4(s2),
                lanes.rotate_4(s3),
            )
        elif distance == 2:
            t0, t1, t2, t3 = (
                lanes.rotate_2(s0),
                lanes.rotate_2(s1),
                lanes.rotate_2(s2),
                lanes.rotate_2(s3),
            )
        else:
            t0, t1, t2, t3 = (
                lanes.rotate_1(s0),
                lanes.rotate_1(s1),
                lanes.rotate_1(s2),
                lanes.rotate_1(s3),
            )
        carry = s0 & t0
        s0 = s0 ^ t0
        s1, carry = add_slices(s1, t1, carry)
        s2, carry = add_slices(s2, t2, carry)
        s3 = s3 | t3 | carry
    # Items with FEW or more options are out; the remaining slices decide as in `scarcest`.
    fewest = open_items & ~lanes.first_lane(s3)
    for slice_word in (lanes.first_lane(s2), lanes.first_lane(s1), lanes.first_lane(s0)):
        fewer = fewest & ~slice_word
        if fewer:
            fewest = fewer
    return target, lowest_bit(fewest)
