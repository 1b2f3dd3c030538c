"""One solve from end to end: search, plan, drive; and how an interrupted one goes on."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.drivers.mechanism import HomeAngles
from controller.errors import CubeUncertainError
from controller.motion.executor import ExecutionEvent, Executor
from controller.motion.journal import RunHeader, RunRecord
from controller.motion.plan_choice import ChosenPlan
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets
from solvers.rubik.notation import format_moves


@dataclass(frozen=True, slots=True)
class HomeTaken:
    """The rig's present pose was taken as home."""

    home: HomeAngles
    after_restart: bool


SessionEvent = HomeTaken | ExecutionEvent


def run_header(
    start: CubieCube, target: CubieCube, chosen: ChosenPlan, brick: str, motor_control: bool
) -> RunHeader:
    """Return what the journal of a run begins with."""
    return RunHeader(
        state=format_facelets(start),
        target=format_facelets(target),
        moves=format_moves(chosen.plan.moves),
        primitives=tuple(map(str, chosen.plan.primitives)),
        brick=brick,
        motor_control=motor_control,
    )


def start_run(
    header: RunHeader, executor: Executor, *, at_home: bool = True
) -> Iterator[SessionEvent]:
    """Play a new run; the cube lies in the rig as the header says.

    The rig stands at home, or, if not `at_home`, its mechanism has moved it since home was taken.
    """
    executor.journal.begin(header)
    if at_home:
        yield _take_home(executor, finished=0, after_restart=False)
    else:
        executor.journal.home(executor.mechanism.recount_home(), finished=0)
    yield from executor.play(header.parsed_primitives())


def resume_run(record: RunRecord, executor: Executor) -> Iterator[SessionEvent]:
    """Go on with a run from the last certain state of the cube.

    A primitive that was under way is completed, which needs a brick that still knows where its
    motors stand. Raises CubeUncertainError if it does not.
    """
    if not executor.mechanism.restore(record.home, record.cradle_quarters):
        if record.step is not None:
            raise CubeUncertainError(_uncertain(record))
        yield _take_home(executor, record.finished, after_restart=True)
    yield from executor.play(record.header.parsed_primitives(), record.finished, record.step)


def _take_home(executor: Executor, finished: int, after_restart: bool) -> HomeTaken:
    home = executor.mechanism.set_home()
    executor.journal.home(home, finished)
    return HomeTaken(home, after_restart)


def _uncertain(record: RunRecord) -> str:
    primitive = record.header.primitives[record.finished]
    return (
        f"The brick was restarted in the middle of primitive {record.finished + 1} ({primitive}), "
        "so nobody knows how the cube lies. Straighten cradle and layers, close the arm, put the "
        "pusher back, and say what the cube looks like: cuberobot resume JOURNAL --state FACELETS."
    )
