"""Carries out a leg of a job, mends what goes wrong in it, and begins the leg again."""

from collections.abc import Callable
from typing import TypeVar

from controller.errors import CubeUncertainError
from controller.job_events import RobotEvent
from controller.motion.driving.recovery import Recovered, Recovery, RecoveryBegan, Remedy
from controller.recovery.connection import Connection
from controller.recovery.ladder import FAULTS, Ladder
from solvers.foundation.clock import Clock
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job

Report = TypeVar("Report")


class Mender:
    """Mends link, camera and rig; what the cube needs is left to the leg.

    `in_drive` says whether the primitive that was cut off is one of a plan, which has to know what
    became of it; `place` is its index. `lose` hears that nobody knows any more how the cube lies,
    `note` of each remedy that was carried out.
    """

    def __init__(
        self,
        connection: Connection,
        clock: Clock,
        ladder: Ladder,
        *,
        in_drive: Callable[[], bool] = lambda: False,
        place: Callable[[], int | None] = lambda: None,
        lose: Callable[[], object] = lambda: None,
        note: Callable[[Recovery], object] = lambda _: None,
    ) -> None:
        self._connection = connection
        self._clock = clock
        self._ladder = ladder
        self._in_drive = in_drive
        self._place = place
        self._lose = lose
        self._note = note

    def carry_out(
        self, leg: Callable[[], Job[RobotEvent, Report]], advice: Callable[[PuzzlerigError], str]
    ) -> Job[RobotEvent, Report]:
        """Carry out a leg, which finds out by itself what is left of it when it begins again.

        Raises what cannot be mended, with the motors off and the `advice` for it at the end.
        """
        while True:
            try:
                yield from self._mend()
                return (yield from leg())
            except FAULTS as fault:
                self._connection.release()
                goes_on = self._ladder.take(fault)
                if isinstance(fault, CubeUncertainError) or (
                    goes_on and Remedy.SCAN in self._ladder.needs
                ):
                    self._lose()
                if not goes_on:
                    words = (str(fault), self._ladder.tried, advice(fault))
                    raise type(fault)(" ".join(filter(None, words))) from fault

    def told(
        self, remedy: Remedy, work: Callable[[], Job[RobotEvent, Report]]
    ) -> Job[RobotEvent, Report]:
        """Do what is a remedy for the last fault, and tell so."""
        place, reason, began_s = self._place(), self._ladder.reason, self._clock.now()
        yield RecoveryBegan(remedy, place, reason)
        report = yield from work()
        recovery = Recovery(remedy, place, reason, self._clock.now() - began_s)
        self._ladder.done(remedy, recovery.seconds)
        self._note(recovery)
        yield Recovered(recovery)
        return report

    def take_up(self) -> None:
        """Find out what a robot that was just connected still knows of itself.

        Raises CubeUncertainError if it forgot within a primitive of the plan how the cube lies.
        """
        connection = self._connection
        if connection.known is None:
            return
        cut_off = connection.under_way
        try:
            knows_its_place = connection.restore(connection.known)
        except CubeUncertainError:
            connection.forget()
            raise
        if not knows_its_place:
            connection.forget()
            if cut_off is not None and self._in_drive():
                raise CubeUncertainError(
                    f"The brick was restarted in the middle of primitive {self._number} "
                    f"({cut_off}), so nobody knows how the cube lies."
                )
        elif cut_off is not None and not self._in_drive():
            self._ladder.needs.add(Remedy.HOME)

    @property
    def _number(self) -> str:
        """The primitive that a drive has come to, as people count."""
        place = self._place()
        return "" if place is None else str(place + 1)

    def _mend(self) -> Job[RobotEvent, None]:
        needs = self._ladder.needs
        if Remedy.RECONNECT in needs:
            yield from self.told(Remedy.RECONNECT, at_once(self._connection.reconnect))
            self.take_up()
        if Remedy.CAMERA in needs:
            pause_s = self._ladder.camera_pause_s
            yield from self.told(Remedy.CAMERA, at_once(lambda: self._clock.sleep(pause_s)))
        if Remedy.HOME in needs:
            yield from self._straighten()

    def _straighten(self) -> Job[RobotEvent, None]:
        cut_off, number = self._connection.under_way, self._number
        matters = self._in_drive()
        rest_s = self._ladder.rest_s()

        def straighten() -> bool:
            self._clock.sleep(rest_s)
            return self._connection.straighten(cut_off)

        is_as_before = yield from self.told(Remedy.HOME, at_once(straighten))
        if matters and not is_as_before:
            raise CubeUncertainError(
                f"Nobody knows how much was done of primitive {number} ({cut_off})."
            )


def at_once(work: Callable[[], Report]) -> Callable[[], Job[RobotEvent, Report]]:
    """Return what does `work` as a job that tells nothing."""

    def job() -> Job[RobotEvent, Report]:
        yield from ()
        return work()

    return job
