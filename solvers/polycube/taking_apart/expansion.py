"""Sets of pieces that can slide, and how far: one position of the search for a way apart.

A set slides k steps in a direction if each of its pieces can, with regard to the pieces outside. So
the smallest such set around one piece is found by adding whatever is in the way, and every set is a
union of these. Sets of more than half the pieces are left out: moving the rest the opposite way is
the same. (The method is Bill Cutler's, "A Computer Analysis of All 6-Piece Burrs", 1994. Sets are
tried in the order of BurrTools, so that among equally short ways the same one is found.)
"""

from typing import Any, Final, NamedTuple

import numpy as np

from solvers.foundation.arrays import Int16Array, Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.taking_apart.reach import FREE, Geometry

TOO_MANY: Final = -1


class Reach(NamedTuple):
    """How far every piece can move in one position before it meets each other one.

    A `way` is twice the number of one of the lattice's ways, plus 1 for the opposite direction.
    `near[way, i]` is the set of pieces that piece i cannot move away from by a single step,
    `met[way, i]` the set of those that it meets at all; pieces are bits. `far[i, j]`, for i < j, is
    the pair's entry in the tables of `reach.py`. `places` are those that were measured, `moved` is
    scratch.
    """

    near: Int64Array
    met: Int64Array
    far: Int16Array
    places: Int64Array
    moved: Int64Array


class Moves(NamedTuple):
    """The moves of one position: sets of pieces as bits, and steps; `reach` is scratch."""

    sets: Int64Array
    steps: Int64Array
    reach: Reach


def no_reach(pieces: int, ways: int) -> Reach:
    """Return room for what `measure` fills in; `ways` are those of the lattice."""
    near, met = (np.zeros((2 * ways, pieces), dtype=np.int64) for _ in range(2))
    far = np.zeros((pieces, pieces, 2 * ways), dtype=np.int16)
    places, moved = np.zeros((pieces, 3), dtype=np.int64), np.zeros(pieces, dtype=np.int64)
    return Reach(near, met, far, places, moved)


@kernel(error_model="numpy")
def measure(geometry: Geometry, places: Any, reach: Reach, is_first: bool) -> None:
    """Fill in how far every piece can move from every other, with pieces displaced by `places`.

    Unless it `is_first`, only pairs that moved against each other since the measurement before are
    looked up: few pieces move from one position to the next.
    """
    count, ways = len(places), len(geometry.ways)
    # Tables start a margin before the first overlap, see `reach`.
    margin = geometry.margin[0] - 1
    for i in range(count):
        moved = 0
        for axis in range(3):
            moved = (moved << 20) + places[i, axis] - reach.places[i, axis]
            reach.places[i, axis] = places[i, axis]
        reach.moved[i] = moved
    for i in range(count):
        for j in range(i + 1, count):
            if reach.moved[i] == reach.moved[j] and not is_first:
                continue
            x = geometry.lows[j, 0] + places[j, 0] - geometry.lows[i, 0] - places[i, 0]
            y = geometry.lows[j, 1] + places[j, 1] - geometry.lows[i, 1] - places[i, 1]
            z = geometry.lows[j, 2] + places[j, 2] - geometry.lows[i, 2] - places[i, 2]
            x += geometry.extents[j, 0] + margin
            y += geometry.extents[j, 1] + margin
            z += geometry.extents[j, 2] + margin
            sx = geometry.extents[i, 0] + geometry.extents[j, 0] + 2 * margin + 1
            sy = geometry.extents[i, 1] + geometry.extents[j, 1] + 2 * margin + 1
            sz = geometry.extents[i, 2] + geometry.extents[j, 2] + 2 * margin + 1
            if 0 <= x < sx and 0 <= y < sy and 0 <= z < sz:
                index = geometry.tables[i, j] + 2 * ways * ((x * sy + y) * sz + z)
                for number in range(2 * ways):
                    reach.far[i, j, number] = geometry.numbers[index + number]
            else:
                # Too far apart for the table: move until it is reached, if ever, and look there.
                for way in range(ways):
                    for sign in (-1, 1):
                        dx = sign * geometry.ways[way, 0]
                        dy = sign * geometry.ways[way, 1]
                        dz = sign * geometry.ways[way, 2]
                        number = way if sign < 0 else ways + way
                        far = way_in(x, y, z, sx, sy, sz, dx, dy, dz)
                        if far != FREE:
                            at = ((x + far * dx) * sy + y + far * dy) * sz + z + far * dz
                            index = geometry.tables[i, j] + 2 * ways * at + number
                            then = int(geometry.numbers[index])
                            far = FREE if then == FREE else far + then
                        reach.far[i, j, number] = far
            for way in range(ways):
                forth, back = int(reach.far[i, j, way]), int(reach.far[i, j, ways + way])
                # Moving back is the other piece moving forth: only their distance counts.
                _put(reach.near, 2 * way, i, j, forth < 1)
                _put(reach.near, 2 * way, j, i, back < 1)
                _put(reach.met, 2 * way, i, j, forth < FREE)
                _put(reach.met, 2 * way, j, i, back < FREE)


@kernel(error_model="numpy", inlining="llvm")
def _put(sets: Any, way: int, piece: int, other: int, is_met: bool) -> None:
    """Put a piece into the set that another meets along a way, or take it out, and vice versa."""
    sets[way, piece] = sets[way, piece] & ~(1 << other) | int(is_met) << other
    sets[way + 1, other] = sets[way + 1, other] & ~(1 << piece) | int(is_met) << piece


@kernel(error_model="numpy")
def way_in(x: int, y: int, z: int, sx: int, sy: int, sz: int, dx: int, dy: int, dz: int) -> int:
    """Return after how many moves a distance is within a table of the given size, FREE if never."""
    least, most = 1, FREE
    for at, size, step in ((x, sx, dx), (y, sy, dy), (z, sz, dz)):
        if step == 0 and not 0 <= at < size:
            return FREE
        if step > 0:
            least = max(least, -(at // step))
            most = min(most, (size - 1 - at) // step)
        elif step < 0:
            least = max(least, -((size - 1 - at) // -step))
            most = min(most, at // -step)
    return least if least <= most else FREE


@kernel(error_model="numpy")
def in_the_way(reach: Reach, way: int, piece: int, step: int) -> int:
    """Return the set of pieces that a piece would meet if it moved `step` cells."""
    if step == 1:
        return int(reach.near[way, piece])
    if step == FREE:
        return int(reach.met[way, piece])
    count, ways = reach.far.shape[0], len(reach.near) // 2
    members = 0
    for other in range(count):
        first, second = min(piece, other), max(piece, other)
        # The second numbers of an entry are how far its second piece moves forth.
        is_second = (way & 1) ^ (piece > other)
        far = reach.far[first, second, (way >> 1) + is_second * ways]
        if far < step and other != piece:
            members |= 1 << other
    return members


@kernel(error_model="numpy")
def dragged(reach: Reach, way: int, piece: int, step: int, most: int, present: int) -> int:
    """Return the smallest set around a piece that can move `step` cells; 0 if above `most` pieces.

    Only pieces of the set `present` are there.
    """
    members = waiting = 1 << piece
    while waiting:
        each = lowest(waiting)
        waiting &= waiting - 1
        more = in_the_way(reach, way, each, step) & present & ~members
        members |= more
        waiting |= more
        if size(members) > most:
            return 0
    return members


@kernel(error_model="numpy")
def size(members: int) -> int:
    """Return the number of pieces in a set."""
    number = 0
    while members:
        members &= members - 1
        number += 1
    return number


@kernel(error_model="numpy")
def lowest(members: int) -> int:
    """Return the first piece of a set that is not empty."""
    return size((members & -members) - 1)


@kernel(error_model="numpy")
def separation(reach: Reach, present: int) -> tuple[int, int]:
    """Return a set that can leave, a single piece if possible, and its way; (0, 0) if none can."""
    ways, count = reach.met.shape
    # A single piece first: it makes the simplest instruction.
    for most in (1, size(present) // 2):
        for way in range(ways):
            for piece in range(count):
                if present >> piece & 1:
                    members = dragged(reach, way, piece, FREE, most, present)
                    if members:
                        return members, way
    return 0, 0


@kernel(error_model="numpy")
def fall_apart(reach: Reach, splits: Any) -> int:
    """Separate all pieces, and their parts in turn, as far as single moves do it.

    Fills in `splits` with a row for each part of at least two pieces: its set, the set that leaves
    it (0 if none can) and the way; returns their number. Pieces that leave change nothing for those
    that stay, so the position was measured once.
    """
    splits[0, 0] = (1 << reach.near.shape[1]) - 1
    number, done = 1, 0
    while done < number:
        members, way = separation(reach, splits[done, 0])
        splits[done, 1], splits[done, 2] = members, way
        if members:
            for part in (splits[done, 0] & ~members, members):
                if size(part) > 1:
                    splits[number, 0] = part
                    number += 1
        done += 1
    return number


@kernel(error_model="numpy")
def moves_along(moves: Moves, way: int) -> int:
    """List every set that can move along a way; return how many there are, or TOO_MANY."""
    count = moves.reach.near.shape[1]
    everything = (1 << count) - 1
    listed = 0
    for piece in range(count):
        step = 1
        while True:
            members = dragged(moves.reach, way, piece, step, count // 2, everything)
            if not members:
                break
            listed = add_with_unions(moves, listed, members, step, everything)
            if listed == TOO_MANY:
                return TOO_MANY
            step += 1
    return listed


@kernel(error_model="numpy")
def add_with_unions(moves: Moves, listed: int, members: int, step: int, everything: int) -> int:
    """Add a set, and all its unions with those listed before that move as far, the latest first.

    Returns the number of moves, or TOO_MANY.
    """
    before = listed
    listed = _add(moves, listed, members, step)
    for other in range(before - 1, -1, -1):
        if listed in (TOO_MANY, before):
            break
        if moves.steps[other] == step:
            union = members | moves.sets[other]
            # Moving everything changes nothing.
            if union not in (members, moves.sets[other], everything):
                listed = _add(moves, listed, union, step)
    return listed


@kernel(error_model="numpy")
def _add(moves: Moves, listed: int, members: int, step: int) -> int:
    """Add a move unless it is listed; return the number of moves, or TOO_MANY."""
    for index in range(listed):
        if moves.sets[index] == members and moves.steps[index] == step:
            return listed
    if listed == len(moves.sets):
        return TOO_MANY
    moves.sets[listed] = members
    moves.steps[listed] = step
    return listed + 1
