"""The large table of the search for proofs: which positions are within ten moves of a small group.

A position is its flips, its slice and its twists, as in phase 1, and its tetrads: which corners
have the places that four corners without a common edge, URF ULB DLF DRB, have when solved; the
other four places go with it. A turn that changes nothing of a solved cube's is a half turn, so that
positions which differ by half turns at one end are the same here.

One bit a position says whether it needs `NEAR` moves or fewer, which three of ten do. Symmetries
and turns of U and D make 256 positions of most; the word of sixteen bits which a position is in has
those that turns of U and D make of it. So one look answers for the positions after these turns,
too.

Behind these words is the nearer part, for `NEARER` moves fewer. That is three positions of a
thousand, so that the words with any of them fit in a fraction of the memory: a hash says where
those of a class and twist are, and words that meet there have their bits in common. So a bit of
that part may be set without reason, which one in fifty is, but none is missing.

A position y is s(z), a symmetry s of z; z is t(w), where t turns U and D; w has the smallest number
of flips and slice that is possible, which is its class. The pair of s and t is called a place:
sixteen times the number of s, plus four times the quarter turns of D, plus those of U.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import (
    BoolArray,
    Int32Array,
    Int64Array,
    UInt8Array,
    UInt16Array,
    UInt32Array,
)
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.foundation.table_cache import load, load_or_build
from solvers.rubik.cubies import MOVE_CUBES, Symmetry, up_down_symmetries
from solvers.rubik.notation import Face, Move
from solvers.rubik.two_phase.coordinates import (
    FLIPS,
    SLICES,
    TWISTS,
    Number,
    conjugated_flip_slices,
    flip_moves,
    four_edges_moves,
    normalised_twists,
    slice_moves,
    symmetry_inverses,
    twist_moves,
)
from solvers.rubik.two_phase.tables import read_only

CLASSES: Final = 5513
TETRADS: Final = 35
WORDS: Final = CLASSES * TETRADS * TWISTS
"""Of the larger part."""

ROW_BITS: Final = 5
"""Words of a class and twist in the nearer part: 32, as many as the processor reads at once."""

NEARER_BITS: Final = 21
"""Rows of the nearer part."""

NEARER_AT: Final = -(-WORDS >> ROW_BITS) << ROW_BITS
"""Where the nearer part starts, so that its rows are whole lines of the processor's caches."""

LENGTH: Final = NEARER_AT + (1 << NEARER_BITS + ROW_BITS)
"""Words of both parts."""

SIZE: Final = 2 * LENGTH
"""Bytes: 978 MB."""

NEAR: Final = 10
"""A bit is set where this many moves suffice."""

NEARER: Final = 2
"""By how many fewer that is in the nearer part."""

PLACES: Final = 256
SHIFTS: Final = 16  # turns of U and D

_RAWS: Final = SLICES * FLIPS
TETRAD: Final = (0, 2, 5, 7)

_NAME: Final = "cube-large-proofs"
_VERSION: Final = 5
_GOLDEN: Final = 0x9E37_79B1
"""2**32 divided by the golden ratio: products with it are far apart (Knuth, volume 3, 6.4)."""
_CLASSES_AT_ONCE: Final = 50  # between two progress events
_GROWTH: Final = 4.0  # about, of the time that a number of moves takes, from one to the next


class LargeTable(NamedTuple):
    """The table and what leads to a position's place in it.

    words: by class, twist and tetrads, each as the class's smallest position sees it; so a turn
    that changes only the tetrads leads to the same few bytes. Then the nearer part.
    classes: class * 256 + place of each slice and flip (raw number slice * 2048 + flip).
    """

    words: UInt16Array
    classes: UInt32Array


class Corners(NamedTuple):
    """Twists and tetrads, by place and move.

    twists, tetrads: as the smallest position sees them, shapes (256, 2187) and (256, 35).
    twist_moves, tetrad_moves: after each move, shapes (18, 2187) and (18, 35).
    shifted_twists, shifted_tetrads: after turns of U and D, shapes (16, 2187) and (16, 35).
    shifts: what turns of U and D are to the smallest position, shape (16, 16), by symmetry.
    """

    twists: UInt16Array
    tetrads: UInt8Array
    twist_moves: UInt16Array
    tetrad_moves: UInt8Array
    shifted_twists: UInt16Array
    shifted_tetrads: UInt8Array
    shifts: UInt8Array


@cache
def tetrad_numbers() -> UInt8Array:
    """Return the number, 0 to 34, of each mask of four corner places and its complement.

    The solved one has number 0; 255 is for other masks.
    """
    solved = sum(1 << place for place in TETRAD)
    masks = [sum(1 << place for place in four) for four in combinations(range(8), 4) if 0 in four]
    numbers = np.full(256, 255, np.uint8)
    for number, mask in enumerate(sorted(masks, key=lambda mask: (mask != solved, mask))):
        numbers[mask] = numbers[255 ^ mask] = number
    return numbers


def _tetrads_from(places: tuple[int, ...]) -> UInt8Array:
    """Return the number of each after place i has got what was at `places[i]`."""
    masks = np.array([np.argmax(tetrad_numbers() == number) for number in range(TETRADS)])
    moved = (masks[:, np.newaxis] >> np.array(places) & 1) @ (1 << np.arange(8))
    return np.asarray(tetrad_numbers()[moved], np.uint8)


def _shifted(moves: "Int32Array | UInt16Array | UInt8Array") -> Int64Array:
    """Return each number after each turn of U and D; `moves` has 18 columns."""
    rows = []
    turned_down = np.arange(moves.shape[0])
    for _ in range(4):
        turned = turned_down
        for _ in range(4):
            rows.append(turned)
            turned = moves[turned, Move.U1]
        turned_down = moves[turned_down, Move.D1]
    return np.array(rows)


def _inverse_shift(shift: int) -> int:
    return 4 * (-(shift >> 2) & 3) + (-shift & 3)


@cache
def corners() -> Corners:
    """Return the tables of corners."""
    symmetries = up_down_symmetries()
    twists = twist_moves()
    tetrads = np.column_stack([_tetrads_from(cube.corner_permutation) for cube in MOVE_CUBES])
    normalised = [
        _tetrads_from(tuple(symmetry.corner_place(place) for place in range(8)))
        for symmetry in symmetries
    ]
    shifted_twists = _shifted(twists).astype(np.uint16)
    shifted_tetrads = _shifted(tetrads).astype(np.uint8)
    places = [(place >> 4, _inverse_shift(place & 15)) for place in range(PLACES)]
    seen = normalised_twists()
    return Corners(
        read_only(np.array([shifted_twists[undo][seen[:, symmetry]] for symmetry, undo in places])),
        read_only(
            np.array([shifted_tetrads[undo][normalised[symmetry]] for symmetry, undo in places])
        ),
        read_only(np.ascontiguousarray(twists.T)),
        read_only(np.ascontiguousarray(tetrads.T)),
        read_only(shifted_twists),
        read_only(shifted_tetrads),
        read_only(
            np.array(
                [
                    [_seen_shift(symmetries[undo], shift) for shift in range(SHIFTS)]
                    for undo in symmetry_inverses()
                ],
                np.uint8,
            )
        ),
    )


def _seen_shift(symmetry: Symmetry, shift: int) -> int:
    """Return what turns of U and D look like after a symmetry."""
    seen = 0
    for face, quarter_turns in ((Face.U, shift & 3), (Face.D, shift >> 2)):
        if quarter_turns:
            move = symmetry.conjugate(Move.of(face, quarter_turns))
            seen += move.quarter_turns << (0 if move.face == Face.U else 2)
    return seen


def _raw_moves() -> Int32Array:
    """Return slice and flip after each move, shape (1013760, 18)."""
    raws = np.arange(_RAWS)
    slices, flips = slice_moves(four_edges_moves()).astype(np.int32), flip_moves()
    return np.asarray(slices[raws // FLIPS] * FLIPS + flips[raws % FLIPS], np.int32)


def _images(raws: Int32Array) -> Iterator[tuple[int, Int32Array]]:
    """Yield for each place what would be the smallest position of each of `raws`."""
    symmetries, moves = up_down_symmetries(), _raw_moves()
    shifted = _shifted(moves)
    for symmetry, undo in enumerate(symmetry_inverses()):
        seen = conjugated_flip_slices(raws, symmetries[undo])
        for shift in range(SHIFTS):
            yield SHIFTS * symmetry + shift, shifted[_inverse_shift(shift)][seen].astype(np.int32)


def _classes() -> UInt32Array:
    """Return class * 256 + place of each slice and flip."""
    raws = np.arange(_RAWS, dtype=np.int32)
    smallest, places = raws.copy(), np.zeros(_RAWS, np.uint32)
    for place, images in _images(raws):
        places[images < smallest] = place
        np.minimum(smallest, images, out=smallest)
    classes = np.cumsum(smallest == raws) - 1
    return np.asarray(classes[smallest] << 8 | places, np.uint32)


# The table


def load_large_table() -> LargeTable | None:
    """Return the table, in huge pages, if it is in the cache; that takes a second."""
    words = load(_NAME, _VERSION, (LENGTH,), np.uint16, to_huge_pages=True)
    classes = None if words is None else load(*_CLASSES_TABLE, to_huge_pages=True)
    return None if words is None or classes is None else LargeTable(words, classes)


_CLASSES_TABLE: Final = ("cube-large-classes", 1, (_RAWS,), np.uint32)


def build_classes() -> Job[Progress, UInt32Array]:
    """Return `LargeTable.classes` from the cache or built, in two seconds."""

    def build() -> Job[Progress, UInt32Array]:
        yield from ()
        return _classes()

    return load_or_build(*_CLASSES_TABLE, build)


def build_large_table() -> Job[Progress, LargeTable]:
    """Return the table from the cache or built, in a minute."""

    def build() -> Job[Progress, UInt16Array]:
        return fill(classes)

    classes = yield from build_classes()
    words = yield from load_or_build(_NAME, _VERSION, (LENGTH,), np.uint16, build)
    return LargeTable(words, classes)


class _Neighbours(NamedTuple):
    """What the twelve turns of the other faces make of each class.

    moves: the twelve.
    classes: class * 256 + place after each, by class, turns of U and D before, and turn.
    own: the places that make a class's smallest position of itself; starts: the first ones of each
    class.
    """

    moves: Int64Array
    classes: UInt32Array
    own: UInt8Array
    starts: Int64Array


def _neighbours(classes: UInt32Array) -> _Neighbours:
    moves = np.array([move for move in Move if move.face % 3], np.int64)
    # The first of a class is its smallest.
    smallest = np.unique(classes >> 8, return_index=True)[1].astype(np.int32)
    raw_moves = _raw_moves()
    after = raw_moves[_shifted(raw_moves)[:, smallest]][:, :, moves]
    own = np.array([images == smallest for _, images in _images(smallest)])
    counts = own.sum(axis=0)
    return _Neighbours(
        moves,
        np.ascontiguousarray(classes[after].transpose(1, 0, 2)),
        np.nonzero(own.T)[1].astype(np.uint8),
        np.concatenate([[0], np.cumsum(counts)]),
    )


def fill(classes: UInt32Array, near: int = NEAR) -> Job[Progress, UInt16Array]:
    """Return the words with the bits set of all positions that need `near` moves or fewer.

    It takes as much memory again.
    """
    neighbours = _neighbours(classes)
    words = np.zeros(LENGTH, np.uint16)
    # `known` is after a number of moves, and `before` one move earlier.
    known = words[:WORDS]
    before, here = np.zeros_like(known), np.empty(TWISTS, np.uint16)
    touched = np.zeros(CLASSES, np.bool_)
    known[0], touched[0] = 1, True  # solved needs no move
    _fill_twins(corners(), neighbours, known, touched)
    for distance in range(near):
        if distance == near - NEARER:
            _fill_nearer(words, touched)
        for first in range(0, CLASSES, _CLASSES_AT_ONCE):
            last = min(first + _CLASSES_AT_ONCE, CLASSES)
            _spread(corners(), neighbours, known, before, touched, here, first, last)
            done = _GROWTH**distance * (1 + (_GROWTH - 1) * last / CLASSES)
            yield Progress(_NAME, done / _GROWTH**near, 1.0)
        _join(known, before, touched)
        _fill_twins(corners(), neighbours, known, touched)
    # Filling goes from one twist to the next, so the tetrads come last only now.
    by_class = known.reshape(CLASSES, TETRADS * TWISTS)
    for class_ in np.flatnonzero(touched):
        part = by_class[class_]
        part[:] = part.reshape(TETRADS, TWISTS).T.reshape(-1)
    return words


@kernel(inlining="llvm")
def index_of_nearer(row: Number, tetrads: Number) -> Number:
    """Return the index of a word of the nearer part; the row is class * 2187 + twist."""
    hashed = (row * _GOLDEN & 0xFFFF_FFFF) >> (32 - NEARER_BITS)
    # Of the 35 numbers of tetrads three share a word with another.
    return NEARER_AT + (hashed << ROW_BITS | tetrads & (1 << ROW_BITS) - 1)


@kernel
def _fill_nearer(words: UInt16Array, touched: BoolArray) -> None:
    """Set the bits of the nearer part to all that is known, ordered as while it is filled."""
    for class_ in range(CLASSES):
        if not touched[class_]:
            continue
        for tetrads in range(TETRADS):
            start = (np.int64(class_) * TETRADS + tetrads) * TWISTS
            for twist in range(TWISTS):
                word = words[start + twist]
                if word != 0:
                    row = np.int64(class_) * TWISTS + twist
                    words[index_of_nearer(row, tetrads)] |= word


@kernel
def _spread(
    corners: Corners,
    neighbours: _Neighbours,
    known: UInt16Array,
    before: UInt16Array,
    touched: BoolArray,
    here: UInt16Array,
    first: Number,
    last: Number,
) -> None:
    """Set in `before` the neighbours of what is known but not there, unless they are known."""
    splits = corners.tetrads.shape[1]
    for row in range(first * splits, last * splits):
        class_, tetrads, start = row // splits, row % splits, np.int64(row) * TWISTS
        if not touched[class_]:
            continue
        some = np.int64(0)
        for twist in range(TWISTS):
            new = np.int64(known[start + twist]) & ~np.int64(before[start + twist])
            if new != 0:
                some |= new
                # Turns of U are in the same four bits, those of D four bits apart.
                up, down = new | new >> 1, new | new >> 4
                turned = ((up | up >> 2) & 0x1111) * 15 | ((down | down >> 8) & 15) * 0x1111
                before[start + twist] |= turned & ~np.int64(known[start + twist])
        if some == 0:
            continue
        for shift in range(SHIFTS):
            if some >> shift & 1 == 0:
                continue
            count: Number = 0
            for twist in range(TWISTS):
                new = np.int64(known[start + twist]) & ~np.int64(before[start + twist])
                here[count] = corners.shifted_twists[shift, twist]
                count += new >> shift & 1
            shifted = corners.shifted_tetrads[shift, tetrads]
            for column in range(neighbours.moves.size):
                move = neighbours.moves[column]
                packed = np.int64(neighbours.classes[class_, shift, column])
                place = packed & (PLACES - 1)
                after = corners.tetrads[place, corners.tetrad_moves[move, shifted]]
                there = ((packed >> 8) * splits + after) * TWISTS
                if count > 0:
                    touched[packed >> 8] = True
                bit = np.int64(1) << (place & 15)
                for i in range(count):
                    entry = there + corners.twists[place, corners.twist_moves[move, here[i]]]
                    before[entry] |= bit & ~np.int64(known[entry])


@kernel
def _join(known: UInt16Array, before: UInt16Array, touched: BoolArray) -> None:
    """Add what is new in `before` to what is known, and keep there what was."""
    row = known.size // CLASSES
    for class_ in range(CLASSES):
        if touched[class_]:
            for word in range(class_ * row, class_ * row + row):
                was = known[word]
                known[word] |= before[word]
                before[word] = was


@kernel
def _fill_twins(
    corners: Corners, neighbours: _Neighbours, known: UInt16Array, touched: BoolArray
) -> None:
    """Set the bits that are the same position, where a class's smallest one is symmetric."""
    splits = corners.tetrads.shape[1]
    for class_ in range(CLASSES):
        if not touched[class_]:
            continue
        for own in range(neighbours.starts[class_], neighbours.starts[class_ + 1]):
            place = np.int64(neighbours.own[own])
            if place == 0:
                continue
            for tetrads in range(splits):
                start = (np.int64(class_) * splits + tetrads) * TWISTS
                twin = (np.int64(class_) * splits + corners.tetrads[place, tetrads]) * TWISTS
                for twist in range(TWISTS):
                    word = np.int64(known[start + twist])
                    if word != 0:
                        known[twin + corners.twists[place, twist]] |= _seen(corners, word, place)


@kernel(inlining="llvm")
def _seen(corners: Corners, word: Number, place: Number) -> Number:
    """Return a word as it is seen from a place."""
    seen = np.int64(0)
    for shift in range(SHIFTS):
        if word >> shift & 1:
            turned = int(corners.shifts[place >> 4, shift])
            up, down = turned + place & 3, (turned >> 2) + (place >> 2) & 3
            seen |= np.int64(1) << (down << 2 | up)
    return seen
