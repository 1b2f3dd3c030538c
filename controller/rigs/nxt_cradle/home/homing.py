"""Finds home by feeling for it, as MindCuber does: how the rig stands is not taken on trust.

Arm and pusher are driven gently against their back ends. The cradle has no end; with the cube held
between arm and pusher, unpressed, it is turned to either side until the cube stops it, and home is
the middle; if that is so near that the bottom layer may be askew, where it was before on a brick
that stayed on, or half way there. This works from up to 30 degrees of each motor off, with the
pusher anywhere, and with the cube askew in its play; and with the cradle anywhere, as a spin that
was cut off leaves it, if the cube is straight in it. Where the bottom layer may be anywhere
too, `HeldCube.level` finds it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import remainder
from typing import Final, Protocol

from controller.errors import BrickRefusedError, LinkLostError, MotorStalledError
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.brick.mark import Mark
from controller.rigs.nxt_cradle.calibration.values import Calibration
from controller.rigs.nxt_cradle.home.held_cube import LAYER_POWER, HeldCube
from controller.rigs.nxt_cradle.motions.choreography import Known
from controller.rigs.nxt_cradle.motions.direct_player import DirectPlayer
from controller.rigs.nxt_cradle.motors import MOTOR_NAMES, Motor
from solvers.foundation.clock import Clock

GENTLE_POWER: Final = 35
"""Percent: moves every mechanism of the rig with an empty battery, and bends none."""
FARTHEST_DEG: Final = 130
"""Further than 30 degrees off and any play; what has met nothing by then, meets nothing."""
NEAR_DEG: Final = 1
"""How near its goal a motor comes to stand."""
LOOK_INTERVAL_S: Final = 0.02
STANDING_LOOKS: Final = 8  # equal ones in a row: the motor stands
PRESSING_TRIES: Final = 10
SHIFTS_DEG: Final = (0, -35, 35, -70, 70, -105, 105, 140)
"""How the cradle is turned to free a cube so askew that the closing arm meets its corner."""
LAYER_ASKEW_DEG: Final = 8
"""Of the cradle's motor: what a turn may leave of a layer that still clicks straight in a tilt."""
MARKED_WITHIN_DEG: Final = 2
"""Of home stands the cradle where the brick is marked, and counts are whole degrees."""
COUNTED_WITHIN_DEG: Final = 11
"""Half a tooth of the gear: a layer felt no further from its count is askew, else teeth skipped."""
STRAYED_DEG: Final = 25
"""How far from where its counter says an end may be: a tooth that was skipped, and some more."""


class HomeFinder(Protocol):
    """What a drive asks of the search for home; `Homing` says what it means."""

    def counted(self, mark: Mark) -> int | None:
        """Return how far the cradle stands from where it was straight, None if unknown."""

    def keep_count(self, mark: Mark, away_deg: int) -> None:
        """Mark the brick unless it is."""

    def home_from_here(
        self,
        known: Known | None = None,
        counted_deg: int | None = None,
        *,
        by_lifting: bool = False,
    ) -> tuple[int, int, int]:
        """Bring the rig home; return how far home is from where each motor stands."""


class EndFinder:
    """Drives motors gently until something stops them, and marks where the first is straight."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        quarter_deg: float,
        stall_s: float,
        beat: Callable[[], bool] = lambda: False,
        names: Mapping[Motor, str] = MOTOR_NAMES,
    ) -> None:
        """Take a brick, the first motor's quarter, and the sign of life for the guard on it."""
        self._beat = beat
        self._link = link
        self._clock = clock
        self._quarter_deg = quarter_deg
        self._names = names
        self._player, self._strong = (
            DirectPlayer(link, clock, (power,) * len(Motor), stall_s, beat=beat, names=names)
            for power in (GENTLE_POWER, LAYER_POWER)
        )

    def counted(self, mark: Mark) -> int | None:
        """Return how far the cradle stands from where it was straight, at any quarter, in degrees.

        By its counter, since the brick was marked last; None if it is not marked.
        """
        straight = self._link.straight_at(mark)
        return None if straight is None else straight - self._link.tacho(Motor.CRADLE)

    def keep_count(self, mark: Mark, away_deg: int) -> None:
        """Mark the brick unless it is: its cradle is straight `away_deg` from where it stands."""
        counted_deg = self.counted(mark)
        if counted_deg is None or not self._is_quarters(away_deg - counted_deg):
            self._link.mark(mark, away_deg)

    def _is_quarters(self, deg: float) -> bool:
        return abs(remainder(deg, self._quarter_deg)) <= MARKED_WITHIN_DEG

    def _end(self, motor: Motor, direction: int, farthest_deg: int = FARTHEST_DEG) -> float:
        """Turn a motor gently until something stops it; return its counter there."""
        start = self._link.tacho(motor)
        tacho = self._press(motor, direction, farthest_deg)
        # One that stands because it was let go, by the watch over a slow link, has met nothing yet.
        for _ in range(PRESSING_TRIES):
            if abs(tacho - start) >= farthest_deg or self._link.is_on(motor):
                break
            tacho = self._press(motor, direction, farthest_deg - abs(tacho - start))
        self._link.brake(motor)
        if abs(tacho - start) >= farthest_deg:
            raise MotorStalledError(
                f"Home was not found: motor {motor} ({self._names[motor]}) met nothing within "
                f"{farthest_deg} degrees. Is the cube in its cradle, and the rig whole?"
            )
        self._link.coast(motor)
        return tacho

    def _press(self, motor: Motor, direction: int, farthest_deg: int) -> int:
        """Turn a motor gently until it stands, and leave the power on; return its counter."""
        self._beat()
        self._link.run(motor, direction * GENTLE_POWER, farthest_deg)
        tacho = self._link.tacho(motor)
        equal = 0
        while equal < STANDING_LOOKS:
            self._clock.sleep(LOOK_INTERVAL_S)
            self._beat()
            before, tacho = tacho, self._link.tacho(motor)
            equal = equal + 1 if tacho == before else 0
        return tacho

    def _go(self, motor: Motor, target: float) -> None:
        self._player.go(motor, round(target), within_deg=NEAR_DEG)

    def _let_go(self) -> None:
        """Brake and let go, as far as the link still allows."""
        with suppress(LinkLostError, BrickRefusedError):
            for motor in Motor:
                self._link.brake(motor)
            try:
                self._clock.sleep(LOOK_INTERVAL_S * STANDING_LOOKS)
            finally:
                for motor in Motor:
                    self._link.coast(motor)


class Homing(EndFinder):
    """Moves the motors of a connected brick by direct commands; a program on it may wait."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        calibration: Calibration,
        beat: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take a rig; `beat` is the sign of life for the guard on the brick."""
        quarter_deg, stall_s = calibration.cradle.quarter_deg, calibration.patience.stall_s
        super().__init__(link, clock, quarter_deg, stall_s, beat)
        self._calibration = calibration

    def home_from_here(
        self,
        known: Known | None = None,
        counted_deg: int | None = None,
        *,
        by_lifting: bool = False,
    ) -> tuple[int, int, int]:
        """Bring the rig home; return how far home is from where each motor stands, in degrees.

        In the order cradle, arm, pusher. Where home is `known` by the counters, ends that are not
        there are refused, and a layer that is felt to be askew is brought straight. `counted_deg`
        is how far the cradle stands from where it was straight, as `counted` says. `by_lifting`
        trusts no count of the cradle, and its play no more than that. Raises MotorStalledError with
        what could not be found, and RobotError; the motors are off in any case.
        """
        self._let_go()  # a search for home that lost its link may have left a motor pushing
        stood_at, arm_at, pusher_at = (self._link.tacho(motor) for motor in Motor)
        try:
            out_deg = round(self._calibration.geometry.pusher_end)  # where a cut off run left it
            pusher = self._end(Motor.PUSHER, -1, FARTHEST_DEG + out_deg)
            pusher -= self._calibration.stops.pusher_back_deg
            arm = self._end(Motor.ARM, -1) - self._calibration.stops.arm_back_deg
            if known is not None:
                _compare(Motor.PUSHER, pusher, pusher_at + known.pusher_deg)
                _compare(Motor.ARM, arm, arm_at + known.arm_deg)
            self._close(arm)
            held = HeldCube(self._link, self._player, self._strong, self._calibration, arm, pusher)
            held.hold()
            middle = self._middle_of_play()
            counted = None if counted_deg is None else stood_at + counted_deg
            if by_lifting:
                cradle = held.level(middle)
            elif known is None and counted is not None and self._may_be(middle, counted):
                cradle = self._quarter_next_to(middle, counted)
                if abs(cradle - middle) > LAYER_ASKEW_DEG:
                    held.turn_layer(cradle, 1 if cradle > middle else -1)
            else:
                cradle = _straight(held, middle, stood_at, known)
            self._go(Motor.CRADLE, cradle)
            self._go(Motor.PUSHER, pusher + self._calibration.pusher.home_deg)
        finally:
            self._let_go()
        stands_at = [self._link.tacho(motor) for motor in Motor]
        return (
            round(cradle) - stands_at[0],
            round(arm) - stands_at[1],
            round(pusher) - stands_at[2],
        )

    def _quarter_next_to(self, middle: float, counted: int) -> float:
        """Return the cradle's count where it is straight, if that is whole quarters from a count.

        Not half way to the `middle` that is felt: the last turn of a run leaves the layer off by as
        much as home is, and a little more either way. Halved from run to run that never dies out,
        it only adds up.
        """
        return middle - remainder(middle - counted, self._calibration.cradle.quarter_deg)

    def _may_be(self, middle: float, counted: int) -> bool:
        return abs(middle - self._quarter_next_to(middle, counted)) <= COUNTED_WITHIN_DEG

    def _middle_of_play(self) -> float:
        """Return the middle between where the held cube stops the cradle on either side."""
        upper, lower = self._end(Motor.CRADLE, 1), self._end(Motor.CRADLE, -1)
        if upper - lower < self._calibration.cradle.slack_deg:
            raise MotorStalledError(
                "Home was not found: motor A (cradle) does not turn. Is something in its way?"
            )
        return (upper + lower) / 2

    def _close(self, arm_home: float) -> None:
        """Close the arm round the cube, which may be so askew that it has to be freed first."""
        # It may stop short by as much as is allowed here, and would not square the cube there.
        closed = arm_home + self._calibration.arm.closed_deg + NEAR_DEG
        cradle = self._link.tacho(Motor.CRADLE)
        for shift_deg in SHIFTS_DEG:
            try:
                if shift_deg:
                    self._go(Motor.ARM, arm_home + self._calibration.arm.away_deg)
                    self._go(Motor.CRADLE, cradle + shift_deg)
                self._go(Motor.ARM, closed)
                return
            except MotorStalledError:
                continue
        raise MotorStalledError(
            "The arm (motor B) cannot close round the cube. Put the cube straight into its cradle, "
            "and the cradle roughly straight, and try again."
        )


def _straight(held: HeldCube, middle: float, stood_at: int, known: Known | None) -> float:
    """Return where the cradle is straight: it `stood_at` an angle and has come to a `middle`.

    What is felt is the bottom layer, which the last turn may have left askew itself, as the last
    run may have left the cradle. Where either explains what is felt, half way between them is at
    most half wrong, and the errors of run after run die out.
    """
    before = stood_at + (known.cradle_deg if known else 0)
    is_near = abs(middle - before) <= LAYER_ASKEW_DEG
    if known is None:
        return (before + middle) / 2 if is_near else middle
    if not is_near:
        held.come_to(middle)  # which squares the rest of the cube
    held.turn_layer(before, 1 if before > middle else -1)
    return before


def _compare(motor: Motor, felt: float, counted: float) -> None:
    """Refuse a home that the counter contradicts: what stopped the motor was not its end."""
    if abs(felt - counted) > STRAYED_DEG:
        raise MotorStalledError(
            f"Home was not found: motor {motor} ({motor.name.lower()}) was stopped "
            f"{abs(felt - counted):.0f} degrees from its end. Is something in its way?"
        )
