"""One drive through a plan, and how an interrupted one goes on."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeAlias

from controller.errors import CubeUncertainError
from controller.motion.driving.executor import (
    ExecutionEvent,
    Executor,
    PrimitiveFinished,
    PrimitiveRetried,
)
from controller.motion.driving.journal import RunHeader, RunRecord
from solvers.foundation.progress import Job


@dataclass(frozen=True, slots=True)
class HomeTaken:
    """Home was found."""

    after_restart: bool


@dataclass(frozen=True, slots=True)
class DriveReport:
    """What a drive came to; `after_restart` if home had to be found again."""

    finished: int
    retries: int
    measured_seconds: float
    after_restart: bool = False


DriveEvent = HomeTaken | ExecutionEvent
DriveEvents: TypeAlias = Generator[DriveEvent, None, None]


def start_run(
    header: RunHeader, executor: Executor, *, at_home: bool = True
) -> Job[DriveEvent, DriveReport]:
    """Play a new run; the cube lies in the rig as the header says.

    The rig stands at home, or, if not `at_home`, its mechanism has moved it since home was taken.
    """
    executor.journal.begin(header)
    return (yield from _reported(_from_the_start(header, executor, at_home=at_home)))


def resume_run(record: RunRecord, executor: Executor) -> Job[DriveEvent, DriveReport]:
    """Go on with a run from the last certain state of the cube.

    A primitive that was under way is completed, which needs a machine that still knows where it
    stands. Raises CubeUncertainError if it does not.
    """
    return (yield from _reported(_from_where_it_was(record, executor)))


def _from_the_start(header: RunHeader, executor: Executor, *, at_home: bool) -> DriveEvents:
    if at_home:
        executor.mechanism.set_home()
        yield HomeTaken(after_restart=False)
    executor.journal.take_home(executor.mechanism.state)
    yield from executor.play(header.primitives)


def _from_where_it_was(record: RunRecord, executor: Executor) -> DriveEvents:
    if record.state is None or not executor.mechanism.restore(record.state):
        if record.is_under_way:
            raise CubeUncertainError(_uncertain(record))
        executor.mechanism.set_home()
        executor.journal.take_home(executor.mechanism.state)
        yield HomeTaken(after_restart=record.state is not None)
    yield from executor.play(record.header.primitives, record.finished)


def _reported(events: DriveEvents) -> Job[DriveEvent, DriveReport]:
    finished = retries = 0
    seconds, after_restart = 0.0, False
    with closing(events):
        for event in events:
            match event:
                case PrimitiveFinished():
                    finished += 1
                    seconds += event.seconds
                case PrimitiveRetried():
                    retries += 1
                case HomeTaken():
                    after_restart = event.after_restart
                case _:
                    pass
            yield event
    return DriveReport(finished, retries, seconds, after_restart)


def _uncertain(record: RunRecord) -> str:
    primitive = record.header.primitives[record.finished]
    return (
        f"The brick was restarted in the middle of primitive {record.finished + 1} ({primitive}), "
        "so nobody knows how the cube lies. Straighten its layers, bring the rig back to its home "
        "pose, and say what the cube looks like: cuberobot resume JOURNAL --state FACELETS."
    )
