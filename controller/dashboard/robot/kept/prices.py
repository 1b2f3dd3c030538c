"""What the owner's calibration says that the primitives take."""

from typing import Final

import msgspec

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.registry import DEFAULT_RIG, rig_called
from solvers.foundation.errors import PuzzlerigError

SHOWN: Final[tuple[Primitive, ...]] = (Tilt(), Spin(1), Spin(2), TurnLayer(1), TurnLayer(2))


class Price(msgspec.Struct, frozen=True):
    """A primitive from home, and the robot's seconds for it."""

    primitive: str
    seconds: float


def calibrated() -> list[Price]:
    """Return prices as they are calibrated now; none if the owner's file cannot be read."""
    try:
        costs = rig_called(DEFAULT_RIG).setup().costs
    except PuzzlerigError:  # whoever connects is told
        return []
    return [Price(str(each), round(costs.price(each, None), 2)) for each in SHOWN]
