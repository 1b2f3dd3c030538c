"""The table of what each of the 18 moves does to a position's distance in phase 1: 423 MB.

The search for proofs asks about all moves at once; here that takes one memory access, in the exact
table 18. Three bytes an entry, four bits a face: its three turns lead to positions which are
neighbours of one another, so that they are all nearer or equally far (bit q set: turn q + 1 equally
far; codes 0 to 7), or equally far or farther (7 + bits, set: farther; codes 8 to 14).
"""

from typing import Final

import numpy as np

from solvers.foundation.arrays import UInt8Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import load_or_build
from solvers.rubik.two_phase.coordinates import FLIP_SLICE_CLASSES, TWISTS, Number
from solvers.rubik.two_phase.phase_1_bounds import distance_modulo_3
from solvers.rubik.two_phase.tables import Phase1Tables

BYTES: Final = 3
SIZE: Final = FLIP_SLICE_CLASSES * TWISTS * BYTES
_VERSION: Final = 1
_ROWS_AT_ONCE: Final = 500  # of 64 430, between two progress events


def load_move_deltas(tables: Phase1Tables) -> Job[Progress, UInt8Array]:
    """Return the table from the cache or built, in half a minute of CPU time."""

    def build() -> Job[Progress, UInt8Array]:
        deltas = np.zeros(SIZE, np.uint8)
        for first in range(0, FLIP_SLICE_CLASSES, _ROWS_AT_ONCE):
            last = min(first + _ROWS_AT_ONCE, FLIP_SLICE_CLASSES)
            fill_rows(tables, deltas, first, last)
            yield Progress("cube-move-deltas", last, FLIP_SLICE_CLASSES, "rows")
        return deltas

    return load_or_build("cube-move-deltas", _VERSION, (SIZE,), np.uint8, build)


@kernel
def fill_rows(tables: Phase1Tables, deltas: UInt8Array, first: Number, last: Number) -> None:
    """Fill the entries of the classes from `first` up to, without, `last`."""
    for row in range(first, last):
        for twist in range(TWISTS):
            word = 0
            # Distances of neighbours differ by at most one, so modulo 3 is enough to compare them.
            here = distance_modulo_3(tables, row, twist)
            for face in range(6):
                word |= _code(tables, row, twist, here, face) << (4 * face)
            entry = (np.int64(row) * TWISTS + twist) * BYTES
            for byte in range(BYTES):
                deltas[entry + byte] = word >> (8 * byte) & 255


@kernel(inlining="numba")
def _code(tables: Phase1Tables, row: Number, twist: Number, here: Number, face: Number) -> Number:
    same: Number = 0
    farther: Number = 0
    for turn in range(3):
        packed = tables.class_moves[row, 3 * face + turn]
        there = tables.normalised_twists[tables.twist_moves[twist, 3 * face + turn], packed & 15]
        step = (distance_modulo_3(tables, packed >> 4, there) + 3 - here) % 3
        same |= np.int64(step == 0) << turn
        farther |= np.int64(step == 1) << turn
    # With one turn farther none is nearer: the turns' targets are neighbours of one another.
    return 7 + farther if farther > 0 else same


def decode_table() -> UInt8Array:
    """Return for each code the nearer turns (bits 0 to 2) and the equally far ones (3 to 5).

    Shape (2, 16): seen in a mirror, a turn goes the other way round.
    """
    codes = np.zeros((2, 16), np.uint8)
    for code in range(15):
        nearer, same = (7 & ~code, code) if code < 8 else (0, 7 & ~(code - 7))
        codes[0, code] = nearer | same << 3
        codes[1, code] = _mirrored(nearer) | _mirrored(same) << 3
    return codes


def _mirrored(turns: int) -> int:
    return turns >> 2 & 1 | turns & 2 | turns << 2 & 4


@kernel(inlining="numba")
def deltas_of(deltas: UInt8Array, class_: Number, twist: Number) -> Number:
    """Return the entry of a position: 24 bits."""
    # Three bytes instead of a word of four save a quarter of the memory.
    entry = (np.int64(class_) * TWISTS + twist) * BYTES
    low = np.int64(deltas[entry]) | np.int64(deltas[entry + 1]) << 8
    return low | np.int64(deltas[entry + 2]) << 16
