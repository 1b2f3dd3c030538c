"""The outer search: exact cover over any number of words, with colours and several copies.

It works as the search over single words does, on planes of words. It branches on the required item
with the fewest options, one option at a time. Items that several options may take are not branched
on until nothing else is open; until then it is enough that their needs can be met. Once the open
items fit into 64 bits, and if the problem allows it, the rest is handed to the search over single
words.

Plane k of a level holds word k of every option that is still possible there; the last plane holds
their numbers. Each plane is flat, and all are in the same order.
"""

from typing import Any, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt64Array
from solvers.foundation.compiled import kernel
from solvers.search import lanes
from solvers.search.exact_cover.kernels import word_search as single
from solvers.search.exact_cover.kernels.words import (
    LANE_BITS,
    NOTHING,
    ONE,
    SATURATED,
    index_of,
    next_with,
    scarcest,
)

# Columns of the array of levels.
START, STRIDE, SIZE, NEXT, ITEM, CHOSEN = range(6)
LEVEL_COLUMNS = 6
# Instead of an item: all needs are met, so any further option may be added or not.
ANY = -1

WORD_BITS = 64
# Spare words at the end of a plane: packing writes eight at once.
SPARE = 2 * lanes.LANES


class Stack(NamedTuple):
    """The state of the search; one row per level except in `planes`, `state` and the last four.

    `planes` holds the options alive on all levels one after another; `levels` has the columns named
    above, `opens` the required items still open, `needs` and `rooms` how many more copies of each
    counted item must and may be taken. `solutions` has a row for each solution not fetched yet,
    padded with a number that is no option's. `blocked`, `unions` (of the options alive on the last
    level) and `masks` are scratch arrays.
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
    """Return whether a bit set of words contains an item."""
    return bool(row[item // WORD_BITS] >> np.uint64(item % WORD_BITS) & ONE)


@kernel(error_model="numpy")
def lanes_with(planes: Any, here: Any, item: int, i: int) -> Any:
    """Return which of the eight options of a level from the i-th on take an item, as bits."""
    plane = here[START] + item // WORD_BITS * here[STRIDE]
    bit = lanes.splat(ONE << np.uint64(item % WORD_BITS))
    return ~lanes.disjoint(lanes.load(planes, plane + i), bit) & lanes_before(here[SIZE] - i)


@kernel(error_model="numpy")
def lanes_before(number: int) -> Any:
    """Return the bits of the first `number` lanes; of all for more, of none for fewer than 1."""
    if number >= lanes.LANES:
        return LANE_BITS
    return (ONE << np.uint64(max(number, 0))) - ONE


@kernel(error_model="numpy")
def number_taking(planes: Any, here: Any, item: int) -> int:
    """Return how many of a level's options take an item."""
    number = 0
    for i in range(0, here[SIZE], lanes.LANES):
        number += lanes.count_bits(lanes_with(planes, here, item, i))
    return number


@kernel(error_model="numpy")
def mark_compatible(stack: Stack, here: Any, words: int, chosen_at: int, excludes: bool) -> None:
    """Write for each eight options of a level, as bits, which of them stay possible.

    These share no bit with `blocked`. With `excludes` the chosen option is removed too, and those
    of the branch that were tried before it, because nothing else rules them out.
    """
    planes, masks = stack.planes, stack.masks
    start, stride, size = here[START], here[STRIDE], here[SIZE]
    for i in range(0, size, lanes.LANES):
        # Lanes beyond the last option are never kept.
        masks[i // lanes.LANES] = lanes_before(size - i)
    for word in range(words):
        if stack.blocked[word] == NOTHING:
            continue
        forbidden = lanes.splat(stack.blocked[word])
        plane = start + word * stride
        for i in range(0, size, lanes.LANES):
            masks[i // lanes.LANES] &= lanes.disjoint(lanes.load(planes, plane + i), forbidden)
    if excludes:
        for i in range(0, chosen_at + 1, lanes.LANES):
            tried = lanes_before(chosen_at - i)
            if here[ITEM] != ANY:
                tried &= lanes_with(planes, here, here[ITEM], i)
            tried |= lanes_before(chosen_at + 1 - i) & ~lanes_before(chosen_at - i)
            masks[i // lanes.LANES] &= ~tried


@kernel(error_model="numpy")
def keep_marked(stack: Stack, level: int, words: int) -> bool:
    """Copy the marked options to the level below; return whether its required items have some."""
    planes, masks = stack.planes, stack.masks
    here, below = stack.levels[level], stack.levels[level + 1]
    start, stride, size = here[START], here[STRIDE], here[SIZE]
    target = start + stride * (words + 1)
    # Rounded down to a multiple of eight, with at least eight words to spare.
    below_stride = (size + SPARE) & ~(lanes.LANES - 1)
    below[START], below[STRIDE], below[SIZE] = target, below_stride, 0
    for word in range(words + 1):
        plane, end = start + word * stride, target + word * below_stride
        union = lanes.splat(NOTHING)
        for i in range(0, size, lanes.LANES):
            kept = masks[i // lanes.LANES]
            if kept:
                options = lanes.load(planes, plane + i)
                union = union | lanes.where(options, kept)
                lanes.store_packed(planes, end, options, kept)
                end += lanes.count_bits(kept)
        if word < words:
            stack.unions[word] = lanes.or_of_lanes(union)
            if stack.opens[level + 1, word] & ~stack.unions[word]:
                return False
        else:
            below[SIZE] = end - (target + word * below_stride)
    return True


# Handing over to the search over single words: open items are renumbered, and back.


class Handover(NamedTuple):
    """The problem handed to the search over single words.

    `options` are the numbers of its options, in the order of its words. `facts` are how many there
    are, and the smallest number of items that one takes, or 0 if some item may stay open. `numbers`
    is each item's bit, or -1.
    """

    options: Int64Array
    facts: Int64Array
    numbers: Int64Array


@kernel(error_model="numpy")
def hand_over(
    planes: Any,
    start: int,
    stride: int,
    size: int,
    open_items: Any,
    handover: Handover,
    inner: single.WordSearch,
) -> None:
    """Renumber the open items within 64 bits, write the options as single words, and start.

    The options are those of `planes` from `start` on, one plane per `stride`.
    """
    words, numbers = len(open_items), handover.numbers
    for item in range(len(numbers)):
        numbers[item] = -1
    used = 0
    for word in range(words):
        bits = open_items[word]
        while bits:
            numbers[word * WORD_BITS + lanes.lowest_bit_number(bits)] = used
            bits &= bits - ONE
            used += 1
    # Required items have the lowest bits. A shift by 64 is undefined, hence the case distinction.
    required = (ONE << np.uint64(used)) - ONE if used < WORD_BITS else ~NOTHING
    only_required = used
    least = WORD_BITS
    for number in range(size):
        packed = NOTHING
        for word in range(words):
            bits = planes[start + word * stride + number]
            while bits:
                item = word * WORD_BITS + lanes.lowest_bit_number(bits)
                bits &= bits - ONE
                if numbers[item] < 0:
                    numbers[item] = used
                    used += 1
                packed |= ONE << np.uint64(numbers[item])
        inner.words[number] = packed
        handover.options[number] = np.int64(planes[start + words * stride + number])
        least = min(least, lanes.count_bits(packed))
    handover.facts[0] = size
    # With optional items the number of open items says nothing about how many options are missing.
    handover.facts[1] = least if used == only_required else 0
    single.start_search(inner, size, required)


@kernel(error_model="numpy")
def fill_in(
    handover: Handover, inner: single.WordSearch, found: int, solution: Any, position: int
) -> None:
    """Write the options of a solution of the inner search, from a position on."""
    for number in range(inner.solutions.shape[1]):
        word = inner.solutions[found, number]
        if word == NOTHING:
            return
        index = index_of(inner.words, inner.spans[single.START, 0], handover.facts[0], word)
        solution[position] = handover.options[index]
        position += 1


# Entries of the array that holds the state of the search.
LEVEL, NODES, ENTER, INNER, FOUND, STORED = range(6)
STATE_ENTRIES = 6


class Problem(NamedTuple):
    """The problem: `takes` and `blocks` have one row of words per option, see `model.Encoding`."""

    takes: UInt64Array
    blocks: UInt64Array
    counted_items: Int64Array


@kernel(error_model="numpy", inlining="numba")
def descend(problem: Problem, stack: Stack, level: int, index: int) -> bool:
    """Choose the option at `index` of a level and fill in the level below.

    Return whether that can hold a solution: no item is left without an option.
    """
    here = stack.levels[level]
    words = problem.takes.shape[1]
    option = np.int64(stack.planes[here[START] + words * here[STRIDE] + index])
    here[CHOSEN] = option
    for word in range(words):
        stack.blocked[word] = problem.blocks[option, word]
        stack.opens[level + 1, word] = stack.opens[level, word] & ~problem.takes[option, word]
    excludes = here[ITEM] == ANY
    for number, item in enumerate(problem.counted_items):
        taken = 1 if has(problem.takes[option], item) else 0
        stack.needs[level + 1, number] = stack.needs[level, number] - taken
        stack.rooms[level + 1, number] = stack.rooms[level, number] - taken
        excludes |= item == here[ITEM]
        if stack.rooms[level + 1, number] <= 0:
            # No copy may be added any more, so all options that take the item are excluded.
            stack.blocked[item // WORD_BITS] |= ONE << np.uint64(item % WORD_BITS)
    mark_compatible(stack, here, words, index, excludes)
    if not keep_marked(stack, level, words):
        return False
    for number, item in enumerate(problem.counted_items):
        # A necessary condition only: that some option is left, not that enough are.
        if stack.needs[level + 1, number] > 0 and not has(stack.unions, item):
            return False
    return True


@kernel(error_model="numpy")
def choose_branch(problem: Problem, stack: Stack, level: int) -> None:
    """Fill in the item that a level branches on.

    That is the required item with the fewest options. If none is open, it is a counted item whose
    need is not met: to take k of n options, one of the first n - k + 1 must be taken.
    """
    here = stack.levels[level]
    item, children = ANY, SATURATED
    for word in range(problem.takes.shape[1]):
        open_items = stack.opens[level, word]
        # An item without options makes the level a dead end; it need not be compared further.
        if open_items and (item == ANY or children > 0):
            plane = here[START] + word * here[STRIDE]
            number, fewest = scarcest(stack.planes, plane, here[SIZE], open_items)
            if item == ANY or number < children:
                item, children = word * WORD_BITS + lanes.lowest_bit_number(fewest), number
    if item != ANY and children >= SATURATED:
        item = exactly_scarcest(problem, stack, level)
    if item == ANY:
        for number, candidate in enumerate(problem.counted_items):
            need = stack.needs[level, number]
            if need > 0:
                first_choices = number_taking(stack.planes, here, candidate) - need + 1
                if item == ANY or first_choices < children:
                    item, children = candidate, first_choices
    here[ITEM], here[NEXT] = item, 0


@kernel(error_model="numpy")
def exactly_scarcest(problem: Problem, stack: Stack, level: int) -> int:
    """Return the open item with the fewest options near the root, where all have many."""
    here = stack.levels[level]
    item, children = ANY, 0
    for word in range(problem.takes.shape[1]):
        bits = stack.opens[level, word]
        while bits:
            candidate = word * WORD_BITS + lanes.lowest_bit_number(bits)
            bits &= bits - ONE
            number = number_taking(stack.planes, here, candidate)
            if item == ANY or number < children:
                item, children = candidate, number
    return item


@kernel(error_model="numpy")
def next_child(stack: Stack, here: Any) -> int:
    """Return the index of the next option to try on a level, or its size."""
    item = here[ITEM]
    if item == ANY:
        return int(here[NEXT])
    plane = here[START] + item // WORD_BITS * here[STRIDE]
    bit = ONE << np.uint64(item % WORD_BITS)
    end = plane + here[SIZE]
    return int(next_with(stack.planes, plane + here[NEXT], end, bit) - plane)


@kernel(error_model="numpy")
def write_solution(problem: Problem, stack: Stack, keep: bool) -> None:
    """Count the options chosen above the current level as a solution, and store it with `keep`."""
    state = stack.state
    state[FOUND] += 1
    if keep:
        row = stack.solutions[state[STORED]]
        # Padding: a number that is no option's.
        row[:] = len(problem.takes)
        for above in range(state[LEVEL]):
            row[above] = stack.levels[above, CHOSEN]
        state[STORED] += 1


@kernel(error_model="numpy", inlining="numba")
def enter(
    problem: Problem,
    stack: Stack,
    handover: Handover,
    inner: single.WordSearch,
    single_words: bool,
    keep: bool,
) -> None:
    """Open a level: hand it over, record it as a solution, or choose the item to branch on."""
    state = stack.state
    level = state[LEVEL]
    here, words = stack.levels[level], problem.takes.shape[1]
    state[ENTER] = 0
    items, required = 0, 0
    for word in range(words):
        items += lanes.count_bits(stack.opens[level, word] | stack.unions[word])
        required += lanes.count_bits(stack.opens[level, word])
    if single_words and required > 0 and items <= WORD_BITS:
        start, stride, size = here[START], here[STRIDE], here[SIZE]
        hand_over(stack.planes, start, stride, size, stack.opens[level], handover, inner)
        # The level has no children of its own: the inner search takes its place.
        here[ITEM], here[NEXT] = ANY, here[SIZE]
        state[INNER] = 1
        return
    choose_branch(problem, stack, level)
    if here[ITEM] == ANY:
        write_solution(problem, stack, keep)


@kernel(error_model="numpy", inlining="numba")
def resume_inner(
    problem: Problem,
    stack: Stack,
    handover: Handover,
    inner: single.WordSearch,
    keep: bool,
    node_limit: int,
) -> None:
    """Resume the search over single words, and take its solutions."""
    state = stack.state
    single.search(inner, int(handover.facts[1]), keep, node_limit - state[NODES])
    found = inner.state[single.FOUND]
    inner.state[single.FOUND] = 0
    state[INNER] = 1 if inner.state[single.LEVEL] >= 0 else 0
    if not keep:
        state[FOUND] += found
        return
    for number in range(found):
        row = state[STORED]
        write_solution(problem, stack, keep)
        fill_in(handover, inner, number, stack.solutions[row], state[LEVEL])


@kernel(entry=True, error_model="numpy")
def advance(
    problem: Problem,
    stack: Stack,
    handover: Handover,
    inner: single.WordSearch,
    single_words: bool,
    keep: bool,
    node_limit: int,
) -> None:
    """Resume the search until it ends (level -1), or has visited `node_limit` nodes, or the rows of
    `solutions` might not hold those of the next step.
    """
    state = stack.state
    room = len(stack.solutions) - len(inner.solutions)
    while state[LEVEL] >= 0 and state[NODES] + inner.state[single.NODES] < node_limit:
        if keep and state[STORED] > room:
            return
        level = state[LEVEL]
        if state[INNER]:
            resume_inner(problem, stack, handover, inner, keep, node_limit)
            continue
        if state[ENTER]:
            enter(problem, stack, handover, inner, single_words, keep)
            continue
        here = stack.levels[level]
        index = next_child(stack, here)
        if index >= here[SIZE]:
            state[LEVEL] -= 1
            continue
        here[NEXT] = index + 1
        state[NODES] += 1
        if descend(problem, stack, level, index):
            state[LEVEL] += 1
            state[ENTER] = 1
