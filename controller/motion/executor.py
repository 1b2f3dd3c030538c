"""Plays a list of primitives on a mechanism, with a journal and one retry for each."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from controller.controls import Controls
from controller.errors import (
    BrickRefusedError,
    CubeUncertainError,
    LinkLostError,
    MotorStalledError,
    StoppedError,
)
from controller.motion.journal import Journal
from controller.motion.mechanism import Mechanism, Settled, State
from controller.motion.primitives import CostModel, Primitive, price_all
from controller.motion.run_record import Recovered, Recovery, RecoveryAction, RecoveryStarted
from solvers.foundation.progress import Job, tap


@dataclass(frozen=True, slots=True)
class PrimitiveStarted:
    """A primitive starts; seconds since the run started and, as calibrated, to its end."""

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
    """The run waits before a primitive, or within it, motors off, until it is resumed."""

    index: int
    is_within: bool = False


ExecutionEvent = PrimitiveStarted | PrimitiveRetried | Recovered | PrimitiveFinished | Paused


Event = TypeVar("Event")
Report = TypeVar("Report")


def _no_view(_: int) -> Iterator[Any]:
    return iter(())


@dataclass(slots=True)
class Executor:
    """Plays a run's primitives.

    Only the journal counts how many are done. What the machine has done beyond that it is asked
    when its motors are off (`Mechanism.settle`).
    """

    mechanism: Mechanism
    journal: Journal
    controls: Controls
    costs: CostModel
    retry_pause_s: float
    _recorded_s: float = 0.0  # when a primitive was done last, or a pause was

    def play(
        self,
        primitives: Sequence[Primitive],
        views: Sequence[int] = (),
        view: Callable[[int], Iterator[Event]] = _no_view,
    ) -> Generator[ExecutionEvent | Event, None, None]:
        """Play the primitives that the journal has not as done; the first can have been cut off.

        Before each index of `views`, ascending, a camera does its `view` of the cube. The motors
        are released at the end, whatever ends it. Raises RobotError, and what `view` raises; the
        journal then shows how far the run came.
        """
        left = [index for index in views if index > self.journal.record.finished]
        began_s = self._recorded_s = self.controls.now()
        try:
            while (index := self.journal.record.finished) < len(primitives):
                if left and index >= left[0]:
                    yield from view(left.pop(0))
                    self._recorded_s = self.controls.now()
                    continue
                if self.controls.is_paused:
                    yield from self._pause(primitives)
                    continue
                self.controls.check()
                started_s = self.controls.now()
                primitive, before = primitives[index], primitives[index - 1] if index else None
                remaining_s = price_all(self.costs, primitives[index:], before) + self.costs.ending
                yield PrimitiveStarted(index, primitive, started_s - began_s, remaining_s)
                yield from self._play_one(index, primitives, left[0] if left else len(primitives))
                yield self._finish(index, primitive, self.mechanism.state)
        except (StoppedError, KeyboardInterrupt, GeneratorExit):
            self._halt(primitives)
            raise
        finally:
            self.mechanism.release()

    def _finish(self, index: int, primitive: Primitive, state: State) -> PrimitiveFinished:
        """Record that a primitive is done."""
        now_s = self.controls.now()
        seconds, self._recorded_s = now_s - self._recorded_s, now_s
        self.journal.record_finished(index, primitive, seconds, state)
        return PrimitiveFinished(index, primitive, seconds)

    def _pause(self, primitives: Sequence[Primitive]) -> Iterator[ExecutionEvent]:
        self.mechanism.release()
        finished, is_within = self._settle(primitives)
        yield from finished
        index = self.journal.record.finished
        if index < len(primitives):
            yield Paused(index, is_within)
            self.controls.wait()
        self._recorded_s = self.controls.now()

    def _halt(self, primitives: Sequence[Primitive]) -> None:
        """Brake, and record what was done until then, however often the job is stopped."""
        while True:
            try:
                self.mechanism.release(at_once=True)
                self._settle(primitives)
            except StoppedError:
                continue
            return

    def _settle(self, primitives: Sequence[Primitive]) -> tuple[list[PrimitiveFinished], bool]:
        """Record what the machine has done by itself; return that, and whether it is within one."""
        record = self.journal.reread()
        first, state = record.finished, record.state
        if state is None or first >= len(primitives):
            return [], False
        try:
            settled = self.mechanism.settle(state, primitives[first:])
        except (LinkLostError, BrickRefusedError, CubeUncertainError):
            settled = Settled(is_within=True)  # unknown until the run is resumed
        else:
            state = self.mechanism.state
        finished = [
            self._finish(index, primitives[index], after)
            for index, after in enumerate(settled.states, first)
        ]
        if settled.is_within:
            self.journal.record_reached(first + len(finished), state)
        return finished, settled.is_within

    def _play_one(
        self, index: int, primitives: Sequence[Primitive], until: int
    ) -> Iterator[PrimitiveRetried | Recovered]:
        """Play one primitive; after those up to index `until` the cube is viewed, or it is done."""
        primitive = primitives[index]

        def perform() -> None:
            self.mechanism.perform(
                primitive,
                before=primitives[index - 1] if index else None,
                ahead=primitives[index + 1 : until],
                then=primitives[until] if until < len(primitives) else None,
                on_state=on_state,
            )

        def on_state(state: State) -> None:
            self.journal.record_reached(index, state)

        try:
            perform()
        except MotorStalledError as error:
            yield PrimitiveRetried(index, primitive, str(error))
            stalled_s = self.controls.now()
            self.controls.sleep(self.retry_pause_s)
            perform()
            seconds = self.controls.now() - stalled_s
            recovery = Recovery(RecoveryAction.RETRY, index, str(error), seconds)
            self.journal.record_recovery(recovery)
            yield Recovered(recovery)


@dataclass(frozen=True, slots=True)
class HomeFound:
    """Home was found."""

    after_restart: bool


DriveEvent = HomeFound | RecoveryStarted | ExecutionEvent


@dataclass(frozen=True, slots=True)
class DriveReport:
    """The result of a drive; `after_restart` if home had to be found again.

    `recoveries` are the recovery actions, the retries of primitives among them.
    """

    finished: int
    retries: int
    measured_seconds: float
    after_restart: bool = False
    recoveries: tuple[Recovery, ...] = ()


class DriveTally:
    """Totals of the events of a drive."""

    def __init__(self) -> None:
        self._finished = self._retries = 0
        self._seconds, self._after_restart = 0.0, False
        self._recoveries: list[Recovery] = []

    def watch(self, job: Job[Event, Report]) -> Job[Event, Report]:
        """Pass a job's events on and count them."""
        return tap(job, self._note)

    @property
    def report(self) -> DriveReport:
        """The totals so far."""
        return DriveReport(
            self._finished,
            self._retries,
            self._seconds,
            self._after_restart,
            tuple(self._recoveries),
        )

    def _note(self, event: object) -> None:
        match event:
            case PrimitiveFinished():
                self._finished += 1
                self._seconds += event.seconds
            case PrimitiveRetried():
                self._retries += 1
            case HomeFound():
                self._after_restart |= event.after_restart
            case Recovered():
                self._recoveries.append(event.recovery)
