"""Which sets of pieces can slide, and how far: one position of the search for a way apart.

A set slides k cells in a direction if each of its pieces can, as far as the pieces outside are
concerned. So the smallest such set around one piece is found by taking in whatever is in the way,
and every set is a union of these. Sets of more than half the pieces are left out: the rest moves
the other way, which is the same. (The method is Bill Cutler's, "A Computer Analysis of All 6-Piece
Burrs", 1994; sets are met in the order of BurrTools, so that among equally short ways the same one
is found.)
"""

from typing import Any, Final, NamedTuple

from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.taking_apart.reach import FREE, NUMBERS, Geometry

WAYS: Final = 6
"""+x, -x, +y, -y, +z, -z: way w goes along axis w // 2."""
TOO_MANY: Final = -1


class Moves(NamedTuple):
    """The moves of one position: sets of pieces as bits and steps; `reach` is room to work in.

    `reach[axis, i, j]` is how far piece i can go along +axis before it meets piece j.
    """

    sets: Int64Array
    steps: Int64Array
    reach: Int64Array


@kernel
def measure(geometry: Geometry, places: Any, reach: Any) -> None:
    """Fill in how far every piece can go from every other, the pieces being `places` away."""
    count = len(places)
    for i in range(count):
        for j in range(i + 1, count):
            beyond, beyond_axis, excess = 0, 0, 0
            index = 0
            for axis in range(3):
                first, second = geometry.extents[i, axis], geometry.extents[j, axis]
                at = geometry.lows[j, axis] + places[j, axis] + second
                at -= geometry.lows[i, axis] + places[i, axis]
                size = first + second + 1
                if at < 0 or at >= size:
                    beyond += 1
                    beyond_axis = axis
                    excess = at if at < 0 else at - size + 1
                    at = 0 if at < 0 else size - 1
                index = index * size + at
            index = geometry.tables[i, j] + NUMBERS * index
            for axis in range(3):
                forth, back = FREE, FREE
                if beyond == 0 or (beyond == 1 and beyond_axis == axis):
                    forth = int(geometry.numbers[index + axis])
                    back = int(geometry.numbers[index + axis + 3])
                    if beyond and excess > 0 and forth != FREE:
                        forth += excess
                    if beyond and excess < 0 and back != FREE:
                        back -= excess
                reach[axis, i, j] = forth
                reach[axis, j, i] = back


@kernel
def dragged(reach: Any, way: int, piece: int, step: int, most: int, present: int) -> int:
    """Return the smallest set around a piece that can go `step` cells; 0 if above `most` pieces.

    Only pieces of the set `present` are there.
    """
    axis = way >> 1
    members = 1 << piece
    waiting = members
    number = 1
    while waiting:
        i = lowest(waiting)
        waiting &= waiting - 1
        others = present & ~members
        while others:
            j = lowest(others)
            others &= others - 1
            far = reach[axis, j, i] if way & 1 else reach[axis, i, j]
            if far < step:
                number += 1
                if number > most:
                    return 0
                members |= 1 << j
                waiting |= 1 << j
    return members


@kernel
def size(members: int) -> int:
    """Return the number of pieces in a set."""
    number = 0
    while members:
        members &= members - 1
        number += 1
    return number


@kernel
def lowest(members: int) -> int:
    """Return the first piece of a set that is not empty."""
    piece = 0
    while not members >> piece & 1:
        piece += 1
    return piece


@kernel
def separation(reach: Any, present: int) -> tuple[int, int]:
    """Return a set that can leave, a single piece if possible, and its way; (0, 0) if none can."""
    count = reach.shape[1]
    for most in (1, size(present) // 2):
        for way in range(WAYS):
            for piece in range(count):
                if present >> piece & 1:
                    members = dragged(reach, way, piece, FREE, most, present)
                    if members:
                        return members, way
    return 0, 0


@kernel
def fall_apart(geometry: Geometry, places: Any, reach: Any, present: int, splits: Any) -> int:
    """Separate pieces, and their parts in turn, as far as one move at a time does it.

    Fills in `splits` with a row for each part of at least two pieces: its set, the set that leaves
    it (0 if none can) and the way; returns their number. Pieces that leave change nothing for those
    that stay, so that one measuring is enough.
    """
    measure(geometry, places, reach)
    splits[0, 0] = present
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


@kernel
def moves_along(moves: Moves, way: int) -> int:
    """List every set that can move along a way, with its steps; return how many, or TOO_MANY."""
    count = moves.reach.shape[1]
    everything = (1 << count) - 1
    listed = 0
    for piece in range(count):
        step = 1
        while True:
            members = dragged(moves.reach, way, piece, step, count // 2, everything)
            if not members:
                break
            before = listed
            listed = _add(moves, listed, members, step)
            for other in range(before - 1, -1, -1):
                if listed == TOO_MANY:
                    return TOO_MANY
                if listed == before:
                    break
                if moves.steps[other] == step:
                    union = members | moves.sets[other]
                    if union not in (members, moves.sets[other], everything):
                        listed = _add(moves, listed, union, step)
            if listed == TOO_MANY:
                return TOO_MANY
            step += 1
    return listed


@kernel
def _add(moves: Moves, listed: int, members: int, step: int) -> int:
    """Add a move unless it is there; return the number of moves, or TOO_MANY."""
    for index in range(listed):
        if moves.sets[index] == members and moves.steps[index] == step:
            return listed
    if listed == len(moves.sets):
        return TOO_MANY
    moves.sets[listed] = members
    moves.steps[listed] = step
    return listed + 1
