"""What searches for home share: ends found by feeling for them, and a home that lasts."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import remainder
from typing import Final, Protocol

from controller.errors import BrickRefusedError, LinkLostError, MotorStalledError
from controller.rigs.nxt_brick.brick_link import BrickLink, Mark
from controller.rigs.nxt_brick.direct_player import DirectPlayer
from controller.rigs.nxt_brick.motion import MOTOR_NAMES, Known, Motor
from solvers.foundation.clock import Clock

GENTLE_POWER: Final = 35
"""Percent: moves every mechanism of the rig with an empty battery, and bends none."""
LAYER_POWER: Final = 70
"""Percent: turns the layer of a stiff cube, which is no matter for gentle hands."""
FARTHEST_DEG: Final = 130
"""Further than 30 degrees off and any play; what has met nothing by then, meets nothing."""
NEAR_DEG: Final = 1
"""How near its goal a motor comes to stand."""
LOOK_INTERVAL_S: Final = 0.02
STANDING_LOOKS: Final = 8  # equal ones in a row: the motor stands
PRESSING_TRIES: Final = 10
MARKED_WITHIN_DEG: Final = 2
"""Of home stands the cradle where the brick is marked, and counts are whole degrees."""


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
