"""Plays a list of primitives on a mechanism, with a journal and one retry for each."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from controller.controls import Controls
from controller.errors import MotorStalledError, StoppedError
from controller.motion.cost_model import CostModel, price_all
from controller.motion.driving.journal import Journal
from controller.motion.driving.recovery import Recovered, Recovery, Remedy
from controller.motion.mechanism import Mechanism, State
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
    """The run waits before a primitive, motors off, until it is told to go on."""

    index: int


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
        began_s = self.controls.now()
        try:
            for index in range(first, until):
                yield from self._pause(index)
                started_s = self.controls.now()
                before = primitives[index - 1] if index else None
                ahead = primitives[index + 1 : until]
                primitive = primitives[index]
                remaining_s = price_all(self.costs, primitives[index:], before) + self.costs.ending
                yield PrimitiveStarted(index, primitive, started_s - began_s, remaining_s)
                yield from self._play_one(index, primitive, before, ahead)
                seconds = self.controls.now() - started_s
                self.journal.finish(index, primitive, seconds, self.mechanism.state)
                yield PrimitiveFinished(index, primitive, seconds)
        except (StoppedError, KeyboardInterrupt):
            self.mechanism.release(at_once=True)
            raise
        finally:
            self.mechanism.release()

    def _pause(self, index: int) -> Iterator[Paused]:
        if self.controls.is_paused:
            self.mechanism.release()
            yield Paused(index)
        self.controls.wait()

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
