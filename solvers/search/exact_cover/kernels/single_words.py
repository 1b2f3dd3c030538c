"""From the outer search to the one over single words: open items numbered anew, and back."""

from typing import Any, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.search.exact_cover.kernels import word_search as single
from solvers.search.exact_cover.kernels.words import NOTHING, ONE, index_of
from solvers.search.lanes import count_bits, lowest_bit_number

WORD_BITS = 64


class Handover(NamedTuple):
    """What the search over single words has got: `options` are the numbers of its options, in the
    order of its words; `facts` how many these are, and how many items each takes at least, or 0
    if some item may stay open. `numbers` is each item's bit, or -1.
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
    """Number the open items anew within 64 bits, write the options as single words, and begin.

    The options are those of `planes` from `start` on, one plane a `stride`, see `tree`.
    """
    words, numbers = len(open_items), handover.numbers
    for item in range(len(numbers)):
        numbers[item] = -1
    used = 0
    for word in range(words):
        bits = open_items[word]
        while bits:
            numbers[word * WORD_BITS + lowest_bit_number(bits)] = used
            bits &= bits - ONE
            used += 1
    required = (ONE << np.uint64(used)) - ONE if used < WORD_BITS else ~NOTHING
    only_required = used
    least = WORD_BITS
    for number in range(size):
        packed = NOTHING
        for word in range(words):
            bits = planes[start + word * stride + number]
            while bits:
                item = word * WORD_BITS + lowest_bit_number(bits)
                bits &= bits - ONE
                if numbers[item] < 0:
                    numbers[item] = used
                    used += 1
                packed |= ONE << np.uint64(numbers[item])
        inner.words[number] = packed
        handover.options[number] = np.int64(planes[start + words * stride + number])
        least = min(least, count_bits(packed))
    handover.facts[0] = size
    handover.facts[1] = least if used == only_required else 0
    single.begin(inner, size, required)


@kernel(error_model="numpy")
def fill_in(
    handover: Handover, inner: single.WordSearch, found: int, solution: Any, position: int
) -> None:
    """Write the options of a solution that was found inside, from a position on."""
    for number in range(inner.solutions.shape[1]):
        word = inner.solutions[found, number]
        if word == NOTHING:
            return
        index = index_of(inner.words, inner.spans[single.START, 0], handover.facts[0], word)
        solution[position] = handover.options[index]
        position += 1
