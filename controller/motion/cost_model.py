"""What each primitive costs in robot seconds, as calibrated."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.motion.primitives import Primitive, Spin, Tilt


@dataclass(frozen=True, slots=True)
class CostModel:
    """Mean duration of each primitive in seconds; all positive.

    After a tilt or a spin the arm stays open while another of them follows. Where it stays open it
    need not close and open again: `open_arm_saving_s` is what that saves each time.
    """

    tilt_s: float
    spin_s: tuple[float, float, float]  # by one, two and three quarters, either way
    turn_s: tuple[float, float, float]  # by one, two and three quarters, either way
    open_arm_saving_s: float = 0.0

    def price(self, primitive: Primitive, *, arm_open: bool) -> float:
        """Return the seconds that `primitive` takes with the arm left open or closed before it."""
        if isinstance(primitive, Tilt):
            seconds = self.tilt_s
        elif isinstance(primitive, Spin):
            seconds = self.spin_s[abs(primitive.quarters) - 1]
        else:
            return self.turn_s[abs(primitive.quarters) - 1]
        return seconds - self.open_arm_saving_s if arm_open else seconds

    def price_all(self, primitives: Iterable[Primitive]) -> float:
        """Return the seconds of a list of primitives that starts with the arm closed."""
        total, arm_open = 0.0, False
        for primitive in primitives:
            total += self.price(primitive, arm_open=arm_open)
            arm_open = leaves_arm_open(primitive)
        return total


def leaves_arm_open(primitive: Primitive) -> bool:
    """Say whether the arm may stay open after `primitive`: after all but layer turns."""
    return isinstance(primitive, Tilt | Spin)
