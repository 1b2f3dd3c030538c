"""A cube in a rig: its pieces, orientation and stickers, how a simulation starts, its file."""

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Self, TypeAlias

import msgspec

from hardware_sims.errors import InvalidScenarioError, SimulatorError
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import write_text
from solvers.foundation.typed_files import read_json
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import format_facelets, parse_facelets
from solvers.rubik.held_cube import read_stickers
from solvers.rubik.notation import Move, read_moves
from solvers.rubik.rotations import UPRIGHT, Face, Orientation, X, Y, all_orientations
from solvers.rubik.scramble import random_state

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
    """A cube and its orientation; `cube` stays in the cube's own frame however it is rolled."""

    cube: CubieCube = SOLVED
    orientation: Orientation = UPRIGHT

    def tilted(self) -> Self:
        """Return the cube rolled over once: the front goes to the bottom."""
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
        """The 54 sticker letters by their places, U R F D L B, nine each.

        The letters are the cube's own colours, so the centres show its orientation.
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


def starting_cube(
    scramble: str | None = None, facelets: str | None = None, seed: int | None = None
) -> CradledCube:
    """Return the cube after the moves of a scramble, of 54 facelets, or of a seed; else solved.

    Raises:
        InvalidScenarioError: more than one is given, or it cannot be read.
    """
    given = [
        option
        for option, value in (("--scramble", scramble), ("--facelets", facelets), ("--seed", seed))
        if value is not None
    ]
    if len(given) > 1:
        raise InvalidScenarioError(f"{' and '.join(given)} exclude each other; give one of them.")
    try:
        if scramble is not None:
            written = read_moves(scramble)
            return CradledCube(SOLVED.apply(written.moves), written.orientation)
        if facelets is not None:
            return CradledCube(read_stickers(facelets).position)
    except InvalidInputError as error:
        raise InvalidScenarioError(f"{given[0]}: {error}") from error
    return CradledCube(SOLVED if seed is None else random_state(seed))


VERSION = 1


class _RigFile(msgspec.Struct, frozen=True):
    """The file: 54 facelets of the upright cube, and its faces at the places U R F D L B."""

    version: int
    cube: str = ""
    lies: str = ""


def save_cube(path: Path, cube: CradledCube) -> None:
    """Replace the file in one step. Raises SimulatorError if it cannot be written."""
    document = {
        "version": VERSION,
        "cube": format_facelets(cube.cube),
        "lies": "".join(face.name for face in cube.orientation.faces),
    }
    write_text(path, json.dumps(document) + "\n", error=SimulatorError)


def load_cube(path: Path) -> CradledCube:
    """Return the cube that `save_cube` wrote.

    Raises:
        InvalidScenarioError: the file cannot be read or was not written by `save_cube`.
    """
    try:
        file = read_json(path, _RigFile, "The rig file")
        if file.version != VERSION:
            raise InvalidInputError(
                f"{path} is of version {file.version}, this program reads {VERSION}."
            )
        orientation = _orientation(file.lies)
        return CradledCube(parse_facelets(file.cube), orientation)
    except InvalidInputError as error:
        raise InvalidScenarioError(
            f"{path} is no rig file ({error}); delete it to start with a new cube."
        ) from error


def _orientation(faces: str) -> Orientation:
    with suppress(KeyError, ValueError):
        orientation = Orientation(tuple(Face[letter] for letter in faces))
        if orientation in all_orientations():
            return orientation
    raise InvalidInputError(f"{faces!r} is no orientation of a cube")
