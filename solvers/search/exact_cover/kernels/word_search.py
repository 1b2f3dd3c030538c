"""The inner search: exact cover whose options are single 64-bit words.

At every node the options that are still possible are stored consecutively in one flat array. A step

1. *filters*: keeps the options that share no item with the one just chosen;
2. *counts*, in the same pass: adds up, for all 64 items at once, how many options take each. The
   counters are bit slices, slice k holding bit k of all 64, added by carry-save adders;
3. *branches* on the item with the fewest options: these are the children;
4. *looks ahead*: drops the children that leave some item without an option, all of them before any
   is searched, since most are.

When at most two more options can fit, the missing one is looked up instead of searched for. The
stack is explicit: the search can stop after any number of nodes and be resumed later.
"""

from typing import Any, NamedTuple

from solvers.foundation.arrays import Int64Array, UInt64Array
from solvers.foundation.compiled import kernel
from solvers.search.exact_cover.kernels.words import (
    FULL,
    NOTHING,
    choose_item,
    copy_disjoint,
    copy_with,
    index_of,
    keep_hopeful,
    lowest_bit,
    next_within,
)
from solvers.search.lanes import LANES, count_bits, splat, store

# No solution has more options than a word has items.
MAX_DEPTH = 65

# Rows of the two arrays that hold the stack, one column per level.
START, SIZE, CHILDREN, NEXT, CHILDREN_END = range(5)
SPAN_ROWS = 5
NOT_YET = -1  # the end of children that are not listed yet
OPEN, CHOSEN, BRANCH = range(3)
MASK_ROWS = 3
# Entries of the array that holds the state of the search.
LEVEL, NODES, FOUND = range(3)


class WordSearch(NamedTuple):
    """A running search.

    `words` holds the options of all levels one after another, each level's options followed by its
    children. `spans` and `masks` are the stack (rows named above, one column per level).
    `solutions` has rows for solutions that have not been fetched yet.
    """

    words: UInt64Array
    spans: Int64Array
    masks: UInt64Array
    state: Int64Array
    solutions: UInt64Array


@kernel(error_model="numpy", inlining="numba")
def open_level(
    running: WordSearch, level: int, start: int, size: int, open_items: Any, branch: Any
) -> None:
    """Open a level with the `size` words from `start` on; `branch` is no bit if not known yet."""
    running.state[LEVEL] = level
    running.spans[START, level] = start
    running.spans[SIZE, level] = size
    running.spans[CHILDREN_END, level] = NOT_YET
    running.masks[OPEN, level] = open_items
    running.masks[BRANCH, level] = branch


@kernel(error_model="numpy")
def branch_out(running: WordSearch, level: int, least: int) -> None:
    """List the children of a level."""
    words, spans, state = running.words, running.spans, running.state
    start, open_items = spans[START, level], running.masks[OPEN, level]
    end = start + spans[SIZE, level]
    # Segments are aligned to eight words and end with a row of full words.
    children = after(end + LANES)
    children_end = children
    if end > start:
        branch = running.masks[BRANCH, level]
        if branch == NOTHING:
            branch = choose_item(words, start, end - start, open_items)
        children_end = copy_with(words, start, end, branch, children)
        if count_bits(open_items) >= 4 * least:
            # With fewer open items the last options are looked up, which is faster.
            hopeful = keep_hopeful(words, start, end, children, children_end, open_items)
            # Dropped children were visited, though not searched.
            state[NODES] += children_end - hopeful
            children_end = hopeful
    spans[CHILDREN, level] = spans[NEXT, level] = children
    spans[CHILDREN_END, level] = children_end


@kernel(error_model="numpy")
def after(index: int) -> int:
    """Return the first multiple of eight from an index on."""
    return (index + LANES - 1) & ~(LANES - 1)


@kernel(error_model="numpy", inlining="numba")
def start_search(running: WordSearch, size: int, required: Any) -> None:
    """Start a search over the first `size` words, all different; the array has room beyond."""
    # The root counts as a node.
    running.state[NODES] += 1
    store(running.words, size, splat(FULL))
    open_level(running, 0, 0, size, required, NOTHING)


@kernel(error_model="numpy")
def record(masks: Any, level: int, last: Any, solution: Any) -> None:
    """Write the words chosen up to `level`, and the non-zero `last`, as one solution."""
    for above in range(level + 1):
        solution[above] = masks[CHOSEN, above]
    solution[level + 1 :] = NOTHING
    if last:
        solution[level + 1] = last


@kernel(error_model="numpy")
def look_up_pairs(running: WordSearch, level: int, still_open: Any, keep_solutions: bool) -> None:
    """Find the solutions that have one or two more options than those chosen up to `level`."""
    words, masks, state = running.words, running.masks, running.state
    start = running.spans[START, level]
    end = start + running.spans[SIZE, level]
    bit = lowest_bit(still_open)
    index = next_within(words, start, end, bit, still_open)
    while index < end:
        last = still_open & ~words[index]
        if last == NOTHING or index_of(words, start, end, last) < end:
            if keep_solutions:
                masks[CHOSEN, level + 1] = words[index]
                record(masks, level + 1, last, running.solutions[state[FOUND]])
            state[FOUND] += 1
        index = next_within(words, index + 1, end, bit, still_open)


@kernel(error_model="numpy")
def search(running: WordSearch, least: int, keep_solutions: bool, node_limit: int) -> None:
    """Resume a search until it ends (level -1) or has no more nodes or rows left.

    It stops when `state[NODES]` reaches `node_limit`, or when the rows of `solutions` might not
    hold those of the next step. `least` is the smallest number of items that an option takes, or 0
    if some items need not be taken, which rules out looking up the last options.
    """
    words, spans, masks = running.words, running.spans, running.masks
    state, solutions = running.state, running.solutions
    while state[LEVEL] >= 0 and state[NODES] < node_limit:
        level = state[LEVEL]
        if spans[CHILDREN_END, level] == NOT_YET:
            branch_out(running, level, least)
        start, child = spans[START, level], spans[NEXT, level]
        end = start + spans[SIZE, level]
        if child == spans[CHILDREN_END, level]:
            state[LEVEL] -= 1
            continue
        # `look_up_pairs` finds at most one solution for each option of the level.
        if keep_solutions and state[FOUND] + end - start >= len(solutions):
            return
        spans[NEXT, level] = child + 1
        option = words[child]
        masks[CHOSEN, level] = option
        still_open = masks[OPEN, level] & ~option
        items_left = count_bits(still_open)
        if items_left < max(2 * least, 1):
            # One more option at most fits, and it must be exactly what is open.
            if still_open == NOTHING or index_of(words, start, end, still_open) < end:
                if keep_solutions:
                    record(masks, level, still_open, solutions[state[FOUND]])
                state[FOUND] += 1
            continue
        state[NODES] += 1
        if items_left < 3 * least:
            # Two more options at most: for each first one the second is determined.
            look_up_pairs(running, level, still_open, keep_solutions)
        else:
            below = after(spans[CHILDREN_END, level])
            below_end, branch = copy_disjoint(words, start, end, option, below, still_open)
            open_level(running, level + 1, below, below_end - below, still_open, branch)
