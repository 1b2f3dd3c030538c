"""The rig with the program on the brick: primitives are sent ahead, and it plays them gapless.

Nothing here has to be in time. The program finishes the primitive under way when the host falls
silent; its register reports later how far it came, as long as it runs.
"""

import secrets
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec

from controller.errors import (
    BrickRefusedError,
    CubeUncertainError,
    InvalidJournalError,
    LinkLostError,
)
from controller.motion.mechanism import Battery, OnMotors, Settled, State, ignore_motors
from controller.motion.primitives import HOME, AfterView, Primitive, Tilt
from controller.rigs.nxt_brick.brick_link import Mark
from controller.rigs.nxt_brick.homing import HomeFinder
from controller.rigs.nxt_brick.motion import (
    MOTOR_NAMES,
    Choreography,
    CutOff,
    Go,
    Known,
    Motion,
    Motor,
    Undoing,
    cradle_change,
)
from controller.rigs.nxt_brick.player import (
    MAILBOX_HOLDS,
    SEQUENCES,
    Fault,
    Player,
    Status,
    cut_off_after,
    next_sequence,
    places,
    scripts_of,
    stalled,
)
from solvers.foundation.clock import Clock
from solvers.foundation.typed_files import convert

FINISH_S: Final = 0.6  # so long a primitive under way may take to end before the motors are braked
LAST_SENT: Final = 2
TAKING_UP_S: Final = 5.0  # so long the brick may take with what a lost host had sent ahead


class ProgramState(msgspec.Struct, forbid_unknown_fields=True):
    """What the journal keeps, to resume a run.

    `home` is what the counters of cradle, arm and pusher show at home, `session` the program's,
    `number` of the primitive that was finished last, with the cradle `cradle_quarters` from home;
    `ahead` says how many more the brick may have started by itself.
    """

    home: tuple[int, int, int] = (0, 0, 0)
    cradle_quarters: int = 0
    session: int = 0
    number: int = 0
    ahead: int = 0


@dataclass(frozen=True, slots=True)
class Sent:
    """A primitive that the brick has."""

    primitive: Primitive
    number: int
    messages: int
    goals: Mapping[Motor, int]  # where it leaves the motors that it moves, from home


@dataclass(slots=True)
class DoneTimes:
    """When primitives were done by the brick's own clock, which no link delays."""

    _ticks: dict[int, int] = field(default_factory=dict)  # in ms, by number
    _seen_s: dict[int, float] = field(default_factory=dict)  # by the clock here

    def note(self, number: int, tick: int, seen_s: float) -> None:
        """Note that a primitive is done, unless it is known."""
        if number not in self._ticks:
            self._ticks[number], self._seen_s[number] = tick, seen_s

    def forget(self) -> None:
        """What comes next does not follow at once."""
        self._ticks.clear()
        self._seen_s.clear()

    def seconds(self, before: int, number: int, going_home_until_s: float | None) -> float | None:
        """Return how long a primitive took after the one before it, None if that is not known.

        What ended at home took until it was seen to be there.
        """
        earlier = self._ticks.pop(before, None)
        if earlier is None or number not in self._ticks:
            return None
        seconds = (self._ticks[number] - earlier) / 1000
        if going_home_until_s is not None:
            seconds += going_home_until_s - self._seen_s[number]
        return seconds


class ProgramMechanism:
    """The rig, moved by the program on its brick."""

    drive_name: Final = "program"

    def __init__(
        self,
        player: Player,
        choreographer: Choreography,
        clock: Clock,
        homing: HomeFinder,
        on_motors: OnMotors = ignore_motors,
        names: Mapping[Motor, str] = MOTOR_NAMES,
    ) -> None:
        self.seconds_taken = 0.0
        """By the last primitive, from end to end as the brick saw it, which no link delays."""
        self._player = player
        self._clock = clock
        self._choreographer = choreographer
        self._homing = homing
        self._on_motors = on_motors
        self._names = names
        self._state = ProgramState()
        self._sent: deque[Sent] = deque()  # and not yet performed for the caller
        self._performed: deque[Sent] = deque(maxlen=1)  # the last one, as it was sent
        self._last_sent: Primitive | None = None
        self._finished = 0  # by the brick, and not yet performed for the caller
        self._done_at = DoneTimes()
        self._cut_off: CutOff | None = None
        self._to_undo: CutOff | None = None

    @property
    def state(self) -> State:
        """The state as JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self._state)
        return plain

    def battery(self) -> Battery:
        """Ask for the battery."""
        return self._player.battery()

    def set_home(self, *, in_doubt: bool = False) -> None:
        """Find home: cradle straight, arm closed, pusher back."""
        self._find_home(None, by_lifting=in_doubt)

    def _find_home(self, known: Known | None, *, by_lifting: bool) -> None:
        counted_deg = self._homing.counted(Mark.PROGRAM)  # before the program counts afresh
        self._player.make_way()
        self._player.run()  # watches over the motors meanwhile; may count from zero again
        away = self._homing.home_from_here(known, counted_deg, by_lifting=by_lifting)
        self._homing.keep_count(Mark.PROGRAM, away[0])
        status = self._player.start_session(1 + secrets.randbelow(0xFFFF))
        cradle, arm, pusher = (count + deg for count, deg in zip(status.counts, away, strict=True))
        self._state = ProgramState(home=(cradle, arm, pusher), session=status.session)
        self._finished, self._to_undo = 0, None
        self._start_afresh(status)

    def restore(self, state: State) -> bool:
        """Take up an earlier run, and what the brick has done since by itself.

        Raises CubeUncertainError if how far that came is unknown.
        """
        where = "The state in the journal"
        self._state = convert(dict(state), ProgramState, where, InvalidJournalError)
        if not self._player.is_running() or self._player.status().session != self._state.session:
            if self._state.ahead:
                raise CubeUncertainError("The brick was restarted with more sent ahead to it.")
            return False
        status = self._player.finish(TAKING_UP_S)
        self._finished = (status.finished - self._state.number) % SEQUENCES
        self._start_afresh(status)
        return True

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        """Adopt the last state, and count what the brick has finished since."""
        if not self.restore(state):
            raise CubeUncertainError("The brick was restarted, and what it did since is forgotten.")
        states = [self._count(primitive) for primitive in upcoming[: self._finished]]
        return Settled(tuple(states), self._cut_off is not None)

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,  # noqa: ARG002 - what was sent last is known here
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Play one primitive, and send ahead what follows."""
        began_s = self._clock.now()
        on_state(self.state)
        if self._finished == 0:
            self._play(primitive, ahead, then)
        before_number = self._state.number
        self._count(primitive)
        self._take_time(began_s, before_number)

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        """Undo a spin or turn that was cut off, or let a tilted cube come down; then find home."""
        is_undone = not self._finished
        self._to_undo = self._cut_off or self._to_undo  # that of an undoing that failed
        home, quarters = self._state.home, self._state.cradle_quarters
        play = partial(self._player.play_apart, home=home)
        undoing = Undoing(play, self._choreographer, home, quarters)
        if cut_off is not None and self._to_undo is not None:
            is_undone &= undoing.undo(cut_off, self._to_undo)
        self._choreographer.change_manner(cut_off)
        counts = self._player.status().counts
        known = undoing.known_home(counts, cut_off, is_undone=is_undone)
        self._find_home(known, by_lifting=in_doubt)
        return is_undone

    def release(self, *, at_once: bool = False) -> None:
        """Let the brick finish what it plays, if that is soon, and let the motors go."""
        with suppress(LinkLostError, BrickRefusedError):
            try:
                if not at_once:
                    self._player.finish(FINISH_S)
            finally:
                status = self._player.brake()
                self._note(status)
                self._start_afresh(status)

    def _count(self, primitive: Primitive) -> State:
        """Count a primitive that the brick has finished, and return the state after it."""
        self._finished -= 1
        if self._sent:
            self._performed.append(self._sent.popleft())
        self._state.cradle_quarters += cradle_change(primitive)
        self._state.number = next_sequence(self._state.number)
        self._count_ahead()
        return self.state

    def _count_ahead(self) -> None:
        self._state.ahead = max(len(self._sent), self._finished + (self._cut_off is not None))

    def _play(self, primitive: Primitive, ahead: Sequence[Primitive], then: AfterView) -> None:
        if self._sent and self._sent[0].primitive != primitive:
            raise BrickRefusedError(f"Something else than {primitive} was sent ahead to the brick.")
        upcoming = [primitive, *ahead]
        status = self._player.status() if self._sent else self._player.cleared(self._state.session)
        while True:
            self._note(status)
            # The link may have been silent for so long that the program took the host for gone.
            was_unattended = status.fault is Fault.UNATTENDED
            if self._finished and not ahead and was_unattended:
                self._come_home(primitive)
                return
            if self._finished and (ahead or status.is_idle):
                return
            if was_unattended:
                self._start_afresh(status)
                status = self._player.cleared(self._state.session)
                continue
            if status.fault:
                self._start_afresh(status)
                raise stalled(primitive, status, self._state.home, self._names)
            self._feed(upcoming, then, status)
            status = self._player.wait(has_more=len(self._sent) > LAST_SENT)

    def _come_home(self, primitive: Primitive) -> None:
        """Go home after a primitive whose own way home the program forgot, or broke off."""
        self._start_afresh(self._player.finish(TAKING_UP_S))
        quarters = self._state.cradle_quarters + cradle_change(primitive)
        motions = self._choreographer.undoing(Tilt(), quarters, None)
        self._player.play_apart(motions, self._state.home)
        self._player.start_session(self._state.session)

    def _feed(self, upcoming: Sequence[Primitive], then: AfterView, status: Status) -> None:
        """Send as much as the mailbox takes without losing anything."""
        room = MAILBOX_HOLDS - self._messages_waiting(status)
        while room > 0 and len(self._sent) < len(upcoming):
            primitive, *rest = upcoming[len(self._sent) :]
            following = rest[0] if rest else None
            is_viewed = not (rest or then is None) and self._choreographer.is_free_after(primitive)
            if is_viewed and then != HOME:
                following = then
            motions = self._motions(primitive, following, is_viewed=is_viewed)
            scripts = scripts_of(motions)
            if len(scripts) > room:
                return
            room -= len(scripts)
            self._send(primitive, motions, scripts)
            self._last_sent = None if following is None else primitive  # at the end it goes home

    def _messages_waiting(self, status: Status) -> int:
        """Return how many messages may not have been taken out of the mailbox.

        Of what the program plays that is all but the first, also when its work on the cube is done.
        """
        waiting = 0
        for sent in (*self._performed, *self._sent):
            waiting += sent.messages
            if sent.number == status.started:
                waiting = 0 if status.is_idle else sent.messages - 1
        return waiting

    def _motions(
        self, primitive: Primitive, following: Primitive | None, *, is_viewed: bool
    ) -> tuple[Motion, ...]:
        """Return the motions of what is sent next."""
        quarters = self._state.cradle_quarters
        quarters += sum(cradle_change(sent.primitive) for sent in self._sent)
        last, cut_off = self._last_sent, self._cut_off
        return self._choreographer.motions(
            primitive, quarters, last, following, cut_off, is_viewed=is_viewed
        )

    def _send(
        self, primitive: Primitive, motions: Sequence[Motion], scripts: Sequence[Sequence[Motion]]
    ) -> None:
        last = self._sent[-1].number if self._sent else self._state.number
        goals = {motion.motor: motion.angle_deg for motion in motions if isinstance(motion, Go)}
        self._sent.append(Sent(primitive, next_sequence(last), len(scripts), goals))
        self._state.ahead = len(self._sent)
        for script in scripts:
            self._player.send(self._sent[-1].number, script, self._state.home)
        self._cut_off = None

    def _note(self, status: Status) -> None:
        """Count what was sent and is finished."""
        numbers = [sent.number for sent in self._sent]
        if status.finished in numbers:
            self._finished = numbers.index(status.finished) + 1
            self._done_at.note(status.finished, status.finished_at, self._clock.now())
        under_way = (sent.goals for sent in self._sent if sent.number == status.started)
        self._on_motors(places(status, self._state.home, next(under_way, {}), self._names))

    def _take_time(self, began_s: float, before: int) -> None:
        now_s = self._clock.now()
        home_at_s = None if self._sent else now_s
        by_brick = self._done_at.seconds(before, self._state.number, home_at_s)
        self.seconds_taken = now_s - began_s if by_brick is None else by_brick
        if not self._sent:
            self._done_at.forget()

    def _start_afresh(self, status: Status) -> None:
        """Take nothing for granted about where the motors are; what was sent ahead is forgotten."""
        self._performed.clear()
        self._sent.clear()
        self._done_at.forget()
        self._last_sent = None
        done = (self._state.number + self._finished - 1) % SEQUENCES + 1
        self._cut_off = cut_off_after(done, status, self._state.home)
        self._count_ahead()
