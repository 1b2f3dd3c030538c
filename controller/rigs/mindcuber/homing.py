"""Finds home as programs for this machine do: each arm is driven forward to its end stop.

The table has no end. On a brick that stayed on it is brought to the nearest quarter by its count;
else where it stands is taken for straight, as its owner puts it.
"""

from collections.abc import Callable
from math import remainder
from typing import Final

from controller.rigs.mindcuber.calibration import MindCuberCalibration
from controller.rigs.mindcuber.motors import NAMES, SENSOR_ARM, TABLE, TILT_ARM
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.home.homing import EndFinder
from controller.rigs.nxt_cradle.motions.choreography import Known
from solvers.foundation.clock import Clock

BEYOND_DEG: Final = 60
"""How much further than its whole way an arm may come before its end stop."""


class MindCuberHoming(EndFinder):
    """Moves the motors of a connected brick by direct commands; a program on it may wait."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        calibration: MindCuberCalibration,
        beat: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take a machine; `beat` is the sign of life for the guard on the brick."""
        super().__init__(
            link,
            clock,
            calibration.table.quarter_deg,
            calibration.patience.stall_s,
            beat,
            NAMES,
        )
        self._machine = calibration

    def home_from_here(
        self,
        known: Known | None = None,
        counted_deg: int | None = None,
        *,
        by_lifting: bool = False,  # noqa: ARG002 - the table has nothing to be felt
    ) -> tuple[int, int, int]:
        """Bring the machine home; return how far home is from where each motor stands, in degrees.

        In the order of the ports. The arms' home is at their stops, where they do not stay.
        Raises MotorStalledError with what could not be found, and RobotError; the motors are off in
        any case.
        """
        machine = self._machine
        self._let_go()
        try:
            tilt = self._end(TILT_ARM, 1, machine.tilt.tilt_deg + BEYOND_DEG)
            self._go(TILT_ARM, tilt - machine.tilt.away_deg)
            sensor = self._end(SENSOR_ARM, 1, machine.sensor.away_deg + BEYOND_DEG)
            self._go(SENSOR_ARM, sensor - machine.sensor.away_deg)
            table = self._straight(known, counted_deg)
            self._go(TABLE, table)
        finally:
            self._let_go()
        at = [self._link.tacho(motor) for motor in (TABLE, SENSOR_ARM, TILT_ARM)]
        return round(table) - at[0], round(sensor) - at[1], round(tilt) - at[2]

    def _straight(self, known: Known | None, counted_deg: int | None) -> float:
        """Return the count at which the table is straight."""
        stands_at = self._link.tacho(TABLE)
        if known is not None:
            return stands_at + known.cradle_deg
        if counted_deg is None:
            return stands_at
        return stands_at + remainder(counted_deg, self._machine.table.quarter_deg)
