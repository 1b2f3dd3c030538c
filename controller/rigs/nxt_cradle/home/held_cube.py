"""The cube between the closed arm and the pusher: its bottom layer can be turned, and it lifted.

A cradle whose count is wrong, with a layer that goes with it, cannot be found by its play: the
brick was restarted in the middle of a turn, or its gear skipped a tooth. But only a straight cradle
lets the arm lift the cube: so the angles are felt between which that goes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from controller.errors import MotorStalledError
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.calibration.values import Calibration
from controller.rigs.nxt_cradle.motions.direct_player import DirectPlayer
from controller.rigs.nxt_cradle.motors import Motor

PRESSING_DEG: Final = 20
"""Further than the arm can press into a cube."""
LAYER_POWER: Final = 70
"""Percent: turns the layer of a stiff cube, which is no matter for gentle hands."""
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

        Gently, which is the more exact, and with force where that is not enough.
        """
        beyond = round(target + way * self.calibration.cradle.slack_deg)
        try:
            self._press()
            self._go(Motor.CRADLE, beyond)
        except MotorStalledError:
            self._press()
            self.strong.go(Motor.CRADLE, beyond, within_deg=1)
        self.link.coast(Motor.ARM)

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
