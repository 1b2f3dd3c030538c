"""A plan as the page draws it: one block for each primitive."""

import msgspec

from controller.motion.cost_model import CostModel
from controller.motion.planning.virtual_cube import VirtualCube, move_of
from controller.motion.primitives import Primitive, TurnLayer


class Block(msgspec.Struct, frozen=True):
    """One primitive of the plan: tilt, spin or turn, as text, its seconds, and the move it is."""

    kind: str
    text: str
    seconds: float
    move: str = ""


def kind_of(primitive: Primitive) -> str:
    """Return the word for a primitive."""
    return str(primitive).partition(" ")[0]


def blocks_of(
    cube: VirtualCube, primitives: tuple[Primitive, ...], costs: CostModel
) -> list[Block]:
    """Return the plan as blocks, from the cube as it lies before."""
    blocks = []
    before: Primitive | None = None
    for primitive in primitives:
        move = str(move_of(primitive, cube)) if isinstance(primitive, TurnLayer) else ""
        seconds = costs.price(primitive, before)
        blocks.append(Block(kind_of(primitive), str(primitive), round(seconds, 2), move))
        cube, before = cube.after(primitive), primitive
    return blocks
