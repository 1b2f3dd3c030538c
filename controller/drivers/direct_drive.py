"""Positions motors over direct commands alone: nothing has to be installed on the brick.

nxt-python's own `Motor.turn` overshoots by tens of degrees, since it looks every tenth of a second
and stops where it happens to look. Here the moment to brake is predicted from the speed seen so
far and from how long the brick takes to answer; what is still missing then is made up slowly.
"""

import math
from dataclasses import dataclass

from controller.clock import Clock
from controller.drivers.brick_link import BrickLink
from controller.drivers.rig_steps import Motor
from controller.errors import MotorStalledError

# While a motor is far from its target it is looked at this often; nearer, as often as the link can.
LOOK_INTERVAL_S = 0.04
# A regulated motor that is braked still turns a little: this long at the speed it had.
BRAKING_TIME_S = 0.012
# What is left after the first brake is made up at this power, enough to overcome friction.
CREEP_POWER = 18
CREEPS = 6
# Two equal looks this far apart mean that the motor stands.
SETTLE_INTERVAL_S = 0.02
SETTLE_LOOKS = 15
# The firmware's own limit stops a motor that nobody brakes any more; this far beyond the target,
# so that it does not slow down a move that goes as planned.
FAIL_SAFE_DEG = 60
DEG_PER_S_PER_POWER = 10.0


@dataclass(slots=True)
class _Look:
    """One look at a motor: when the brick answered, and what its tacho showed."""

    time_s: float
    tacho: int
    round_trip_s: float


class DirectDrive:
    """A closed loop of its own over run, look and brake."""

    def __init__(self, link: BrickLink, clock: Clock, stall_s: float) -> None:
        self._link = link
        self._clock = clock
        self._stall_s = stall_s

    def start(self) -> None:
        """Nothing to prepare: direct commands are part of every firmware."""

    def push(self, motor: Motor, power: int) -> None:
        """Push with constant power."""
        self._link.push(motor, power)
        self._look(motor)

    def go(self, motor: Motor, target_tacho: int, power: int, tolerance_deg: float) -> None:
        """Drive there, brake ahead of the target, make up the rest slowly."""
        tacho = self._look(motor).tacho
        for attempt in range(1 + CREEPS):
            distance = target_tacho - tacho
            if abs(distance) <= tolerance_deg:
                break
            self._approach(motor, target_tacho, CREEP_POWER if attempt else power)
            tacho = self._settled(motor)
        else:
            raise MotorStalledError(
                f"Motor {motor.value} ({motor.name.lower()}) stands at {tacho} and cannot be "
                f"brought to {target_tacho} degrees. Is something in its way?"
            )
        self._link.hold(motor)
        self._look(motor)

    def _approach(self, motor: Motor, target: int, power: int) -> None:
        """Run towards `target` and brake in time."""
        look = self._look(motor)
        direction = 1 if target > look.tacho else -1
        self._link.reset_block(motor)
        limit_deg = abs(target - look.tacho) + FAIL_SAFE_DEG
        self._link.run(motor, direction * power, limit_deg)
        moved = look = self._look(motor)
        speed = 0.0
        while True:
            remaining = direction * (target - look.tacho)
            # The look is half a round trip old, and the brake takes another half to arrive.
            lead_s = BRAKING_TIME_S + look.round_trip_s
            brake_in_s = remaining / speed - lead_s if speed else math.inf
            if remaining <= 0 or brake_in_s <= look.round_trip_s:
                self._clock.sleep(max(0.0, brake_in_s))
                break
            self._clock.sleep(min(LOOK_INTERVAL_S, brake_in_s / 2))
            before, look = look, self._look(motor)
            if direction * (look.tacho - moved.tacho) > 0:
                moved = look
            elif look.time_s - moved.time_s > self._stall_s:
                self._link.hold(motor)
                raise self._stalled(motor, look.tacho, target, look.time_s - moved.time_s)
            speed = direction * (look.tacho - before.tacho) / (look.time_s - before.time_s)
            speed = max(0.0, min(speed, DEG_PER_S_PER_POWER * power * 1.2))
        self._link.hold(motor)

    def _settled(self, motor: Motor) -> int:
        """Wait until the motor stands and return its tacho."""
        tacho = self._look(motor).tacho
        for _ in range(SETTLE_LOOKS):
            self._clock.sleep(SETTLE_INTERVAL_S)
            before, tacho = tacho, self._look(motor).tacho
            if tacho == before:
                break
        return tacho

    def _look(self, motor: Motor) -> _Look:
        asked_s = self._clock.now()
        tacho = self._link.tacho(motor)
        answered_s = self._clock.now()
        return _Look(answered_s, tacho, answered_s - asked_s)

    def _stalled(self, motor: Motor, tacho: int, target: int, for_s: float) -> MotorStalledError:
        return MotorStalledError(
            f"Motor {motor.value} ({motor.name.lower()}) has not moved for {for_s:.1f} s at "
            f"{tacho} on its way to {target} degrees. Something blocks it, or the battery is empty."
        )
