"""Plays a list of primitives on a mechanism, with a journal and one retry for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.controls import Controls
from controller.errors import MotorStalledError
from controller.motion.cost_model import CostModel, price_all
from controller.motion.driving.journal import Journal
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


ExecutionEvent = PrimitiveStarted | PrimitiveRetried | PrimitiveFinished | Paused


@dataclass(slots=True)
class Executor:
    """What a run needs besides its primitives."""

    mechanism: Mechanism
    journal: Journal
    controls: Controls
    costs: CostModel
    retry_pause_s: float

    def play(self, primitives: Sequence[Primitive], first: int = 0) -> Iterator[ExecutionEvent]:
        """Play `primitives` from index `first` on, which may have been cut off before.

        The motors are released at the end, whatever ends it. Raises RobotError; the journal then
        tells how far the run came.
        """
        began_s = self.controls.now()
        try:
            for index in range(first, len(primitives)):
                yield from self._pause(index)
                started_s = self.controls.now()
                before, ahead = neighbours(primitives, index)
                primitive = primitives[index]
                remaining_s = price_all(self.costs, primitives[index:], before) + self.costs.ending
                yield PrimitiveStarted(index, primitive, started_s - began_s, remaining_s)
                yield from self._play_one(index, primitive, before, ahead)
                seconds = self.controls.now() - started_s
                self.journal.finish(index, primitive, seconds, self.mechanism.state)
                yield PrimitiveFinished(index, primitive, seconds)
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
    ) -> Iterator[PrimitiveRetried]:
        def on_state(state: State) -> None:
            self.journal.reach(index, state)

        for is_retry in (False, True):
            try:
                self.mechanism.perform(primitive, before=before, ahead=ahead, on_state=on_state)
                return
            except MotorStalledError as error:
                if is_retry:
                    raise
                yield PrimitiveRetried(index, primitive, str(error))
                self.controls.sleep(self.retry_pause_s)


def neighbours(
    primitives: Sequence[Primitive], index: int
) -> tuple[Primitive | None, Sequence[Primitive]]:
    """Return what is played before and after `primitives[index]`."""
    return (primitives[index - 1] if index else None), primitives[index + 1 :]
