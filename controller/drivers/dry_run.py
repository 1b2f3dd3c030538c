"""A mechanism without a machine: primitives take their calibrated time and nothing moves."""

from collections.abc import Callable

from controller.drivers.mechanism import HomeAngles
from controller.motion.cost_model import CostModel, leaves_arm_open
from controller.motion.primitives import Primitive
from solvers.foundation.clock import Clock


class DryRunMechanism:
    """Lets the calibrated seconds pass on the given clock."""

    def __init__(self, costs: CostModel, clock: Clock) -> None:
        self._costs = costs
        self._clock = clock
        self._arm_open = False

    def set_home(self) -> HomeAngles:
        """Return a home at zero."""
        return (0, 0, 0)

    def recount_home(self) -> HomeAngles:
        """Return a home at zero."""
        return (0, 0, 0)

    def restore(self, home: HomeAngles, cradle_quarters: int) -> bool:  # noqa: ARG002
        """Accept any earlier run."""
        return True

    def perform(
        self,
        primitive: Primitive,
        *,
        keep_arm_open: bool = False,
        first_step: int = 0,  # noqa: ARG002
        again: bool = False,  # noqa: ARG002
        on_step: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Let the primitive's time pass."""
        on_step(0)
        self._clock.sleep(self._costs.price(primitive, arm_open=self._arm_open))
        self._arm_open = keep_arm_open and leaves_arm_open(primitive)

    def release(self) -> None:
        """Do nothing: there are no motors."""
