"""The overlapping motions that play one primitive between its neighbours.

A choreography is a list of motions, each started as soon as the one before it allows. `Go` and
`Push` start a motor and do not wait; `Reach` and `Rest` wait for one. A primitive is `Done` when
its work on the cube is done; arm, pusher and cradle are then still on their way to where the next
primitive needs them, and its first waits are for what has to be out of its way. What may overlap
follows from the rig's geometry alone: each wait names the contact that it respects.
"""

import logging
from collections.abc import Iterator
from itertools import cycle
from typing import Final, NamedTuple

from msgspec.structs import replace

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_brick.motion import (
    TIPPING,
    CutOff,
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
    cradle_change,
    reverse_of,
)
from controller.rigs.nxt_cradle.calibration.geometry import (
    FOLLOWING_YAW_DEG,
    SQUARED_YAW_DEG,
)
from controller.rigs.nxt_cradle.calibration.values import Calibration

_log: Final = logging.getLogger(__name__)

HOME_WITHIN_DEG: Final = 2
"""How near home the motors come to rest at the end."""

ARM_BEYOND_DEG: Final = 2
"""How much farther the arm is sent than what is waited for: it goes smoothly, to rest there."""

BACKLASH_DEG: Final = 2
"""Of the gears (published for the NXT): an arm stands behind its motor by up to that."""

RISING_DEG: Final = 14
"""As far as the arm goes to meet a cube that the pusher has just left; it tips none there."""

LEANING_DEG: Final = 8
"""How much less of the arm may be enough for a cube to lean towards the pusher."""

BACKING_OFF: Final = 4
"""Times the play: more than all of it, and what a cube can stand askew between arm and pusher."""

SOFTER: Final = 0.75
"""Times the press of the calibration: on some rigs that lifts the cube, and holds it no more."""
HARDEST: Final = 100
"""Percent: on others it is too little for a stiff cube."""


PRESSING_MS: Final = 200
"""In which an arm that meets the cube short of closed presses with all its power."""
GENTLER: Final = 0.93
"""Times the press of the calibration, where the arm has that long: more lifts the cube bit by bit
while its layer turns."""
HOLDING: Final = 0.85
"""Times the press with which the arm met the cube, once a layer turns: the rest would only take
voltage from the cradle. On the simulated rig of ten whose turns fail most, they stopped 6 of 120
cubes with 0.7, 7 of 280 with 0.85 and 2 of 60 with 1; 0.6 drags upper layers along on others."""


class Manner(NamedTuple):
    """A way to tilt on a rig where the usual one fails.

    The pusher seats the cube after each tilt, and before a first one, and the arm closes on it
    before a spin: one that starts off its place slips, and one edge of it may come down on the
    cradle's lip, where no spin takes it along. Before a layer turn it is seated, too: what the arm
    holds off its place loses its next tilt.
    """

    lift: float
    """Times the speed of the arm that tips the cube."""
    back: float
    """Times the speeds of its ways back."""
    further_deg: int
    """How far beyond its usual end the arm tips the cube."""
    seats_before: bool = False
    """Whether the pusher also seats a cube before it tilts, where a spin or turn came before."""
    is_late: bool = False
    """Whether pusher and arm set out only when the other one is through."""
    is_alone: bool = False
    """Whether every primitive starts and ends at home: then each tilt is a first one."""


MANNERS: Final = (
    Manner(1.3, 1.0, 0),
    Manner(0.85, 1.5, 2, is_late=True, is_alone=True),
    Manner(1.3, 1.0, 2, seats_before=True),
    Manner(0.85, 0.85, 2, seats_before=True, is_late=True),
)
"""Found with the 36 rigs to learn from in a rigid-body engine, 16 tilts among spins and turns at
each of three frictions: the first works on 26, and one of the others on each that is left. The
second mends rigs whose arm a cube that has rolled stops on a slow way back, the third those on
which a cube that was spun or turned does not roll, the fourth those that throw a cube that is
lifted fast."""


class Choreographer:
    """Knows one rig's angles, and what may overlap because of them.

    What it learns of a rig as it is used is how hard to press in a layer turn, and in which manner
    to tilt; it starts with the manner that earlier runs have learnt.
    """

    def __init__(self, calibration: Calibration, beyond_deg: int = 0) -> None:
        """Take a rig, and how far beyond its goal a motor may come with the drive in use.

        If it may at all, there are more waits: for what would jam, and until a layer is straight.
        """
        g = replace(calibration.geometry, run_out=calibration.geometry.run_out + beyond_deg)
        self._may_miss = beyond_deg > 0
        self._rig = g
        self.quarter_deg = calibration.cradle.quarter_deg
        self._play = calibration.cradle.slack_deg
        # Of a spin, which sets out within the play before arm and pusher are away.
        self._lean = max(0.0, self._play - g.play_margin - beyond_deg / 2)
        self._press_power = calibration.arm.press_power
        self._holding = 1.0 if self._may_miss else HOLDING
        softer = round(SOFTER * self._press_power)
        # The hardest first: a turn may have been cut off by a stop, not by the rig, and a press
        # that is too soft drags the layers above, which no motor shows.
        self._other_presses = cycle((HARDEST, softer, self._press_power))
        # Pairs: where a wait is over, and where the motor is sent so that it gets there at speed.
        self._arm_away, self._arm_down = (g.below(each)[0] for each in (g.arm_clears, g.arm_drops))
        self._arm_away_goal, self._arm_down_goal = (
            at - ARM_BEYOND_DEG for at in (self._arm_away, self._arm_down)
        )
        self._arm_closed_goal, self._arm_closing = 0, -ARM_BEYOND_DEG
        # The arm goes smoothly, and rests where the cube is tipped: farther would throw it.
        spare = round(g.margin) + BACKLASH_DEG if self._may_miss else 0
        tipped = round(g.arm_tips) + 1
        self._arm_tip_goal = round(g.arm_end) + spare
        # In some rigs a cube rolls before the angles say so, and then stops arm or pusher.
        self._arm_leans = tipped - LEANING_DEG
        self._pusher_rolling = round(g.pusher_clears)
        self._usual_tilting = self._tilting = calibration.tilting
        self._usual_tip = tipped, self._arm_tip_goal
        # A pusher that sets out then is still at home when the arm has tipped the cube.
        leaves = round(self._tilting.pusher_leaves)
        self._pusher_leaves = tipped if self._may_miss else min(tipped, leaves)
        self._is_seated = self._seats_before = self._is_alone = False
        self._arm_returns = round(self._tilting.arm_returns)
        self._usual_overlap = self._pusher_leaves, self._arm_returns
        self._arm_rises = round(self._tilting.arm_rises)
        self._arm_pressed = round(g.arm_closed)
        self._arm_closed = self._arm_pressed - beyond_deg  # further, it would lift the cube
        # On some rigs a cube that the pusher has met stops the arm a little short of closed.
        self._arm_held = self._arm_pressed - round(g.margin) - BACKLASH_DEG
        self._arm_unlifted = round(g.arm_lifts - g.margin)
        self._arm_following = round(g.following(g.arm_clears, g.arm_closed) - g.margin)
        self._pusher_home, self._pusher_home_goal = g.below(g.pusher_home)[0], 0
        self._pusher_away, self._pusher_away_goal = g.below(g.pusher_clears)
        # Nearer to the corners that pass, only where it surely does not come too far.
        halfway = (self._pusher_home_goal + self._pusher_away_goal) // 2
        self._pusher_waiting = halfway if self._may_miss else self._pusher_away_goal
        self._pusher_touching, pusher_touch_goal = g.above(g.pusher_touches)
        self._pusher_upright = round(g.pusher_upright - g.margin - beyond_deg / 2)
        self._pusher_touch_goal = min(pusher_touch_goal, self._pusher_upright)
        self._pusher_rolled, pusher_roll_goal = g.above(g.pusher_rolls)
        self._pusher_roll_goal = min(pusher_roll_goal, round(g.pusher_end))
        self._pusher_following = round(g.following(g.pusher_clears, g.pusher_touches) - g.margin)
        # A cube that is tipped in the cradle must not be pushed by it either.
        self._level = round(max(1.0, min(g.cradle_level, self._play) - g.margin))
        # How far from either end of a spin the cube, which lags or leads, is askew by that much.
        lag = self._play + g.margin
        self._follow_before = round(FOLLOWING_YAW_DEG * self.quarter_deg / 90 - lag)
        self._straight_before = round(SQUARED_YAW_DEG * self.quarter_deg / 90 - lag)
        manner = calibration.tuning.manner
        learnt = 0 if manner is None else max(0, min(len(MANNERS), round(manner.value)))
        # One that was learnt has worked: at a first fault it is taken up again.
        first = max(0, learnt - 1)
        self._manners = cycle((*MANNERS[first:], *MANNERS[:first]))
        if learnt:
            self._move_in(MANNERS[learnt - 1])

    def motions(
        self,
        primitive: Primitive,
        cradle_quarters: int,
        before: Primitive | None = None,
        ahead: Primitive | None = None,
        cut_off: CutOff | None = None,
        *,
        is_viewed: bool = False,
    ) -> tuple[Motion, ...]:
        """Return the motions of `primitive` between its neighbours.

        `cradle_quarters` is where the cradle stands before, in quarters of motor-forward turn from
        home. After no known `before` nothing is taken for granted, and a primitive that was
        `cut_off` is completed; with nothing `ahead` the rig goes home when the work is done. A cube
        that `is_viewed` comes down before what is ahead, or the way home. After a layer turn that
        was cut off, the arm presses otherwise: it most likely did not hold the cube.
        """
        if self._is_alone:
            before = ahead = None
        at = cradle_quarters * self.quarter_deg
        end = at + cradle_change(primitive) * self.quarter_deg
        match primitive:
            case Tilt():
                is_tipping = cut_off is not None and cut_off.phase >= TIPPING
                motions = self._tilt(at, before, ahead, is_tipping)
            case Spin():
                motions = self._spin(at, end, before, ahead)
            case TurnLayer():
                if cut_off:
                    self._press_power = next(self._other_presses)
                    self._holding = 1.0
                motions = self._turn(at, end, before, ahead, cut_off)
        if is_viewed:
            way_home = () if ahead else self._way_home(end)
            return (*motions, *self._let_down(primitive), *way_home)
        return (*motions, *(self._go_home(end, primitive) if ahead is None else ()))

    def change_manner(self, cut_off: Primitive | None) -> None:
        """Tilt in another manner from now on, unless it was a turn: the next one presses harder."""
        if isinstance(cut_off, TurnLayer):
            return
        self._move_in(next(self._manners))
        after = "home after each motion" if self._is_alone else "the pusher seats it each time"
        _log.warning("Tilts the cube carefully from now on: %s.", after)

    def _move_in(self, manner: Manner) -> None:
        tipped, goal = self._usual_tip
        self._is_seated = True
        self._holding = 1.0
        if manner.is_alone != self._is_alone:
            self._is_alone = manner.is_alone
            change = GENTLER if manner.is_alone else 1 / GENTLER
            self._press_power = round(change * self._press_power)
        leaves, returns = self._usual_overlap
        self._seats_before = manner.seats_before
        self._pusher_leaves = tipped + manner.further_deg if manner.is_late else leaves
        self._arm_returns = 0 if manner.is_late else returns
        self._arm_tip_goal = goal + manner.further_deg
        self._arm_leans = tipped + manner.further_deg - LEANING_DEG
        self._tilting = self._usual_tilting.at_speeds(manner.lift, manner.back)

    def is_free_after(self, primitive: Primitive) -> bool:
        """Say whether arm and pusher leave the upper face free: not while they hold the cube."""
        return isinstance(primitive, Tilt)

    def may_have_moved(self, primitive: Primitive, cradle_quarters: int, cut_off: CutOff) -> bool:
        """Say whether a primitive that was cut off may have left the cube other than it was."""
        if isinstance(primitive, Tilt):
            return cut_off.phase >= TIPPING and cut_off.pusher_deg > self._pusher_upright
        return abs(cut_off.cradle_deg - cradle_quarters * self.quarter_deg) > self._play

    def undoing(
        self, primitive: Primitive, cradle_quarters: int, cut_off: CutOff | None
    ) -> tuple[Motion, ...]:
        """Return the motions that take a spin or turn back, and let the cube of a tilt come down.

        `cradle_quarters` is where the cradle stood before `primitive`. The rig ends at home.
        """
        match primitive:
            case Tilt():
                home = self._go_home(cradle_quarters * self.quarter_deg, primitive)
                return (*self._let_down(None), Done(), *home)
            case Spin() | TurnLayer():
                stands = cradle_quarters + cradle_change(primitive)
                return self.motions(reverse_of(primitive), stands, cut_off=cut_off)

    def _tilt(
        self, at: float, before: Primitive | None, ahead: Primitive | None, is_tipping: bool
    ) -> Iterator[Motion]:
        if self._is_seated and before is None and not is_tipping:
            yield from self._let_down(None)
            yield Go(Motor.CRADLE, round(at))
            yield Rest(Motor.CRADLE, self._level)
            yield from self._seat()
        elif self._seats_before and isinstance(before, Spin | TurnLayer) and not is_tipping:
            yield self._short_of(at, self._level, -_sign(before.quarters))
            yield from self._seat()
        yield from self._let_down(before, is_tipping)
        yield from self._free_arm(at, before)
        yield Phase(TIPPING)
        is_turned = isinstance(before, TurnLayer)
        lift = self._tilting.lift_after_turn if is_turned else self._tilting.lift
        yield Go(Motor.ARM, self._arm_tip_goal, lift)
        yield Reach(Motor.ARM, self._pusher_leaves, upwards=True, stands_from=self._arm_leans)
        if self._may_miss:
            # Stopped from full speed over all its way, the pusher's counter would lose some.
            yield Go(Motor.PUSHER, self._pusher_upright)
        yield Go(Motor.PUSHER, self._pusher_roll_goal)
        rolling = self._pusher_rolling
        yield Reach(Motor.PUSHER, self._pusher_rolled, upwards=True, stands_from=rolling)
        yield Done()
        yield Go(Motor.PUSHER, self._pusher_home_goal)
        # The cube has to be down when the pusher comes; before a spin or tilt there is time.
        is_met = self._is_seated or not isinstance(ahead, Spin | Tilt)
        yield Reach(Motor.PUSHER, self._arm_returns, upwards=False)
        is_away = isinstance(ahead, Spin) and not is_met
        goal = self._arm_away_goal if is_away else self._arm_down_goal
        yield Go(Motor.ARM, goal, self._tilting.lower if is_met else self._tilting.leave)
        if self._is_seated:
            yield from self._let_down(Tilt())
            yield from self._seat()

    def _seat(self) -> Iterator[Motion]:
        """Push a cube that has come down, anywhere within its play or on the lip, to the back."""
        yield Go(Motor.PUSHER, self._pusher_touch_goal)
        touching, stands = self._pusher_touching, self._pusher_rolling
        yield Reach(Motor.PUSHER, touching, upwards=True, stands_from=stands)
        yield Go(Motor.PUSHER, self._pusher_home_goal)

    def _free_arm(self, at: float, before: Primitive | None) -> Iterator[Motion]:
        """Let the arm tip the cube: closed round it, cradle level, pusher at home."""
        if before is None:
            yield Go(Motor.CRADLE, round(at))
            yield Go(Motor.PUSHER, self._pusher_home_goal)
        if isinstance(before, TurnLayer):
            level = self._short_of(at, self._level, -_sign(before.quarters))
            if self._may_miss:  # and plays one motion after the other
                yield from (Reach(Motor.PUSHER, self._pusher_home, upwards=False), level)
                return
            # The arm may set out while the pusher is on its way, but not tip the cube.
            yield from (Reach(Motor.PUSHER, self._arm_rises, upwards=False), level)
            yield Go(Motor.ARM, RISING_DEG, self._tilting.lift_after_turn)
            yield Reach(Motor.PUSHER, self._pusher_home, upwards=False)
            return
        yield Go(Motor.ARM, self._arm_closed_goal, self._tilting.close)
        if not isinstance(before, Tilt):
            yield Reach(Motor.PUSHER, self._pusher_home, upwards=False)
        if before is None:
            yield Rest(Motor.CRADLE, self._level)
        elif isinstance(before, Spin):
            yield self._short_of(at, self._level, -_sign(before.quarters))
        yield Reach(Motor.ARM, self._arm_closing, upwards=True)

    def _spin(
        self, at: float, end: float, before: Primitive | None, ahead: Primitive | None
    ) -> Iterator[Motion]:
        way = _sign(end - at)
        is_gripped_next = isinstance(ahead, TurnLayer)
        if self._is_seated and isinstance(before, Tilt):
            yield from self._let_down(before)
            yield Go(Motor.ARM, self._arm_closed_goal, self._tilting.close)
            yield Reach(Motor.ARM, self._arm_closing, upwards=True)
        yield Go(Motor.ARM, self._arm_away_goal, self._tilting.leave)
        if isinstance(before, Tilt | TurnLayer):
            yield Go(Motor.CRADLE, round(at + way * self._lean))
        if isinstance(before, Tilt | None):
            yield Go(Motor.PUSHER, self._pusher_home_goal)
            yield Reach(Motor.PUSHER, self._pusher_home, upwards=False)
        if isinstance(before, TurnLayer):
            goal = self._pusher_away_goal if is_gripped_next else self._pusher_home_goal
            yield Go(Motor.PUSHER, goal)
            yield Reach(Motor.PUSHER, self._pusher_away, upwards=False)
        if isinstance(before, Tilt | TurnLayer) and not self._may_miss:
            # The cube, which may lead by the play, is no more askew than when the arm comes back.
            yield Reach(Motor.ARM, self._arm_down, upwards=False)
            yield Go(Motor.CRADLE, round(at + way * max(self._lean, self._follow_before)))
        yield Reach(Motor.ARM, self._arm_away, upwards=False)
        yield Go(Motor.CRADLE, round(end))
        if is_gripped_next and not isinstance(before, TurnLayer):
            yield Go(Motor.PUSHER, self._pusher_waiting)
        yield self._short_of(end, self._follow_before, way)
        closing = self._tilting.grip if is_gripped_next else self._tilting.close
        yield Go(Motor.ARM, self._arm_following, closing)
        if is_gripped_next:
            yield Go(Motor.PUSHER, self._pusher_following)
        yield self._short_of(end, self._straight_before, way)
        yield Done()

    def _turn(
        self,
        at: float,
        end: float,
        before: Primitive | None,
        ahead: Primitive | None,
        cut_off: CutOff | None,
    ) -> Iterator[Motion]:
        way = _sign(end - at)
        if not isinstance(before, TurnLayer):
            yield from self._let_down(before)
            if before is None and not cut_off:
                yield Go(Motor.CRADLE, round(at))
            yield from self._grip()
        if cut_off:
            # The layer may be anywhere within its play: it is met from a known side.
            behind = way * min(way * cut_off.cradle_deg, way * end)
            behind -= way * BACKING_OFF * self._play
            yield Go(Motor.CRADLE, round(behind))
            yield self._short_of(behind, round(self._rig.margin), -way)
        # Turning on by the play brings the layer, which lags, exactly to its quarter.
        beyond = end + way * self._play
        yield Go(Motor.CRADLE, round(beyond))
        if self._holding < 1:
            yield Push(Motor.ARM, round(self._holding * self._press_power))
        yield self._short_of(beyond, round(self._rig.layer_margin), way)
        if self._may_miss:
            yield Square(round(end), round(self._play))
        yield Done()
        if isinstance(ahead, Tilt):
            yield Go(Motor.CRADLE, round(end))
            yield Go(Motor.PUSHER, self._pusher_home_goal)
            yield Go(Motor.ARM, self._arm_closed_goal)  # it pushes no more

    def _grip(self) -> Iterator[Motion]:
        """Hold the cube between arm and pusher.

        The cradle waits in the middle of its play: by the time it meets the layer, the arm, which
        bounces as it meets the cube, presses. Else it would drag the upper layers along.
        """
        yield Go(Motor.PUSHER, self._pusher_touch_goal)
        yield Go(Motor.ARM, self._arm_closed, self._tilting.grip)
        yield Reach(Motor.PUSHER, self._pusher_touching, upwards=True)
        if self._may_miss:
            yield Rest(Motor.CRADLE, round(self._rig.play_margin))
            yield Reach(Motor.ARM, self._arm_unlifted, upwards=False)
        yield Push(Motor.ARM, self._press_power)
        held = None
        if self._is_alone:
            held = self._arm_held
            yield Pause(PRESSING_MS)
        yield Reach(Motor.ARM, self._arm_pressed - 1, upwards=True, stands_from=held)

    def _let_down(self, before: Primitive | None, is_tipping: bool = False) -> Iterator[Motion]:
        """Wait until a rolled cube is down in the cradle; where that is unknown, bring it down."""
        if before is None and not is_tipping:
            yield Go(Motor.PUSHER, self._pusher_home_goal)
            yield Go(Motor.ARM, self._arm_down_goal, self._tilting.lower)
        if isinstance(before, Tilt) or (before is None and not is_tipping):
            yield Reach(Motor.PUSHER, self._pusher_home, upwards=False)
            yield Reach(Motor.ARM, self._arm_down, upwards=False)

    def _go_home(self, end: float, primitive: Primitive) -> Iterator[Motion]:
        yield from self._let_down(primitive)
        yield from self._way_home(end)
        yield from (Rest(motor, HOME_WITHIN_DEG) for motor in Motor)

    def _way_home(self, end: float) -> Iterator[Motion]:
        yield Go(Motor.CRADLE, round(end))
        yield Go(Motor.ARM, 0, self._tilting.close)
        yield Go(Motor.PUSHER, 0)

    @staticmethod
    def _short_of(angle: float, by: int, way: int) -> Reach:
        """Wait until the cradle, turning `way`, is `by` short of an angle."""
        return Reach(Motor.CRADLE, round(angle) - way * by, upwards=way > 0)


def _sign(number: float) -> int:
    return 1 if number > 0 else -1
