"""A mechanism without a machine: primitives take their calibrated time and nothing moves."""

from collections.abc import Callable, Sequence

from controller.motion.cost_model import CostModel
from controller.motion.mechanism import State
from controller.motion.primitives import Primitive
from solvers.foundation.clock import Clock


class DryRunMechanism:
    """Lets the calibrated seconds pass on the given clock."""

    def __init__(self, costs: CostModel, clock: Clock) -> None:
        self._costs = costs
        self._clock = clock

    @property
    def state(self) -> State:
        """Nothing: it has no motors that could stand anywhere."""
        return {}

    def set_home(self) -> None:
        """Do nothing."""

    def restore(self, state: State) -> bool:  # noqa: ARG002
        """Accept any earlier run."""
        return True

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Let the primitive's time pass."""
        on_state(self.state)
        self._clock.sleep(self._costs.price(primitive, before))
        if not ahead:
            self._clock.sleep(self._costs.ending)

    def release(self) -> None:
        """Do nothing: there are no motors."""
