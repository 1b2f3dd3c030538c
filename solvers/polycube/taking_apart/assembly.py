"""Assembly by hand: an order in which pieces move into place, one at a time and straight.

The search takes the assembled pieces away: an order of removal, read backwards, is an order of
assembly. A piece can leave in a direction if none of its cubes meets another piece that is still
there, however far it goes.

Without gravity a piece that can leave now can still leave after others have left, so removing
whatever can be removed is exact: if all that remains is stuck, every order gets stuck there. With
gravity a piece comes from above or from the side and must rest on the ground or on another piece
once it is placed. Then the order matters, and sets of pieces that proved hopeless are remembered,
so that each set is examined once. What cannot be assembled without gravity is not tried with it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from solvers.polycube.puzzle import PackingSolution, Placement


class Direction(Enum):
    """The way a piece moves into its place."""

    DOWN = (0, 0, -1)
    UP = (0, 0, 1)
    LEFT = (-1, 0, 0)
    RIGHT = (1, 0, 0)
    BACK = (0, -1, 0)
    FRONT = (0, 1, 0)

    @property
    def words(self) -> str:
        """The direction as an instruction; layers are as in the text picture, front row last."""
        return {
            Direction.DOWN: "from above",
            Direction.UP: "from below",
            Direction.LEFT: "from the right",
            Direction.RIGHT: "from the left",
            Direction.BACK: "from the front",
            Direction.FRONT: "from the back",
        }[self]


# Prefer moves from above, then from where the pictures are seen from.
FROM_ABOVE_OR_ASIDE = (
    Direction.DOWN,
    Direction.BACK,
    Direction.LEFT,
    Direction.FRONT,
    Direction.RIGHT,
)
FROM_ANYWHERE = (*FROM_ABOVE_OR_ASIDE, Direction.UP)

# Searches with up to twenty pieces stay below this; a larger one is given up.
MOST_HOPELESS_SETS = 1_000_000


@dataclass(frozen=True)
class Step:
    """One piece moved into its place."""

    placement: Placement
    direction: Direction


@dataclass(frozen=True)
class Assembly:
    """Result of the search.

    `steps` lists what can be put together, in order; `stuck` holds the placements that interlock
    and is empty if the whole solution can be assembled.
    """

    steps: tuple[Step, ...]
    stuck: tuple[Placement, ...]
    gravity: bool

    @property
    def possible(self) -> bool:
        """Whether all pieces can be assembled."""
        return not self.stuck


def assemble(solution: PackingSolution, *, gravity: bool) -> Assembly:
    """Find an order in which every piece moves straight into its place.

    With `gravity` pieces come from above or from the side and rest on the ground or another piece.
    Without it they may come from all six directions and float. If there is no order, `steps` is
    empty and `stuck` holds the pieces that block one another in any order, or all pieces if only
    gravity prevents assembly.
    """
    pieces = solution.placements
    removal = _Removal(pieces, FROM_ABOVE_OR_ASIDE if gravity else FROM_ANYWHERE)
    order = removal.find_order(resting=False)
    if order is None:
        return Assembly((), tuple(pieces[index] for index in removal.interlocked()), gravity)
    if gravity:
        order = removal.find_order(resting=True)
    if order is None:
        return Assembly((), pieces, gravity)
    return Assembly(
        tuple(Step(pieces[i], direction) for i, direction in reversed(order)), (), gravity
    )


class _Removal:
    """A search for an order in which the pieces leave; sets of pieces are bits."""

    def __init__(self, pieces: tuple[Placement, ...], ways: tuple[Direction, ...]) -> None:
        self.everything = (1 << len(pieces)) - 1
        self.ground = 1 << len(pieces)
        self.owner = {cell: i for i, piece in enumerate(pieces) for cell in piece.cells}
        self.lowest = min(z for _, _, z in self.owner)
        self.extent = 1 + max(
            max(cell[axis] for cell in self.owner) - min(cell[axis] for cell in self.owner)
            for axis in range(3)
        )
        # Which pieces are in the way of each, for every way it may come by.
        self.blockers = {way: [self._in_the_way(piece, way) for piece in pieces] for way in ways}
        self.supports = [self._supporters(piece) for piece in pieces]
        # Remove pieces near the viewer first, so that pictures of the assembly show each new piece.
        self.nearest_first = sorted(range(len(pieces)), key=lambda i: -_nearness(pieces[i]))
        self.hopeless: set[int] = set()

    def find_order(self, *, resting: bool) -> list[tuple[int, Direction]] | None:
        """Return pieces and the directions they are inserted from, first removed first, or None."""
        order: list[tuple[int, Direction]] = []
        present = self.everything
        choices = [self._removable(present, resting)]
        while present:
            choice = next(choices[-1], None)
            if choice is not None:
                order.append(choice)
                present &= ~(1 << choice[0])
                choices.append(self._removable(present, resting))
            # Without gravity there is no need to backtrack, see the module's docstring.
            elif not resting or not order or len(self.hopeless) == MOST_HOPELESS_SETS:
                return None
            else:
                self.hopeless.add(present)
                choices.pop()
                present |= 1 << order.pop()[0]
        return order

    def interlocked(self) -> list[int]:
        """Return the pieces that remain when all that can leave without gravity have left."""
        present = self.everything
        while (choice := next(self._removable(present, resting=False), None)) is not None:
            present &= ~(1 << choice[0])
        return [index for index in range(present.bit_length()) if present >> index & 1]

    def _removable(self, present: int, resting: bool) -> Iterator[tuple[int, Direction]]:
        """Yield the pieces that can be the last ones placed, with the direction they come by."""
        for way, blockers in self.blockers.items():
            for index in self.nearest_first:
                rest = present & ~(1 << index)
                if not present >> index & 1 or blockers[index] & rest:
                    continue
                if resting and (
                    rest in self.hopeless or not self.supports[index] & (rest | self.ground)
                ):
                    continue
                yield index, way

    def _in_the_way(self, piece: Placement, direction: Direction) -> int:
        """Return the pieces met when the piece leaves against the direction it came by."""
        dx, dy, dz = direction.value
        own = self.owner[next(iter(piece.cells))]
        met = 0
        for x, y, z in piece.cells:
            for steps in range(1, self.extent):
                other = self.owner.get((x - dx * steps, y - dy * steps, z - dz * steps))
                if other is not None:
                    met |= 1 << other
        return met & ~(1 << own)

    def _supporters(self, piece: Placement) -> int:
        """Return the pieces right below as bits; the bit after the last piece is the ground."""
        below = 0
        for x, y, z in piece.cells:
            if z == self.lowest:
                below |= self.ground
            elif (x, y, z - 1) not in piece.cells and (x, y, z - 1) in self.owner:
                below |= 1 << self.owner[x, y, z - 1]
        return below


def _nearness(piece: Placement) -> float:
    """Return how close the piece is to a viewer of the upper front right corner."""
    return sum(x + y + z for x, y, z in piece.cells) / len(piece.cells)
