"""Sets of pieces that can slide, and how far: one position of the search for a way apart.

A set slides k steps in a direction if each of its pieces can, with regard to the pieces outside. So
the smallest such set around one piece is found by adding whatever is in the way, and every set is a
union of these. Sets of more than half the pieces are left out: moving the rest the opposite way is
the same. (The method is Bill Cutler's, "A Computer Analysis of All 6-Piece Burrs", 1994. Sets are
tried in the order of BurrTools, so that among equally short ways the same one is found.)
"""

from typing import Any, Final, NamedTuple

from solvers.foundation.arrays import Int64Array
from solvers.foundation.compiled import kernel
from solvers.polycube.taking_apart.reach import FREE, Geometry

TOO_MANY: Final = -1


class Moves(NamedTuple):
    """The moves of one position: sets of pieces as bits, and steps; `reach` is scratch.

    `reach[way, i, j]` is how far piece i can move along a way before it meets piece j. Elsewhere a
    `way` is twice that number, plus 1 for the opposite direction.
    """

    sets: Int64Array
    steps: Int64Array
    reach: Int64Array


@kernel(error_model="numpy")
def measure(geometry: Geometry, places: Any, reach: Any) -> None:
    """Fill in how far every piece can move from every other, with pieces displaced by `places`."""
    count, ways = len(places), len(geometry.ways)
    # Tables start a margin before the first overlap, see `reach`.
    margin = geometry.margin[0] - 1
    for i in range(count):
        for j in range(i + 1, count):
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
                for way in range(ways):
                    reach[way, i, j] = geometry.numbers[index + way]
                    reach[way, j, i] = geometry.numbers[index + ways + way]
            else:
                # Too far apart for the table: move until it is reached, if ever, and look there.
                for way in range(ways):
                    for sign in (-1, 1):
                        dx = sign * geometry.ways[way, 0]
                        dy = sign * geometry.ways[way, 1]
                        dz = sign * geometry.ways[way, 2]
                        far = way_in(x, y, z, sx, sy, sz, dx, dy, dz)
                        if far != FREE:
                            at = ((x + far * dx) * sy + y + far * dy) * sz + z + far * dz
                            index = geometry.tables[i, j] + 2 * ways * at + way
                            number = int(geometry.numbers[index if sign < 0 else index + ways])
                            far = FREE if number == FREE else far + number
                        if sign < 0:
                            reach[way, i, j] = far
                        else:
                            reach[way, j, i] = far


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
def dragged(reach: Any, way: int, piece: int, step: int, most: int, present: int) -> int:
    """Return the smallest set around a piece that can move `step` cells; 0 if above `most` pieces.

    Only pieces of the set `present` are there.
    """
    forth = way >> 1
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
            # Moving back is the other piece moving forth: only their distance counts.
            far = reach[forth, j, i] if way & 1 else reach[forth, i, j]
            if far < step:
                number += 1
                if number > most:
                    return 0
                members |= 1 << j
                waiting |= 1 << j
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
    piece = 0
    while not members >> piece & 1:
        piece += 1
    return piece


@kernel(error_model="numpy")
def separation(reach: Any, present: int) -> tuple[int, int]:
    """Return a set that can leave, a single piece if possible, and its way; (0, 0) if none can."""
    count = reach.shape[1]
    # A single piece first: it makes the simplest instruction.
    for most in (1, size(present) // 2):
        for way in range(2 * len(reach)):
            for piece in range(count):
                if present >> piece & 1:
                    members = dragged(reach, way, piece, FREE, most, present)
                    if members:
                        return members, way
    return 0, 0


@kernel(entry=True, error_model="numpy")
def fall_apart(geometry: Geometry, places: Any, reach: Any, present: int, splits: Any) -> int:
    """Separate pieces, and their parts in turn, as far as single moves do it.

    Fills in `splits` with a row for each part of at least two pieces: its set, the set that leaves
    it (0 if none can) and the way; returns their number. Pieces that leave change nothing for those
    that stay, so measuring once is enough.
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


@kernel(error_model="numpy")
def moves_along(moves: Moves, way: int) -> int:
    """List every set that can move along a way; return how many there are, or TOO_MANY."""
    count = moves.reach.shape[1]
    everything = (1 << count) - 1
    listed = 0
    for piece in range(count):
        step = 1
        while True:
            members = dragged(moves.reach, way, piece, step, count // 2, everything)
            if not members:
                break
            # All unions of the new set with those of the same step, the latest first.
            before = listed
            listed = _add(moves, listed, members, step)
            for other in range(before - 1, -1, -1):
                if listed == TOO_MANY:
                    return TOO_MANY
                if listed == before:
                    break
                if moves.steps[other] == step:
                    union = members | moves.sets[other]
                    # Moving everything changes nothing.
                    if union not in (members, moves.sets[other], everything):
                        listed = _add(moves, listed, union, step)
            if listed == TOO_MANY:
                return TOO_MANY
            step += 1
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
