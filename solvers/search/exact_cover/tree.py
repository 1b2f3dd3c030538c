"""The outer search: exact cover over any number of words, with colours and several copies.

It branches on the item with the fewest options, one option at a time. As soon as the items still
open fit into 64 bits, and if the problem allows it, the rest is written down for the faster search
over single words.
"""

from typing import Any, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt64Array
from solvers.foundation.compiled import kernel
from solvers.search.lanes import count_bits, lowest_bit_number

# What a call ends with.
FINISHED, SOLUTION, HANDOVER, INTERRUPTED = range(4)
# Columns of the array of levels.
START, SIZE, NEXT, ITEM, CHILD, CHILDREN, CHOSEN = range(7)
LEVEL_COLUMNS = 7
# Entries of the array that holds the state of the search.
LEVEL, NODES, DESCEND = range(3)
# Instead of an item: every item's need is met, so that any further option may be added or not.
ANY = -1

ONE = np.uint64(1)
NOTHING = np.uint64(0)
WORD_BITS = 64


class Problem(NamedTuple):
    """What is searched: `takes` and `blocks` have one row of words per option, see `encoding`."""

    takes: UInt64Array
    blocks: UInt64Array
    counted_items: Int64Array


class Stack(NamedTuple):
    """Where the search stands; one row per level but for `pool`, `state` and the last two.

    `pool` holds the options alive on all levels behind one another; `levels` has the columns
    named above, `opens` the required items still open, `needs` and `rooms` how many more copies
    of each counted item must and may be taken. `counts` and `blocked` are room to work in.
    """

    pool: Int64Array
    levels: Int64Array
    opens: UInt64Array
    needs: Int64Array
    rooms: Int64Array
    state: Int64Array
    counts: Int64Array
    blocked: UInt64Array


class Handover(NamedTuple):
    """What the search over single words gets, and room to write it down.

    `words` and `options` are the options alive, as words and by number; `facts` the required items
    as a word, the number of options, and how many items every option takes at least, or 0 if
    some item may stay open. `numbers` is each item's bit, or -1.
    """

    words: UInt64Array
    options: Int64Array
    facts: UInt64Array
    numbers: Int64Array


@kernel(error_model="numpy")
def has(row: Any, item: int) -> bool:
    """Tell whether a bit set of words contains an item."""
    return bool(row[item // WORD_BITS] >> np.uint64(item % WORD_BITS) & ONE)


@kernel(error_model="numpy")
def count_options(takes: Any, alive: Any, open_items: Any, counted_items: Any, counts: Any) -> None:
    """Count for every open or counted item how many of the options alive take it."""
    counts[:] = 0
    for word in range(takes.shape[1]):
        relevant = open_items[word]
        for item in counted_items:
            if item // WORD_BITS == word:
                relevant |= ONE << np.uint64(item % WORD_BITS)
        for option in alive:
            bits = takes[option, word] & relevant
            while bits:
                counts[word * WORD_BITS + lowest_bit_number(bits)] += 1
                bits &= bits - ONE


@kernel(error_model="numpy")
def choose_branch(
    open_items: Any, counted_items: Any, need: Any, counts: Any, alive: int, level: Any
) -> None:
    """Fill in item and number of children of a level: those of the item with the fewest.

    Of an item that needs k of n options, the last k - 1 cannot come first.
    """
    item, children = ANY, alive
    for word in range(len(open_items)):
        bits = open_items[word]
        while bits:
            candidate = word * WORD_BITS + lowest_bit_number(bits)
            bits &= bits - ONE
            if item == ANY or counts[candidate] < children:
                item, children = candidate, counts[candidate]
    for index, candidate in enumerate(counted_items):
        if need[index] > 0:
            first_choices = max(counts[candidate] - need[index] + 1, 0)
            if item == ANY or first_choices < children:
                item, children = candidate, first_choices
    level[ITEM] = item
    level[CHILD] = 0
    level[CHILDREN] = children
    level[NEXT] = level[START]


@kernel(error_model="numpy")
def filter_options(
    takes: Any,
    blocked: Any,
    pool: Any,
    level: Any,
    chosen_at: int,
    ban_earlier: bool,
    target: int,
) -> int:
    """Copy the options compatible with the one at `chosen_at`; return the end of the copy.

    With `ban_earlier`, those of the branch that were tried before it are left out.
    """
    for index in range(level[START], level[START] + level[SIZE]):
        option = pool[index]
        if index == chosen_at:
            continue
        tried = ban_earlier and index < chosen_at
        if tried and (level[ITEM] == ANY or has(takes[option], level[ITEM])):
            continue
        clash = NOTHING
        for word in range(takes.shape[1]):
            clash |= takes[option, word] & blocked[word]
        if clash == NOTHING:
            pool[target] = option
            target += 1
    return target


@kernel(error_model="numpy")
def descend(problem: Problem, stack: Stack, level: int, index: int) -> None:
    """Choose the option at `index` of a level and fill in the level below."""
    option = stack.pool[index]
    here, below = stack.levels[level], stack.levels[level + 1]
    here[CHOSEN] = option
    for word in range(problem.takes.shape[1]):
        stack.blocked[word] = problem.blocks[option, word]
        stack.opens[level + 1, word] = stack.opens[level, word] & ~problem.takes[option, word]
    counted_branch = here[ITEM] == ANY
    for number, item in enumerate(problem.counted_items):
        taken = 1 if has(problem.takes[option], item) else 0
        stack.needs[level + 1, number] = stack.needs[level, number] - taken
        stack.rooms[level + 1, number] = stack.rooms[level, number] - taken
        if item == here[ITEM]:
            counted_branch = True
        if stack.rooms[level + 1, number] <= 0:
            stack.blocked[item // WORD_BITS] |= ONE << np.uint64(item % WORD_BITS)
    below[START] = here[START] + here[SIZE]
    end = filter_options(
        problem.takes, stack.blocked, stack.pool, here, index, counted_branch, below[START]
    )
    below[SIZE] = end - below[START]


@kernel(error_model="numpy")
def fits_one_word(takes: Any, alive: Any, open_items: Any) -> bool:
    """Tell whether the items still open, required or not, are at most 64 and at least 1."""
    number = 0
    required = NOTHING
    for word in range(takes.shape[1]):
        union = open_items[word]
        required |= union
        for option in alive:
            union |= takes[option, word]
        number += count_bits(union)
    return required != NOTHING and number <= WORD_BITS


@kernel(error_model="numpy")
def write_single_words(takes: Any, alive: Any, open_items: Any, handover: Handover) -> None:
    """Number the open items anew within 64 bits and write the options alive as single words."""
    numbers = handover.numbers
    numbers[:] = -1
    used = 0
    for word in range(takes.shape[1]):
        bits = open_items[word]
        while bits:
            numbers[word * WORD_BITS + lowest_bit_number(bits)] = used
            bits &= bits - ONE
            used += 1
    required = (ONE << np.uint64(used)) - ONE if used < WORD_BITS else ~NOTHING
    only_required = used
    least = WORD_BITS
    for number, option in enumerate(alive):
        packed = NOTHING
        for word in range(takes.shape[1]):
            bits = takes[option, word]
            while bits:
                item = word * WORD_BITS + lowest_bit_number(bits)
                bits &= bits - ONE
                if numbers[item] < 0:
                    numbers[item] = used
                    used += 1
                packed |= ONE << np.uint64(numbers[item])
        handover.words[number] = packed
        handover.options[number] = option
        least = min(least, count_bits(packed))
    handover.facts[0] = required
    handover.facts[1] = len(alive)
    handover.facts[2] = least if used == only_required else 0


@kernel(error_model="numpy")
def advance(
    problem: Problem, stack: Stack, handover: Handover, single_words: bool, node_limit: int
) -> int:
    """Go on with the search until something must be told; return what.

    At SOLUTION the options chosen are those of the levels above the current one. Only with
    `single_words` may it end with HANDOVER.
    """
    takes, pool, state = problem.takes, stack.pool, stack.state
    while state[LEVEL] >= 0:
        level = state[LEVEL]
        here = stack.levels[level]
        end = here[START] + here[SIZE]
        if state[DESCEND]:
            if state[NODES] >= node_limit:
                return INTERRUPTED
            state[DESCEND] = False
            state[NODES] += 1
            alive = pool[here[START] : end]
            open_items = stack.opens[level]
            if single_words and fits_one_word(takes, alive, open_items):
                write_single_words(takes, alive, open_items, handover)
                here[CHILD] = here[CHILDREN] = 0
                return HANDOVER
            counted = problem.counted_items
            count_options(takes, alive, open_items, counted, stack.counts)
            choose_branch(open_items, counted, stack.needs[level], stack.counts, len(alive), here)
            if here[ITEM] == ANY:
                return SOLUTION
        index = here[NEXT]
        while index < end and here[ITEM] != ANY and not has(takes[pool[index]], here[ITEM]):
            index += 1
        if here[CHILD] >= here[CHILDREN] or index >= end:
            state[LEVEL] -= 1
            continue
        here[NEXT] = index + 1
        here[CHILD] += 1
        descend(problem, stack, level, index)
        state[LEVEL] += 1
        state[DESCEND] = True
    return FINISHED
