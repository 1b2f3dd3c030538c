"""The cube in the cradle: its pieces, how it lies, and the 54 stickers that one would see."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Self, TypeAlias

from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Face, Orientation, X, Y

Vector: TypeAlias = tuple[int, int, int]

TILT: Final = X.inverse()  # the front goes down
# Axes of the room: x to the right, y to the front, z up. For each place the direction it faces,
# the direction in which the numbers of its stickers run, and that of its rows.
_DIRECTIONS: Final[dict[Face, tuple[Vector, Vector, Vector]]] = {
    Face.U: ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    Face.R: ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    Face.F: ((0, 1, 0), (1, 0, 0), (0, 0, -1)),
    Face.D: ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    Face.L: ((-1, 0, 0), (0, 1, 0), (0, 0, -1)),
    Face.B: ((0, -1, 0), (-1, 0, 0), (0, 0, -1)),
}


@dataclass(frozen=True)
class CradledCube:
    """A cube and how it lies; `cube` stays in the cube's own frame however it is rolled."""

    cube: CubieCube = SOLVED
    orientation: Orientation = UPRIGHT

    def tilted(self) -> Self:
        """Return the cube rolled over once: what lay in front lies at the bottom."""
        return replace(self, orientation=self.orientation.then(TILT))

    def spun(self, quarter_turns: int) -> Self:
        """Return the cube after clockwise quarter turns seen from above: right comes to front."""
        orientation = self.orientation
        for _ in range(quarter_turns % 4):
            orientation = orientation.then(Y)
        return replace(self, orientation=orientation)

    def bottom_turned(self, quarter_turns: int) -> Self:
        """Return the cube after turning the bottom layer clockwise seen from below."""
        if quarter_turns % 4 == 0:
            return self
        move = Move.of(self.orientation[Face.D], quarter_turns % 4)
        return replace(self, cube=self.cube.apply([move]))

    @property
    def stickers(self) -> str:
        """The 54 sticker letters where they lie: places U R F D L B, nine each.

        The letters are the cube's own colours, so the centres say how it lies.
        """
        own = format_facelets(self.cube)
        return "".join(own[index] for index in _sources(self.orientation))

    @property
    def facelets(self) -> str:
        """The stickers as a scan of the lying cube would name them: by the place of the centre."""
        return "".join(self.orientation.place_of(Face[letter]).name for letter in self.stickers)


@lru_cache(maxsize=24)
def _sources(orientation: Orientation) -> tuple[int, ...]:
    """Return for each lying sticker its index on the upright cube."""
    upright = {position: index for index, position in enumerate(_positions())}
    axes = {_DIRECTIONS[place][0]: _DIRECTIONS[orientation[place]][0] for place in Face}
    right, front, up = axes[1, 0, 0], axes[0, 1, 0], axes[0, 0, 1]

    def turned_back(vector: Vector) -> Vector:
        x, y, z = (
            vector[0] * right[axis] + vector[1] * front[axis] + vector[2] * up[axis]
            for axis in range(3)
        )
        return x, y, z

    return tuple(upright[turned_back(point), turned_back(normal)] for point, normal in _positions())


def _positions() -> list[tuple[Vector, Vector]]:
    """Return for each sticker index its place on the 3 x 3 x 3 grid and the way it faces."""
    positions = []
    for place in Face:
        normal, along, down = _DIRECTIONS[place]
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                x, y, z = (
                    normal[axis] + column * along[axis] + row * down[axis] for axis in range(3)
                )
                positions.append(((x, y, z), normal))
    return positions
