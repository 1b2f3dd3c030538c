"""What taking a solution apart comes to: moves, level, or why it cannot be done."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Final

from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.faces import CLOSE, Cell, in_space
from solvers.polycube.lattice.lattice import Lattice

FRONT_OR_BACK: Final = ("", "back", "front")
RIGHT_OR_LEFT: Final = ("", "right", "left")
UP_OR_DOWN: Final = ("", "up", "down")
"""Where a way has no part along an axis of space, where it goes along it, and against it."""


def way_words(way: Cell, lattice: Lattice) -> str:
    """Return where a way leads: "to the front right", "up and to the left".

    Layers lie as in the text picture, front row last.
    """
    x, y, z = ((at > CLOSE) - (at < -CLOSE) for at in in_space(lattice.frame, way))
    aside = f"{FRONT_OR_BACK[y]} {RIGHT_OR_LEFT[x]}".strip()
    return " and ".join(filter(None, [UP_OR_DOWN[z], aside and f"to the {aside}"]))


@dataclass(frozen=True, slots=True)
class Move:
    """Pieces, by their number, that slide together.

    They slide along the way so many `steps` times; None means until they are out.
    """

    pieces: tuple[int, ...]
    way: Cell
    steps: int | None

    def words(self, lattice: Lattice = CUBES) -> str:
        """Return how far and where to."""
        far = "out" if self.steps is None else str(self.steps)
        return f"{far} {way_words(self.way, lattice)}"


@dataclass(frozen=True)
class Separation:
    """The shortest way to make two parts of some pieces: the last of `moves` removes one part.

    `left` is how the part that stays is taken apart, `removed` how the part that leaves; None for
    a single piece or for pieces that may stay together.
    """

    pieces: tuple[int, ...]
    moves: tuple[Move, ...]
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
    """Either the whole way apart, or what hinders it: then `stuck` pieces stay together.

    LOCKED is a proof: all `positions` that the stuck pieces can reach were looked at, and none of
    their moves, of any set of them, separates any. GIVEN_UP is none: there were more positions
    than room for them.
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
        """What is greater for the harder of two: compared from the first separation on."""
        return self.separation.lengths if self.separation else ()
