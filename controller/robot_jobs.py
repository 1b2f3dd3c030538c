"""The robot's jobs: solve, resume, scan and calibrate. Each yields events and returns a report.

No terminal is in here. A job is stopped by its robot's `controls`, from any thread.
"""

from dataclasses import dataclass, field
from pathlib import Path

from controller import job_events
from controller.camera_observer import new_observer, opened
from controller.controls import Controls
from controller.errors import InvalidJournalError, StoppedError
from controller.motion.journal import (
    Journal,
    check_new_journal,
    check_replaceable,
    journals_newest_first,
    new_journal_path,
    no_journal,
    read_journal,
)
from controller.motion.plan_choice import ChosenPlan, PlanFound, choose_plan, choose_pocket_plan
from controller.motion.planner import Planner
from controller.motion.run_record import RunHeader, RunRecord
from controller.opening import OpenCamera, Robot
from controller.recovery.careful_run import CarefulRun, StageTimes
from controller.recovery.connection import Connection
from controller.recovery.escalation import EscalationPolicy, RecoveryPolicy
from controller.recovery.runner import RecoveryRunner
from controller.rigs.registry import get_drive, get_rig
from controller.rigs.rig import Prices
from controller.vision.reading.pocket_reader import PocketReading
from controller.vision.reading.shown_reader import Viewing
from controller.vision.scans.hand_scan import hand_scan
from controller.vision.scans.pocket_scan import pocket_scan
from solvers.foundation.clock import Clock, today
from solvers.foundation.files import check_writable
from solvers.foundation.progress import Job, Progress, with_cancellation
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.pocket import load_distances
from solvers.rubik.two_phase.solver import prepare, warm_up


@dataclass(frozen=True, slots=True)
class Task:
    """What a robot is to do: bring the cube to `target`.

    With `corners_only` it is a 2x2x2 cube, which no camera reads and which is always solved.
    `journal` is a path, or None for a new file in the journals' folder. `camera` is the name that
    the journal keeps for `resume`. `policy` bounds recovery. `colours` are those of a known cube's
    centres, as in the journal. Without `exact_tables` none are built for the search, which takes
    longer than it does; those that are there are used.
    """

    target: CubieCube = SOLVED
    planner: Planner = Planner.OPTIMAL
    search_s: float = 1.0
    journal: Path | None = None
    camera: str | None = None
    policy: RecoveryPolicy = field(default_factory=RecoveryPolicy)
    corners_only: bool = False
    colours: str = FACE_LETTERS
    exact_tables: bool = True


class RobotJob:
    """One task for one robot. The clock `wall` times its stages.

    `plan_known`, `solve_known` and `solve_seen` are jobs: generators of events that end with a
    report. Another thread can pause, resume and stop what runs; stopping raises StoppedError in
    the job. All raise RobotError, CameraError and ScanFailedError, with the motors off.
    """

    def __init__(self, robot: Robot, task: Task, wall: Clock) -> None:
        self._robot = robot
        self._task = task
        self._times = StageTimes(wall)

    def pause(self) -> None:
        """Let the robot wait before its next primitive or view, motors off."""
        self._robot.controls.pause()

    def resume(self) -> None:
        """End a pause."""
        self._robot.controls.resume()

    def stop(self) -> None:
        """End the job with StoppedError; what it drives can be resumed from its journal."""
        self._robot.controls.stop()

    def plan_known(self, start: CubieCube) -> Job[job_events.RobotEvent, job_events.PlanReport]:
        """Search and plan for a cube whose position is known; nothing is connected or written."""
        chosen = yield from self._choose(start)
        return job_events.PlanReport(chosen, self._task.planner, self._times.stages)

    def solve_known(
        self, start: CubieCube, camera: "OpenCamera | None" = None
    ) -> Job[job_events.RobotEvent, job_events.RobotReport]:
        """Solve a cube whose position is known; the rig finds its home first.

        With a camera the cube is scanned at the end, and whenever its position is lost.
        """
        self._check_journal()
        with Connection(self._robot, self._task.policy) as connection:
            chosen = yield from self._choose(start)
            return (yield from self._carry_out(connection, camera, start, chosen))

    def solve_seen(self, camera: OpenCamera) -> Job[job_events.RobotEvent, job_events.RobotReport]:
        """Scan the cube, solve it, and verify that; the rig finds its home first.

        Raises DoubtfulScanError if the reading stays doubtful.
        """
        self._check_journal()
        with Connection(self._robot, self._task.policy) as connection:
            return (yield from self._carry_out(connection, camera))

    def _check_journal(self) -> None:
        """Check that the journal can be written, before tables are built or the robot moves."""
        if self._task.journal is None:
            check_new_journal()
        else:
            check_replaceable(self._task.journal)

    def _choose(self, start: CubieCube) -> Job[job_events.RobotEvent, ChosenPlan]:
        return search_plan(self._robot, self._task, start, self._times)

    def _carry_out(
        self,
        connection: Connection,
        camera: "OpenCamera | None",
        start: CubieCube | None = None,
        chosen: ChosenPlan | None = None,
    ) -> Job[job_events.RobotEvent, job_events.RobotReport]:
        robot, task = self._robot, self._task
        observer = new_observer(camera, robot) if camera else None
        if observer is not None:
            observer.find_camera()
        path = task.journal or new_journal_path()
        with Journal(path) as journal:
            journal.start(self._header(start, chosen))
            run = CarefulRun(
                robot, connection, journal, observer, self._choose, task.policy, self._times
            )
            outcome = yield from run.carry_out()
        plan = outcome.chosen or chosen
        assert plan is not None, "what was driven was planned"
        return job_events.RobotReport(
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
            target = start.apply(chosen.plan.moves)  # edges and orientation are as they come
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
            colours=self._task.colours,
        )


def search_plan(
    robot: Robot, task: Task, start: CubieCube, times: StageTimes
) -> Job[job_events.RobotEvent, ChosenPlan]:
    """Return the plan of a task from `start`; a stop ends the search."""
    with times.measure(job_events.Stage.SEARCH):
        yield job_events.StageStarted(job_events.Stage.PREPARE)
        search: Job[PlanFound, ChosenPlan]
        if task.corners_only:
            yield from load_distances()
            search = choose_pocket_plan(start, robot.costs, task.planner)
        else:
            yield from prepare_search(exact_tables=task.exact_tables)
            search = choose_plan(start, task.target, robot.costs, task.planner, task.search_s)
        yield job_events.StageStarted(
            job_events.Stage.SEARCH, None if task.corners_only else task.search_s
        )
        chosen = yield from with_cancellation(search, robot.controls.check)
    yield job_events.PlanChosen(chosen, start)
    return chosen


def prepare_search(*, exact_tables: bool = True) -> Job[Progress, None]:
    """Compile the search and build its tables: seconds once per machine, nothing from then on.

    The exact tables are worth it: the robot drives about a second less each time.
    """
    yield from warm_up()
    if exact_tables:
        yield from prepare()


@dataclass(frozen=True, slots=True)
class InterruptedRun:
    """The content of a journal, for resuming its run."""

    path: Path
    record: RunRecord
    valid_bytes: int


def find_interrupted_run(path: Path | None = None) -> InterruptedRun:
    """Read a journal, or, without a path, find the newest whose run is not finished.

    A newer run on the same brick that was finished has moved the cube since. Raises
    InvalidJournalError.
    """
    if path is not None:
        return InterruptedRun(path, *read_journal(path))
    moved_since: set[str] = set()
    for candidate in journals_newest_first():
        if not candidate.stat().st_size:
            raise InvalidJournalError(
                f"The newest run ({candidate.name}) was cut off as it started. Straighten the rig "
                "and start again: cuberobot run."
            )
        try:
            run = InterruptedRun(candidate, *read_journal(candidate))
        except InvalidJournalError:  # of another version, damaged, or not ours
            continue
        if run.record.header.brick in moved_since:
            continue
        if not run.record.is_complete:
            return run
        moved_since.add(run.record.header.brick)
    raise no_journal()


def resume(
    run: InterruptedRun,
    robot: Robot,
    camera: "OpenCamera | None" = None,
    task: Task | None = None,
) -> Job[job_events.RobotEvent, job_events.ResumeReport]:
    """Do the rest of a run, and verify the cube where there is a camera.

    If the cube's position is unknown, the camera scans it first, and the rest is planned again as
    `task` says. Raises RobotError, CameraError and ScanFailedError, with the motors off, and
    InvalidJournalError if there is nothing to do.
    """
    record = run.record
    task = task or Task(record.header.target)
    if record.is_complete and camera is None:
        raise InvalidJournalError(
            f"The run of {run.path} is finished: all {len(record.header.primitives)} primitives "
            "are done. With --camera the cube is verified."
        )
    times = StageTimes(robot.controls)
    observer = new_observer(camera, robot) if camera else None
    if observer is not None:
        observer.find_camera()
    with (
        Connection(robot, task.policy) as connection,
        Journal(run.path, run.valid_bytes) as journal,
    ):
        if record.has_plan and not record.is_complete:
            connection.known, connection.under_way = record.state, record.under_way
        run_left = CarefulRun(
            robot,
            connection,
            journal,
            observer,
            lambda start: search_plan(robot, task, start, times),
            task.policy,
            times,
        )
        outcome = yield from run_left.carry_out()
        final = journal.record
    return job_events.ResumeReport(
        resumed_at=record.finished,
        total=len(final.header.primitives),
        driven=outcome.driven,
        journal=run.path,
        seen=outcome.seen,
        unseen=outcome.unseen,
        moves=len(final.header.moves),
        whole_s=final.driven_s,
        recoveries=final.recoveries,
    )


def scan_by_robot(
    robot: Robot, camera: OpenCamera, policy: RecoveryPolicy | None = None
) -> Job[job_events.RobotEvent, job_events.ScanReport]:
    """Let the robot show all faces, starting over after a fault.

    Raises ScanFailedError, CameraError and RobotError, with the motors off.
    """
    policy = policy or RecoveryPolicy()
    observer = new_observer(camera, robot)
    with Connection(robot, policy) as connection:

        def show_all() -> Job[job_events.RobotEvent, job_events.ScanReport]:
            yield job_events.StageStarted(job_events.Stage.SCAN)
            if connection.known is None:
                connection.set_home()
            return (yield from observer.scan(connection))

        recovery = RecoveryRunner(
            connection, robot.controls, EscalationPolicy(policy, can_look=True)
        )
        return (yield from recovery.run(show_all, lambda _: "Start the scan again."))


def scan_by_hand(
    camera: OpenCamera, viewing: Viewing | None = None
) -> Job[job_events.LookEvent, job_events.ScanReport]:
    """Let a person show all faces. Raises ScanFailedError and CameraError."""
    with camera() as source:
        yield opened(source)
        outcome = yield from hand_scan(source, viewing)
    return job_events.ScanReport(outcome, source.name, source.settings)


def scan_pocket_by_hand(
    camera: OpenCamera, viewing: Viewing | None = None
) -> Job[job_events.LookEvent, PocketReading]:
    """Let a person show all faces of a 2x2x2 cube. Raises ScanFailedError and CameraError."""
    with camera() as source:
        yield opened(source)
        return (yield from pocket_scan(source, viewing))


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What was measured, and the file that holds it now."""

    prices: Prices
    path: Path


def calibrate(
    address: str,
    clock: Clock,
    *,
    rig: str,
    drive: str | None,
    calibration: Path | None,
    output: Path | None,
    rounds: int,
) -> Job[Progress, CalibrationReport]:
    """Play each primitive `rounds` times and write the prices into a calibration file.

    The file is `output`, or `calibration`, or the owner's own; other values in it stay. Whether it
    can be written is checked first. The rig stands at home; the cube ends as it started. Raises
    InvalidInputError and RobotError.
    """
    kind = get_rig(rig)
    chosen = get_drive(kind, drive)
    setup = kind.setup(calibration)
    path = kind.prices_file(output or calibration)
    check_writable(path)
    if path.exists():
        kind.setup(path)  # what cannot be read cannot take the prices either
    controls = Controls(clock)
    with setup.connected(address, chosen, controls) as mechanism:
        try:
            mechanism.set_home()
            prices = yield from setup.measure(mechanism, controls, rounds)
        except (StoppedError, KeyboardInterrupt):
            mechanism.release(at_once=True)
            raise
        finally:
            mechanism.release()
    measured = f"{today()}, {address}"
    kind.save_prices(prices, path, measured)
    return CalibrationReport(prices, path)
