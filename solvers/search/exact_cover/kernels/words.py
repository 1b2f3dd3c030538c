"""The inner search: exact cover whose options are single 64-bit words.

At every node the options still possible lie side by side in one flat array. A step is then

1. *filter*: keep the options that share no item with the one just chosen;
2. *count*: add up, for all 64 items at once, how many options take each: the counters lie in bit
   slices, slice k holding bit k of all 64 counters, and are added by carry-save adders;
3. *branch* on the item with the fewest options; an item with none ends the branch before (2).

When at most two more options can fit, the missing one is looked up instead of searched for. The
stack is explicit: the search can stop after any number of nodes and go on later.
"""

from typing import Any, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt64Array
from solvers.foundation.compiled import kernel
from solvers.search.lanes import (
    LANES,
    count_bits,
    disjoint,
    equal,
    first_lane,
    load,
    load_first,
    lowest_bit_number,
    or_of_lanes,
    rotate_1,
    rotate_2,
    rotate_4,
    splat,
    store,
    store_packed,
    where,
)

# The counters of options end here.
ALIKE = 32
# No solution has more options than a word has items.
MAX_DEPTH = 65

# Rows of the two arrays that hold the stack, one column per level.
START, SIZE, NEXT = range(3)
OPEN, BRANCH, CHOSEN = range(3)
# Entries of the array that holds the state of the search.
LEVEL, NODES, FOUND = range(3)

NOTHING = np.uint64(0)
ONE = np.uint64(1)
FULL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
LANE_BITS = np.uint64(0xFF)


class WordSearch(NamedTuple):
    """A running search: the words of all levels behind one another, the stack (rows named above,
    one column per level), the state, and rows for solutions that wait to be told.
    """

    words: UInt64Array
    spans: Int64Array
    masks: UInt64Array
    state: Int64Array
    solutions: UInt64Array


@kernel(error_model="numpy")
def scarcest(words: Any, start: int, size: int, open_items: Any) -> tuple[int, Any]:
    """Return how many of the options take the open items that the fewest take, and these items.

    `ALIKE` and more are alike.
    """
    zero = splat(NOTHING)
    s0, s1, s2, s3, s4, s5 = zero, zero, zero, zero, zero, zero
    for i in range(0, size, 4 * LANES):
        a = load_first(words, start + i, size - i)
        b = load_first(words, start + i + LANES, size - i - LANES)
        c = load_first(words, start + i + 2 * LANES, size - i - 2 * LANES)
        d = load_first(words, start + i + 3 * LANES, size - i - 3 * LANES)
        half = s0 ^ a
        carry_1 = (s0 & a) | (half & b)
        s0 = half ^ b
        half = s0 ^ c
        carry_2 = (s0 & c) | (half & d)
        s0 = half ^ d
        half = s1 ^ carry_1
        carry = (s1 & carry_1) | (half & carry_2)
        s1 = half ^ carry_2
        half = s2 & carry
        s2 = s2 ^ carry
        carry = s3 & half
        s3 = s3 ^ half
        half = s4 & carry
        s4 = s4 ^ carry
        s5 = s5 | half
    for distance in (4, 2, 1):
        if distance == 4:
            t0, t1, t2 = rotate_4(s0), rotate_4(s1), rotate_4(s2)
            t3, t4, t5 = rotate_4(s3), rotate_4(s4), rotate_4(s5)
        elif distance == 2:
            t0, t1, t2 = rotate_2(s0), rotate_2(s1), rotate_2(s2)
            t3, t4, t5 = rotate_2(s3), rotate_2(s4), rotate_2(s5)
        else:
            t0, t1, t2 = rotate_1(s0), rotate_1(s1), rotate_1(s2)
            t3, t4, t5 = rotate_1(s3), rotate_1(s4), rotate_1(s5)
        carry = s0 & t0
        s0 = s0 ^ t0
        half = s1 ^ t1
        s1, carry = half ^ carry, (s1 & t1) | (half & carry)
        half = s2 ^ t2
        s2, carry = half ^ carry, (s2 & t2) | (half & carry)
        half = s3 ^ t3
        s3, carry = half ^ carry, (s3 & t3) | (half & carry)
        half = s4 ^ t4
        s4, carry = half ^ carry, (s4 & t4) | (half & carry)
        s5 = s5 | t5 | carry
    fewest, number = open_items, 0
    for slice_word in (
        first_lane(s5),
        first_lane(s4),
        first_lane(s3),
        first_lane(s2),
        first_lane(s1),
        first_lane(s0),
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
    return word & (~word + ONE)


@kernel(error_model="numpy")
def index_of(words: Any, start: int, end: int, word: Any) -> int:
    """Return the index of `word` in a segment, or `end` if it is not there."""
    wanted = splat(word)
    for i in range(start, end, LANES):
        lanes_alike = equal(load(words, i), wanted)
        if lanes_alike:
            return int(i + lowest_bit_number(lanes_alike))
    return end


@kernel(error_model="numpy")
def next_with(words: Any, start: int, end: int, bit: Any) -> int:
    """Return the index of the first word of a segment that has `bit`, or `end`."""
    wanted = splat(bit)
    for i in range(start, end, LANES):
        lanes_with_bit = ~disjoint(load(words, i), wanted) & LANE_BITS
        if lanes_with_bit:
            return int(min(i + lowest_bit_number(lanes_with_bit), end))
    return end


@kernel(error_model="numpy")
def keep_disjoint(words: Any, start: int, end: int, taken: Any, target: int) -> tuple[int, Any]:
    """Copy the words of a segment without a bit of `taken` to `target` on.

    Returns the end of the copy and the union of its words. A row of full words follows the copy:
    whatever is looked for later, they are disjoint from nothing.
    """
    forbidden = splat(taken)
    union = splat(NOTHING)
    end_of_copy = target
    for i in range(start, end, LANES):
        options = load(words, i)
        kept = disjoint(options, forbidden)
        union = union | where(options, kept)
        store_packed(words, end_of_copy, options, kept)
        end_of_copy += count_bits(kept)
    store(words, end_of_copy, splat(FULL))
    return end_of_copy, or_of_lanes(union)


@kernel(error_model="numpy", inlining="numba")
def begin(running: WordSearch, size: int, required: Any) -> None:
    """Start a search over the first `size` words, all different; the array has room beyond."""
    state, spans, masks = running.state, running.spans, running.masks
    state[LEVEL] = -1
    state[NODES] += 1
    if size == 0:
        return
    store(running.words, size, splat(FULL))
    state[LEVEL] = 0
    spans[START, 0] = spans[NEXT, 0] = 0
    spans[SIZE, 0] = size
    masks[OPEN, 0] = required
    masks[BRANCH, 0] = choose_item(running.words, spans[START, 0], size, required)


@kernel(error_model="numpy")
def record(masks: Any, level: int, last: Any, solution: Any) -> None:
    """Write the words chosen up to `level`, and the non-zero `last`, as one solution."""
    for above in range(level + 1):
        solution[above] = masks[CHOSEN, above]
    solution[level + 1 :] = NOTHING
    if last:
        solution[level + 1] = last


@kernel(error_model="numpy")
def search(
    running: WordSearch, least_option_size: int, keep_solutions: bool, node_limit: int
) -> None:
    """Go on with a search until it ends (level -1), `state[NODES]` reaches `node_limit`, or the
    rows of `solutions` might not hold those of the next step.

    `least_option_size` is how many items every option takes at least, or 0 when some items need
    not be taken, which rules out looking up the last options.
    """
    words, spans, masks = running.words, running.spans, running.masks
    state, solutions = running.state, running.solutions
    look_up_one = max(2 * least_option_size, 1)
    look_up_two = 3 * least_option_size
    level = state[LEVEL]
    nodes = state[NODES]
    found = state[FOUND]
    while level >= 0 and nodes < node_limit:
        start = spans[START, level]
        size = spans[SIZE, level]
        end = start + size
        if keep_solutions and found + size >= len(solutions):
            break
        index = next_with(words, spans[NEXT, level], end, masks[BRANCH, level])
        if index == end:
            level -= 1
            continue
        spans[NEXT, level] = index + 1
        option = words[index]
        masks[CHOSEN, level] = option
        still_open = masks[OPEN, level] & ~option
        items_left = count_bits(still_open)
        if items_left < look_up_one:
            if still_open == NOTHING or index_of(words, start, end, still_open) < end:
                if keep_solutions:
                    record(masks, level, still_open, solutions[found])
                found += 1
            continue
        nodes += 1
        below = (end + LANES) & ~(LANES - 1)
        below_end, union = keep_disjoint(words, start, end, option, below)
        if still_open & ~union:
            continue
        if items_left < look_up_two:
            bit = lowest_bit(still_open)
            index = next_with(words, below, below_end, bit)
            while index < below_end:
                last = still_open & ~words[index]
                if last == NOTHING or index_of(words, below, below_end, last) < below_end:
                    if keep_solutions:
                        masks[CHOSEN, level + 1] = words[index]
                        record(masks, level + 1, last, solutions[found])
                    found += 1
                index = next_with(words, index + 1, below_end, bit)
            continue
        level += 1
        spans[START, level] = spans[NEXT, level] = below
        spans[SIZE, level] = below_end - below
        masks[OPEN, level] = still_open
        masks[BRANCH, level] = choose_item(words, below, below_end - below, still_open)
    state[LEVEL] = level
    state[NODES] = nodes
    state[FOUND] = found
