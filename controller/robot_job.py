"""The whole job: scan, search, drive, look again. Events come out, no terminal is in it."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from controller.errors import CubeUncertainError
from controller.job_events import (
    DriveBegan,
    PlanChosen,
    PlanReport,
    RobotEvent,
    RobotReport,
    Sight,
    Stage,
    StageBegan,
    StageTime,
)
from controller.motion.driving.executor import Executor
from controller.motion.driving.journal import Journal, RunHeader, check_replaceable
from controller.motion.driving.journals import new_journal_path
from controller.motion.driving.run import DriveReport, start_run
from controller.motion.mechanism import Mechanism
from controller.motion.planning.plan_choice import ChosenPlan, choose_plan
from controller.motion.planning.planner import Planner
from controller.opening import OpenCamera, Robot
from controller.scan_job import look, look_whether
from controller.vision.reading.result import ScanResult, Verdict
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress, checked
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.two_phase.solver import prepare, warm_up

Report = TypeVar("Report")


@dataclass(frozen=True, slots=True)
class Task:
    """What a robot is to do: bring the cube to `target`.

    The journal is kept at `journal`, or under a new name where journals are kept. `camera` is the
    name of the one that looks, which the journal keeps.
    """

    target: CubieCube = SOLVED
    planner: Planner = Planner.OPTIMAL
    search_s: float = 1.0
    journal: Path | None = None
    camera: str | None = None


class RobotJob:
    """One task for one robot. `wall` tells how long the stages take.

    `plan_known`, `solve_known` and `solve_seen` are jobs: generators of events that end with a
    report. Another thread may pause, continue and stop what runs; stopping raises StoppedError in
    the job. All raise RobotError, CameraError and ScanFailedError, with the motors off.
    """

    def __init__(self, robot: Robot, task: Task, wall: Clock) -> None:
        self._robot = robot
        self._task = task
        self._times = _Times(wall)
        self._journal: Path | None = None  # from the first motion on

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
        return PlanReport(chosen, self._task.planner, tuple(self._times.stages))

    def solve_known(
        self, start: CubieCube, camera: "OpenCamera | None" = None
    ) -> Job[RobotEvent, RobotReport]:
        """Solve a cube whose position is known; the rig stands at home.

        With a camera the cube is looked at in the end.
        """
        self._check_journal()
        with self._robot.connect() as mechanism:
            chosen = yield from self._choose(start)
            driven = yield from self._drive(start, chosen, mechanism, at_home=True)
            after = (yield from self._verify(camera, mechanism)) if camera else None
        return self._report(chosen, driven, None, after)

    def solve_seen(self, camera: OpenCamera) -> Job[RobotEvent, RobotReport]:
        """Scan the cube, solve it, and look at it once more; the rig stands at home.

        The camera is closed in between: its pictures would only take time from the motors.
        Raises CubeUncertainError if the reading is doubtful.
        """
        self._check_journal()
        with self._robot.connect() as mechanism:
            self._journal = self._task.journal or new_journal_path()
            mechanism.set_home()
            try:
                before = yield from self._scan(camera, mechanism)
                start = accepted(before)
                chosen = yield from self._choose(start)
                driven = yield from self._drive(start, chosen, mechanism, at_home=False)
                after = yield from self._verify(camera, mechanism)
            finally:
                mechanism.release()
        return self._report(chosen, driven, before, after)

    def _check_journal(self) -> None:
        """Find out before the robot moves whether the journal can be kept where it shall be."""
        if self._task.journal is not None:
            check_replaceable(self._task.journal)

    def _choose(self, start: CubieCube) -> Job[RobotEvent, ChosenPlan]:
        task, controls = self._task, self._robot.controls
        with self._times.of(Stage.SEARCH):
            yield StageBegan(Stage.PREPARE)
            yield from prepare_search()
            yield StageBegan(Stage.SEARCH, task.search_s)
            costs = self._robot.costs
            search = choose_plan(start, task.target, costs, task.planner, task.search_s)
            chosen = yield from checked(search, controls.check)
        yield PlanChosen(chosen)
        return chosen

    def _scan(self, camera: OpenCamera, mechanism: Mechanism) -> Job[RobotEvent, ScanResult]:
        with self._times.of(Stage.SCAN):
            yield StageBegan(Stage.SCAN)
            with camera() as source:
                report = yield from look(source, self._robot, mechanism)
        return report.outcome.result

    def _verify(self, camera: OpenCamera, mechanism: Mechanism) -> Job[RobotEvent, Sight]:
        with self._times.of(Stage.VERIFY):
            try:
                return (yield from look_whether(self._task.target, camera, self._robot, mechanism))
            finally:
                mechanism.release()

    def _drive(
        self, start: CubieCube, chosen: ChosenPlan, mechanism: Mechanism, *, at_home: bool
    ) -> Job[RobotEvent, "_Driven"]:
        robot, task = self._robot, self._task
        plan = chosen.plan
        header = RunHeader(
            start=start,
            target=task.target,
            moves=plan.moves,
            primitives=plan.primitives,
            rig=robot.rig,
            drive=robot.drive,
            brick=robot.address,
            calibration=robot.calibration,
            camera=task.camera,
        )
        path = self._journal or task.journal or new_journal_path()
        with self._times.of(Stage.DRIVE), Journal(path) as journal:
            yield DriveBegan(len(plan.primitives), path)
            executor = executor_of(robot, mechanism, journal)
            driven = yield from start_run(header, executor, at_home=at_home)
        return _Driven(driven, path)

    def _report(
        self,
        chosen: ChosenPlan,
        driven: "_Driven",
        before: ScanResult | None,
        after: Sight | None,
    ) -> RobotReport:
        return RobotReport(
            chosen=chosen,
            planner=self._task.planner,
            driven=driven.report,
            journal=driven.journal,
            stages=tuple(self._times.stages),
            scan=before,
            seen=after,
        )


def executor_of(robot: Robot, mechanism: Mechanism, journal: Journal) -> Executor:
    """Return what plays primitives on a connected robot."""
    return Executor(mechanism, journal, robot.controls, robot.costs, robot.retry_pause_s)


def prepare_search() -> Job[Progress, None]:
    """Compile the search and build its tables: seconds once per machine, nothing from then on.

    The exact table is worth it: the robot drives about a second less each time.
    """
    yield from warm_up()
    yield from prepare()


def accepted(result: ScanResult) -> CubieCube:
    """Return the cube that was read. Raises CubeUncertainError if there are doubts."""
    if result.verdict is Verdict.ACCEPTED:
        return result.cube
    raise CubeUncertainError(
        f"The cube was read with doubts ({result.verdict}). {' '.join(result.reasons)} "
        f"If you can see that it is right, run with --state {result.facelets}."
    )


@dataclass(frozen=True, slots=True)
class _Driven:
    """What a drive came to, and its journal."""

    report: DriveReport
    journal: Path


@dataclass(slots=True)
class _Times:
    """How long the stages took."""

    clock: Clock
    stages: list[StageTime] = field(default_factory=list)

    @contextmanager
    def of(self, stage: Stage) -> Generator[None, None, None]:
        began_s = self.clock.now()
        yield
        self.stages.append(StageTime(stage, self.clock.now() - began_s))
