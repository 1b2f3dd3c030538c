"""The compiled search through the positions of the pieces, shortest ways first.

A position is how far each piece has moved against the first one, three whole numbers each, packed
into words. Positions are kept in the order they are met, each with the one it was met from, beside
a table of their hashes. The graph is the same both ways, and all moves cost one.
"""

from typing import Any, Final, NamedTuple

from solvers.foundation.arrays import Int32Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.taking_apart.expansion import (
    TOO_MANY,
    Moves,
    measure,
    moves_along,
    separation,
)
from solvers.polycube.taking_apart.reach import Geometry

# What a call ends with.
EXHAUSTED, SEPARATED, INTERRUPTED, NO_ROOM, NO_ROOM_FOR_MOVES, TOO_FAR = range(6)
# Entries of the array that holds the state of the search.
HEAD, USED, DEPTH, DEPTH_END = range(4)
STATE_ENTRIES: Final = 4

WORD_BITS: Final = 63
_31_BITS: Final = (1 << 31) - 1
_MIXER: Final = 1_540_483_477


class Positions(NamedTuple):
    """The positions met: `keys` one row of words each, `parents`, and `slots` of their hashes.

    A slot holds a position's number plus 1, or 0; their number is a power of two. Each number in a
    key takes as many bits, and half its range is added to it. `changes[way, piece]` is what a key
    changes by when a piece goes along a way.
    """

    keys: Int64Array
    parents: Int32Array
    slots: Int32Array
    changes: Int64Array


@kernel(error_model="numpy")
def unpack(key: Any, field_bits: int, places: Any) -> int:
    """Fill in the places of a position, that of piece 0 being 0; return the farthest."""
    fields = WORD_BITS // field_bits
    half = 1 << field_bits - 1
    farthest = 0
    for piece in range(len(places)):
        for axis in range(3):
            if piece == 0:
                places[piece, axis] = 0
                continue
            field = 3 * piece - 3 + axis
            bits = key[field // fields] >> (field % fields * field_bits)
            place = (bits & 2 * half - 1) - half
            places[piece, axis] = place
            farthest = max(farthest, abs(place))
    return farthest


@kernel(entry=True, error_model="numpy")
def unpack_all(keys: Any, numbers: Any, field_bits: int, places: Any) -> None:
    """Fill in the places of some positions, given by their numbers: one behind another."""
    for index in range(len(numbers)):
        unpack(keys[numbers[index]], field_bits, places[index])


@kernel(error_model="numpy")
def begin(positions: Positions, ways: Any, field_bits: int) -> None:
    """Fill in the position in which no piece has moved, and how keys change."""
    changes = positions.changes
    fields = WORD_BITS // field_bits
    for word in range(positions.keys.shape[1]):
        positions.keys[0, word] = 0
        for field in range(fields):
            positions.keys[0, word] |= 1 << (field * field_bits + field_bits - 1)
    changes[:] = 0
    for way in range(changes.shape[0]):
        for field in range(3 * changes.shape[1] - 3):
            bits = ways[way, field % 3] << (field % fields * field_bits)
            changes[way, 1 + field // 3, field // fields] += bits
    put_back(positions, 1)


@kernel(inlining="llvm", error_model="numpy")
def move_key(key: Any, before: Any, changes: Any, members: int, step: int) -> None:
    """Fill in a key after a move of a set of pieces; if piece 0 moves, the others go back."""
    if members & 1:
        members = (1 << len(changes)) - 1 & ~members
        step = -step
    for word in range(len(key)):
        change = 0
        for piece in range(1, len(changes)):
            if members >> piece & 1:
                change += changes[piece, word]
        key[word] = before[word] + step * change


@kernel(inlining="llvm", error_model="numpy")
def slot_of(key: Any, keys: Any, slots: Any) -> int:
    """Return the slot of a position, or the empty one where it belongs."""
    mixed = 0
    for word in range(len(key)):
        for part in (key[word] & _31_BITS, key[word] >> 31 & _31_BITS):
            mixed = (mixed ^ part) * _MIXER
            mixed = (mixed ^ mixed >> 31) & _31_BITS
    last = len(slots) - 1
    slot = mixed & last
    while slots[slot]:
        number = slots[slot] - 1
        same = True
        for word in range(len(key)):
            if keys[number, word] != key[word]:
                same = False
                break
        if same:
            return slot
        slot = slot + 1 & last
    return slot


@kernel(entry=True, error_model="numpy")
def put_back(positions: Positions, used: int) -> None:
    """Fill in the slots of the first positions, after there came to be more slots."""
    for number in range(used):
        key = positions.keys[number]
        positions.slots[slot_of(key, positions.keys, positions.slots)] = number + 1


@kernel(entry=True, error_model="numpy")
def search(
    geometry: Geometry,
    moves: Moves,
    positions: Positions,
    field_bits: int,
    places: Any,
    state: Any,
    most: int,
) -> int:
    """Go on for `most` positions; return what it ended with.

    At first no position is `USED`. A number in a key takes `field_bits`. `places` is room to work
    in. At SEPARATED, some pieces can leave in the position at HEAD. After NO_ROOM and its like the
    same call with more room goes on.
    """
    keys, count = positions.keys, len(places)
    if not state[USED]:
        begin(positions, geometry.ways, field_bits)
        state[USED] = 1
    limit = (1 << field_bits - 1) - 1
    for _ in range(most):
        head = state[HEAD]
        if head == state[USED]:
            return EXHAUSTED
        if head == state[DEPTH_END]:
            state[DEPTH] += 1
            state[DEPTH_END] = state[USED]
        farthest = unpack(keys[head], field_bits, places)
        measure(geometry, places, moves.reach)
        if separation(moves.reach, (1 << count) - 1)[0]:
            return SEPARATED
        for way in range(2 * len(geometry.ways)):
            listed, along = moves_along(moves, way), positions.changes[way >> 1]
            if listed == TOO_MANY:
                return NO_ROOM_FOR_MOVES
            for index in range(listed):
                used = state[USED]
                step = moves.steps[index]
                if used == len(keys):
                    return NO_ROOM
                if farthest + geometry.margin[0] * step > limit:
                    return TOO_FAR
                signed = -step if way & 1 else step
                move_key(keys[used], keys[head], along, moves.sets[index], signed)
                slot = slot_of(keys[used], keys, positions.slots)
                if not positions.slots[slot]:
                    positions.slots[slot] = used + 1
                    positions.parents[used] = head
                    state[USED] = used + 1
        state[HEAD] = head + 1
    return INTERRUPTED
