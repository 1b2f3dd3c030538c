"""Where the robot's motors stand, told to the page at most so often."""

import threading
from collections.abc import Sequence
from typing import Final

import msgspec

from controller.dashboard.hub import Hub
from controller.motion.mechanism import MotorSeen
from solvers.foundation.clock import Clock

MOTORS: Final = "motors"
TELL_S: Final = 1 / 15


class MotorView(msgspec.Struct, frozen=True):
    """A motor in degrees from its home; `least` and `most` since the robot was connected."""

    name: str
    angle: int
    goal: int | None
    least: int
    most: int


class Motors:
    """Tells the page; any thread may see. `clock` is the page's, not the robot's."""

    def __init__(self, hub: Hub, clock: Clock) -> None:
        self._hub = hub
        self._clock = clock
        self._lock = threading.Lock()
        self._told_s = -TELL_S
        self._views: dict[str, MotorView] = {}
        self._hub.publish(MOTORS, [])

    def forget(self) -> None:
        """Show no motors: there is no robot."""
        with self._lock:
            self._views = {}
            self._hub.publish(MOTORS, [])

    def see(self, motors: Sequence[MotorSeen]) -> None:
        """Take in a look at them; the page hears of it if it did not just now."""
        with self._lock:
            for seen in motors:
                old = self._views.get(seen.name)
                angle = seen.angle_deg
                self._views[seen.name] = MotorView(
                    seen.name,
                    angle,
                    seen.goal_deg,
                    min(angle, old.least if old else 0),
                    max(angle, old.most if old else 0),
                )
            now_s = self._clock.now()
            if now_s - self._told_s >= TELL_S:
                self._told_s = now_s
                self._hub.publish(MOTORS, list(self._views.values()))
