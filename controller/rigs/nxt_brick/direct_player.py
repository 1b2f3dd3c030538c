"""Plays motions over direct commands, one motor after the other, as the thesis of 2010 did.

A motor runs at its power up to a limit of the firmware, is braked there and makes up what is
missing in small steps. Nothing is predicted and nothing overlaps: a slow link costs time, not
accuracy. Homing and moving a motor by hand use it with every drive.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from controller.errors import MotorStalledError
from controller.motion.mechanism import MotorSeen, OnMotors, ignore_motors
from controller.rigs.nxt_brick.brick_link import BrickAddress, BrickLink, own_link
from controller.rigs.nxt_brick.motion import (
    MOTOR_NAMES,
    Done,
    Go,
    Motion,
    Motor,
    Pause,
    Phase,
    Push,
    Reach,
    Rest,
    Square,
)
from controller.rigs.nxt_brick.programs import Guard
from controller.rigs.rig import Jogged
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError

LOOK_INTERVAL_S: Final = 0.01
STILL_S: Final = 0.06
STILL_LOOKS: Final = 3
"""A motor that shows the same count for so long, and in that many looks, stands: sooner it may only
not have started yet, or be creeping on."""
STOPS_DEG: Final = {100: 50, 80: 35, 60: 20, 35: 4}
"""How far a free motor runs on that is let go at a power in percent, and braked at once."""
DEG_PER_S_AND_POWER: Final = 8.0
"""Its speed: how much further it runs while the look that shows it is on its way."""
SLOWEST_TRIP_S: Final = 0.1
SMOOTH_POWER: Final = 35
"""Percent, for a motor that should move smoothly: about 200 degrees a second."""
STEP_POWER: Final = 28
"""Percent: overcomes the friction of a free motor, and stops within a few degrees."""
STEP_SLIDE_DEG: Final = 2
LEAST_POWER: Final = 18
MORE_POWER: Final = 10
"""Added to each step after one that did not move the motor, taken off after one that went too far:
over a slow link the brake comes late."""
STILL_RUNS: Final = 3
"""A motor is stalled after this number of runs that did not move it. Over a slow link a single one
takes longer than `stall_s`."""
LONGEST_S: Final = 12.0
MOST_RUNS: Final = 16
"""A motor that is not where it should be after this time and number of runs will not get there."""
PUSH_LIMIT_DEG: Final = 30
"""How far a pushing motor may come if what it pushes against gives way."""
NEAR_DEG: Final = 2
"""How near its goal a motor comes to stand."""
BEYOND_DEG: Final = 6
"""How far beyond its goal a motor may come on its way."""
SHORT_DEG: Final = 8
"""How short of its goal a motor may be held: goals are that far beyond what has to be reached."""
SQUARE_DEG: Final = 3
"""How far a turned layer may be off, of the cradle's motor: what clicks straight in a tilt is 8."""
SQUARING_TRIES: Final = 6


class DirectPlayer:
    """The three motors of a connected brick. Everything raises RobotError."""

    def __init__(
        self,
        link: BrickLink,
        clock: Clock,
        powers: Sequence[int],
        stall_s: float,
        on_motors: OnMotors = ignore_motors,
        beat: Callable[[], bool] = lambda: False,
        names: Mapping[Motor, str] = MOTOR_NAMES,
    ) -> None:
        """Take a brick and the motors' powers in percent, in their order.

        `beat` is the sign of life for the guard on the brick; it returns whether it came so late
        that the motors may have been let go.
        """
        self._link = link
        self._clock = clock
        self._powers = dict(zip(Motor, powers, strict=True))
        self._stall_s = stall_s
        self._on_motors = on_motors
        self._beat = beat
        self._names = names
        self._home = dict.fromkeys(Motor, 0)
        self._counts = dict.fromkeys(Motor, 0)
        self._goals = dict.fromkeys(Motor, 0)
        self._farthest = 0  # count of the motor that moved last, the way it went
        self._pushing: dict[Motor, int] = {}
        self._trip_s = SLOWEST_TRIP_S  # the shortest that a look has taken

    def start(self) -> None:
        """Start from motors that stand, wherever that is."""
        self._pushing.clear()
        self._goals = {motor: self._look(motor) for motor in Motor}

    def play(
        self,
        motions: Iterable[Motion],
        home: Sequence[int],
        on_phase: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Play a choreography; `home` are the counts of all motors at home.

        `on_phase` is called with each phase that is reached, and with 0 when the work is done,
        before the next motion. Raises MotorStalledError.
        """
        self._home = dict(zip(Motor, home, strict=True))
        for motion in motions:
            match motion:
                case Go():
                    goal = self._home[motion.motor] + motion.angle_deg
                    top = SMOOTH_POWER if motion.pace else 100
                    self._go(motion.motor, goal, NEAR_DEG, may_miss_deg=SHORT_DEG, top_power=top)
                case Push():
                    self._push(motion.motor, motion.power)
                case Reach():
                    self._check_reached(motion)
                case Rest():
                    if abs(self._missing_deg(motion.motor)) > motion.within_deg:
                        raise self._stalled(motion.motor)
                case Pause():
                    self._clock.sleep(motion.milliseconds / 1000)
                case Square():
                    self._square(motion, self._home[Motor.CRADLE])
                case Phase():
                    on_phase(motion.number)
                case Done():
                    on_phase(0)

    def go(self, motor: Motor, target: int, within_deg: int = NEAR_DEG) -> None:
        """Bring one motor to a count, with all others as they are, and let it stand there."""
        self._home = dict.fromkeys(Motor, 0)
        self._look(motor)
        self._go(motor, target, within_deg)

    def _go(
        self,
        motor: Motor,
        target: int,
        within_deg: int,
        may_miss_deg: int = 0,
        top_power: int = 100,
    ) -> None:
        """Bring a motor to a count; it may be held `may_miss_deg` from there, but no further."""
        self._pushing.pop(motor, None)
        self._goals[motor] = target
        began_s = moved_s = self._clock.now()
        runs = still_runs = more_power = 0
        self._farthest = self._counts[motor]
        if abs(target - self._counts[motor]) <= within_deg:
            self._link.brake(motor)  # it may have pushed
        while abs(missing_deg := self._missing_deg(motor)) > within_deg:
            before = self._counts[motor]
            way = 1 if missing_deg > 0 else -1
            top = min(top_power, self._powers[motor])
            power, limit_deg = self._step(top, abs(missing_deg), more_power)
            self._run(motor, way * power, limit_deg)
            now_s = self._clock.now()
            runs += 1
            if way * (self._counts[motor] - before) <= 0:
                more_power += MORE_POWER
                still_runs += 1
            else:
                moved_s, still_runs = now_s, 0
                if way * self._missing_deg(motor) < -within_deg:
                    more_power -= MORE_POWER
            stands = still_runs >= STILL_RUNS and now_s - moved_s > self._stall_s
            if stands or (runs >= MOST_RUNS and now_s - began_s > LONGEST_S):
                if abs(self._missing_deg(motor)) > max(within_deg, may_miss_deg):
                    raise self._stalled(motor)
                return

    def _missing_deg(self, motor: Motor) -> int:
        return self._goals[motor] - self._counts[motor]

    def _step(self, top: int, missing_deg: int, more_power: int) -> tuple[int, int]:
        """Return power, `top` at most at first, and limit of the next run towards a goal."""
        for power, stop_deg in STOPS_DEG.items():
            late_deg = round(DEG_PER_S_AND_POWER * power * self._trip_s)
            if more_power <= 0 and power <= top and missing_deg > 1.5 * (stop_deg + late_deg):
                return power, missing_deg - stop_deg - late_deg
        power = max(LEAST_POWER, min(100, STEP_POWER + more_power))
        return power, max(1, missing_deg - STEP_SLIDE_DEG)

    def _run(self, motor: Motor, power: int, limit_deg: int) -> None:
        """Run a motor up to a limit, brake it there, and wait until it stands."""
        if self._beat():
            self._push_again()
        start, way = self._counts[motor], 1 if power > 0 else -1
        # From its limit on, the firmware takes a unit of power away each millisecond; of a motor
        # that still turns when none is left, the next order loses counts.
        is_soon = 2 * (self._trip_s + LOOK_INTERVAL_S) < abs(power) / 1000
        self._link.run(motor, power, limit_deg)
        is_braked = False
        changed_s, equal_looks = self._clock.now(), 0
        while equal_looks < STILL_LOOKS or self._clock.now() - changed_s < STILL_S:
            self._clock.sleep(LOOK_INTERVAL_S)
            if self._beat() and self._pushing:
                self._link.brake(motor)
                self._push_again()
                return
            before, count = self._counts[motor], self._look(motor)
            self._farthest = way * max(way * self._farthest, way * count)
            if count != before:
                changed_s, equal_looks = self._clock.now(), 0
            else:
                equal_looks += 1
            if not is_braked and is_soon and way * (count - start) >= limit_deg:
                self._link.brake(motor)
                is_braked = True
        if not is_braked:
            self._link.brake(motor)

    def _push(self, motor: Motor, power: int) -> None:
        """Let a motor push until it stands, and on from there."""
        self._pushing[motor] = power
        self._link.run(motor, power, PUSH_LIMIT_DEG)
        changed_s, equal_looks = self._clock.now(), 0
        while equal_looks < STILL_LOOKS or self._clock.now() - changed_s < STILL_S:
            self._clock.sleep(LOOK_INTERVAL_S)
            before = self._counts[motor]
            if self._look(motor) != before:
                changed_s, equal_looks = self._clock.now(), 0
            else:
                equal_looks += 1

    def _push_again(self) -> None:
        """Push where a watch over the motors, for which the host was silent, may have let go."""
        for motor, power in self._pushing.copy().items():
            self._push(motor, power)

    def _check_reached(self, reach: Reach) -> None:
        way = 1 if reach.upwards else -1
        missing_deg = way * (self._home[reach.motor] + reach.angle_deg - self._counts[reach.motor])
        if missing_deg > 0:
            raise self._stalled(reach.motor)

    def _square(self, square: Square, home: int) -> None:
        """Take the cradle to the other end of its play, which drags the layer, until it is fine."""
        straight = home + square.angle_deg
        way = 1 if self._counts[Motor.CRADLE] > straight else -1
        for _ in range(SQUARING_TRIES):
            if way * (self._farthest - straight) - square.play_deg <= SQUARE_DEG:
                return
            way = -way
            self._go(Motor.CRADLE, straight + way * square.play_deg, NEAR_DEG)
        raise self._stalled(Motor.CRADLE)

    def _look(self, motor: Motor) -> int:
        asked_s = self._clock.now()
        count = self._counts[motor] = self._link.tacho(motor)
        self._trip_s = min(self._trip_s, self._clock.now() - asked_s)
        self._on_motors(
            [
                MotorSeen(self._names[each], self._counts[each] - at, self._goals[each] - at)
                for each, at in self._home.items()
            ]
        )
        return count

    def _stalled(self, motor: Motor) -> MotorStalledError:
        """Brake all motors and return the error."""
        self._pushing.clear()
        for each in Motor:
            self._link.brake(each)
        home = self._home[motor]
        return MotorStalledError(
            f"Motor {motor} ({self._names[motor]}) does not move on: it stands at "
            f"{self._counts[motor] - home} degrees, on its way to {self._goals[motor] - home}. "
            "Is something in its way, or the battery empty?"
        )


# A motor moved by hand

MOST_DEG: Final = 1260
"""No part of a rig turns further than this in one go; a typing error should not break it."""


def motor_called(text: str, names: Mapping[Motor, str]) -> Motor:
    """Return a motor by its name, the first word of it, or its port. Raises InvalidInputError."""
    for motor, name in names.items():
        if text.lower() in (name, name.split()[0], motor.value.lower()):
            return motor
    *others, last = (f"{name} ({motor})" for motor, name in names.items())
    raise InvalidInputError(f"{text!r} is no motor of the rig: {', '.join(others)} or {last}.")


def jog_motor(
    address: BrickAddress,
    motor: Motor,
    names: Mapping[Motor, str],
    angle_deg: int,
    power_percent: int,
    clock: Clock,
    stall_s: float,
) -> Jogged:
    """Turn one motor by some degrees and let it coast, to align a rig before a run.

    Raises InvalidInputError for more than 1260 degrees, and RobotError.
    """
    if abs(angle_deg) > MOST_DEG:
        raise InvalidInputError(f"{angle_deg} degrees is too far; at most {MOST_DEG} in one go.")
    with own_link(address) as link:
        guard = Guard(link, clock)
        guard.start()
        before = link.tacho(motor)
        powers = (power_percent,) * len(Motor)
        try:
            DirectPlayer(link, clock, powers, stall_s, beat=guard.beat, names=names).go(
                motor, before + angle_deg
            )
        finally:
            after = link.tacho(motor)
            link.coast(motor)
    return Jogged(names[motor], before, after)
