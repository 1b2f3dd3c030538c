"""The outer search: exact cover over any number of words, with colours and several copies.

It branches on the item with the fewest options, one option at a time. As soon as the items still
open fit into 64 bits, and if the problem allows it, the rest is written down for the faster search
over single words.
"""

from typing import Any

import numpy as np
from numba import njit

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


@njit(cache=True, error_model="numpy")
def has(row: Any, item: int) -> bool:
    """Tell whether a bit set of words contains an item."""
    return bool(row[item // WORD_BITS] >> np.uint64(item % WORD_BITS) & ONE)


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def descend(
    takes: Any,
    blocks: Any,
    counted_items: Any,
    pool: Any,
    levels: Any,
    opens: Any,
    needs: Any,
    rooms: Any,
    level: int,
    index: int,
) -> None:
    """Choose the option at `index` of a level and fill in the level below."""
    option = pool[index]
    here, below = levels[level], levels[level + 1]
    here[CHOSEN] = option
    blocked = blocks[option].copy()
    opens[level + 1] = opens[level] & ~takes[option]
    needs[level + 1] = needs[level]
    rooms[level + 1] = rooms[level]
    counted_branch = here[ITEM] == ANY
    for number, item in enumerate(counted_items):
        if item == here[ITEM]:
            counted_branch = True
        if has(takes[option], item):
            needs[level + 1, number] -= 1
            rooms[level + 1, number] -= 1
        if rooms[level + 1, number] <= 0:
            blocked[item // WORD_BITS] |= ONE << np.uint64(item % WORD_BITS)
    below[START] = here[START] + here[SIZE]
    end = filter_options(takes, blocked, pool, here, index, counted_branch, below[START])
    below[SIZE] = end - below[START]


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def write_single_words(
    takes: Any, alive: Any, open_items: Any, words: Any, options: Any, handover: Any
) -> None:
    """Number the open items anew within 64 bits and write the options alive as single words.

    `handover` receives the required items as a word, the number of options, and how many items
    every option takes at least, or 0 if some item may stay open.
    """
    numbers = np.full(takes.shape[1] * WORD_BITS, -1, dtype=np.int64)
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
        words[number] = packed
        options[number] = option
        least = min(least, count_bits(packed))
    handover[0] = required
    handover[1] = len(alive)
    handover[2] = least if used == only_required else 0


@njit(cache=True, error_model="numpy")
def advance(
    takes: Any,
    blocks: Any,
    counted_items: Any,
    pool: Any,
    levels: Any,
    opens: Any,
    needs: Any,
    rooms: Any,
    state: Any,
    node_limit: int,
    single_words: bool,
    words: Any,
    options: Any,
    handover: Any,
) -> int:
    """Go on with the search until something must be told; return what.

    At SOLUTION the options chosen are those of the levels above the current one.
    """
    counts = np.empty(takes.shape[1] * WORD_BITS, dtype=np.int64)
    while state[LEVEL] >= 0:
        here = levels[state[LEVEL]]
        end = here[START] + here[SIZE]
        if state[DESCEND]:
            if state[NODES] >= node_limit:
                return INTERRUPTED
            state[DESCEND] = False
            state[NODES] += 1
            alive = pool[here[START] : end]
            open_items = opens[state[LEVEL]]
            if single_words and fits_one_word(takes, alive, open_items):
                write_single_words(takes, alive, open_items, words, options, handover)
                here[CHILD] = here[CHILDREN] = 0
                return HANDOVER
            count_options(takes, alive, open_items, counted_items, counts)
            need = needs[state[LEVEL]]
            choose_branch(open_items, counted_items, need, counts, len(alive), here)
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
        descend(
            takes, blocks, counted_items, pool, levels, opens, needs, rooms, state[LEVEL], index
        )
        state[LEVEL] += 1
        state[DESCEND] = True
    return FINISHED
