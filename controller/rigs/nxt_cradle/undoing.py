"""Lays the cube straight after a primitive that could not be completed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.errors import MotorStalledError
from controller.motion.primitives import Primitive, Tilt, TurnLayer
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.homing import Known
from controller.rigs.nxt_cradle.motions import CutOff, Motion


@dataclass(frozen=True, slots=True)
class Undoing:
    """Plays primitives backwards, by counters that show `home` there.

    `play` moves the motors and returns when they are done. The cradle stood at `cradle_quarters`
    before the primitive.
    """

    play: Callable[[Sequence[Motion]], object]
    choreographer: Choreographer
    home: tuple[int, int, int]
    cradle_quarters: int

    def undo(self, primitive: Primitive, cut_off: CutOff) -> bool:
        """Return whether the cube surely lies as before `primitive`; it lies straight.

        Raises MotorStalledError if a layer is left between its quarters, and RobotError. A cube
        that was spun or tilted is squared by finding home, which follows.
        """
        quarters = self.cradle_quarters
        has_moved = self.choreographer.may_have_moved(primitive, quarters, cut_off)
        if not has_moved and not isinstance(primitive, Tilt):
            return True
        is_undone = not has_moved or not isinstance(primitive, Tilt)
        try:
            self.play(self.choreographer.undoing(primitive, quarters, cut_off))
        except MotorStalledError:
            if isinstance(primitive, TurnLayer):
                raise
            return not has_moved
        return is_undone

    def known_home(self, counts: tuple[int, int, int]) -> Known:
        """Return where home is by the counts of now."""
        cradle, arm, pusher = (home - count for home, count in zip(self.home, counts, strict=True))
        cradle += round(self.cradle_quarters * self.choreographer.quarter_deg)
        return Known(cradle, arm, pusher)
