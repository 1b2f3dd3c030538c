"""Breadth-first search through the positions of the pieces: the shortest way to separate some.

A position is the displacement of each piece relative to the first one, three integers each, packed
into words. Positions are stored in the order in which they are reached, each with its predecessor,
alongside a hash table. Every move can be reversed, and all moves cost one.
"""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int32Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.polycube.taking_apart.expansion import (
    TOO_MANY,
    Moves,
    measure,
    moves_along,
    separation,
)
from solvers.polycube.taking_apart.reach import Geometry

# Results of a call.
EXHAUSTED, SEPARATED, INTERRUPTED, NO_ROOM, NO_ROOM_FOR_MOVES, TOO_FAR = range(6)
# Entries of the array that holds the state of the search.
HEAD, USED, DEPTH, DEPTH_END = range(4)
STATE_ENTRIES: Final = 4

WORD_BITS: Final = 63
_31_BITS: Final = (1 << 31) - 1
_MIXER: Final = 1_540_483_477


class Positions(NamedTuple):
    """The positions reached: a row of words in `keys`, `parents`, and a hash table.

    A slot of the table holds a position's number plus 1, or 0; the number of `slots` is a power of
    two. Each number in a key takes `field_bits` bits and is stored with half its range added.
    `changes[way, piece]` is what a key changes by when a piece moves along a way.
    """

    keys: Int64Array
    parents: Int32Array
    slots: Int32Array
    changes: Int64Array


@kernel(error_model="numpy")
def unpack(key: Any, field_bits: int, places: Any) -> int:
    """Fill in the places of a position relative to piece 0; return the largest displacement."""
    fields = WORD_BITS // field_bits
    half = 1 << field_bits - 1
    farthest = 0
    for piece in range(len(places)):
        for axis in range(3):
            if piece == 0:
                places[piece, axis] = 0
                continue
            # Piece 0 is the origin and has no fields.
            field = 3 * piece - 3 + axis
            bits = key[field // fields] >> (field % fields * field_bits)
            place = (bits & 2 * half - 1) - half
            places[piece, axis] = place
            farthest = max(farthest, abs(place))
    return farthest


@kernel(entry=True, error_model="numpy")
def unpack_all(keys: Any, numbers: Any, field_bits: int, places: Any) -> None:
    """Fill in the places of some positions, given by their numbers, one after another."""
    for index in range(len(numbers)):
        unpack(keys[numbers[index]], field_bits, places[index])


@kernel(error_model="numpy")
def start_search(positions: Positions, ways: Any, field_bits: int) -> None:
    """Fill in the position in which no piece has moved, and how moves change keys."""
    changes = positions.changes
    fields = WORD_BITS // field_bits
    for word in range(positions.keys.shape[1]):
        positions.keys[0, word] = 0
        for field in range(fields):
            # Half the range in every field, so that negative displacements stay within it and
            # additions never carry into the next field.
            positions.keys[0, word] |= 1 << (field * field_bits + field_bits - 1)
    changes[:] = 0
    for way in range(changes.shape[0]):
        for field in range(3 * changes.shape[1] - 3):
            bits = ways[way, field % 3] << (field % fields * field_bits)
            changes[way, 1 + field // 3, field // fields] += bits
    rebuild_slots(positions, 1)


@kernel(inlining="llvm", error_model="numpy")
def move_key(key: Any, before: Any, changes: Any, members: int, step: int) -> None:
    """Fill in a key after a move of a set of pieces.

    Keys are relative to piece 0: if it moves, the others move back instead.
    """
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
    # An FNV-like mix of 31-bit parts, so that no product exceeds 63 bits.
    mixed = 0
    for word in range(len(key)):
        for part in (key[word] & _31_BITS, key[word] >> 31 & _31_BITS):
            mixed = (mixed ^ part) * _MIXER
            mixed = (mixed ^ mixed >> 31) & _31_BITS
    # The number of slots is a power of two; linear probing.
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
def rebuild_slots(positions: Positions, used: int) -> None:
    """Rebuild the slots of the first positions, after the table has grown."""
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
    """Resume the search for `most` positions; return how it ended.

    Initially no position is `USED`. A number in a key takes `field_bits`. `places` is scratch. At
    SEPARATED, some pieces can leave in the position at HEAD. After NO_ROOM, NO_ROOM_FOR_MOVES or
    TOO_FAR the same call with more room resumes.
    """
    keys, count = positions.keys, len(places)
    if not state[USED]:
        start_search(positions, geometry.ways, field_bits)
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
                # A displacement that no field can hold; the caller tries again with larger fields.
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


# Running the compiled search in portions, with buffers that grow.

# Bytes of the positions of one search: some thirty million of six pieces.
MOST_BYTES: Final = 1 << 30
AT_ONCE: Final = 20_000
FEW: Final = 1 << 10
# Bits for each displacement: pieces rarely move by more than 63 steps, never by 32,768.
FIELD_BITS: Final = (7, 16)


@dataclass(frozen=True, slots=True)
class Route:
    """The places of the pieces at first and after each move (n x 3); at the last some can leave."""

    places: tuple[Int64Array, ...]


@dataclass(frozen=True, slots=True)
class NoRoute:
    """No way was found; `proven` if all `positions` that can be reached were examined."""

    proven: bool
    positions: int


def separate(geometry: Geometry, most_bytes: int = MOST_BYTES) -> Job[Progress, Route | NoRoute]:
    """Search for the shortest way to separate some pieces."""
    count = len(geometry.lows)
    for field_bits in FIELD_BITS:
        buffers = _Buffers(count, len(geometry.ways), field_bits, most_bytes)
        while (end := buffers.resume(geometry)) == INTERRUPTED:
            task = f"{buffers.state[DEPTH]} moves deep, {buffers.used} positions"
            yield Progress(task, 0, None, "positions")
        if end == SEPARATED:
            return buffers.route()
        if end != TOO_FAR:
            return NoRoute(end == EXHAUSTED, buffers.used)
    return NoRoute(proven=False, positions=buffers.used)


class _Buffers:
    """The arrays of one search."""

    def __init__(self, count: int, ways: int, field_bits: int, most_bytes: int) -> None:
        fields = WORD_BITS // field_bits
        self.words = max(1, -(-3 * (count - 1) // fields))
        self.count = count
        self.field_bits = field_bits
        self.most_bytes = most_bytes
        self.state = np.zeros(STATE_ENTRIES, dtype=np.int64)
        self.places = np.zeros((count, 3), dtype=np.int64)
        self.changes = np.zeros((ways, count, self.words), dtype=np.int64)
        self.moves = self._moves(FEW)
        self.positions = self._positions(FEW)

    @property
    def used(self) -> int:
        return int(self.state[USED])

    def resume(self, geometry: Geometry) -> int:
        """Search a portion, enlarging the buffers if necessary."""
        while True:
            end = search(
                geometry,
                self.moves,
                self.positions,
                self.field_bits,
                self.places,
                self.state,
                AT_ONCE,
            )
            if end == NO_ROOM_FOR_MOVES and self._affords(48 * len(self.moves.sets)):
                self.moves = self._moves(4 * len(self.moves.sets))
            elif end == NO_ROOM and self._affords(0):
                self._grow()
            else:
                return end

    def route(self) -> Route:
        """Return the way to the position at which some pieces can leave."""
        number = int(self.state[HEAD])
        chain = [number]
        # Position 0 is the start and has no predecessor.
        while number:
            number = int(self.positions.parents[number])
            chain.append(number)
        numbers = np.array(chain[::-1], dtype=np.int64)
        places = np.zeros((len(chain), self.count, 3), dtype=np.int64)
        unpack_all(self.positions.keys, numbers, self.field_bits, places)
        return Route(tuple(places))

    def _moves(self, room: int) -> Moves:
        sets, steps = (np.zeros(room, dtype=np.int64) for _ in range(2))
        reach = np.zeros((len(self.changes), self.count, self.count), dtype=np.int64)
        return Moves(sets, steps, reach)

    def _positions(self, room: int) -> Positions:
        return Positions(
            np.zeros((room, self.words), dtype=np.int64),
            np.zeros(room, dtype=np.int32),
            np.zeros(2 * room, dtype=np.int32),
            self.changes,
        )

    def _affords(self, more_bytes: int) -> bool:
        """Return whether twice as many positions, and `more_bytes`, stay within the bound."""
        # Keys, parents (4 bytes) and two slots (8 bytes) for each position.
        return 2 * len(self.positions.keys) * (8 * self.words + 12) + more_bytes <= self.most_bytes

    def _grow(self) -> None:
        before = self.positions
        self.positions = self._positions(2 * len(before.keys))
        self.positions.keys[: self.used] = before.keys[: self.used]
        self.positions.parents[: self.used] = before.parents[: self.used]
        rebuild_slots(self.positions, self.used)
