"""The outer search: exact cover over any number of words, with colours and several copies.

It works as the search over single words does, on `planes` of words. It branches on the required
item with the fewest options, one option at a time. Items that several options may take are not
branched on until nothing else is open: it is enough that their needs can be met. As soon as the
items still open fit into 64 bits, and if the problem allows it, the rest is written down for the
search over single words.
"""

from typing import Any, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array, UInt64Array
from solvers.foundation.compiled import kernel
from solvers.search.exact_cover.kernels import word_search as single
from solvers.search.exact_cover.kernels.planes import (
    ANY,
    CHOSEN,
    ITEM,
    NEXT,
    SIZE,
    START,
    STRIDE,
    WORD_BITS,
    Stack,
    has,
    keep_marked,
    mark_compatible,
    number_taking,
)
from solvers.search.exact_cover.kernels.single_words import Handover, fill_in, hand_over
from solvers.search.exact_cover.kernels.words import ALIKE, ONE, next_with, scarcest
from solvers.search.lanes import count_bits, lowest_bit_number

# Entries of the array that holds the state of the search.
LEVEL, NODES, ENTER, INNER, FOUND, KEPT = range(6)
STATE_ENTRIES = 6


class Problem(NamedTuple):
    """What is searched: `takes` and `blocks` have one row of words per option, see `encoding`."""

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
            stack.blocked[item // WORD_BITS] |= ONE << np.uint64(item % WORD_BITS)
    mark_compatible(stack, here, words, index, excludes)
    if not keep_marked(stack, level, words):
        return False
    for number, item in enumerate(problem.counted_items):
        if stack.needs[level + 1, number] > 0 and not has(stack.unions, item):
            return False
    return True


@kernel(error_model="numpy")
def choose_branch(problem: Problem, stack: Stack, level: int) -> None:
    """Fill in the item that a level branches on.

    That is the required item with the fewest options; where none is open, a counted one whose
    need is not met, of which k out of n options leave n - k + 1 to come first.
    """
    here = stack.levels[level]
    item, children = ANY, ALIKE
    for word in range(problem.takes.shape[1]):
        open_items = stack.opens[level, word]
        if open_items and (item == ANY or children > 0):
            plane = here[START] + word * here[STRIDE]
            number, fewest = scarcest(stack.planes, plane, here[SIZE], open_items)
            if item == ANY or number < children:
                item, children = word * WORD_BITS + lowest_bit_number(fewest), number
    if item != ANY and children >= ALIKE:
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
    """Return the open item with the fewest options: near the root, where all have many."""
    here = stack.levels[level]
    item, children = ANY, 0
    for word in range(problem.takes.shape[1]):
        bits = stack.opens[level, word]
        while bits:
            candidate = word * WORD_BITS + lowest_bit_number(bits)
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
    """Count, and perhaps write down, the options chosen above the current level."""
    state = stack.state
    state[FOUND] += 1
    if keep:
        row = stack.solutions[state[KEPT]]
        row[:] = len(problem.takes)
        for above in range(state[LEVEL]):
            row[above] = stack.levels[above, CHOSEN]
        state[KEPT] += 1


@kernel(error_model="numpy", inlining="numba")
def enter(
    problem: Problem,
    stack: Stack,
    handover: Handover,
    inner: single.WordSearch,
    single_words: bool,
    keep: bool,
) -> None:
    """Begin a level: hand it over, tell it as a solution, or choose what to branch on."""
    state = stack.state
    level = state[LEVEL]
    here, words = stack.levels[level], problem.takes.shape[1]
    state[ENTER] = 0
    items, required = 0, 0
    for word in range(words):
        items += count_bits(stack.opens[level, word] | stack.unions[word])
        required += count_bits(stack.opens[level, word])
    if single_words and required > 0 and items <= WORD_BITS:
        start, stride, size = here[START], here[STRIDE], here[SIZE]
        hand_over(stack.planes, start, stride, size, stack.opens[level], handover, inner)
        here[ITEM], here[NEXT] = ANY, here[SIZE]
        state[INNER] = 1
        return
    choose_branch(problem, stack, level)
    if here[ITEM] == ANY:
        write_solution(problem, stack, keep)


@kernel(error_model="numpy", inlining="numba")
def search_inside(
    problem: Problem,
    stack: Stack,
    handover: Handover,
    inner: single.WordSearch,
    keep: bool,
    node_limit: int,
) -> None:
    """Go on with the search over single words, and take over what it finds."""
    state = stack.state
    single.search(inner, int(handover.facts[1]), keep, node_limit - state[NODES])
    found = inner.state[single.FOUND]
    inner.state[single.FOUND] = 0
    state[INNER] = 1 if inner.state[single.LEVEL] >= 0 else 0
    if not keep:
        state[FOUND] += found
        return
    for number in range(found):
        row = state[KEPT]
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
    """Go on with the search until it ends (level -1), has visited `node_limit` nodes, or the rows
    of `solutions` might not hold those of the next step.
    """
    state = stack.state
    room = len(stack.solutions) - len(inner.solutions)
    while state[LEVEL] >= 0 and state[NODES] + inner.state[single.NODES] < node_limit:
        if keep and state[KEPT] > room:
            return
        level = state[LEVEL]
        if state[INNER]:
            search_inside(problem, stack, handover, inner, keep, node_limit)
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
