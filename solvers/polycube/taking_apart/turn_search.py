"""Breadth-first search for ways apart in which pieces slide and turn: the fewest moves.

A position is the orientation and the place of each piece, seen from the first one, which is to be
the largest. It never turns: to turn a set that contains it is to turn the others back. Where it
slides, the others slide the opposite way. Every slide and every turn of a set of pieces is one
move. Sets are found as for slides alone (see `expansion`): of the pieces, which of the others are
in the way of a turn about an axis; a set turns if nothing outside it is in the way. Axes go through
the box around the pieces that turn, at centres and corners of cubes.

With clearance the axis of a turn may move (see `swinging`), and all sets are tried.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Float64Array, Int8Array, Int32Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.foundation.progress import Job, Progress
from solvers.polycube.lattice import Cell, with_opposites
from solvers.polycube.lattices import CUBES
from solvers.polycube.taking_apart.disassembly import Move, Turn
from solvers.polycube.taking_apart.expansion import (
    TOO_MANY,
    Moves,
    Reach,
    add_with_unions,
    dragged,
    fall_apart,
    lowest,
    moves_along,
    no_reach,
    separation,
)
from solvers.polycube.taking_apart.positions import (
    DEPTH,
    DEPTH_END,
    EXHAUSTED,
    HEAD,
    INTERRUPTED,
    MOST_BYTES,
    NO_ROOM,
    NO_ROOM_FOR_MOVES,
    SEPARATED,
    SPLITS,
    STATE_ENTRIES,
    TOO_FAR,
    USED,
    NoRoute,
    rebuild_slots,
    slot_of,
)
from solvers.polycube.taking_apart.reach import FREE
from solvers.polycube.taking_apart.swinging import (
    MOST_CUBES,
    MOVING,
    NO_SWING,
    STANDING,
    STEPS_PER_CUBE,
    Swing,
    find_landings,
    new_swing,
)
from solvers.polycube.taking_apart.turning import (
    TURNS,
    Sweeps,
    Turnable,
    low_corner,
    sweeps,
    turnable,
)

AXES: Final = 3
WAYS: Final = with_opposites(CUBES.ways)
FIELD_BITS: Final = 16
HALF: Final = 1 << FIELD_BITS - 1
FIELD: Final = (1 << FIELD_BITS) - 1
# The greatest extent of all pieces together, and for which the sweeps are listed at first.
MOST_EXTENT: Final = 31
FIRST_EXTENT: Final = 8
FEW: Final = 1 << 10
# A position takes up to a hundred times as long as one without turns.
AT_ONCE: Final = 500
MOST_SWINGING: Final = 10
"""Pieces of which all sets are tried, with clearance."""
# A further result of a call: the sweeps have to be listed for a greater extent.
TOO_WIDE: Final = 6


class Reached(NamedTuple):
    """The positions reached, and the moves that led there.

    A row of `keys` has a word for each piece but the first. `moved` is the set that moved from the
    position before, `parents`; `how` is a way (as `Reach` numbers it), and the steps, or the number
    of ways and a turn's number, and the centre in half cubes. The slots are a hash table.
    """

    keys: Int64Array
    parents: Int32Array
    slots: Int32Array
    moved: Int64Array
    how: Int32Array


class TurnTask(NamedTuple):
    """All arrays of one search; those of the second row are scratch.

    `lows` and `orientations` are those of the pieces in the current position, `box` the least and
    the greatest coordinates of all and then of all but the first; `space` has the numbers of the
    pieces plus 1 in each cell.
    """

    pieces: Turnable
    sweeps: Sweeps
    reached: Reached
    splits: Int64Array
    state: Int64Array
    lows: Int64Array
    orientations: Int64Array
    box: Int64Array
    space: Int8Array
    slides: Moves
    turns: Moves
    clearance: Float64Array
    swing: Swing


@kernel(error_model="numpy")
def read_position(task: TurnTask, number: int) -> int:
    """Fill in places, orientations and box; return the greatest extent of the box."""
    pieces, lows, orientations, box = task.pieces, task.lows, task.orientations, task.box
    for axis in range(3):
        lows[0, axis] = 0
    orientations[0] = 0
    for piece in range(1, len(lows)):
        word = task.reached.keys[number, piece - 1]
        for axis in range(3):
            lows[piece, axis] = (word >> axis * FIELD_BITS & FIELD) - HALF
        orientations[piece] = word >> 3 * FIELD_BITS
    widest = 0
    for axis in range(3):
        box[2, axis], box[3, axis] = HALF, -HALF
        # The first piece last.
        for piece in range(len(lows) - 1, -1, -1):
            low = lows[piece, axis]
            high = low + pieces.extents[piece, orientations[piece], axis] - 1
            if piece:
                box[2, axis] = min(box[2, axis], low)
                box[3, axis] = max(box[3, axis], high)
            else:
                box[0, axis] = min(box[2, axis], low)
                box[1, axis] = max(box[3, axis], high)
        widest = max(widest, box[1, axis] - box[0, axis] + 1)
    return int(widest)


@kernel(error_model="numpy")
def fill_space(task: TurnTask) -> None:
    """Fill in which piece is in each cell of the box."""
    pieces, lows, orientations, box = task.pieces, task.lows, task.orientations, task.box
    y, z = box[1, 1] - box[0, 1] + 1, box[1, 2] - box[0, 2] + 1
    for place in range((box[1, 0] - box[0, 0] + 1) * y * z):
        task.space[place] = 0
    for piece in range(len(lows)):
        start = pieces.starts[piece, orientations[piece]]
        for index in range(start, start + pieces.sizes[piece]):
            task.space[_place(task, piece, index)] = piece + 1


@kernel(error_model="numpy", inlining="llvm")
def _place(task: TurnTask, piece: int, index: int) -> int:
    """Return the number of a piece's cell in space."""
    lows, cells, box = task.lows, task.pieces.cells, task.box
    x = lows[piece, 0] + cells[index, 0] - box[0, 0]
    y = lows[piece, 1] + cells[index, 1] - box[0, 1]
    z = lows[piece, 2] + cells[index, 2] - box[0, 2]
    return int((x * (box[1, 1] - box[0, 1] + 1) + y) * (box[1, 2] - box[0, 2] + 1) + z)


@kernel(error_model="numpy")
def measure_slides(task: TurnTask) -> None:
    """Fill in how far every piece can slide from every other."""
    reach, pieces, box = task.slides.reach, task.pieces, task.box
    count = len(task.lows)
    for way in range(2 * AXES):
        for piece in range(count):
            reach.near[way, piece] = reach.met[way, piece] = 0
    for first in range(count):
        for second in range(count):
            for way in range(2 * AXES):
                reach.far[first, second, way] = FREE
    for piece in range(count):
        start = pieces.starts[piece, task.orientations[piece]]
        for index in range(start, start + pieces.sizes[piece]):
            place = _place(task, piece, index)
            stride = 1
            for axis in range(AXES - 1, -1, -1):
                at = task.lows[piece, axis] + pieces.cells[index, axis]
                for steps in range(box[1, axis] - at):
                    other = task.space[place + (steps + 1) * stride] - 1
                    if other >= 0 and other != piece:
                        _meet(reach, axis, piece, other, steps)
                stride *= box[1, axis] - box[0, axis] + 1


@kernel(error_model="numpy")
def _meet(reach: Reach, axis: int, piece: int, other: int, steps: int) -> None:
    """Note that a piece meets another after some steps along an axis, and vice versa back."""
    reach.met[2 * axis, piece] |= 1 << other
    reach.met[2 * axis + 1, other] |= 1 << piece
    if steps == 0:
        reach.near[2 * axis, piece] |= 1 << other
        reach.near[2 * axis + 1, other] |= 1 << piece
    first, second = min(piece, other), max(piece, other)
    # The second numbers of an entry are how far its second piece moves forth.
    number = axis if piece == first else AXES + axis
    reach.far[first, second, number] = min(reach.far[first, second, number], steps)


@kernel(error_model="numpy")
def in_the_way_of_turn(task: TurnTask, piece: int, turn: int, u: int, v: int) -> int:
    """Return the set of pieces that a piece meets when it turns about (u, v), in half cubes.

    If the first piece is one of them, it is the set of all.
    """
    pieces, box, lows = task.pieces, task.box, task.lows
    axis = turn >> 1
    first, second = (axis + 1) % 3, (axis + 2) % 3
    # The turn back is the turn in the mirror.
    sign = 1 - 2 * (turn & 1)
    far = task.sweeps.far[0]
    strides = (
        (box[1, 1] - box[0, 1] + 1) * (box[1, 2] - box[0, 2] + 1),
        box[1, 2] - box[0, 2] + 1,
        1,
    )
    # Half cubes from the centre to the box.
    low_u, high_u = 2 * box[0, first] - u, 2 * box[1, first] - u
    low_v, high_v = 2 * box[0, second] - v, 2 * box[1, second] - v
    members = 0
    start = pieces.starts[piece, task.orientations[piece]]
    for index in range(start, start + pieces.sizes[piece]):
        along = 2 * (lows[piece, first] + pieces.cells[index, first]) - u
        across = 2 * (lows[piece, second] + pieces.cells[index, second]) - v
        layer = (lows[piece, axis] + pieces.cells[index, axis] - box[0, axis]) * strides[axis]
        entry, last = along + far, sign * across + far
        for row in range(task.sweeps.starts[entry, last], task.sweeps.ends[entry, last]):
            a = task.sweeps.squares[row, 0]
            b = sign * task.sweeps.squares[row, 1]
            if low_u <= a <= high_u and low_v <= b <= high_v:
                place = (a - low_u) // 2 * strides[first] + (b - low_v) // 2 * strides[second]
                other = task.space[layer + place] - 1
                if other == 0:
                    return (1 << len(lows)) - 1
                if other > 0 and other != piece:
                    members |= 1 << other
    return int(members)


@kernel(error_model="numpy")
def turns_about(task: TurnTask, turn: int, u: int, v: int) -> int:
    """List every set that can turn about (u, v); return how many there are, or TOO_MANY."""
    count = len(task.lows)
    everything = (1 << count) - 1
    some = False
    for piece in range(1, count):
        members = in_the_way_of_turn(task, piece, turn, u, v)
        task.turns.reach.near[0, piece] = members
        some |= members != everything
    listed = 0
    if not some:
        return 0
    for piece in range(1, count):
        members = dragged(task.turns.reach, 0, piece, 1, count - 1, everything)
        if members:
            listed = add_with_unions(task.turns, listed, members, 1, everything)
            if listed == TOO_MANY:
                return TOO_MANY
    return listed


@kernel(error_model="numpy")
def span(task: TurnTask, members: int, axis: int) -> tuple[int, int]:
    """Return the least and the greatest coordinate of a set of pieces along an axis."""
    low, high = 1 << 30, -(1 << 30)
    rest = members
    while rest:
        piece = lowest(rest)
        rest &= rest - 1
        start = task.lows[piece, axis]
        extent = task.pieces.extents[piece, task.orientations[piece], axis]
        low, high = min(low, start), max(high, start + extent - 1)
    return low, high


@kernel(error_model="numpy")
def is_within(task: TurnTask, members: int, turn: int, u: int, v: int) -> bool:
    """Return whether a centre is in the box around a set of pieces."""
    axis = turn >> 1
    for other, at in (((axis + 1) % 3, u), ((axis + 2) % 3, v)):
        low, high = span(task, members, other)
        if not 2 * low - 1 <= at <= 2 * high + 1:
            return False
    return True


@kernel(error_model="numpy")
def turned_word(task: TurnTask, piece: int, turn: int, u: int, v: int) -> int:
    """Return the word of a piece that has turned about (u, v)."""
    axis = turn >> 1
    first, second = (axis + 1) % 3, (axis + 2) % 3
    orientation = task.orientations[piece]
    extents = task.pieces.extents[piece, orientation]
    low_u, low_v = 2 * task.lows[piece, first], 2 * task.lows[piece, second]
    high_u, high_v = low_u + 2 * extents[first] - 2, low_v + 2 * extents[second] - 2
    if turn & 1:
        at_u, at_v = (u - v + low_v) >> 1, (v + u - high_u) >> 1
    else:
        at_u, at_v = (u + v - high_v) >> 1, (v - u + low_u) >> 1
    word = task.pieces.turned[piece, orientation, turn] << 3 * FIELD_BITS
    word |= task.lows[piece, axis] + HALF << axis * FIELD_BITS
    word |= at_u + HALF << first * FIELD_BITS
    return int(word | at_v + HALF << second * FIELD_BITS)


@kernel(error_model="numpy")
def add_position(task: TurnTask, members: int, way: int, a: int, b: int) -> bool:
    """Add the position after a move, if it is a new one; return whether there is room."""
    reached, state = task.reached, task.state
    head, used = state[HEAD], state[USED]
    if used == len(reached.keys):
        return False
    count = len(task.lows)
    moving = members & 1 == 0
    for piece in range(1, count):
        word = reached.keys[head, piece - 1]
        if (members >> piece & 1 == 1) == moving:
            if way < 2 * AXES:
                # The way's sign, and once more the opposite way if the first piece is to move.
                steps = -a if (way & 1 == 1) == moving else a
                word += steps << (way >> 1) * FIELD_BITS
            else:
                word = turned_word(task, piece, way - 2 * AXES, a, b)
        reached.keys[used, piece - 1] = word
    slot = slot_of(reached.keys[used], reached.keys, reached.slots)
    if not reached.slots[slot]:
        reached.slots[slot] = used + 1
        reached.parents[used] = head
        reached.moved[used] = members
        reached.how[used, 0], reached.how[used, 1], reached.how[used, 2] = way, a, b
        state[USED] = used + 1
    return True


@kernel(error_model="numpy")
def add_slides(task: TurnTask) -> int:
    """Add the positions after every slide; return INTERRUPTED, or what there is no room for."""
    for way in range(2 * AXES):
        listed = moves_along(task.slides, way)
        if listed == TOO_MANY:
            return NO_ROOM_FOR_MOVES
        for index in range(listed):
            members, steps = task.slides.sets[index], task.slides.steps[index]
            if not add_position(task, members, way, steps, 0):
                return NO_ROOM
    return INTERRUPTED


@kernel(error_model="numpy")
def add_turns(task: TurnTask) -> int:
    """Add the positions after every turn; return INTERRUPTED, or what there is no room for."""
    box = task.box
    for turn in range(TURNS):
        first, second = ((turn >> 1) + 1) % 3, ((turn >> 1) + 2) % 3
        for u in range(2 * box[2, first] - 1, 2 * box[3, first] + 2):
            start = 2 * box[2, second] - 1
            # Both numbers are even or odd.
            for v in range(start + ((start + u) & 1), 2 * box[3, second] + 2, 2):
                listed = turns_about(task, turn, u, v)
                if listed == TOO_MANY:
                    return NO_ROOM_FOR_MOVES
                for index in range(listed):
                    members = task.turns.sets[index]
                    if is_within(task, members, turn, u, v) and not add_position(
                        task, members, 2 * AXES + turn, u, v
                    ):
                        return NO_ROOM
    return INTERRUPTED


@kernel(error_model="numpy")
def gather(task: TurnTask, members: int, turn: int) -> tuple[int, int]:
    """Fill in the cubes of a turn of some pieces, as `Swing` has them.

    Returns the middle of the box around the pieces, in half cubes.
    """
    pieces, lows, swing = task.pieces, task.lows, task.swing
    axis = turn >> 1
    first, second = (axis + 1) % 3, (axis + 2) % 3
    # The turn back is the turn in the mirror.
    sign = 1 - 2 * (turn & 1)
    low_u, high_u = span(task, members, first)
    low_v, high_v = span(task, members, second)
    u, v = low_u + high_u, low_v + high_v
    layers = 0
    for kind in (MOVING, STANDING):
        rows = swing.moving if kind == MOVING else swing.standing
        swing.counts[kind] = 0
        for piece in range(len(lows)):
            if (members >> piece & 1 == 1) != (kind == MOVING):
                continue
            start = pieces.starts[piece, task.orientations[piece]]
            for index in range(start, start + pieces.sizes[piece]):
                layer = lows[piece, axis] + pieces.cells[index, axis] - task.box[0, axis]
                if kind == MOVING:
                    layers |= 1 << layer
                elif not layers >> layer & 1:
                    continue
                row = swing.counts[kind]
                rows[row, 0] = lows[piece, first] + pieces.cells[index, first] - u / 2
                rows[row, 1] = sign * (lows[piece, second] + pieces.cells[index, second] - v / 2)
                rows[row, 2] = layer
                swing.counts[kind] += 1
    return u, v


@kernel(error_model="numpy")
def add_swings(task: TurnTask) -> int:
    """Add the positions after every turn with clearance; return as `add_turns` does."""
    half = STEPS_PER_CUBE // 2
    for members in range(2, 1 << len(task.lows), 2):
        for turn in range(TURNS):
            u, v = gather(task, members, turn)
            landings = find_landings(task.swing, task.clearance[0])
            sign = 1 - 2 * (turn & 1)
            for index in range(landings):
                x, y = task.swing.landings[index, 0], task.swing.landings[index, 1]
                # What a turn and a shift do together, a turn about another centre does alone.
                if x % half or y % half or (x - y) // half % 2:
                    continue
                at_u = u + (x - y) // half // 2
                at_v = v + sign * ((x + y) // half // 2)
                if (at_u + at_v) % 2 == 0 and not add_position(
                    task, members, 2 * AXES + turn, at_u, at_v
                ):
                    return NO_ROOM
    return INTERRUPTED


@kernel(error_model="numpy")
def slide_on(task: TurnTask) -> int:
    """Read the next position, and add those after its slides; return as `search_turns` does."""
    state = task.state
    head = state[HEAD]
    if head == state[USED]:
        return EXHAUSTED
    if head == state[DEPTH_END]:
        state[DEPTH] += 1
        state[DEPTH_END] = state[USED]
    widest = read_position(task, head)
    if widest > MOST_EXTENT:
        return TOO_FAR
    if 2 * widest > task.sweeps.far[0]:
        return TOO_WIDE
    fill_space(task)
    measure_slides(task)
    if separation(task.slides.reach, (1 << len(task.lows)) - 1)[0]:
        state[SPLITS] = fall_apart(task.slides.reach, task.splits)
        return SEPARATED
    return add_slides(task)


@kernel(entry=True, error_model="numpy")
def search_turns(task: TurnTask, most: int) -> int:
    """Resume the search for `most` positions; return how it ended, as `positions.search` does."""
    for _ in range(most):
        end = slide_on(task)
        if end == INTERRUPTED:
            end = add_swings(task) if task.clearance[0] else add_turns(task)
        if end != INTERRUPTED:
            return end
        task.state[HEAD] += 1
    return INTERRUPTED


# Running the compiled search in portions, with buffers that grow.


@dataclass(frozen=True, slots=True)
class TurnRoute:
    """The moves of some pieces until some can leave, and the cells of each after that.

    `splits` has the set that leaves then and its way, as in `positions.Route`.
    """

    moves: tuple[Move | Turn, ...]
    cells: tuple[frozenset[Cell], ...]
    splits: dict[int, tuple[int, Cell]]


def separate(
    pieces: Sequence[frozenset[Cell]], most_bytes: int = MOST_BYTES, clearance: float = 0
) -> Job[Progress, TurnRoute | NoRoute]:
    """Search for the fewest slides and turns to separate some pieces, which have these cells.

    The first should be the largest. Turns have a clearance in sides of a cube, 0 to 0.2.
    """
    if clearance and (len(pieces) > MOST_SWINGING or sum(map(len, pieces)) > MOST_CUBES):
        return NoRoute(proven=False, positions=0)
    buffers = _Buffers(pieces, most_bytes, clearance)
    while (end := buffers.resume()) == INTERRUPTED:
        depth, used = buffers.task.state[DEPTH], buffers.used
        yield Progress(f"{depth} moves deep, {used} positions", 0, None, "positions")
    if end == SEPARATED:
        return buffers.route(pieces)
    return NoRoute(end == EXHAUSTED, buffers.used)


class _Buffers:
    """The arrays of one search."""

    def __init__(
        self, pieces: Sequence[frozenset[Cell]], most_bytes: int, clearance: float
    ) -> None:
        count = len(pieces)
        self._most_bytes = most_bytes
        reached = self._reached(FEW, count)
        origin = low_corner(pieces[0])
        for number, cells in enumerate(pieces[1:]):
            for axis, (at, start) in enumerate(zip(low_corner(cells), origin, strict=True)):
                reached.keys[0, number] |= at - start + HALF << axis * FIELD_BITS
        rebuild_slots(reached.keys, reached.slots, 1)
        state = np.zeros(STATE_ENTRIES, dtype=np.int64)
        state[USED] = 1
        self.task = TurnTask(
            turnable(pieces),
            sweeps(2 * FIRST_EXTENT),
            reached,
            np.zeros((2 * count, 3), dtype=np.int64),
            state,
            np.zeros((count, 3), dtype=np.int64),
            np.zeros(count, dtype=np.int64),
            np.zeros((4, 3), dtype=np.int64),
            np.zeros(MOST_EXTENT**3, dtype=np.int8),
            _moves(FEW, count, AXES),
            _moves(FEW, count, 1),
            np.array([clearance], dtype=np.float64),
            new_swing() if clearance else NO_SWING,
        )

    @property
    def used(self) -> int:
        return int(self.task.state[USED])

    def resume(self) -> int:
        """Search a portion, enlarging the buffers if necessary."""
        while True:
            # A position can take seconds with clearance.
            end = search_turns(self.task, 1 if self.task.clearance[0] else AT_ONCE)
            if end == NO_ROOM_FOR_MOVES and self._affords(96 * len(self.task.slides.sets)):
                room, count = 4 * len(self.task.slides.sets), len(self.task.lows)
                self.task = self.task._replace(
                    slides=_moves(room, count, AXES), turns=_moves(room, count, 1)
                )
            elif end == NO_ROOM and self._affords(0):
                self._grow()
            elif end == TOO_WIDE:
                wider = min(2 * int(self.task.sweeps.far[0]), 2 * MOST_EXTENT)
                self.task = self.task._replace(sweeps=sweeps(wider))
            else:
                return int(end)

    def route(self, pieces: Sequence[frozenset[Cell]]) -> TurnRoute:
        """Return the moves to the position at which some pieces can leave."""
        reached, state = self.task.reached, self.task.state
        number, chain = int(state[HEAD]), []
        # Position 0 is the start and has no predecessor.
        while number:
            chain.append(number)
            number = int(reached.parents[number])
        cells, moves = list(pieces), list[Move | Turn]()
        x, y, z = low_corner(pieces[0])
        for each in reversed(chain):
            members = int(reached.moved[each])
            movers = tuple(piece for piece in range(len(cells)) if members >> piece & 1)
            way, a, b = reached.how[each].tolist()
            move = _move(movers, way, a, b, (2 * x, 2 * y, 2 * z))
            for piece in movers:
                cells[piece] = frozenset(map(move.apply, cells[piece]))
            moves.append(move)
            # The search sees everything from the first piece.
            x, y, z = low_corner(cells[0])
        splits = {
            part: (members, WAYS[way])
            for part, members, way in self.task.splits[: int(state[SPLITS])].tolist()
        }
        return TurnRoute(tuple(moves), tuple(cells), splits)

    def _reached(self, room: int, count: int) -> Reached:
        return Reached(
            np.zeros((room, count - 1), dtype=np.int64),
            np.zeros(room, dtype=np.int32),
            np.zeros(2 * room, dtype=np.int32),
            np.zeros(room, dtype=np.int64),
            np.zeros((room, 3), dtype=np.int32),
        )

    def _affords(self, more_bytes: int) -> bool:
        """Return whether twice as many positions, and `more_bytes`, stay within the bound."""
        reached = self.task.reached
        return 2 * sum(array.nbytes for array in reached) + more_bytes <= self._most_bytes

    def _grow(self) -> None:
        before, used = self.task.reached, self.used
        reached = self._reached(2 * len(before.keys), len(self.task.lows))
        for name in ("keys", "parents", "moved", "how"):
            getattr(reached, name)[:used] = getattr(before, name)[:used]
        rebuild_slots(reached.keys, reached.slots, used)
        self.task = self.task._replace(reached=reached)


def _moves(room: int, count: int, ways: int) -> Moves:
    sets, steps = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    return Moves(sets, steps, no_reach(count, ways))


def _move(movers: tuple[int, ...], way: int, a: int, b: int, origin: Cell) -> Move | Turn:
    """Return a move that `Reached.how` describes, as it is seen from outside."""
    if way < 2 * AXES:
        return Move(movers, WAYS[way], a)
    turn = way - 2 * AXES
    first, second = (turn // 2 + 1) % 3, (turn // 2 + 2) % 3
    return Turn(movers, turn, (a + origin[first], b + origin[second]))
