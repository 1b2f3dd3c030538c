"""The shortest way to separate some pieces: the compiled search in portions, in growing room."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from solvers.foundation.arrays import Int64Array
from solvers.foundation.progress import Job, Progress
from solvers.polycube.taking_apart import positions as compiled
from solvers.polycube.taking_apart.expansion import Moves
from solvers.polycube.taking_apart.positions import Positions
from solvers.polycube.taking_apart.reach import Geometry

MOST_PIECES: Final = 60
MOST_BYTES: Final = 1 << 30
"""Of the positions of one search: some thirty million of six pieces."""
AT_ONCE: Final = 20_000
FEW: Final = 1 << 10
FIELD_BITS: Final = (7, 16)
"""Pieces hardly ever move by more than 63 steps against one another; 32,767 are always enough."""


@dataclass(frozen=True, slots=True)
class Leg:
    """Where the pieces are at first and after each move, n x 3; at the last some can leave."""

    places: tuple[Int64Array, ...]


@dataclass(frozen=True, slots=True)
class NoLeg:
    """No way was found; `proven` if all `positions` that can be reached were looked at."""

    proven: bool
    positions: int


def separate(geometry: Geometry, most_bytes: int = MOST_BYTES) -> Job[Progress, Leg | NoLeg]:
    """Look for the shortest way to part some pieces."""
    count = len(geometry.lows)
    for field_bits in FIELD_BITS:
        room = _Room(count, len(geometry.ways), field_bits, most_bytes)
        while (end := room.go_on(geometry)) == compiled.INTERRUPTED:
            task = f"{room.state[compiled.DEPTH]} moves deep, {room.used} positions"
            yield Progress(task, 0, None, "positions")
        if end == compiled.SEPARATED:
            return room.leg()
        if end != compiled.TOO_FAR:
            return NoLeg(end == compiled.EXHAUSTED, room.used)
    return NoLeg(proven=False, positions=room.used)


class _Room:
    """The arrays of one search."""

    def __init__(self, count: int, ways: int, field_bits: int, most_bytes: int) -> None:
        fields = compiled.WORD_BITS // field_bits
        self.words = max(1, -(-3 * (count - 1) // fields))
        self.count = count
        self.field_bits = field_bits
        self.most_bytes = most_bytes
        self.state = np.zeros(compiled.STATE_ENTRIES, dtype=np.int64)
        self.places = np.zeros((count, 3), dtype=np.int64)
        self.changes = np.zeros((ways, count, self.words), dtype=np.int64)
        self.moves = self._moves(FEW)
        self.positions = self._positions(FEW)

    @property
    def used(self) -> int:
        return int(self.state[compiled.USED])

    def go_on(self, geometry: Geometry) -> int:
        """Search a portion, in more room where it is needed."""
        while True:
            end = compiled.search(
                geometry,
                self.moves,
                self.positions,
                self.field_bits,
                self.places,
                self.state,
                AT_ONCE,
            )
            if end == compiled.NO_ROOM_FOR_MOVES and self._affords(48 * len(self.moves.sets)):
                self.moves = self._moves(4 * len(self.moves.sets))
            elif end == compiled.NO_ROOM and self._affords(0):
                self._grow()
            else:
                return end

    def leg(self) -> Leg:
        """Return the way to the position in which some can leave."""
        number = int(self.state[compiled.HEAD])
        chain = [number]
        while number:
            number = int(self.positions.parents[number])
            chain.append(number)
        numbers = np.array(chain[::-1], dtype=np.int64)
        places = np.zeros((len(chain), self.count, 3), dtype=np.int64)
        compiled.unpack_all(self.positions.keys, numbers, self.field_bits, places)
        return Leg(tuple(places))

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
        """Tell whether twice as many positions, and so much else, stay within the bound."""
        return 2 * len(self.positions.keys) * (8 * self.words + 12) + more_bytes <= self.most_bytes

    def _grow(self) -> None:
        before = self.positions
        self.positions = self._positions(2 * len(before.keys))
        self.positions.keys[: self.used] = before.keys[: self.used]
        self.positions.parents[: self.used] = before.parents[: self.used]
        compiled.put_back(self.positions, self.used)
