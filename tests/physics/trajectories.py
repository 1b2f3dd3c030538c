"""Trajectories of the three motors: one row a millisecond.

Columns: time in ms, then degrees of the arm's, the pusher's and the cradle's motor from home. A
cradle that does not turn may be left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Trajectory: TypeAlias = npt.NDArray[np.float64]

MOTOR_SPEED: Final = 840.0
"""Degrees a second of an NXT motor at 8 V without load: 159 rpm at 9 V by Watanabe's constants."""
MOTOR_ACCELERATION: Final = 14_500.0
"""Degrees a second squared (assumed: full speed in 0.06 s; the thesis' order takes 0.93 s)."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How a motor moves: its top speed (deg/s) and its acceleration (deg/s2)."""

    speed: float = MOTOR_SPEED
    acceleration: float = MOTOR_ACCELERATION

    def slower(self, factor: float) -> "Pace":
        """Return the pace of the same motions in `factor` times the time."""
        return Pace(self.speed / factor, self.acceleration / factor**2)


FULL: Final = Pace()
GENTLE_ARM: Final = Pace(288.0, 0.3 * MOTOR_ACCELERATION)
GENTLE_PUSHER: Final = Pace(MOTOR_SPEED, 0.5 * MOTOR_ACCELERATION)


@dataclass(frozen=True, slots=True)
class Tilting:
    """How a tilt is driven; by default in the thesis' order: B 40, C 200, C 0, B -30, B 0.

    The pusher leaves home when the arm passes `leaves_at`; the arm goes back when the pusher, on
    its way home, is at `back_at`.
    """

    up: Pace = GENTLE_ARM
    back: Pace = GENTLE_ARM
    pusher: Pace = GENTLE_PUSHER
    tips_to: float = 40.0
    leaves_at: float = 40.0
    turns_at: float = 200.0
    back_at: float = 0.0
    swings_to: float = -30.0

    def trajectory(self) -> Trajectory:
        """Return the motors' angles from home to home."""
        up = np.array(move(0.0, self.tips_to, self.up))
        away = np.array(move(0.0, self.turns_at, self.pusher))
        home = np.array(move(self.turns_at, 0.0, self.pusher))
        starts = int(np.argmax(up >= self.leaves_at)) + 1
        stroke = np.concatenate([np.zeros(starts), away, home])
        returns = starts + len(away) + int(np.argmax(home <= self.back_at)) + 1
        back = move(self.tips_to, self.swings_to, self.back) + move(self.swings_to, 0.0, self.back)
        arm = np.concatenate([up, np.full(max(0, returns - len(up)), self.tips_to), back])
        count = max(len(arm), len(stroke))
        return from_angles(
            np.column_stack(
                [np.pad(each, (0, count - len(each)), "edge") for each in (arm, stroke)]
            )
        )


def thesis_tilt(arm: Pace = GENTLE_ARM, pusher: Pace = GENTLE_PUSHER) -> Trajectory:
    """Return the thesis' order, one motion after the other, gentle where nothing else is asked."""
    return Tilting(up=arm, back=arm, pusher=pusher).trajectory()


def from_angles(rows: Sequence[tuple[float, ...]] | Trajectory) -> Trajectory:
    """Return the trajectory with one row of angles for each millisecond."""
    return np.column_stack([np.arange(len(rows), dtype=np.float64), np.asarray(rows, np.float64)])


def move(start: float, goal: float, pace: Pace) -> list[float]:
    """Return the angles of each millisecond of a motion at a pace, the goal last."""
    way = abs(goal - start)
    ramp = min(pace.speed**2 / pace.acceleration, way)  # speeding up and slowing down together
    top = sqrt(ramp * pace.acceleration)
    seconds = 2 * top / pace.acceleration + (way - ramp) / max(top, 1e-9)
    count = max(1, round(seconds * 1000))
    times = np.arange(1, count + 1) * seconds / count
    rising = 0.5 * pace.acceleration * np.minimum(times, top / pace.acceleration) ** 2
    left = np.maximum(0.0, times - (seconds - top / pace.acceleration))
    cruising = top * np.maximum(0.0, times - top / pace.acceleration)
    travelled = rising + cruising - 0.5 * pace.acceleration * left**2
    travelled[-1] = way
    return [float(start + np.sign(goal - start) * each) for each in travelled]
