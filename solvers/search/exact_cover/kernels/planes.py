"""The levels of the outer search as planes of words: how one level is made of the one above.

Plane k of a level holds word k of every option still possible there, the last plane their numbers;
each is flat, and all are in the same order.
"""

from typing import Any, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt64Array
from solvers.foundation.compiled import kernel
from solvers.search.exact_cover.kernels.words import LANE_BITS, NOTHING, ONE
from solvers.search.lanes import (
    LANES,
    count_bits,
    disjoint,
    load,
    or_of_lanes,
    splat,
    store_packed,
    where,
)

# Columns of the array of levels.
START, STRIDE, SIZE, NEXT, ITEM, CHOSEN = range(6)
LEVEL_COLUMNS = 6
# Instead of an item: every item's need is met, so that any further option may be added or not.
ANY = -1

WORD_BITS = 64
# A plane has so many words to spare at its end: packing writes eight at once.
SPARE = 2 * LANES


class Stack(NamedTuple):
    """Where the search stands; one row per level but for `planes`, `state` and the last four.

    `planes` holds the options alive on all levels behind one another; `levels` has the columns
    named above, `opens` the required items still open, `needs` and `rooms` how many more copies
    of each counted item must and may be taken. `solutions` has a row for each that waits to be
    told, filled up with a number that is no option's. `blocked`, `unions` (of the options alive
    on the last level) and `masks` are room to work in.
    """

    planes: UInt64Array
    levels: Int64Array
    opens: UInt64Array
    needs: Int64Array
    rooms: Int64Array
    state: Int64Array
    solutions: Int64Array
    blocked: UInt64Array
    unions: UInt64Array
    masks: UInt64Array


@kernel(error_model="numpy")
def has(row: Any, item: int) -> bool:
    """Tell whether a bit set of words contains an item."""
    return bool(row[item // WORD_BITS] >> np.uint64(item % WORD_BITS) & ONE)


@kernel(error_model="numpy")
def lanes_with(planes: Any, here: Any, item: int, i: int) -> Any:
    """Return which of the eight options of a level from the i-th on take an item, as bits."""
    plane = here[START] + item // WORD_BITS * here[STRIDE]
    bit = splat(ONE << np.uint64(item % WORD_BITS))
    return ~disjoint(load(planes, plane + i), bit) & lanes_before(here[SIZE] - i)


@kernel(error_model="numpy")
def lanes_before(number: int) -> Any:
    """Return the bits of the first `number` lanes; of all for more, of none for fewer than 1."""
    if number >= LANES:
        return LANE_BITS
    return (ONE << np.uint64(max(number, 0))) - ONE


@kernel(error_model="numpy")
def number_taking(planes: Any, here: Any, item: int) -> int:
    """Return how many of a level's options take an item."""
    number = 0
    for i in range(0, here[SIZE], LANES):
        number += count_bits(lanes_with(planes, here, item, i))
    return number


@kernel(error_model="numpy")
def mark_compatible(stack: Stack, here: Any, words: int, chosen_at: int, excludes: bool) -> None:
    """Write for each eight options of a level which of them stay possible, as bits.

    These share no bit with `blocked`. With `excludes` the one chosen goes too, and those of the
    branch that were tried before it: they are no longer there by themselves.
    """
    planes, masks = stack.planes, stack.masks
    start, stride, size = here[START], here[STRIDE], here[SIZE]
    for i in range(0, size, LANES):
        masks[i // LANES] = lanes_before(size - i)
    for word in range(words):
        if stack.blocked[word] == NOTHING:
            continue
        forbidden = splat(stack.blocked[word])
        plane = start + word * stride
        for i in range(0, size, LANES):
            masks[i // LANES] &= disjoint(load(planes, plane + i), forbidden)
    if excludes:
        for i in range(0, chosen_at + 1, LANES):
            tried = lanes_before(chosen_at - i)
            if here[ITEM] != ANY:
                tried &= lanes_with(planes, here, here[ITEM], i)
            tried |= lanes_before(chosen_at + 1 - i) & ~lanes_before(chosen_at - i)
            masks[i // LANES] &= ~tried


@kernel(error_model="numpy")
def keep_marked(stack: Stack, level: int, words: int) -> bool:
    """Copy the options marked to the level below; tell whether its required items have some."""
    planes, masks = stack.planes, stack.masks
    here, below = stack.levels[level], stack.levels[level + 1]
    start, stride, size = here[START], here[STRIDE], here[SIZE]
    target = start + stride * (words + 1)
    below_stride = (size + SPARE) & ~(LANES - 1)
    below[START], below[STRIDE], below[SIZE] = target, below_stride, 0
    for word in range(words + 1):
        plane, end = start + word * stride, target + word * below_stride
        union = splat(NOTHING)
        for i in range(0, size, LANES):
            kept = masks[i // LANES]
            if kept:
                options = load(planes, plane + i)
                union = union | where(options, kept)
                store_packed(planes, end, options, kept)
                end += count_bits(kept)
        if word < words:
            stack.unions[word] = or_of_lanes(union)
            if stack.opens[level + 1, word] & ~stack.unions[word]:
                return False
        else:
            below[SIZE] = end - (target + word * below_stride)
    return True
