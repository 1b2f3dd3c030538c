"""A cube in a perfect rig: plans are replayed on it before a motor moves."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from controller.motion.cube_orientation import orientation_after
from controller.motion.primitives import Primitive, TurnLayer
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Face, Orientation


@dataclass(frozen=True, slots=True)
class VirtualCube:
    """The position of the cube and how it lies in the cradle."""

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
    """Return the face turns that primitives make of a cube that lies upright."""
    cube, moves = VirtualCube(SOLVED), []
    for primitive in primitives:
        if isinstance(primitive, TurnLayer):
            moves.append(move_of(primitive, cube))
        cube = cube.after(primitive)
    return tuple(moves)


def move_of(turn: TurnLayer, cube: VirtualCube) -> Move:
    """Return the face turn that a layer turn makes of the cube as it lies now."""
    return Move.of(cube.orientation[Face.D], turn.quarters % 4)
