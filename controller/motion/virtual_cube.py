"""A cube in a perfect rig: plans are replayed on it before a motor moves."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Self

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Face, Orientation, X, Y, all_orientations

# The tilt rolls the cube forwards, against the direction in which R turns.
_TILT = X.inverse()
# By quarters modulo 4; a spin by one quarter brings the right face to the front, as U turns.
_SPINS = (UPRIGHT, Y, Y.then(Y), Y.inverse())


@cache  # 24 orientations and few motions, asked for thousands of times in each plan
def orientation_after(orientation: Orientation, motion: Tilt | Spin) -> Orientation:
    """Return the orientation after one motion of the whole cube."""
    return orientation.then(_TILT if isinstance(motion, Tilt) else _SPINS[motion.quarters % 4])


@cache
def orientations_with_down(face: Face) -> tuple[Orientation, ...]:
    """Return the four orientations in which a layer turn would turn `face`."""
    return tuple(each for each in all_orientations() if each[Face.D] == face)


@dataclass(frozen=True, slots=True)
class VirtualCube:
    """The position of the cube and its orientation in the cradle."""

    position: CubieCube
    orientation: Orientation = UPRIGHT

    def after(self, primitive: Primitive) -> Self:
        """Return the cube after one primitive."""
        if not isinstance(primitive, TurnLayer):
            return type(self)(self.position, orientation_after(self.orientation, primitive))
        return type(self)(self.position.apply((move_of(primitive, self),)), self.orientation)

    def after_all(self, primitives: Iterable[Primitive]) -> Self:
        """Return the cube after a list of primitives."""
        result = self
        for primitive in primitives:
            result = result.after(primitive)
        return result


def moves_made(primitives: Iterable[Primitive]) -> tuple[Move, ...]:
    """Return the face turns that primitives make of an upright cube."""
    cube, moves = VirtualCube(SOLVED), []
    for primitive in primitives:
        if isinstance(primitive, TurnLayer):
            moves.append(move_of(primitive, cube))
        cube = cube.after(primitive)
    return tuple(moves)


def move_of(turn: TurnLayer, cube: VirtualCube) -> Move:
    """Return the face turn that a layer turn makes of the cube in its present orientation."""
    return Move.of(cube.orientation[Face.D], turn.quarters % 4)
