"""What plans cost: prices that a rig gives and the planner minimises."""

from collections.abc import Iterable
from typing import Protocol

from controller.motion.primitives import Primitive


class CostModel(Protocol):
    """The prices of one rig. Immutable and hashable: what is computed from them is kept."""

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
