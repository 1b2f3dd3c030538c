"""Plays a list of primitives on a mechanism, with a journal and one retry for each."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from controller.controls import Controls
from controller.errors import (
    BrickRefusedError,
    CubeUncertainError,
    LinkLostError,
    MotorStalledError,
    StoppedError,
)
from controller.motion.cost_model import CostModel, price_all
from controller.motion.driving.journal import Journal
from controller.motion.driving.recovery import Recovered, Recovery, Remedy
from controller.motion.mechanism import Mechanism, Settled, State
from controller.motion.primitives import Primitive


@dataclass(frozen=True, slots=True)
class PrimitiveStarted:
    """A primitive begins; seconds since the run began and, as calibrated, to its end."""

    index: int
    primitive: Primitive
    elapsed_s: float
    remaining_s: float


@dataclass(frozen=True, slots=True)
class PrimitiveRetried:
    """A primitive stalled and is played once more."""

    index: int
    primitive: Primitive
    reason: str


@dataclass(frozen=True, slots=True)
class PrimitiveFinished:
    """A primitive is done."""

    index: int
    primitive: Primitive
    seconds: float


@dataclass(frozen=True, slots=True)
class Paused:
    """The run waits before a primitive, or within it, motors off, until it is told to go on."""

    index: int
    is_within: bool = False


ExecutionEvent = PrimitiveStarted | PrimitiveRetried | Recovered | PrimitiveFinished | Paused


@dataclass(slots=True)
class Executor:
    """What a run needs besides its primitives.

    How many of them are done the journal alone knows. What the machine has done beyond that it is
    asked when its motors are off (`Mechanism.settle`), and nobody counts by himself.
    """

    mechanism: Mechanism
    journal: Journal
    controls: Controls
    costs: CostModel
    retry_pause_s: float
    _told_s: float = 0.0  # when a primitive was done last, or a pause was

    def play(
        self, primitives: Sequence[Primitive], until: int | None = None
    ) -> Generator[ExecutionEvent, None, None]:
        """Play what the journal does not know as done; the first may have been cut off before.

        Before index `until` the rig goes home, for a look at the cube. The motors are released at
        the end, whatever ends it. Raises RobotError; the journal then tells how far the run came.
        """
        until = len(primitives) if until is None else until
        began_s = self._told_s = self.controls.now()
        try:
            while (index := self.journal.record.finished) < until:
                if self.controls.is_paused:
                    yield from self._pause(primitives[:until])
                    continue
                self.controls.check()
                started_s = self.controls.now()
                before = primitives[index - 1] if index else None
                ahead = primitives[index + 1 : until]
                primitive = primitives[index]
                remaining_s = price_all(self.costs, primitives[index:], before) + self.costs.ending
                yield PrimitiveStarted(index, primitive, started_s - began_s, remaining_s)
                yield from self._play_one(index, primitive, before, ahead)
                yield self._finish(index, primitive, self.mechanism.state)
        except (StoppedError, KeyboardInterrupt, GeneratorExit):
            self._halt(primitives[:until])
            raise
        finally:
            self.mechanism.release()

    def _finish(self, index: int, primitive: Primitive, state: State) -> PrimitiveFinished:
        """Tell the journal that a primitive is done."""
        now_s = self.controls.now()
        seconds, self._told_s = now_s - self._told_s, now_s
        self.journal.finish(index, primitive, seconds, state)
        return PrimitiveFinished(index, primitive, seconds)

    def _pause(self, primitives: Sequence[Primitive]) -> Iterator[ExecutionEvent]:
        self.mechanism.release()
        finished, is_within = self._settle(primitives)
        yield from finished
        index = self.journal.record.finished
        if index < len(primitives):
            yield Paused(index, is_within)
            self.controls.wait()
        self._told_s = self.controls.now()

    def _halt(self, primitives: Sequence[Primitive]) -> None:
        """Brake, and tell the journal what was done until then, however often stop is said."""
        while True:
            try:
                self.mechanism.release(at_once=True)
                self._settle(primitives)
            except StoppedError:
                continue
            return

    def _settle(self, primitives: Sequence[Primitive]) -> tuple[list[PrimitiveFinished], bool]:
        """Tell the journal what the machine has done by itself; also whether it is within one."""
        record = self.journal.reread()
        first, state = record.finished, record.state
        if state is None or first >= len(primitives):
            return [], False
        try:
            settled = self.mechanism.settle(state, primitives[first:])
        except (LinkLostError, BrickRefusedError, CubeUncertainError):
            settled = Settled(is_within=True)  # nobody knows, until the run goes on
        else:
            state = self.mechanism.state
        finished = [
            self._finish(index, primitives[index], after)
            for index, after in enumerate(settled.states, first)
        ]
        if settled.is_within:
            self.journal.reach(first + len(finished), state)
        return finished, settled.is_within

    def _play_one(
        self,
        index: int,
        primitive: Primitive,
        before: Primitive | None,
        ahead: Sequence[Primitive],
    ) -> Iterator[PrimitiveRetried | Recovered]:
        def perform() -> None:
            self.mechanism.perform(primitive, before=before, ahead=ahead, on_state=on_state)

        def on_state(state: State) -> None:
            self.journal.reach(index, state)

        try:
            perform()
        except MotorStalledError as error:
            yield PrimitiveRetried(index, primitive, str(error))
            stalled_s = self.controls.now()
            self.controls.sleep(self.retry_pause_s)
            perform()
            seconds = self.controls.now() - stalled_s
            recovery = Recovery(Remedy.RETRY, index, str(error), seconds)
            self.journal.mend(recovery)
            yield Recovered(recovery)
