"""The large table of the search for proofs: the distance to phase 2's group with its slice solved.

A position is its flip-slice class, the order of the four edges of the middle layer and the twist,
the last two as the class's representative sees them (Kociemba's larger optimal solver). Two bits an
entry say whether it needs 8 moves or fewer, 9, 10 or more, which is all but 0.3 % of what there is
to know. A search can look up any position, not only the neighbours of one it knows, as it could
with distances modulo 3. A row of a class and an order has all twists.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import UInt8Array, UInt16Array, UInt32Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import load, load_or_build
from solvers.rubik.cubies import Symmetry, up_down_symmetries
from solvers.rubik.two_phase.coordinates import (
    FLIP_SLICE_CLASSES,
    FLIPS,
    TWISTS,
    Number,
    four_edges_labels,
    four_edges_moves,
    four_edges_number,
    own_flip_slice_symmetries,
)
from solvers.rubik.two_phase.tables import Phase1Tables, read_only

ORDERS: Final = 24
ROWS: Final = FLIP_SLICE_CLASSES * ORDERS
ROW_BYTES: Final = (TWISTS + 3) // 4
ROW_TWISTS: Final = 4 * ROW_BYTES
SIZE: Final = ROWS * ROW_BYTES
"""Bytes: 846 MB."""

_NAME: Final = "cube-large-proofs"
_VERSION: Final = 2
_CLASSES_AT_ONCE: Final = 400  # between two progress events
SHOWN_EVERY: Final = ROWS * TWISTS // 2000
"""New entries after which there is a progress event."""

FAR: Final = 0
"""The entry of positions that need more than two moves beyond `NEAR`."""
NEAREST: Final = 1
"""That of those which need `NEAR` moves or fewer; 2 and 3 are one and two moves more."""

NEAR: Final = 8
"""All distances up to this one share an entry; the next two have one each, the others the last."""


class Moves(NamedTuple):
    """What moves do to a position.

    classes: packed class, number and symmetry after each move of each representative, shape
    (64430, 18); see `packed_after`.
    orders: the order that an order becomes, by symmetry and number, shape (16, 24, 24).
    twists, normalised: as in `Phase1Tables`.
    own_symmetries: bit j set where symmetry j leaves a representative as it is.
    slices: the slice coordinate of each representative.
    normalised_edges: four-edges coordinates as seen by a representative, shape (11880, 16).
    """

    classes: UInt32Array
    orders: UInt8Array
    twists: UInt16Array
    normalised: UInt16Array
    own_symmetries: UInt16Array
    slices: UInt16Array
    normalised_edges: UInt16Array


_process_moves: dict[int, Moves] = {}


def moves_of(tables: Phase1Tables) -> Moves:
    """Return the moves, made once in a process."""
    if id(tables.class_moves) not in _process_moves:
        _process_moves[id(tables.class_moves)] = _make_moves(tables)
    return _process_moves[id(tables.class_moves)]


def _make_moves(tables: Phase1Tables) -> Moves:
    raws = tables.flip_slice_numbers
    normalised_edges = _normalised_four_edges()
    slices = raws // FLIPS
    # From the order 0, the identity, to what the move alone makes of it as seen after it.
    moved = four_edges_moves()[ORDERS * slices].astype(np.int64)
    symmetries = tables.class_moves & 15
    numbers = normalised_edges[moved, symmetries] % ORDERS
    packed = (tables.class_moves >> 4 << 9) | numbers.astype(np.int32) << 4 | symmetries
    return Moves(
        read_only(packed.astype(np.uint32)),
        _order_moves(normalised_edges),
        tables.twist_moves,
        tables.normalised_twists,
        own_flip_slice_symmetries(raws),
        slices.astype(np.uint16),
        normalised_edges,
    )


@cache
def _normalised_four_edges() -> UInt16Array:
    """Return each four-edges coordinate conjugated with each symmetry's inverse, (11880, 16)."""
    columns = []
    for symmetry in up_down_symmetries():
        # Undoing the symmetry: the piece at the image of `place` returns to `place`.
        places = [symmetry.edge_place(place) for place in range(12)]
        labels = np.append(np.argsort(_images_of_labels(symmetry)), -1)  # no label stays none
        columns.append(four_edges_number(labels[four_edges_labels()[:, places]]))
    return np.column_stack(columns).astype(np.uint16)


def _images_of_labels(symmetry: Symmetry) -> list[int]:
    return [symmetry.edge_place(8 + label) - 8 for label in range(4)]


def _order_moves(normalised_edges: UInt16Array) -> UInt8Array:
    """Return the order after a move, by its symmetry, its number and the order before.

    A move puts the four edges in another order and its symmetry renames them and their places. What
    the two do to the order 0 is the move's number; any other is renamed first.
    """
    orders = four_edges_labels()[:ORDERS, 8:]
    renamed = orders[normalised_edges[:ORDERS] % ORDERS]
    images = np.array([_images_of_labels(each) for each in up_down_symmetries()])
    moved = np.empty((16, ORDERS, ORDERS), np.uint8)
    for symmetry in range(16):
        # Conjugated with the inverse: undone labels of the order at the images of the places.
        undone = np.argsort(images[symmetry])
        conjugated = undone[orders[:, images[symmetry]]]
        assert (conjugated == renamed[:, symmetry]).all()
        for number in range(ORDERS):
            labels = np.full((ORDERS, 12), -1)
            labels[:, 8:] = conjugated[:, orders[number]]
            moved[symmetry, number] = four_edges_number(labels)
    return moved


# The table


def load_large_table() -> UInt8Array | None:
    """Return the table if it is in the cache."""
    return load(_NAME, _VERSION, (SIZE,), np.uint8)


def build_large_table(tables: Phase1Tables) -> Job[Progress, UInt8Array]:
    """Return the table from the cache or built, in a minute; `tables` are the exact ones."""

    def build() -> Job[Progress, UInt8Array]:
        table = np.zeros(SIZE, np.uint8)
        yield from fill(moves_of(tables), table)
        return table

    return load_or_build(_NAME, _VERSION, (SIZE,), np.uint8, build)


def fill(moves: Moves, table: UInt8Array, near: int = NEAR) -> Job[Progress, None]:
    """Fill a table of zeros; entries of positions that need `near` moves or fewer are the same."""
    touched = np.zeros(FLIP_SLICE_CLASSES, np.uint8)
    here = np.empty(TWISTS, np.uint16)
    table[0], touched[0] = 1, 1  # solved needs no move
    filled, shown = 1, 0
    for depth in range(near + 2):
        # Up to `near` the distance modulo 3, plus 1, as a search from solved needs to know it.
        if depth == near:
            _forget_near_distances(table)
        source = depth % 3 + 1 if depth < near else depth - near + 1
        target = (depth + 1) % 3 + 1 if depth < near else depth - near + 2
        for first in range(0, FLIP_SLICE_CLASSES, _CLASSES_AT_ONCE):
            last = min(first + _CLASSES_AT_ONCE, FLIP_SLICE_CLASSES)
            filled += _spread(moves, table, touched, here, source, target, first, last)
            # At small depths there is nothing to show, and thousands of looks take no time.
            if filled - shown > SHOWN_EVERY:
                shown = filled
                yield Progress(_NAME, filled, ROWS * TWISTS, "positions")


@kernel
def _forget_near_distances(table: UInt8Array) -> None:
    """Make all entries that are known 1."""
    for byte in range(table.size):
        table[byte] = (table[byte] | table[byte] >> 1) & 0x55


@kernel(inlining="llvm")
def read_entry(table: UInt8Array, row: Number, twist: Number) -> Number:
    """Return the entry of a position."""
    return table[row * ROW_BYTES + (twist >> 2)] >> (2 * (twist & 3)) & 3


@kernel(inlining="llvm")
def _write_entry(table: UInt8Array, row: Number, twist: Number, entry: Number) -> None:
    """Write an entry that was not known."""
    table[row * ROW_BYTES + (twist >> 2)] |= entry << (2 * (twist & 3))


@kernel(inlining="llvm")
def _twists_with(table: UInt8Array, row: Number, entry: Number, found: UInt16Array) -> Number:
    """Find the twists of a row that have an entry; return how many there are."""
    count = 0
    for byte in range(ROW_BYTES):
        four = np.int64(table[row * ROW_BYTES + byte])
        if four == 0:
            continue
        for twist in range(4 * byte, min(4 * byte + 4, TWISTS)):
            if four & 3 == entry:
                found[count] = twist
                count += 1
            four >>= 2
    return count


@kernel
def _spread(
    moves: Moves,
    table: UInt8Array,
    touched: UInt8Array,
    here: UInt16Array,
    source: Number,
    target: Number,
    first: Number,
    last: Number,
) -> Number:
    """Fill the unknown neighbours of all entries `source` in the classes with `target`; count."""
    filled = 0
    for row in range(first * ORDERS, last * ORDERS):
        class_, order = row // ORDERS, row % ORDERS
        if touched[class_] == 0:
            continue
        # Nearer positions of the same entry are found as well; they have no new neighbours.
        count = _twists_with(table, row, source, here)
        if count == 0:
            continue
        for move in range(18):
            packed = moves.classes[class_, move]
            after, symmetry = np.int64(packed >> 9), packed & 15
            there = after * ORDERS + moves.orders[symmetry, packed >> 4 & 31, order]
            own = moves.own_symmetries[after]
            touched[after] = 1
            for i in range(count):
                twist = moves.normalised[moves.twists[here[i], move], symmetry]
                if read_entry(table, there, twist) != FAR:
                    continue
                _write_entry(table, there, twist, target)
                filled += 1
                if own != 1:
                    filled += _fill_twins(moves, table, there, twist, target)
    return filled


@kernel
def _fill_twins(
    moves: Moves, table: UInt8Array, row: Number, twist: Number, entry: Number
) -> Number:
    """Fill the entries that are the same position, by the representative's own symmetries."""
    filled, class_ = 0, row // ORDERS
    edges = np.int64(moves.slices[class_]) * ORDERS + row % ORDERS
    for symmetry in range(1, 16):
        if moves.own_symmetries[class_] >> symmetry & 1:
            twin = class_ * ORDERS + moves.normalised_edges[edges, symmetry] % ORDERS
            turned = moves.normalised[twist, symmetry]
            if read_entry(table, twin, turned) == FAR:
                _write_entry(table, twin, turned, entry)
                filled += 1
    return filled
