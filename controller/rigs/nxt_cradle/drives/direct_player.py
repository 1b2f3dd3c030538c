"""Plays motions over direct commands: three motors watched at once, and orders given in time."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from controller.errors import MotorStalledError
from controller.motion.mechanism import MotorSeen, OnMotors, nobody_watches
from controller.rigs.nxt_cradle.brick.brick_link import BrickLink
from controller.rigs.nxt_cradle.brick.counters import read_counters
from controller.rigs.nxt_cradle.drives.follower import Follower
from controller.rigs.nxt_cradle.drives.motor_habits import LagHabit
from controller.rigs.nxt_cradle.motions import Done, Go, Motion, Phase, Push, Reach, Rest, Square
from controller.rigs.nxt_cradle.motors import Motor
from solvers.foundation.clock import Clock

LOOK_INTERVAL_S: Final = 0.05
"""While nothing is to be expected, motors are looked at this often."""
RUNNING_INTERVAL_S: Final = 0.012
STALL_LOOKS: Final = 5
"""A motor counts as stalled only after so many looks, however late the computer makes them."""
LONGEST_WAIT_S: Final = 6.0
LONGEST_WAIT_LOOKS: Final = 60
NEAR_DEG: Final = 2
"""How near its goal a motor comes to stand."""
BEYOND_DEG: Final = 6
"""How far beyond its goal a motor may come on its way."""
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
        on_motors: OnMotors = nobody_watches,
    ) -> None:
        self._link = link
        self._clock = clock
        self._stall_s = stall_s
        self._on_motors = on_motors
        self._home = dict.fromkeys(Motor, 0)
        self._lag = LagHabit()
        self._followers = {
            motor: Follower(motor, link, self._lag, power, NEAR_DEG)
            for motor, power in zip(Motor, powers, strict=True)
        }
        self._look_s = 0.0  # that looks take

    def begin(self) -> None:
        """Begin from motors that stand, wherever that is."""
        for motor, follower in self._followers.items():
            follower.begin(self._clock.now(), self._link.tacho(motor))

    def play(
        self,
        motions: Iterable[Motion],
        home: Sequence[int],
        on_phase: Callable[[int], object] = lambda _: None,
    ) -> None:
        """Play a choreography; `home` are the counts of all motors at home.

        `on_phase` hears of each phase that is reached, and 0 when the work is done, before the
        motors go on. Raises MotorStalledError.
        """
        at_home = self._home = dict(zip(Motor, home, strict=True))
        for motion in motions:
            match motion:
                case Go():
                    follower = self._followers[motion.motor]
                    self._set_load(motion.motor, pushes=False)
                    follower.go(self._clock.now(), at_home[motion.motor] + motion.angle_deg)
                case Push():
                    self._set_load(motion.motor, pushes=True)
                    self._followers[Motor.CRADLE].forget_ends()
                    self._followers[motion.motor].push(self._clock.now(), motion.power)
                case Reach() | Rest():
                    self._wait(motion, at_home[motion.motor])
                case Square():
                    self._square(motion, at_home[Motor.CRADLE])
                case Phase():
                    on_phase(motion.number)
                case Done():
                    on_phase(0)

    def go(self, motor: Motor, target: int, within_deg: int = NEAR_DEG) -> None:
        """Bring one motor to a count, with all others standing, and let it stand there."""
        self.begin()
        self._followers[motor].near_deg = within_deg
        self.play((Go(motor, target), Rest(motor, within_deg)), (0, 0, 0))

    def _square(self, square: Square, home: int) -> None:
        """Take the cradle to the other end of its play, which drags the layer, until it is fine."""
        cradle, straight = self._followers[Motor.CRADLE], home + square.angle_deg
        way = 1 if cradle.count > straight else -1
        for _ in range(SQUARING_TRIES):
            farthest = cradle.highest if way > 0 else cradle.lowest
            if way * (farthest - straight) - square.play_deg <= SQUARE_DEG:
                return
            way = -way
            cradle.forget_ends()
            cradle.go(self._clock.now(), straight + way * square.play_deg)
            self._wait(Rest(Motor.CRADLE, NEAR_DEG), home)
        raise self._stalled(cradle, home)

    def _set_load(self, motor: Motor, *, pushes: bool) -> None:
        for each, follower in self._followers.items():
            if each is not motor:
                follower.model.is_loaded = pushes and motor is Motor.ARM

    def _wait(self, wait: Reach | Rest, home: int) -> None:
        follower = self._followers[wait.motor]
        began_s, looks, looks_at_rest = self._clock.now(), 0, 0
        follower.moved_s = began_s
        while not _is_over(wait, follower, home):
            self._look(follower, wait, home)
            looks += 1
            looks_at_rest = 0 if follower.moved_s == follower.seen_s else looks_at_rest + 1
            rests_s = follower.seen_s - follower.moved_s
            is_still = looks_at_rest >= STALL_LOOKS and rests_s > self._stall_s
            is_endless = looks > LONGEST_WAIT_LOOKS and follower.seen_s - began_s > LONGEST_WAIT_S
            if is_still or is_endless:
                raise self._stalled(follower, home)

    def _look(self, waited_for: Follower, wait: Reach | Rest, home: int) -> None:
        """Give the orders that are due until it is time to look again, and look."""
        now_s = self._clock.now()
        look_at_s = now_s + LOOK_INTERVAL_S
        if isinstance(wait, Reach):
            reaches_s = waited_for.reaches_s(now_s, home + wait.angle_deg)
            look_at_s = min(look_at_s, max(now_s, reaches_s))
        if any(not follower.is_settled for follower in self._followers.values()):
            look_at_s = min(look_at_s, now_s + RUNNING_INTERVAL_S)
        self._give_orders(look_at_s)
        now_s = self._clock.now()
        if look_at_s > now_s:
            self._clock.sleep(look_at_s - now_s)
        self._see(
            motor
            for motor, follower in self._followers.items()
            if follower is waited_for or not follower.is_settled
        )

    def _see(self, motors: Iterable[Motor]) -> None:
        """Look at some motors."""
        unseen = list(motors)
        began_s = self._clock.now()
        while unseen:
            asked_s = self._clock.now()
            counts = read_counters(self._link, unseen)
            answered_s = self._clock.now()
            self._lag.see_trip(answered_s - asked_s)
            spare_s = answered_s - asked_s - self._lag.most_s
            for motor, count in counts.items():
                self._followers[motor].see(asked_s, answered_s, count, spare_s)
                unseen.remove(motor)
            self._give_orders(answered_s)
        self._look_s = self._clock.now() - began_s
        self._on_motors(
            [
                MotorSeen(motor.name.lower(), each.count - at, each.goal - at)
                for (motor, each), at in zip(
                    self._followers.items(), self._home.values(), strict=True
                )
            ]
        )

    def _give_orders(self, until_s: float) -> None:
        """Give the orders that are due up to a time, or would be while somebody looks."""
        while True:
            now_s = self._clock.now()
            due_s, first = min(
                ((follower.due_s(now_s), follower) for follower in self._followers.values()),
                key=lambda pair: pair[0],
            )
            if due_s <= now_s:
                first.brake(now_s)
            elif due_s <= max(until_s, now_s) + self._look_s:
                self._clock.sleep(due_s - now_s)
            else:
                return

    def _stalled(self, follower: Follower, home: int) -> MotorStalledError:
        """Brake all motors and return the error."""
        for each in Motor:
            self._link.brake(each)
        motor = follower.motor
        return MotorStalledError(
            f"Motor {motor} ({motor.name.lower()}) does not move on: it stands at "
            f"{follower.count - home} degrees, on its way to {follower.goal - home}. Is something "
            "in its way, or the battery empty?"
        )


def _is_over(wait: Reach | Rest, follower: Follower, home: int) -> bool:
    if isinstance(wait, Rest):
        return follower.stands_within(wait.within_deg)
    is_beyond = follower.is_beyond(home + wait.angle_deg, 1 if wait.upwards else -1)
    return is_beyond and follower.ends_within(BEYOND_DEG)
