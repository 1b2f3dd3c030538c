"""The seam between plans and machines."""

from collections.abc import Callable
from typing import Protocol

from controller.motion.primitives import Primitive

HomeAngles = tuple[int, int, int]
"""What the tacho counters of cradle, arm and pusher show when the rig is at home, in degrees."""


class Mechanism(Protocol):
    """A rig that plays primitives.

    Calls come in this order: `set_home` or `restore`, then any number of `perform` and
    `recount_home`, then `release`, whatever happened before. All raise RobotError.
    """

    def set_home(self) -> HomeAngles:
        """Take the present pose as home: cradle straight, arm closed, pusher back."""

    def recount_home(self) -> HomeAngles:
        """Call the quarter in which the cradle stands now home; arm and pusher keep theirs."""

    def restore(self, home: HomeAngles, cradle_quarters: int) -> bool:
        """Take up an earlier run whose cradle stood `cradle_quarters` from home.

        Returns False if the machine has lost its positions since.
        """

    def perform(
        self,
        primitive: Primitive,
        *,
        keep_arm_open: bool = False,
        first_step: int = 0,
        again: bool = False,
        on_step: Callable[[int], None] = lambda _: None,
    ) -> None:
        """Play one primitive from its step `first_step` on; `on_step` hears of each as it begins.

        `again` if it was begun before and cut off.
        The cradle's position is counted on only when the primitive is complete, so that it can be
        played again after an error.
        """

    def release(self) -> None:
        """Stop all motors and let them coast; never raises."""
