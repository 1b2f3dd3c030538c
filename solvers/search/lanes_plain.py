"""The operations of `lanes_llvm` in numpy, for code that runs uncompiled (NUMBA_DISABLE_JIT=1).

Eight words are an array of eight, which has & | ^ of its own.
"""

from typing import Any

import numpy as np

from solvers.foundation.arrays import UInt64Array

LANES = 8
_LANE_NUMBERS = np.arange(LANES)


def splat(word: Any) -> UInt64Array:
    """Return lanes that all hold the same word."""
    return np.full(LANES, word, np.uint64)


def load(array: UInt64Array, index: int) -> UInt64Array:
    """Return the eight words of an array from `index` on."""
    return array[index : index + LANES].copy()


def load_first(array: UInt64Array, index: int, number: int) -> UInt64Array:
    """Return the first `number` words from `index` on, and zero in the other lanes."""
    first = np.zeros(LANES, np.uint64)
    wanted = min(max(number, 0), LANES)
    first[:wanted] = array[index : index + wanted]
    return first


def store(array: UInt64Array, index: int, value: UInt64Array) -> None:
    """Write eight words into an array from `index` on."""
    array[index : index + LANES] = value


def _mask(chosen: Any) -> np.uint64:
    return np.uint64(int(chosen @ (1 << _LANE_NUMBERS)))


def _lanes_of(mask: Any) -> Any:
    return int(mask) >> _LANE_NUMBERS & 1 == 1


def disjoint(a: UInt64Array, b: UInt64Array) -> np.uint64:
    """Return a word with bit k set if lane k of the two share no bit."""
    return _mask(a & b == 0)


def equal(a: UInt64Array, b: UInt64Array) -> np.uint64:
    """Return a word with bit k set if lane k of the two is equal."""
    return _mask(a == b)


def where(value: UInt64Array, mask: Any) -> UInt64Array:
    """Return the lanes whose bit of `mask` is set, and zero in the other lanes."""
    return np.where(_lanes_of(mask), value, np.uint64(0))


def store_packed(array: UInt64Array, index: int, value: UInt64Array, mask: Any) -> None:
    """Write the lanes whose bit of `mask` is set, packed, into an array from `index` on."""
    packed = value[_lanes_of(mask)]
    array[index : index + len(packed)] = packed


def rotate_1(value: UInt64Array) -> UInt64Array:
    """Return the lanes moved down by one."""
    return np.roll(value, -1)


def rotate_2(value: UInt64Array) -> UInt64Array:
    """Return the lanes moved down by two."""
    return np.roll(value, -2)


def rotate_4(value: UInt64Array) -> UInt64Array:
    """Return the lanes moved down by four."""
    return np.roll(value, -4)


def first_lane(value: UInt64Array) -> Any:
    """Return the word of lane 0."""
    return value[0]


def or_of_lanes(value: UInt64Array) -> Any:
    """Return the bits set in any lane."""
    return np.bitwise_or.reduce(value)


def count_bits(word: Any) -> int:
    """Return the number of bits set in a word."""
    return int(word).bit_count()


def lowest_bit_number(word: Any) -> int:
    """Return the number of the lowest bit set, 64 for none."""
    bits = int(word)
    return (bits & -bits).bit_length() - 1 if bits else 64
