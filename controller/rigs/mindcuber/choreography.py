"""The motions that play one primitive on a MindCuber, between its neighbours.

Where the table turns the whole cube, the tilt arm is open; where it turns a layer, the arm holds
the two upper ones. The arms' angles are counted back from their stops, so a motor goes there with
the opposite sign. A held cube has play in the arm as in the table: a layer turn goes on by both,
and back, which leaves table and layer at the quarter.
"""

from collections.abc import Iterator
from typing import Final

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.mindcuber.calibration import SENSOR_ARM, TABLE, TILT_ARM, MindCuberCalibration
from controller.rigs.nxt_brick.motion import (
    TIPPING,
    CutOff,
    Done,
    Go,
    Motion,
    Motor,
    Pause,
    Phase,
    Reach,
    Rest,
    cradle_change,
    reverse_of,
)

LANDING: Final = 2
"""Phase of a tilt in which the cube has another face below, and is being let down."""
NEAR_DEG: Final = 3
"""How short of an angle a motor has reached it; it comes to rest by itself."""
THERE_DEG: Final = 1
"""The same of the tilt arm, and of the table before a tilt: from there the pauses count."""
LATE_DEG: Final = 20
"""How far from the end of a spin the arm may close, which straightens what is missing."""
LEVEL_DEG: Final = 9
"""How far from its quarter the table may be as the arm starts to tilt."""
SENSOR_CLEAR_DEG: Final = 40
"""So near its resting place the sensor's arm is out of the cube's way."""
TIPPED_DEG: Final = 20
"""How far before the end of its way the tilt arm may have tipped the cube already."""
HOME_WITHIN_DEG: Final = 2


class MindCuberChoreographer:
    """Knows one machine's angles and pauses."""

    def __init__(self, calibration: MindCuberCalibration) -> None:
        self.quarter_deg: float = calibration.table.quarter_deg
        self._table, self._tilt_arm = calibration.table, calibration.tilt
        self._sensor_away = -calibration.sensor.away_deg
        self._pauses = calibration.pauses

    def motions(
        self,
        primitive: Primitive,
        cradle_quarters: int,
        before: Primitive | None = None,
        ahead: Primitive | None = None,
        cut_off: CutOff | None = None,
        *,
        is_viewed: bool = False,  # noqa: ARG002 - never before it is home
    ) -> tuple[Motion, ...]:
        """Return the motions of `primitive` between its neighbours.

        `cradle_quarters` is where the table stands before, in quarters of motor-forward turn from
        home. After no known `before` nothing is taken for granted, and a primitive that was
        `cut_off` is completed; with nothing `ahead` the machine goes home when the work is done.
        """
        at = round(cradle_quarters * self.quarter_deg)
        end = at + round(cradle_change(primitive) * self.quarter_deg)
        match primitive:
            case Tilt():
                motions = self._tilt(at, before, 0 if cut_off is None else cut_off.phase)
            case Spin():
                motions = self._spin(at, end, before)
            case TurnLayer():
                motions = self._turn(at, end, before)
        start: tuple[Motion, ...] = ()
        if before is None:
            away = Reach(SENSOR_ARM, self._sensor_away + SENSOR_CLEAR_DEG, upwards=False)
            start = (Go(SENSOR_ARM, self._sensor_away), away)
        return (*start, *motions, *(self._go_home(end, primitive) if ahead is None else ()))

    def change_manner(self, cut_off: Primitive | None) -> None:
        """Go on as before: there is one manner only."""

    def is_free_after(self, primitive: Primitive) -> bool:  # noqa: ARG002
        """Return False: the tilt arm lies on the cube until the machine goes home."""
        return False

    def may_have_moved(self, primitive: Primitive, cradle_quarters: int, cut_off: CutOff) -> bool:
        """Say whether a primitive that was cut off may have left the cube other than it was."""
        if isinstance(primitive, Tilt):
            is_far = -cut_off.pusher_deg > self._tilt_arm.tilt_deg - TIPPED_DEG
            return cut_off.phase == LANDING or (cut_off.phase == TIPPING and is_far)
        held = isinstance(primitive, TurnLayer)
        play = self._table.held_play_deg if held else self._table.play_deg
        return abs(cut_off.cradle_deg - cradle_quarters * self.quarter_deg) > play

    def undoing(
        self, primitive: Primitive, cradle_quarters: int, cut_off: CutOff | None
    ) -> tuple[Motion, ...]:
        """Return the motions that take a spin or turn back, and let the cube of a tilt come down.

        `cradle_quarters` is where the table stood before `primitive`. The machine ends at home.
        """
        match primitive:
            case Tilt():
                at = round(cradle_quarters * self.quarter_deg)
                return (*self._let_down(), Done(), *self._go_home(at, primitive))
            case Spin() | TurnLayer():
                stands = cradle_quarters + cradle_change(primitive)
                return self.motions(reverse_of(primitive), stands, cut_off=cut_off)

    def _tilt(self, at: int, before: Primitive | None, phase: int) -> Iterator[Motion]:
        if phase != LANDING:
            if phase != TIPPING:
                yield from self._close_for_tilt(at, before)
            yield Phase(TIPPING)
            yield from self._tilt_arm_to(self._tilt_arm.tilt_deg)
            yield Pause(self._pauses.top_ms)
            yield Phase(LANDING)
        yield from self._let_down()
        yield Done()
        yield self._send_tilt_arm(self._tilt_arm.hold_deg)

    def _close_for_tilt(self, at: int, before: Primitive | None) -> Iterator[Motion]:
        yield from self._tilt_arm_to(self._tilt_arm.hold_deg)
        if before is None:
            yield Go(TABLE, at)
            yield Rest(TABLE, LEVEL_DEG)
        elif not isinstance(before, Tilt):
            way = 1 if cradle_change(before) > 0 else -1
            # A spin comes from behind, a layer turn back from beyond.
            yield self._short_of(at, THERE_DEG, way if isinstance(before, Spin) else -way)
        match before:
            case Tilt():
                yield Pause(self._pauses.between_ms)
            case TurnLayer():
                yield Pause(self._pauses.held_ms)
            case _:
                yield Pause(self._pauses.close_ms)

    def _spin(self, at: int, end: int, before: Primitive | None) -> Iterator[Motion]:
        way = 1 if end > at else -1
        if before is None or isinstance(before, Tilt):
            yield from self._press_down()
        yield from self._tilt_arm_to(self._tilt_arm.release_deg)
        yield Go(TABLE, end)
        yield self._short_of(end, LATE_DEG, way)
        yield Done()
        yield self._send_tilt_arm(self._tilt_arm.hold_deg)

    def _turn(self, at: int, end: int, before: Primitive | None) -> Iterator[Motion]:
        way = 1 if end > at else -1
        if isinstance(before, Tilt):
            # The cube comes to rest while the arm, which has let it down, closes again.
            yield self._send_tilt_arm(self._tilt_arm.hold_deg)
            yield Pause(self._pauses.turn_ms)
        yield from self._tilt_arm_to(self._tilt_arm.hold_deg)
        if not isinstance(before, Tilt | TurnLayer):
            yield Pause(self._pauses.turn_ms)
        beyond = end + way * self._table.held_play_deg
        yield Go(TABLE, beyond)
        yield self._short_of(beyond, NEAR_DEG, way)
        yield Go(TABLE, end)
        yield self._short_of(end, LEVEL_DEG, -way)
        yield Done()

    def _let_down(self) -> Iterator[Motion]:
        yield from self._tilt_arm_to(self._tilt_arm.lower_deg, closing=False)

    def _press_down(self) -> Iterator[Motion]:
        """Close the arm on a tilted cube, which may lean on the table's wall until then."""
        yield from self._tilt_arm_to(self._tilt_arm.hold_deg)

    def _go_home(self, end: int, last: Primitive) -> Iterator[Motion]:
        if isinstance(last, Tilt):
            yield from self._press_down()
        yield Go(TABLE, end)
        yield self._send_tilt_arm(self._tilt_arm.away_deg)
        yield Go(SENSOR_ARM, self._sensor_away)
        yield from (Rest(motor, HOME_WITHIN_DEG) for motor in Motor)

    def _send_tilt_arm(self, back_deg: int) -> Go:
        return Go(TILT_ARM, -back_deg)

    def _tilt_arm_to(self, back_deg: int, *, closing: bool | None = None) -> Iterator[Motion]:
        """Send the tilt arm to a place, and wait until it is there."""
        yield self._send_tilt_arm(back_deg)
        is_closing = back_deg > self._tilt_arm.release_deg if closing is None else closing
        off = -THERE_DEG if is_closing else THERE_DEG
        yield Reach(TILT_ARM, -(back_deg + off), upwards=not is_closing)

    @staticmethod
    def _short_of(angle: int, by: int, way: int) -> Reach:
        """Wait until the table, turning `way`, is `by` short of an angle."""
        return Reach(TABLE, angle - way * by, upwards=way > 0)
