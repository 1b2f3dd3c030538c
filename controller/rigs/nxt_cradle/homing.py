"""Finds home by feeling for it: how the rig stands is not taken on trust.

Arm and pusher are driven gently against their back ends. The cradle has no end; with the cube held
between arm and pusher, unpressed, it is turned to either side until the cube stops it, and home is
the middle; if that is so near that the bottom layer may be askew, where it was before on a brick
that stayed on, or half way there. This works from up to 30 degrees of each motor off, with the
pusher anywhere, and with the cube askew in its play; and with the cradle anywhere, as a spin that
was cut off leaves it, if the cube is straight in it. Where the bottom layer may be anywhere
too, `HeldCube.level` finds it.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import remainder
from typing import Final

from controller.errors import MotorStalledError
from controller.rigs.nxt_brick.brick_link import BrickLink
from controller.rigs.nxt_brick.direct_player import DirectPlayer
from controller.rigs.nxt_brick.homing import FARTHEST_DEG, NEAR_DEG, EndFinder
from controller.rigs.nxt_brick.motion import Known, Motor
from controller.rigs.nxt_cradle.calibration.values import Calibration
from solvers.foundation.clock import Clock

SHIFTS_DEG: Final = (0, -35, 35, -70, 70, -105, 105, 140)
"""How the cradle is turned to free a cube so askew that the closing arm meets its corner."""
LAYER_ASKEW_DEG: Final = 8
"""Of the cradle's motor: what a turn may leave of a layer that still clicks straight in a tilt."""
COUNTED_WITHIN_DEG: Final = 11
"""Half a tooth of the gear: a layer felt no further from its count is askew, else teeth skipped."""
STRAYED_DEG: Final = 25
"""How far from where its counter says an end may be: a tooth that was skipped, and some more."""
SHORT_DEG: Final = 5
"""How far short of their ends they may be stopped before a cube is taken to lie in the way."""
PRESSING_DEG: Final = 20
"""Further than the arm can press into a cube."""
FREEING_DEG: Final = (20, 0, 40)
"""How far the arm is closed on a cube that lies in the way back of arm or pusher, in turn."""
LIFTED_DEG: Final = 10
"""Beyond where the arm meets the cube; it tips at thrice that."""
HALVINGS: Final = 4
"""Of the width in which a cube can be lifted: of 28 degrees less than two are left."""


@dataclass(frozen=True, slots=True)
class HeldCube:
    """Moves with two players, gently or with force, as the layer needs it.

    `arm` and `pusher` are what their counters show at home. Everything raises RobotError.
    """

    link: BrickLink
    gentle: DirectPlayer
    strong: DirectPlayer
    calibration: Calibration
    arm: float
    pusher: float

    def hold(self) -> None:
        """Bring the pusher up to the cube; the arm is closed."""
        self._go(Motor.PUSHER, self.pusher + self.calibration.pusher.touch_deg)
        self.link.coast(Motor.ARM)  # pressed, the cube would let its bottom layer turn

    def come_to(self, angle: float) -> None:
        """Bring the cradle to an angle; beyond its play it takes the whole cube along."""
        self._go(Motor.CRADLE, angle)

    def turn_layer(self, target: float, way: int) -> None:
        """Turn the bottom layer, which lags by the play, while arm and pusher hold the rest.

        Gently, which is the more exact, and with force where that is not enough. A pusher that is
        only braked gives way to the arm, which would tip the cube. The arm goes back as far as it
        has come: a hook over the cube would catch the pusher on its way home.
        """
        beyond = round(target + way * self.calibration.cradle.slack_deg)
        self.link.hold(Motor.PUSHER)
        try:
            self._press()
            self._go(Motor.CRADLE, beyond)
        except MotorStalledError:
            self._press()
            self.strong.go(Motor.CRADLE, beyond, within_deg=1)
        self._go(Motor.ARM, self.arm + self.calibration.arm.closed_deg)
        self.link.coast(Motor.ARM)
        self.link.brake(Motor.PUSHER)

    def level(self, stands_at: float) -> float:
        """Return the cradle's angle at the quarter next to `stands_at`, with the layer there.

        Raises MotorStalledError if the cube can be lifted nowhere.
        """
        for angle in self._nearest_first(stands_at):
            if self._lifts_at(angle):
                middle = (self._edge(angle, 1) + self._edge(angle, -1)) / 2
                self._bring(middle)
                return middle
        self._bring(stands_at)
        raise MotorStalledError(
            "The arm (motor B) cannot lift the cube, wherever the cradle stands. Straighten the "
            "cube's layers, put it straight into its cradle, and try again."
        )

    def _nearest_first(self, angle: float) -> Iterator[float]:
        """Yield angles in steps that miss no quarter, up to half a quarter to either side."""
        step = 1.5 * self.calibration.geometry.cradle_level
        yield angle
        for number in range(1, 2 + int(self.calibration.cradle.quarter_deg / 2 / step)):
            yield angle + number * step
            yield angle - number * step

    def _edge(self, lifts_at: float, way: int) -> float:
        """Return how far the cradle may be turned `way` until the cube is lifted no more."""
        inside, outside = 0.0, 2 * self.calibration.geometry.cradle_level
        for _ in range(HALVINGS):
            between = (inside + outside) / 2
            if self._lifts_at(lifts_at + way * between):
                inside = between
            else:
                outside = between
        return lifts_at + way * (inside + outside) / 2

    def _lifts_at(self, angle: float) -> bool:
        """Bring cradle and layer to an angle, and try to lift the cube a little."""
        geometry = self.calibration.geometry
        self._bring(angle)
        self._go(Motor.PUSHER, self.pusher + geometry.below(geometry.pusher_touches)[1])
        try:
            self._go(Motor.ARM, self.arm + geometry.arm_lifts + LIFTED_DEG)
        except MotorStalledError:
            is_lifted = False
        else:
            is_lifted = True
        self._go(Motor.ARM, self.arm + self.calibration.arm.closed_deg)
        self.hold()
        return is_lifted

    def _bring(self, angle: float) -> None:
        """Turn the layer to an angle, and the cradle to the middle of its play there."""
        self.turn_layer(angle, 1 if angle >= self.link.tacho(Motor.CRADLE) else -1)
        self.come_to(angle)

    def _press(self) -> None:
        self.link.run(Motor.ARM, self.calibration.arm.press_power, PRESSING_DEG)

    def _go(self, motor: Motor, target: float) -> None:
        self.gentle.go(motor, round(target), within_deg=1)


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

        In the order cradle, arm, pusher. Where home is `known` by the counters, ends that are short
        of it are refused, and a layer that is felt to be askew is brought straight; an end that is
        farther shows that home was not known: a cube stopped the arm then. `counted_deg`
        is how far the cradle stands from where it was straight, as `counted` says. `by_lifting`
        trusts no count of the cradle, and its play no more than that. Raises MotorStalledError with
        what could not be found, and RobotError; the motors are off in any case.
        """
        self._let_go()  # a search for home that lost its link may have left a motor pushing
        stood_at, arm_at, pusher_at = (self._link.tacho(motor) for motor in Motor)
        known_deg = None  # of the cradle
        try:
            pusher, arm = self._homes_by_ends()
            if known is not None:
                for closed_deg in FREEING_DEG:
                    if pusher - pusher_at - known.pusher_deg <= SHORT_DEG and (
                        arm - arm_at - known.arm_deg <= SHORT_DEG
                    ):
                        break
                    with suppress(MotorStalledError):
                        self._strong.go(Motor.ARM, round(arm_at + known.arm_deg) + closed_deg)
                    pusher, arm = self._homes_by_ends()
                farthest = min(
                    _beyond(Motor.PUSHER, pusher, pusher_at + known.pusher_deg),
                    _beyond(Motor.ARM, arm, arm_at + known.arm_deg),
                )
                if farthest >= -STRAYED_DEG:
                    known_deg = known.cradle_deg
            self._close(arm)
            held = HeldCube(self._link, self._player, self._strong, self._calibration, arm, pusher)
            held.hold()
            middle = self._middle_of_play()
            counted = None if counted_deg is None else stood_at + counted_deg
            if by_lifting:
                cradle = held.level(middle)
            elif known_deg is None and counted is not None and self._may_be(middle, counted):
                cradle = self._quarter_next_to(middle, counted)
                if abs(cradle - middle) > LAYER_ASKEW_DEG:
                    held.turn_layer(cradle, 1 if cradle > middle else -1)
            else:
                cradle = _straight(held, middle, stood_at, known_deg)
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

    def _homes_by_ends(self) -> tuple[float, float]:
        """Return where pusher and arm are at home by where they end; the arm is away then."""
        out_deg = round(self._calibration.geometry.pusher_end)  # where a cut off run left it
        pusher = self._end(Motor.PUSHER, -1, FARTHEST_DEG + out_deg)
        arm = self._end(Motor.ARM, -1)
        stops = self._calibration.stops
        return pusher - stops.pusher_back_deg, arm - stops.arm_back_deg

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


def _straight(held: HeldCube, middle: float, stood_at: int, known_deg: float | None) -> float:
    """Return where the cradle is straight: it `stood_at` an angle and has come to a `middle`.

    What is felt is the bottom layer, which the last turn may have left askew itself, as the last
    run may have left the cradle. Where either explains what is felt, half way between them is at
    most half wrong, and the errors of run after run die out.
    """
    before = stood_at + (known_deg or 0)
    is_near = abs(middle - before) <= LAYER_ASKEW_DEG
    if known_deg is None:
        return (before + middle) / 2 if is_near else middle
    if not is_near:
        held.come_to(middle)  # which squares the rest of the cube
    held.turn_layer(before, 1 if before > middle else -1)
    return before


def _beyond(motor: Motor, felt: float, counted: float) -> float:
    """Return how far an end is from where the counter has it, negative if it is farther back.

    Refuses a home that is short of it: what stopped the motor was not its end.
    """
    if felt - counted > STRAYED_DEG:
        raise MotorStalledError(
            f"Home was not found: motor {motor} ({motor.name.lower()}) was stopped "
            f"{felt - counted:.0f} degrees from its end. Is something in its way?"
        )
    return felt - counted
