"""The whole job: scan, search, drive, look again. Events come out, no terminal is in it."""

from dataclasses import dataclass, field
from pathlib import Path

from controller.job_events import PlanChosen, PlanReport, RobotEvent, RobotReport, Stage, StageBegan
from controller.looking import Eyes
from controller.motion.driving.journal import Journal
from controller.motion.driving.journal_lines import check_replaceable
from controller.motion.driving.journals import new_journal_path
from controller.motion.driving.run_record import RunHeader
from controller.motion.planning.plan_choice import ChosenPlan, PlanFound, choose_plan
from controller.motion.planning.planner_name import Planner
from controller.motion.planning.pocket_planner import choose_pocket_plan
from controller.opening import OpenCamera, Robot
from controller.recovery.careful_run import CarefulRun
from controller.recovery.connection import Connection
from controller.recovery.policy import RecoveryPolicy
from controller.recovery.times import StageTimes
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress, checked
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.pocket.pocket_solver import load_distances
from solvers.rubik.two_phase.solver import prepare, warm_up


@dataclass(frozen=True, slots=True)
class Task:
    """What a robot is to do: bring the cube to `target`.

    A cube of which `corners_only` count is a 2x2x2 one, which no camera reads; it is solved.
    The journal is kept at `journal`, or under a new name where journals are kept. `camera` is the
    name of the one that looks, which the journal keeps. `policy` bounds what is done about faults.
    """

    target: CubieCube = SOLVED
    planner: Planner = Planner.OPTIMAL
    search_s: float = 1.0
    journal: Path | None = None
    camera: str | None = None
    policy: RecoveryPolicy = field(default_factory=RecoveryPolicy)
    corners_only: bool = False


class RobotJob:
    """One task for one robot. `wall` tells how long the stages take.

    `plan_known`, `solve_known` and `solve_seen` are jobs: generators of events that end with a
    report. Another thread may pause, continue and stop what runs; stopping raises StoppedError in
    the job. All raise RobotError, CameraError and ScanFailedError, with the motors off.
    """

    def __init__(self, robot: Robot, task: Task, wall: Clock) -> None:
        self._robot = robot
        self._task = task
        self._times = StageTimes(wall)

    def pause(self) -> None:
        """Let the robot wait before its next primitive or look, motors off."""
        self._robot.controls.pause()

    def go_on(self) -> None:
        """End a pause."""
        self._robot.controls.go_on()

    def stop(self) -> None:
        """End the job with StoppedError; what it drives can be resumed from its journal."""
        self._robot.controls.stop()

    def plan_known(self, start: CubieCube) -> Job[RobotEvent, PlanReport]:
        """Search and plan for a cube whose position is known; nothing is connected or kept."""
        chosen = yield from self._choose(start)
        return PlanReport(chosen, self._task.planner, self._times.stages)

    def solve_known(
        self, start: CubieCube, camera: "OpenCamera | None" = None
    ) -> Job[RobotEvent, RobotReport]:
        """Solve a cube whose position is known; the rig finds its home first.

        With a camera the cube is looked at in the end, and when nobody knows any more how it lies.
        """
        self._check_journal()
        with Connection(self._robot, self._task.policy) as connection:
            chosen = yield from self._choose(start)
            return (yield from self._carry_out(connection, camera, start, chosen))

    def solve_seen(self, camera: OpenCamera) -> Job[RobotEvent, RobotReport]:
        """Scan the cube, solve it, and look at it once more; the rig finds its home first.

        Raises DoubtfulScanError if the reading stays doubtful.
        """
        self._check_journal()
        with Connection(self._robot, self._task.policy) as connection:
            return (yield from self._carry_out(connection, camera))

    def _check_journal(self) -> None:
        """Find out before the robot moves whether the journal can be kept where it shall be."""
        if self._task.journal is not None:
            check_replaceable(self._task.journal)

    def _choose(self, start: CubieCube) -> Job[RobotEvent, ChosenPlan]:
        return choosing(self._robot, self._task, start, self._times)

    def _carry_out(
        self,
        connection: Connection,
        camera: "OpenCamera | None",
        start: CubieCube | None = None,
        chosen: ChosenPlan | None = None,
    ) -> Job[RobotEvent, RobotReport]:
        robot, task = self._robot, self._task
        eyes = Eyes(camera, robot) if camera else None
        if eyes is not None:
            eyes.find_camera()
        path = task.journal or new_journal_path()
        with Journal(path) as journal:
            journal.begin(self._header(start, chosen))
            run = CarefulRun(
                robot, connection, journal, eyes, self._choose, task.policy, self._times
            )
            outcome = yield from run.carry_out()
        plan = outcome.chosen or chosen
        assert plan is not None, "what was driven was planned"
        return RobotReport(
            chosen=plan,
            planner=task.planner,
            driven=outcome.driven,
            journal=path,
            stages=self._times.stages,
            scan=outcome.scan,
            seen=outcome.seen,
            unseen=outcome.unseen,
        )

    def _header(self, start: CubieCube | None, chosen: ChosenPlan | None) -> RunHeader:
        target = self._task.target
        if self._task.corners_only and start is not None and chosen is not None:
            target = start.apply(chosen.plan.moves)  # the edges, and how it lies, are as they come
        return RunHeader(
            start=start,
            target=target,
            moves=chosen.plan.moves if chosen else (),
            primitives=chosen.plan.primitives if chosen else (),
            rig=self._robot.rig,
            drive=self._robot.drive,
            brick=self._robot.address,
            calibration=self._robot.calibration,
            camera=self._task.camera,
        )


def choosing(
    robot: Robot, task: Task, start: CubieCube, times: StageTimes
) -> Job[RobotEvent, ChosenPlan]:
    """Search for the plan of a task from `start`; a stop is heard."""
    with times.of(Stage.SEARCH):
        yield StageBegan(Stage.PREPARE)
        search: Job[PlanFound, ChosenPlan]
        if task.corners_only:
            yield from load_distances()
            search = choose_pocket_plan(start, robot.costs, task.planner)
        else:
            yield from prepare_search()
            search = choose_plan(start, task.target, robot.costs, task.planner, task.search_s)
        yield StageBegan(Stage.SEARCH, None if task.corners_only else task.search_s)
        chosen = yield from checked(search, robot.controls.check)
    yield PlanChosen(chosen, start)
    return chosen


def prepare_search() -> Job[Progress, None]:
    """Compile the search and build its tables: seconds once per machine, nothing from then on.

    The exact tables are worth it: the robot drives about a second less each time.
    """
    yield from warm_up()
    yield from prepare()
