"""Plays a list of primitives on a mechanism, with a journal and one retry for each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from controller.drivers.mechanism import Mechanism
from controller.drivers.rig_steps import restart_step
from controller.errors import MotorStalledError
from controller.motion.cost_model import CostModel, leaves_arm_open
from controller.motion.journal import Journal
from controller.motion.primitives import Primitive
from solvers.foundation.clock import Clock


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


ExecutionEvent = PrimitiveStarted | PrimitiveRetried | PrimitiveFinished


@dataclass(slots=True)
class Executor:
    """What a run needs besides its primitives."""

    mechanism: Mechanism
    journal: Journal
    clock: Clock
    costs: CostModel
    retry_pause_s: float

    def play(
        self, primitives: Sequence[Primitive], first: int = 0, cut_off_at: int | None = None
    ) -> Iterator[ExecutionEvent]:
        """Play `primitives` from index `first`, which was cut off at a step, or not begun.

        The motors are released at the end, whatever ends it. Raises RobotError; the journal then
        tells how far the run came.
        """
        began_s = self.clock.now()
        try:
            for index in range(first, len(primitives)):
                primitive = primitives[index]
                started_s = self.clock.now()
                remaining_s = self.costs.price_all(primitives[index:])
                yield PrimitiveStarted(index, primitive, started_s - began_s, remaining_s)
                following = primitives[index + 1] if index + 1 < len(primitives) else None
                yield from self._play_one(index, primitive, following, cut_off_at)
                cut_off_at = None
                seconds = self.clock.now() - started_s
                self.journal.finish(index, str(primitive), seconds)
                yield PrimitiveFinished(index, primitive, seconds)
        finally:
            self.mechanism.release()

    def _play_one(
        self,
        index: int,
        primitive: Primitive,
        following: Primitive | None,
        cut_off_at: int | None,
    ) -> Iterator[PrimitiveRetried]:
        keep_arm_open = following is not None and leaves_arm_open(following)
        reached = cut_off_at or 0

        def on_step(step: int) -> None:
            nonlocal reached
            reached = step
            self.journal.step(index, step)

        for is_retry in (False, True):
            try:
                self.mechanism.perform(
                    primitive,
                    keep_arm_open=keep_arm_open and leaves_arm_open(primitive),
                    first_step=restart_step(primitive, reached),
                    again=is_retry or cut_off_at is not None,
                    on_step=on_step,
                )
                return
            except MotorStalledError as error:
                if is_retry:
                    raise
                yield PrimitiveRetried(index, primitive, str(error))
                self.clock.sleep(self.retry_pause_s)
