"""Recovery: runs a job's attempt, carries out recovery actions after a fault, runs it again."""

from collections.abc import Callable
from typing import TypeVar

from controller import errors
from controller.job_events import RobotEvent
from controller.motion.run_record import Recovered, Recovery, RecoveryAction, RecoveryStarted
from controller.recovery.connection import Connection
from controller.recovery.escalation import FAULTS, EscalationPolicy
from solvers.foundation.clock import Clock
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

Event = TypeVar("Event")
Report = TypeVar("Report")


class RecoveryRunner:
    """Recovers link, camera and rig; scanning the cube is left to the attempt.

    `in_drive` says whether the primitive that was cut off is one of a plan, which has to know what
    became of it; `place` is its index. `on_lost` is called when the cube's position is lost,
    `on_recovery` after each recovery action.
    """

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        escalation: EscalationPolicy,
        *,
        in_drive: Callable[[], bool] = lambda: False,
        place: Callable[[], int | None] = lambda: None,
        on_lost: Callable[[], object] = lambda: None,
        on_recovery: Callable[[Recovery], object] = lambda _: None,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._escalation = escalation
        self._in_drive = in_drive
        self._place = place
        self._on_lost = on_lost
        self._on_recovery = on_recovery

    def run(
        self,
        attempt: Callable[[], Job[Event, Report]],
        advice: Callable[[PuzzlerigError], str],
    ) -> Job[RobotEvent | Event, Report]:
        """Run attempts until one succeeds; each finds out by itself what is left to do.

        Raises the fault that ends recovery, with the motors off and its `advice` at the end.
        """
        while True:
            try:
                yield from self._recover()
                return (yield from attempt())
            except FAULTS as fault:
                self._connection.release()
                low_battery = self._low_battery(fault)
                is_retried = self._escalation.escalate(fault, low_battery)
                if isinstance(fault, errors.CubeUncertainError) or (
                    is_retried and RecoveryAction.SCAN in self._escalation.needs
                ):
                    self._on_lost()
                if not is_retried:
                    words = (str(fault), low_battery, self._escalation.tried, advice(fault))
                    raise type(fault)(" ".join(filter(None, words))) from fault

    def act(
        self, action: RecoveryAction, work: Callable[[], Job[RobotEvent, Report]]
    ) -> Job[RobotEvent, Report]:
        """Carry out a recovery action for the last fault, between its two events."""
        place, reason, started_s = self._place(), self._escalation.reason, self._clock.now()
        yield RecoveryStarted(action, place, reason)
        report = yield from work()
        recovery = Recovery(action, place, reason, self._clock.now() - started_s)
        self._escalation.completed(action, recovery.seconds)
        self._on_recovery(recovery)
        yield Recovered(recovery)
        return report

    def adopt(self) -> None:
        """Restore the state of a robot that was just connected, as far as it still knows it.

        Raises CubeUncertainError if it was restarted within a primitive of the plan.
        """
        connection = self._connection
        if connection.known is None:
            return
        cut_off = connection.under_way
        try:
            knows_its_positions = connection.restore(connection.known)
        except errors.CubeUncertainError:
            connection.forget()
            raise
        if not knows_its_positions:
            connection.forget()
            if cut_off is not None and self._in_drive():
                raise errors.CubeUncertainError(
                    f"The brick was restarted in the middle of primitive {self._number} "
                    f"({cut_off}), so the cube's position is unknown."
                )
        elif cut_off is not None and not self._in_drive():
            self._escalation.needs.add(RecoveryAction.HOME)

    def _low_battery(self, fault: PuzzlerigError) -> str:
        """Return a sentence if a low battery may be the cause of a fault, empty otherwise.

        Weak motors stall and leave layers short of their angle, which looks like a stiff cube.
        """
        if not isinstance(
            fault, errors.MotorStalledError | errors.BrickRefusedError | errors.CubeUncertainError
        ):
            return ""
        try:
            battery = self._connection.battery()
        except (errors.LinkLostError, errors.BrickRefusedError):
            return ""
        if battery is None or not battery.is_low:
            return ""
        return (
            f"The battery is low ({battery.volts:.1f} V), which may be the cause: "
            "charge or change it."
        )

    @property
    def _number(self) -> str:
        """The number, from 1, of the primitive that a drive has come to."""
        place = self._place()
        return "" if place is None else str(place + 1)

    def _recover(self) -> Job[RobotEvent, None]:
        needs = self._escalation.needs
        if RecoveryAction.RECONNECT in needs:
            yield from self.act(RecoveryAction.RECONNECT, as_job(self._connection.reconnect))
            self.adopt()
        if RecoveryAction.CAMERA in needs:
            pause_s = self._escalation.camera_pause_s
            yield from self.act(RecoveryAction.CAMERA, as_job(lambda: self._clock.sleep(pause_s)))
        if RecoveryAction.HOME in needs:
            yield from self._straighten()

    def _straighten(self) -> Job[RobotEvent, None]:
        cut_off, number = self._connection.under_way, self._number
        matters = self._in_drive()
        rest_s = self._escalation.rest_s()

        def straighten() -> bool:
            self._clock.sleep(rest_s)
            return self._connection.straighten(cut_off)

        is_as_before = yield from self.act(RecoveryAction.HOME, as_job(straighten))
        if matters and not is_as_before:
            raise errors.CubeUncertainError(
                f"It is unknown how much was done of primitive {number} ({cut_off})."
            )


def as_job(work: Callable[[], Report]) -> Callable[[], Job[RobotEvent, Report]]:
    """Return `work` as a job without events."""

    def job() -> Job[RobotEvent, Report]:
        yield from ()
        return work()

    return job
