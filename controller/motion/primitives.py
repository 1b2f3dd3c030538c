"""The motions that a rig makes of a cube (thesis 2010, chapter on the robot), and their prices.

Places are those of the cradle, seen by a person in front of the rig.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, Protocol


@dataclass(frozen=True, slots=True)
class Tilt:
    """The pusher rolls the cube forwards: the front face comes down, the up face to the front."""

    def __str__(self) -> str:
        return "tilt"


@dataclass(frozen=True, slots=True)
class Spin:
    """The cradle turns the whole cube about the vertical axis.

    `quarters` is -3..3 without 0; positive is clockwise seen from above, which brings the right
    face to the front (motor A runs backwards, 315 degrees a quarter).
    """

    quarters: int

    def __str__(self) -> str:
        return f"spin {90 * self.quarters:+d}"


@dataclass(frozen=True, slots=True)
class TurnLayer:
    """The cradle turns the bottom layer while arm and pusher hold the rest of the cube.

    `quarters` is -3..3 without 0; positive is clockwise seen from below, the move of the face that
    is down (motor A runs forwards, 315 degrees a quarter).
    """

    quarters: int

    def __str__(self) -> str:
        return f"turn {90 * self.quarters:+d}"


Primitive = Tilt | Spin | TurnLayer

HOME: Final = "home"
AfterView = Primitive | Literal["home"] | None
"""What follows a view of the cube, `HOME` if that is not known yet; None: there is no view."""


def parse_primitive(text: str) -> Primitive:
    """Read back what `str` makes of a primitive, e.g. `tilt`, `spin +90`, `turn -180`.

    Raises ValueError for anything else.
    """
    name, _, angle_deg = text.partition(" ")
    if name == "tilt" and not angle_deg:
        return Tilt()
    quarters, rest = divmod(int(angle_deg), 90)
    if name not in ("spin", "turn") or rest or quarters == 0 or abs(quarters) > 3:
        raise ValueError(f"{text!r} is not a primitive")
    return Spin(quarters) if name == "spin" else TurnLayer(quarters)


class CostModel(Protocol):
    """The prices of one rig. Immutable and hashable: what is computed from them is cached."""

    def __hash__(self) -> int:
        """Return the same for equal prices."""

    @property
    def ending(self) -> float:
        """The seconds from the end of a plan's last primitive until the machine is home."""

    def price(self, primitive: Primitive, before: Primitive | None) -> float:
        """Return the seconds that `primitive` takes after `before`, or at home; above 0.

        All prices of a plan depend on such pairs alone; that is what makes its cheapest
        translation exact.
        """


def price_all(
    costs: CostModel, primitives: Iterable[Primitive], before: Primitive | None = None
) -> float:
    """Return the seconds of a list of primitives that follows `before`."""
    return sum(prices(costs, primitives, before))


def prices(
    costs: CostModel, primitives: Iterable[Primitive], before: Primitive | None = None
) -> list[float]:
    """Return the seconds of each of a list of primitives that follows `before`."""
    found = []
    for primitive in primitives:
        found.append(costs.price(primitive, before))
        before = primitive
    return found
