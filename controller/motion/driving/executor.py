"""Plays a list of primitives on a mechanism, with a journal and one retry for each."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from controller.controls import Controls
from controller.errors import MotorStalledError, StoppedError
from controller.motion.cost_model import CostModel, price_all
from controller.motion.driving.journal import Journal
from controller.motion.driving.recovery import Recovered, Recovery, Remedy
from controller.motion.mechanism import Halt, Mechanism, State
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
    """What a run needs besides its primitives."""

    mechanism: Mechanism
    journal: Journal
    controls: Controls
    costs: CostModel
    retry_pause_s: float

    def play(
        self, primitives: Sequence[Primitive], first: int = 0, until: int | None = None
    ) -> Generator[ExecutionEvent, None, None]:
        """Play `primitives` from index `first` on, which may have been cut off before.

        Before index `until` the rig goes home, for a look at the cube. The motors are released at
        the end, whatever ends it. Raises RobotError; the journal then tells how far the run came.
        """
        until = len(primitives) if until is None else until
        began_s, is_stopped = self.controls.now(), False
        try:
            for index in range(first, until):
                yield from self._pause(index)
                yield from self._play_whole(index, primitives, until, began_s)
        except (StoppedError, KeyboardInterrupt):
            is_stopped = True
            yield from self._halt(primitives, until, began_s)
            raise
        finally:
            self.mechanism.release(at_once=is_stopped)

    def _pause(self, index: int) -> Iterator[Paused]:
        if self.controls.is_paused:
            halt = self.mechanism.release()
            if halt.done:
                return  # of what the machine has done ahead the journal is told first
            if halt.is_within:
                self.journal.reach(index, self.mechanism.state)
            yield Paused(index, halt.is_within)
        self.controls.wait()

    def _halt(
        self, primitives: Sequence[Primitive], until: int, began_s: float
    ) -> Iterator[ExecutionEvent]:
        """Brake, and tell the journal what the machine has done by itself until then."""
        halt, finished = self._brake(), self.journal.record.finished
        for index in range(finished, finished + halt.done):
            yield from self._play_whole(index, primitives, until, began_s)
        if halt.is_within:
            self.journal.reach(finished + halt.done, self.mechanism.state)

    def _brake(self) -> Halt:
        try:
            return self.mechanism.release(at_once=True)
        except StoppedError:  # somebody has said it twice
            return self.mechanism.release(at_once=True)

    def _play_whole(
        self, index: int, primitives: Sequence[Primitive], until: int, began_s: float
    ) -> Iterator[ExecutionEvent]:
        started_s = self.controls.now()
        before = primitives[index - 1] if index else None
        primitive, ahead = primitives[index], primitives[index + 1 : until]
        remaining_s = price_all(self.costs, primitives[index:], before) + self.costs.ending
        yield PrimitiveStarted(index, primitive, started_s - began_s, remaining_s)
        yield from self._play_one(index, primitive, before, ahead)
        seconds = self.controls.now() - started_s
        self.journal.finish(index, primitive, seconds, self.mechanism.state)
        yield PrimitiveFinished(index, primitive, seconds)

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
