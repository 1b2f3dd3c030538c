"""MindCuber with the program on its brick, and the colour sensor that reads the face that is up.

It finds home as programs for this machine do: each arm is driven forward to its end stop. The table
has no end. On a brick that stayed on it is brought to the nearest quarter by its count; else where
it stands is taken for straight, as its owner puts it.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from math import remainder
from typing import Final

from controller.errors import MotorStalledError
from controller.motion.mechanism import OnMotors, ignore_motors
from controller.rigs.mindcuber.calibration import (
    NAMES,
    SENSOR_ARM,
    TABLE,
    TILT_ARM,
    MindCuberCalibration,
)
from controller.rigs.mindcuber.choreography import (
    NEAR_DEG,
    SENSOR_CLEAR_DEG,
    MindCuberChoreographer,
)
from controller.rigs.nxt_brick.brick_link import BrickLink
from controller.rigs.nxt_brick.homing import EndFinder
from controller.rigs.nxt_brick.motion import Done, Go, Known, Motion, Motor, Reach
from controller.rigs.nxt_brick.player import Player
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from solvers.foundation.clock import Clock

Colour = tuple[float, float, float]

CENTRE: Final = 4
AROUND: Final = (2, 5, 8, 7, 6, 3, 0, 1)
"""Which stickers come below the sensor, eighth by eighth, as the table turns counter-clockwise: the
sensor reaches in from the back. Clockwise it is their mirror image."""
MIRRORED: Final = (2, 1, 0, 5, 4, 3, 8, 7, 6)
EIGHTHS: Final = len(AROUND)
SAMPLES: Final = 3
SAMPLING_S: Final = 0.003  # the brick samples all lamps in that time
FULL_SCALE: Final = 1023
STARTING_S: Final = 0.3  # from the sensor's type to its first value
LONGEST_S: Final = 4.0
BEYOND_DEG: Final = 60
"""How much further than its whole way an arm may come before its end stop."""


class MindCuberMechanism(ProgramMechanism):
    """The machine, moved by the program on its brick."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        calibration: MindCuberCalibration,
        on_motors: OnMotors = ignore_motors,
    ) -> None:
        player = Player(link, clock, calibration.powers)
        homing = MindCuberHoming(link, clock, calibration, player.beat)
        choreographer = MindCuberChoreographer(calibration)
        super().__init__(player, choreographer, clock, homing, on_motors, NAMES)
        self._link = link
        self._calibration = calibration
        self._is_sensing = False
        self._way = 1  # of the table: to and fro, so that counts stay small

    def read_face(self) -> Sequence[Colour]:
        """Return linear red, green and blue of the face that is up, 0 to 1, in reading order.

        The back of the machine is at the top. The cube has to be flat in it. Raises RobotError.
        """
        if not self._is_sensing:
            self._link.sense_colours(on=True)
            self._clock.sleep(STARTING_S)
            self._is_sensing = True
        session = 1 + secrets.randbelow(0xFFFF)
        self._player.start_session(session)
        self._state.session, self._state.number = session, 0
        face: dict[int, Colour] = {}
        for place, motions in self._steps():
            self._step(motions)
            if place is not None:
                face[place] = self._sample()
        self._state.cradle_quarters += 4 * self._way
        self._way = -self._way
        self._finished = 0
        self._start_afresh(self._player.status())
        return [face[place] for place in range(1 + EIGHTHS)]

    def release(self, *, at_once: bool = False) -> None:
        """Let the motors go, and put the sensor's lamp out."""
        super().release(at_once=at_once)
        if self._is_sensing:
            self._is_sensing = False
            self._link.sense_colours(on=False)

    def _steps(self) -> Iterator[tuple[int | None, tuple[Motion, ...]]]:
        """Yield the motions of a scan of one face, and the sticker that is read after each."""
        table, sensor, tilt = (
            self._calibration.table,
            self._calibration.sensor,
            self._calibration.tilt,
        )
        at = round(self._state.cradle_quarters * table.quarter_deg)
        way = self._way
        open_arm = (Go(TILT_ARM, -tilt.release_deg), *_arrival(TILT_ARM, -tilt.release_deg, 1))
        yield CENTRE, (*open_arm, *_sent(SENSOR_ARM, -sensor.centre_deg, 1))
        for eighth in range(1, 1 + EIGHTHS):
            sticker = AROUND[eighth - 1]
            is_corner = eighth % 2 == 1
            # The cube follows the table when its play is taken up.
            angle = at + way * (eighth * table.quarter_deg // 2 + table.play_deg)
            back_deg = sensor.corner_deg if is_corner else sensor.edge_deg
            inwards = -1 if is_corner else 1
            motions = (
                Go(SENSOR_ARM, -back_deg),
                *_sent(TABLE, angle, way),
                *_arrival(SENSOR_ARM, -back_deg, inwards),
            )
            yield (sticker if way > 0 else MIRRORED[sticker]), motions
        end = at + way * 4 * table.quarter_deg
        away = -sensor.away_deg
        gone = Reach(SENSOR_ARM, away + SENSOR_CLEAR_DEG, upwards=False)
        yield None, (Go(SENSOR_ARM, away), *_sent(TABLE, end, -way), gone)

    def _step(self, motions: Sequence[Motion]) -> None:
        self._state.number += 1
        self._player.send(self._state.number, (*motions, Done()), self._state.home)
        until_s = self._clock.now() + LONGEST_S
        while self._clock.now() < until_s:
            status = self._player.wait()
            if status.fault:
                break
            if status.finished == self._state.number:
                return
        raise MotorStalledError(
            "The colour sensor or the table does not come to the next sticker. Is something in the "
            "machine's way?"
        )

    def _sample(self) -> Colour:
        samples = []
        for _ in range(SAMPLES):
            samples.append(self._link.colours())
            self._clock.sleep(SAMPLING_S)
        red, green, blue = (
            sum(lamp) / (SAMPLES * FULL_SCALE) for lamp in zip(*samples, strict=True)
        )
        return red, green, blue


def _sent(motor: Motor, angle: int, way: int) -> tuple[Motion, ...]:
    """Return the motions that bring a motor to an angle, which it comes to `way`."""
    return Go(motor, angle), *_arrival(motor, angle, way)


def _arrival(motor: Motor, angle: int, way: int) -> tuple[Motion, ...]:
    return (Reach(motor, angle - way * NEAR_DEG, upwards=way > 0),)


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
        if known is not None and known.cradle_deg is not None:
            return stands_at + known.cradle_deg
        if counted_deg is None:
            return stands_at
        return stands_at + remainder(counted_deg, self._machine.table.quarter_deg)
