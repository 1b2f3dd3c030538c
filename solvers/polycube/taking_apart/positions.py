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
    fall_apart,
    lowest,
    measure,
    moves_along,
    no_reach,
    separation,
)
from solvers.polycube.taking_apart.reach import Geometry

# Results of a call.
EXHAUSTED, SEPARATED, INTERRUPTED, NO_ROOM, NO_ROOM_FOR_MOVES, TOO_FAR = range(6)
# Entries of the array that holds the state of the search.
HEAD, USED, DEPTH, DEPTH_END, SPLITS = range(5)
STATE_ENTRIES: Final = 5

WORD_BITS: Final = 63
_31_BITS: Final = (1 << 31) - 1
_MIXER: Final = 1_540_483_477


class Positions(NamedTuple):
    """The positions reached: a row of words in `keys`, `parents`, and a hash table.

    A slot of the table holds a position's number plus 1, or 0; the number of `slots` is a power of
    two. Each number in a key takes `field_bits` bits and is stored with half its range added; the
    three of a piece are in one word. `changes[way, piece]` is what that word changes by when the
    piece moves along a way.
    """

    keys: Int64Array
    parents: Int32Array
    slots: Int32Array
    changes: Int64Array


class Task(NamedTuple):
    """All arrays of one search; `places` is scratch."""

    geometry: Geometry
    moves: Moves
    positions: Positions
    places: Int64Array
    splits: Int64Array
    state: Int64Array


@kernel(error_model="numpy")
def unpack(key: Any, field_bits: int, places: Any) -> int:
    """Fill in the places of a position relative to piece 0; return the largest displacement."""
    half = 1 << field_bits - 1
    farthest = 0
    word = shift = 0
    places[0, 0] = places[0, 1] = places[0, 2] = 0
    for piece in range(1, len(places)):
        # Piece 0 is the origin and has no fields.
        for axis in range(3):
            place = (key[word] >> shift & 2 * half - 1) - half
            places[piece, axis] = place
            farthest = max(farthest, abs(place))
            shift += field_bits
        if shift + 3 * field_bits > WORD_BITS:
            word += 1
            shift = 0
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
    in_word = WORD_BITS // (3 * field_bits)
    for word in range(positions.keys.shape[1]):
        positions.keys[0, word] = 0
        for field in range(3 * in_word):
            # Half the range in every field, so that negative displacements stay within it and
            # additions never carry into the next field.
            positions.keys[0, word] |= 1 << (field * field_bits + field_bits - 1)
    for way in range(changes.shape[0]):
        changes[way, 0] = 0
        for piece in range(1, changes.shape[1]):
            shift = (piece - 1) % in_word * 3 * field_bits
            change = ways[way, 0] + (ways[way, 1] << field_bits) + (ways[way, 2] << 2 * field_bits)
            changes[way, piece] = change << shift
    positions.slots[:] = 0
    rebuild_slots(positions.keys, positions.slots, 1)


@kernel(inlining="llvm", error_model="numpy")
def move_key(key: Any, before: Any, changes: Any, in_word: int, members: int, step: int) -> None:
    """Fill in a key after a move of a set of pieces, `in_word` of them in each word.

    Keys are relative to piece 0: if it moves, the others move back instead.
    """
    if members & 1:
        members = (1 << len(changes)) - 1 & ~members
        step = -step
    for word in range(len(key)):
        key[word] = before[word]
    while members:
        piece = lowest(members)
        members &= members - 1
        key[(piece - 1) // in_word] += step * changes[piece]


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
def rebuild_slots(keys: Any, slots: Any, used: int) -> None:
    """Rebuild the slots of the first positions, after the table has grown."""
    for number in range(used):
        slots[slot_of(keys[number], keys, slots)] = number + 1


@kernel(entry=True, error_model="numpy")
def search(task: Task, field_bits: int, most: int) -> int:
    """Resume the search for `most` positions; return how it ended.

    Initially no position is `USED`. A number in a key takes `field_bits`. At SEPARATED, some pieces
    can leave in the position at HEAD, and the first SPLITS rows of `splits` are what `fall_apart`
    fills in there. After NO_ROOM, NO_ROOM_FOR_MOVES or TOO_FAR the same call with more room
    resumes.
    """
    geometry, moves, positions, state = task.geometry, task.moves, task.positions, task.state
    keys, count = positions.keys, len(task.places)
    if not state[USED]:
        start_search(positions, geometry.ways, field_bits)
        state[USED] = 1
    is_first = True
    limit = (1 << field_bits - 1) - 1
    in_word = WORD_BITS // (3 * field_bits)
    for _ in range(most):
        head = state[HEAD]
        if head == state[USED]:
            return EXHAUSTED
        if head == state[DEPTH_END]:
            state[DEPTH] += 1
            state[DEPTH_END] = state[USED]
        farthest = unpack(keys[head], field_bits, task.places)
        measure(geometry, task.places, moves.reach, is_first)
        is_first = False
        if separation(moves.reach, (1 << count) - 1)[0]:
            state[SPLITS] = fall_apart(moves.reach, task.splits)
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
                move_key(keys[used], keys[head], along, in_word, moves.sets[index], signed)
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
    """The places of the pieces at first and after each move (n x 3); at the last some can leave.

    `splits` has the set that leaves then and its way, for all pieces and for each part of several
    that comes of it; (0, 0) for a part that no single move separates.
    """

    places: tuple[Int64Array, ...]
    splits: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class NoRoute:
    """No way was found; `proven` if all `positions` that can be reached were examined."""

    proven: bool
    positions: int


class Search:
    """Searches for ways to separate pieces; its arrays serve one search after another."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._small: dict[tuple[int, int], _Buffers] = {}

    def separate(self, geometry: Geometry) -> Job[Progress, Route | NoRoute]:
        """Search for the shortest way to separate some pieces."""
        for field_bits in FIELD_BITS:
            buffers = self._buffers(len(geometry.lows), field_bits, geometry)
            while (end := buffers.resume()) == INTERRUPTED:
                depth = buffers.task.state[DEPTH]
                yield Progress(
                    f"{depth} moves deep, {buffers.used} positions", 0, None, "positions"
                )
            if end == SEPARATED:
                return buffers.route()
            if end != TOO_FAR:
                return NoRoute(end == EXHAUSTED, buffers.used)
        return NoRoute(proven=False, positions=buffers.used)

    def _buffers(self, count: int, field_bits: int, geometry: Geometry) -> "_Buffers":
        found = self._small.get((count, field_bits))
        if found is None or found.has_grown:
            found = _Buffers(geometry, field_bits, self._most_bytes)
            self._small[count, field_bits] = found
        found.start(geometry)
        return found


class _Buffers:
    """The arrays of one search.

    They stay the same from one search to the next, since converting them for a call takes as long
    as the search of a small puzzle.
    """

    def __init__(self, geometry: Geometry, field_bits: int, most_bytes: int) -> None:
        count, ways = len(geometry.lows), len(geometry.ways)
        self.words = max(1, -(-(count - 1) // (WORD_BITS // (3 * field_bits))))
        self.field_bits = field_bits
        self.most_bytes = most_bytes
        moves = Moves(*_sets_and_steps(FEW), no_reach(count, ways))
        changes = np.zeros((ways, count), dtype=np.int64)
        places, lows, extents = (np.zeros((count, 3), dtype=np.int64) for _ in range(3))
        own = geometry._replace(tables=np.zeros_like(geometry.tables), lows=lows, extents=extents)
        splits = np.zeros((2 * count, 3), dtype=np.int64)
        state = np.zeros(STATE_ENTRIES, dtype=np.int64)
        self.task = Task(own, moves, self._positions(FEW, changes), places, splits, state)

    @property
    def used(self) -> int:
        return int(self.task.state[USED])

    @property
    def has_grown(self) -> bool:
        return len(self.task.positions.keys) > FEW or len(self.task.moves.sets) > FEW

    def start(self, geometry: Geometry) -> None:
        """Start a search of other pieces, as many as before."""
        own = self.task.geometry
        own.tables[:], own.extents[:], own.lows[:] = (
            geometry.tables,
            geometry.extents,
            geometry.lows,
        )
        if geometry.numbers is not own.numbers:
            self.task = self.task._replace(geometry=own._replace(numbers=geometry.numbers))
        self.task.state[:] = 0

    def resume(self) -> int:
        """Search a portion, enlarging the buffers if necessary."""
        while True:
            end = search(self.task, self.field_bits, AT_ONCE)
            if end == NO_ROOM_FOR_MOVES and self._affords(48 * len(self.task.moves.sets)):
                sets, steps = _sets_and_steps(4 * len(self.task.moves.sets))
                self.task = self.task._replace(moves=Moves(sets, steps, self.task.moves.reach))
            elif end == NO_ROOM and self._affords(0):
                self._grow()
            else:
                return end

    def route(self) -> Route:
        """Return the way to the position at which some pieces can leave."""
        positions, state = self.task.positions, self.task.state
        number = int(state[HEAD])
        chain = [number]
        # Position 0 is the start and has no predecessor.
        while number:
            number = int(positions.parents[number])
            chain.append(number)
        numbers = np.array(chain[::-1], dtype=np.int64)
        places = np.zeros((len(chain), *self.task.places.shape), dtype=np.int64)
        unpack_all(positions.keys, numbers, self.field_bits, places)
        rows = self.task.splits[: int(state[SPLITS])].tolist()
        return Route(tuple(places), {part: (members, way) for part, members, way in rows})

    def _positions(self, room: int, changes: Int64Array) -> Positions:
        return Positions(
            np.zeros((room, self.words), dtype=np.int64),
            np.zeros(room, dtype=np.int32),
            np.zeros(2 * room, dtype=np.int32),
            changes,
        )

    def _affords(self, more_bytes: int) -> bool:
        """Return whether twice as many positions, and `more_bytes`, stay within the bound."""
        # Keys, parents (4 bytes) and two slots (8 bytes) for each position.
        room = 2 * len(self.task.positions.keys)
        return room * (8 * self.words + 12) + more_bytes <= self.most_bytes

    def _grow(self) -> None:
        before = self.task.positions
        positions = self._positions(2 * len(before.keys), before.changes)
        positions.keys[: self.used] = before.keys[: self.used]
        positions.parents[: self.used] = before.parents[: self.used]
        rebuild_slots(positions.keys, positions.slots, self.used)
        self.task = self.task._replace(positions=positions)


def _sets_and_steps(room: int) -> tuple[Int64Array, Int64Array]:
    return np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
