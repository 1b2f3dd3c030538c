"""The rig driven by direct commands alone: nothing is installed on the brick."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from controller.errors import BrickRefusedError, InvalidJournalError, LinkLostError
from controller.motion.mechanism import Battery, Settled, State
from controller.motion.primitives import AfterView, Primitive
from controller.rigs.nxt_brick.brick_link import BrickLink, KeepAwake, Mark
from controller.rigs.nxt_brick.direct_player import DirectPlayer
from controller.rigs.nxt_brick.motion import CutOff, Known, Motion, Motor, Undoing, cradle_change
from controller.rigs.nxt_brick.programs import Guard
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.homing import Homing
from solvers.foundation.clock import Clock
from solvers.foundation.typed_files import convert

BRAKING_TIME_S: Final = 0.2
"""Stops every motor of the rig from full speed."""


class DirectState(msgspec.Struct, forbid_unknown_fields=True):
    """What the journal keeps, to resume a run.

    `home` is what the tacho counters of cradle, arm and pusher show at home, in degrees;
    `cradle_quarters` where the cradle stands before the primitive that is under way, in quarters of
    motor-forward turn from there; `phase` how far that came, None if none is, and `is_done` whether
    its work on the cube is done.
    """

    home: tuple[int, int, int] = (0, 0, 0)
    cradle_quarters: int = 0
    phase: int | None = None
    is_done: bool = False


class DirectMechanism:
    """Three motors of a connected brick."""

    drive_name: Final = "direct"

    def __init__(
        self,
        link: BrickLink,
        player: DirectPlayer,
        choreographer: Choreographer,
        keep_awake: KeepAwake,
        clock: Clock,
        homing: Homing,
        guard: Guard,
    ) -> None:
        self.seconds_taken = 0.0
        """By the last primitive."""
        self._link = link
        self._player = player
        self._choreographer = choreographer
        self._keep_awake = keep_awake
        self._clock = clock
        self._homing = homing
        self._guard = guard
        self._state = DirectState()
        self._last: Primitive | None = None  # played, with its motions still under way

    @property
    def state(self) -> State:
        """The state as JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self._state)
        return plain

    def battery(self) -> Battery:
        """Ask for the battery."""
        return self._link.battery()

    def set_home(self, *, in_doubt: bool = False) -> None:
        """Find home: cradle straight, arm closed, pusher back.

        The brick is marked, so that a restart shows, and the next run finds the same home.
        """
        self._find_home(None, by_lifting=in_doubt)

    def _find_home(self, known: Known | None, *, by_lifting: bool) -> None:
        counted_deg = self._homing.counted(Mark.DIRECT)
        self._guard.start()
        away = self._homing.home_from_here(known, counted_deg, by_lifting=by_lifting)
        cradle, arm, pusher = (
            self._link.tacho(motor) + deg for motor, deg in zip(Motor, away, strict=True)
        )
        self._homing.keep_count(Mark.DIRECT, away[0])
        self._state = DirectState(home=(cradle, arm, pusher))
        self._last = None

    def restore(self, state: State) -> bool:
        """Take up an earlier run if the brick's counters still count from the same place."""
        self._take(state)
        self._guard.find()
        self.release()  # a lost link leaves motors running up to their limits
        return self._link.is_marked(Mark.DIRECT)

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        """Adopt the last state: this drive reports each step before it takes it."""
        self._take(state)
        self._last = None
        if not self._state.is_done:
            return Settled(is_within=self._state.phase is not None)
        self._count(upcoming[0])
        return Settled((self.state,))

    def _take(self, state: State) -> None:
        where = "The state in the journal"
        self._state = convert(dict(state), DirectState, where, InvalidJournalError)

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,  # noqa: ARG002 - what moves is known here
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,  # noqa: ARG002 - it goes home for a view
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Play one primitive, or what is missing of it."""
        began_s = self._clock.now()
        self._keep_awake.if_due()
        if not self._state.is_done:
            self._play(primitive, ahead[0] if ahead else None, on_state)
        self._count(primitive)
        self.seconds_taken = self._clock.now() - began_s

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        """Undo a spin or turn that was cut off, or let a tilted cube come down; then find home."""
        home, quarters = self._state.home, self._state.cradle_quarters
        undoing = Undoing(self._play_back, self._choreographer, home, quarters)
        is_undone = not self._state.is_done
        place = self._cut_off()
        if cut_off is not None and place is not None:
            is_undone &= undoing.undo(cut_off, place)
        self._choreographer.change_manner(cut_off)
        cradle, arm, pusher = (self._link.tacho(motor) for motor in Motor)
        known = undoing.known_home((cradle, arm, pusher), cut_off, is_undone=is_undone)
        self._find_home(known, by_lifting=in_doubt)
        return is_undone

    def release(self, *, at_once: bool = False) -> None:  # noqa: ARG002 - it always is
        """Brake all three motors and then let them coast, as far as the link still allows."""
        self._last = None
        with suppress(LinkLostError, BrickRefusedError):
            for motor in Motor:
                self._link.brake(motor)
            self._link.tacho(Motor.CRADLE)  # the answer shows that the commands have arrived
            try:
                self._clock.sleep(BRAKING_TIME_S)
            finally:
                for motor in Motor:
                    self._link.coast(motor)
                self._link.tacho(Motor.CRADLE)

    def _count(self, primitive: Primitive) -> None:
        """Count a primitive as done."""
        self._state.cradle_quarters += cradle_change(primitive)
        self._state.phase, self._state.is_done = None, False

    def _play(
        self,
        primitive: Primitive,
        following: Primitive | None,
        on_state: Callable[[State], object],
    ) -> None:
        def on_phase(phase: int) -> None:
            self._state.phase, self._state.is_done = phase, phase == 0
            on_state(self.state)

        cut_off = self._cut_off()
        last, self._last = self._last, None
        motions = self._choreographer.motions(
            primitive, self._state.cradle_quarters, last, following, cut_off
        )
        if last is None:
            self._player.start()
        if cut_off is None:
            self._state.phase = 0
            on_state(self.state)
        self._player.play(motions, self._state.home, on_phase)
        self._last = None if following is None else primitive  # at the end it goes home

    def _play_back(self, motions: Sequence[Motion]) -> None:
        self._last = None
        self._player.start()
        self._player.play(motions, self._state.home)

    def _cut_off(self) -> CutOff | None:
        if self._state.phase is None:
            return None
        cradle, _, pusher = (
            self._link.tacho(motor) - home
            for motor, home in zip(Motor, self._state.home, strict=True)
        )
        return CutOff(self._state.phase, cradle, pusher)
