"""The result of taking a solution apart: moves, level, or why it fails; and groups of pieces."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

from solvers.polycube.lattice import AXES, CLOSE, Cell, Lattice, Matrix, in_space
from solvers.polycube.lattices import CUBES
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution

# Sets of pieces are bits of a 64-bit integer, with some to spare.
MOST_PIECES: Final = 60

FRONT_OR_BACK: Final = ("", "back", "front")
RIGHT_OR_LEFT: Final = ("", "right", "left")
# Words for no component along an axis of space, for a positive and for a negative one.
UP_OR_DOWN: Final = ("", "up", "down")


def way_words(way: Cell, lattice: Lattice) -> str:
    """Return a direction in words: "to the front right", "up and to the left".

    Layers are as in the text picture, front row last.
    """
    x, y, z = ((at > CLOSE) - (at < -CLOSE) for at in in_space(lattice.frame, way))
    aside = f"{FRONT_OR_BACK[y]} {RIGHT_OR_LEFT[x]}".strip()
    return " and ".join(filter(None, [UP_OR_DOWN[z], aside and f"to the {aside}"]))


def plus(cell: Cell, way: Cell, steps: int) -> Cell:
    """Return a cell moved some steps along a way."""
    return cell[0] + steps * way[0], cell[1] + steps * way[1], cell[2] + steps * way[2]


@dataclass(frozen=True, slots=True)
class Move:
    """Pieces, by number, that slide together.

    They slide along the way `steps` times; None means until they are out.
    """

    pieces: tuple[int, ...]
    way: Cell
    steps: int | None

    def words(self, lattice: Lattice = CUBES) -> str:
        """Return distance and direction in words."""
        far = "out" if self.steps is None else str(self.steps)
        return f"{far} {way_words(self.way, lattice)}"

    def apply(self, cell: Cell) -> Cell:
        """Return where a cell of the pieces goes; one that is out stays."""
        return plus(cell, self.way, self.steps or 0)


# The sides from which turns about x, y and z are seen as clockwise: cells have their rows to the
# front.
CLOCKWISE_FROM: Final = ("the right", "the front", "above")


@dataclass(frozen=True, slots=True)
class Turn:
    """Pieces, by number, that turn together by a right angle about an axis parallel to x, y or z.

    `turn` is twice the number of the axis, plus 1 for the turn back: the axes x, y, z, x, y follow
    each other, and it turns the next one after its own towards the one after that. `centre` is
    where the axis is along these two, in half cubes: the cell 0 is at 0, its sides at -1 and 1.
    """

    pieces: tuple[int, ...]
    turn: int
    centre: tuple[int, int]

    @property
    def axis(self) -> int:
        """0, 1 or 2 for an axis parallel to x, y or z."""
        return self.turn // 2

    @property
    def at(self) -> dict[str, float]:
        """Where the axis is, by the names of the other two: the cell 0 is from 0 to 1."""
        names = ((self.axis + 1) % 3, (self.axis + 2) % 3)
        found = {"xyz"[name]: (at + 1) / 2 for name, at in zip(names, self.centre, strict=True)}
        return dict(sorted(found.items()))

    @property
    def sense(self) -> str:
        """The sense of the turn in words, seen from the right, the front or above."""
        sense = "counterclockwise" if self.turn % 2 else "clockwise"
        return f"{sense} seen from {CLOCKWISE_FROM[self.axis]}"

    def words(self, _lattice: Lattice = CUBES) -> str:
        """Return angle, axis and sense in words."""
        at = ", ".join(f"{name} = {value:g}" for name, value in self.at.items())
        return f"turn 90 degrees about {'xyz'[self.axis]} at {at}, {self.sense}"

    @property
    def matrix(self) -> Matrix:
        """What the turn does to directions."""
        x, y, z = (turn_point(way, self.turn, (0, 0)) for way in AXES)
        return (x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2])

    def apply(self, cell: Cell) -> Cell:
        """Return where a cell of the pieces goes."""
        x, y, z = turn_point((2 * cell[0], 2 * cell[1], 2 * cell[2]), self.turn, self.centre)
        return x // 2, y // 2, z // 2


def turn_point(point: Sequence[int], turn: int, centre: tuple[int, int]) -> Cell:
    """Return where a point in half cubes goes by a turn, given as in `Turn`."""
    first, second = (turn // 2 + 1) % 3, (turn // 2 + 2) % 3
    turned = list(point)
    along, across = point[first] - centre[0], point[second] - centre[1]
    sign = -1 if turn % 2 else 1
    turned[first], turned[second] = centre[0] - sign * across, centre[1] + sign * along
    x, y, z = turned
    return x, y, z


@dataclass(frozen=True)
class Separation:
    """The shortest way to separate some pieces into two parts; the last of `moves` removes one.

    `left` is how the part that stays is taken apart, `removed` how the part that leaves; None for a
    single piece or for pieces that may stay together.
    """

    pieces: tuple[int, ...]
    moves: tuple[Move | Turn, ...]
    left: "Separation | None" = None
    removed: "Separation | None" = None

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """Number of moves of every separation: this one, then those of what stays, of what left."""
        below = [part.lengths for part in (self.left, self.removed) if part]
        return (len(self.moves), *(length for lengths in below for length in lengths))

    @property
    def level(self) -> str:
        """Moves to the first separation, then to each next, as BurrTools writes it: "5.2".

        A part that falls into single pieces by one move each is not mentioned.
        """
        parts = [part.level for part in (self.left, self.removed) if part and max(part.lengths) > 1]
        return ".".join([str(len(self.moves)), *parts])

    def every(self) -> Iterator["Separation"]:
        """Yield this separation and all below, in the order of `lengths`."""
        yield self
        for part in (self.left, self.removed):
            if part:
                yield from part.every()


class Hindrance(Enum):
    """Why a solution was not taken apart."""

    LOCKED = "locked"
    GIVEN_UP = "given up"


@dataclass(frozen=True, slots=True)
class Disassembly:
    """Either the complete way apart, or why there is none: then the `stuck` pieces stay together.

    LOCKED is a proof: all `positions` that the stuck pieces can reach were examined, and no move of
    any set of them separates any. GIVEN_UP is not: there were more positions than memory for them.
    """

    separation: Separation | None
    hindrance: Hindrance | None = None
    stuck: tuple[int, ...] = ()
    positions: int = 0

    @property
    def level(self) -> str | None:
        """The level as text, None for what does not come apart."""
        return self.separation.level if self.separation else None

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, greater for the harder of two: compared from the first separation on."""
        return self.separation.lengths if self.separation else ()


# Groups: pieces of one group may stay together, as in BurrTools.
#
# A puzzle gives the number of copies of a piece that belong to each group. A part whose pieces all
# belong to the same single group is not taken apart. A part that is locked counts as taken apart if
# some group has room for all its pieces in addition to those of other parts assigned to it.

Groups = tuple[tuple[int, int], ...]


class Grouping:
    """The groups of one solution's pieces, and the parts that stay together so far."""

    def __init__(self, groups: Sequence[Groups], names: Sequence[str]) -> None:
        self._groups = groups
        self._some = any(groups)
        self._names = names
        self._parts: list[tuple[int, ...]] = []

    @classmethod
    def none(cls, count: int) -> "Grouping":
        """Return the grouping of pieces that must all come apart."""
        return cls([()] * count, [""] * count)

    @classmethod
    def of(cls, puzzle: PackingPuzzle, solution: PackingSolution) -> "Grouping":
        """Return the grouping of a solution's pieces."""
        names = [placement.piece for placement in solution.placements]
        known = {piece.name: piece.groups for piece in puzzle.pieces}
        return cls([known[name] for name in names], names)

    def is_single_group(self, part: Sequence[int]) -> bool:
        """Return whether all pieces of a part belong to the same single group."""
        if not self._some:
            return False
        numbers = {tuple(group for group, _ in self._groups[piece]) for piece in part}
        return len(numbers) == 1 and len(next(iter(numbers))) == 1

    def accept(self, part: tuple[int, ...]) -> bool:
        """Assign a locked part to a group if there is room; return whether there is."""
        if not all(self._groups[piece] for piece in part):
            return False
        parts = [*(each for each in self._parts if not set(each) <= set(part)), part]
        if not self._fits(parts, Counter()):
            return False
        self._parts = parts
        return True

    def _fits(self, parts: Sequence[tuple[int, ...]], used: Counter[tuple[int, str]]) -> bool:
        """Return whether each part can have a group without exceeding the copies in it."""
        if not parts:
            return True
        first, rest = parts[0], parts[1:]
        for group, _ in self._groups[first[0]]:
            taken = used + Counter((group, self._names[piece]) for piece in first)
            room = {
                (group, self._names[piece]): dict(self._groups[piece]).get(group, 0)
                for piece in first
            }
            fits = all(taken[key] <= most for key, most in room.items())
            if fits and self._fits(rest, taken):
                return True
        return False
