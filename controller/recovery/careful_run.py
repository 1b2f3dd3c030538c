"""A run from wherever it stands to a cube that was seen: scan, plan, drive, scan again.

During a drive the camera views the cube where a view saves most for the seconds it takes. Every
primitive may go wrong unseen: a tilt slips or rolls the cube twice, a spin leaves it yawed by a
quarter, a layer does not follow. Each of these is replayed on a virtual cube. A view shows the
upper face; if that differs from the one expected, the rest of the plan is not driven in vain. What
that saves, on average, is weighed against the price of the view.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from controller import job_events
from controller.camera_observer import CameraObserver
from controller.errors import CubeUncertainError, DoubtfulScanError, MotorStalledError
from controller.motion.executor import (
    DriveReport,
    DriveTally,
    Executor,
    HomeFound,
    PrimitiveFinished,
)
from controller.motion.journal import Journal
from controller.motion.plan_choice import ChosenPlan
from controller.motion.primitives import CostModel, Primitive, Spin, Tilt, price_all
from controller.motion.run_record import RecoveryAction, RunRecord
from controller.motion.virtual_cube import VirtualCube
from controller.opening import Robot
from controller.recovery.connection import Connection
from controller.recovery.escalation import FAULTS, EscalationPolicy, RecoveryPolicy
from controller.recovery.runner import RecoveryRunner
from controller.vision.errors import CameraError, ScanFailedError
from controller.vision.reading.result import ScanResult, Verdict, colours_of
from controller.vision.scans.viewing import Palette, facelets_in_picture, shows
from solvers.foundation.clock import Clock
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import format_facelets

Planning: TypeAlias = Callable[[CubieCube], Job[job_events.RobotEvent, ChosenPlan]]

GIVE_POSITION: Final = (
    "Straighten its layers, bring the rig back to its home pose and give the cube's position: "
    "cuberobot resume {} --state FACELETS."
)
SCAN_AND_RESUME: Final = (
    "Straighten the cube's layers and put it back in its cradle; then `cuberobot resume {}` scans "
    "it and continues."
)
CLEAR_AND_RESUME: Final = (
    "Remove what blocks the rig, straighten the cube's layers and put it back in its cradle as it "
    "was, the same face up and in front; then `cuberobot resume {}` continues."
)
RESUME: Final = "`cuberobot resume {}` continues."


class StageTimes:
    """Sums of the seconds of `clock` that each stage takes; a stage can come again."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seconds: dict[job_events.Stage, float] = {}

    @contextmanager
    def measure(self, stage: job_events.Stage) -> Iterator[None]:
        """Add the time of the block to a stage, also if it raises."""
        started_s = self._clock.now()
        try:
            yield
        finally:
            seconds = self._clock.now() - started_s
            self._seconds[stage] = self._seconds.get(stage, 0.0) + seconds

    @property
    def stages(self) -> tuple[job_events.StageTime, ...]:
        """The stages in the order in which they first ended."""
        return tuple(
            job_events.StageTime(stage, seconds) for stage, seconds in self._seconds.items()
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run. `chosen` is the last plan that was made in it, None if none was.

    `scan` is the first reading of the cube and `seen` the last, None without one; `unseen` is the
    sentence that says why there is no last one.
    """

    driven: DriveReport
    chosen: ChosenPlan | None
    scan: ScanResult | None
    seen: job_events.Verification | None
    unseen: str


class CarefulRun:
    """Continues from `journal` until the target is reached, and recovers from faults.

    `plan` searches for a plan; without `camera` nothing is scanned. Whatever is known of the cube
    is in the journal, so that a later process can resume from any moment.
    """

    def __init__(
        self,
        robot: Robot,
        connection: Connection,
        journal: Journal,
        camera: CameraObserver | None,
        plan: Planning,
        policy: RecoveryPolicy,
        times: StageTimes,
    ) -> None:
        self._robot = robot
        self._connection = connection
        self._journal = journal
        self._camera = camera
        self._plan = plan
        self._policy = policy
        self._times = times
        self._escalation = EscalationPolicy(policy, can_look=camera is not None)
        self._recovery = RecoveryRunner(
            connection,
            robot.controls,
            self._escalation,
            in_drive=lambda: self._record.has_plan and self._record.is_under_way,
            place=lambda: self._record.finished if self._is_driving else None,
            on_lost=self._record_lost,
            on_recovery=journal.record_recovery,
        )
        self._has_adopted = False
        self._found: CubieCube | None = None  # the position that verification found instead
        self._suspected: Sequence[Primitive] = ()  # what a look found wrong, until a scan
        self._has_strayed = False  # by what was seen, a tilt or spin went wrong
        self._palette: Palette | None = None
        self._is_scanned = False  # by this camera, for the plan that is driven
        self._chosen: ChosenPlan | None = None
        self._first_scan: ScanResult | None = None
        self._seen: job_events.Verification | None = None

    def carry_out(self) -> Job[job_events.RobotEvent, Outcome]:
        """Do what is left of the run.

        Raises the fault that ends recovery, with the motors off and advice in the sentence. Where
        only the verification of a finished drive failed, its reason is in the outcome instead.
        """
        tally, unseen = DriveTally(), ""
        try:
            yield from tally.watch(self._recovery.run(self._attempt, self._advice))
        except FAULTS as fault:
            if not self._record.is_complete:
                raise
            unseen = str(fault)
        else:
            needed_other = self._has_strayed or self._connection.moves_otherwise
            changes = max(1, self._connection.changes) if needed_other else 0
            if sentence := self._robot.learn(changes):
                yield job_events.MarginsLoosened(sentence)
        return Outcome(tally.report, self._chosen, self._first_scan, self._seen, unseen)

    @property
    def _record(self) -> RunRecord:
        return self._journal.record

    @property
    def _is_driving(self) -> bool:
        return self._record.has_plan and not self._record.is_complete

    def _attempt(self) -> Job[job_events.RobotEvent, None]:
        if not self._has_adopted:
            self._has_adopted = True
            self._recovery.adopt()
        if self._connection.known is None:
            after_restart = self._connection.has_forgotten
            self._connection.set_home()
            yield HomeFound(after_restart)
        if not self._record.has_plan:
            if RecoveryAction.SCAN in self._escalation.needs:
                yield from self._recovery.act(RecoveryAction.SCAN, self._scan_and_plan)
            else:
                yield from self._scan_and_plan()
        yield from self._drive()
        if self._camera is not None:
            yield from self._verify(self._camera)

    def _scan_and_plan(self) -> Job[job_events.RobotEvent, None]:
        if self._camera is None:
            raise CubeUncertainError("The cube's position is unknown.")
        start, self._found = self._found, None
        if start is None:
            start = yield from self._scan_cube(self._camera)
        self._palette = Palette.of(self._camera.last) if self._camera.can_glance else None
        self._is_scanned = True
        self._chosen = yield from self._plan(start)
        plan = self._chosen.plan
        colours = colours_of(self._camera.last.centres)
        self._journal.record_plan(start, plan.moves, plan.primitives, colours)
        self._escalation.progressed()

    def _scan_cube(self, camera: CameraObserver) -> Job[job_events.RobotEvent, CubieCube]:
        with self._times.measure(job_events.Stage.SCAN):
            yield job_events.StageStarted(job_events.Stage.SCAN)
            result = (yield from camera.scan(self._connection)).outcome.result
        self._first_scan = self._first_scan or result
        self._has_strayed |= result.verdict is Verdict.RESCAN
        cube = accepted_cube(result)
        if self._suspected:
            yield from self._loosen_after(result, self._suspected)
        self._suspected = ()
        return cube

    def _loosen_after(
        self, seen: ScanResult, driven: Sequence[Primitive]
    ) -> Job[job_events.RobotEvent, None]:
        """Make the rig's tuned margins safer if a wrong tilt explains what was seen."""
        start = self._record.header.start
        if start is not None and is_by_wrong_tilt(seen, start, driven):
            self._has_strayed = True
            sentence = self._robot.loosen()
            if sentence:
                yield job_events.MarginsLoosened(sentence)

    def _drive(self) -> Job[job_events.RobotEvent, None]:
        yield job_events.DriveStarted(len(self._record.header.primitives), self._journal.path)
        known = self._connection.known
        assert known is not None, "home was found"
        if known != self._record.state:
            self._journal.record_home(known)
        with self._times.measure(job_events.Stage.DRIVE):
            yield from self._play(self._view_indices())

    def _play(self, views: Sequence[int]) -> Job[job_events.RobotEvent, None]:
        robot, record = self._robot, self._record
        executor = Executor(
            self._connection, self._journal, robot.controls, robot.costs, robot.retry_pause_s
        )
        with closing(executor.play(record.header.primitives, views, self._glance)) as events:
            for event in events:
                if isinstance(event, PrimitiveFinished):
                    self._escalation.progressed()
                yield event

    def _view_indices(self) -> tuple[int, ...]:
        header = self._record.header
        if self._palette is None or header.start is None:
            return ()
        rate = self._policy.fault_rate * (
            1 + self._escalation.episodes
        )  # a run with faults is likely to have more
        return worthwhile_views(
            header.start, header.primitives, self._robot.costs, self._policy, rate
        )

    def _glance(self, index: int) -> Job[job_events.RobotEvent, None]:
        """Check the face that is up before primitive `index`; drive on if the camera fails."""
        header, palette = self._record.header, self._palette
        if palette is None:
            return
        assert self._camera is not None
        assert header.start is not None
        expected = up_face(VirtualCube(header.start).after_all(header.primitives[:index]))
        try:
            view = yield from self._camera.glance(self._connection)
        except CameraError:
            self._palette = None
            return
        except ScanFailedError:
            pass  # the cube is so askew that no face is seen
        else:
            if palette.differing(view, expected) < DIFFERING:
                return
        self._move_otherwise()
        self._suspected = header.primitives[:index]
        raise CubeUncertainError(
            f"Before primitive {index + 1} the camera sees a different face than the plan expects."
        )

    def _verify(self, camera: CameraObserver) -> Job[job_events.RobotEvent, None]:
        with self._times.measure(job_events.Stage.VERIFY):
            header, verification = self._record.header, None
            # After a recovery more may have gone wrong than a check of few faces shows.
            if self._is_scanned and not self._record.recoveries and header.start is not None:
                verification = yield from camera.spot_check(
                    header.start, header.primitives, self._connection
                )
            if verification is None:
                verification = yield from camera.verify(header.target, self._connection)
        self._seen = verification
        if not verification.target_reached:
            self._found = accepted_cube(verification.result)
            yield from self._loosen_after(verification.result, header.primitives)
            self._move_otherwise()
            self._journal.record_lost()
            raise CubeUncertainError(f"The {camera.eye} sees a different cube than expected.")

    def _move_otherwise(self) -> None:
        """Note that the cube moved otherwise than it should, unfelt: the next plan is driven so.

        Finding home changes the manner. On some rigs many tilts slip, which no one slip explains.
        """
        self._has_strayed = True
        self._escalation.needs.add(RecoveryAction.HOME)

    def _record_lost(self) -> None:
        if self._is_driving:
            self._journal.record_lost()

    def _advice(self, fault: PuzzlerigError) -> str:
        path = self._journal.path
        if self._record.has_plan:
            is_stalled = isinstance(fault, MotorStalledError)
            return (CLEAR_AND_RESUME if is_stalled else RESUME).format(path)
        return (GIVE_POSITION if self._camera is None else SCAN_AND_RESUME).format(path)


def is_by_wrong_tilt(seen: ScanResult, start: CubieCube, primitives: Sequence[Primitive]) -> bool:
    """Return whether one tilt that slipped or rolled the cube twice explains what was seen.

    Not so where the cube's layers are as they should be: how it lies may have other causes.
    """
    before = VirtualCube(start)
    if shows(seen, before.after_all(primitives).position):
        return False
    for index, primitive in enumerate(primitives):
        if isinstance(primitive, Tilt):
            for instead in _gone_wrong(primitive):
                wrong = before.after_all((*instead, *primitives[index + 1 :]))
                if shows(seen, wrong.position):
                    return True
        before = before.after(primitive)
    return False


def accepted_cube(result: ScanResult) -> CubieCube:
    """Return the cube that was read. Raises DoubtfulScanError unless the reading was accepted."""
    if result.verdict is Verdict.ACCEPTED:
        return result.cube
    raise DoubtfulScanError(
        f"The cube was read with doubts ({result.verdict}). {' '.join(result.reasons)} "
        f"If you can see that it is right, run with --state {result.facelets}."
    )


DIFFERING: Final = 2
"""Stickers of a face that make a difference; a single one can be glare."""
_CANDIDATES: Final = 12


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place to look: before primitive `index`; `saves_s` if it shows a fault, at `price_s`."""

    index: int
    saves_s: float
    price_s: float


def up_face(cube: VirtualCube) -> str:
    """Return the nine letters that a camera above sees, the back of the rig on top."""
    own = format_facelets(cube.position)
    return "".join(own[index] for index in facelets_in_picture(cube.orientation))


def differs(one: str, other: str) -> bool:
    """Return whether two faces, as `up_face` gives them, surely differ."""
    return sum(a != b for a, b in zip(one, other, strict=True)) >= DIFFERING


def worthwhile_views(
    start: CubieCube,
    primitives: Sequence[Primitive],
    costs: CostModel,
    policy: RecoveryPolicy,
    fault_rate: float,
) -> tuple[int, ...]:
    """Return before which primitives to look; empty if no look is worth its price.

    `fault_rate` is how likely a primitive goes wrong unseen.
    """
    candidates = _candidates(primitives, costs, policy)
    faults = list(_faults(start, primitives, [each.index for each in candidates]))

    def worth(places: tuple[_Candidate, ...]) -> float:
        saved_s = 0.0
        for weight, shown_at in faults:
            saved_s += weight * next((c.saves_s for c in places if c.index in shown_at), 0.0)
        return fault_rate * saved_s - sum(place.price_s for place in places)

    choices = [
        places for many in range(policy.max_views + 1) for places in combinations(candidates, many)
    ]
    return tuple(place.index for place in max(choices, key=worth))


def _candidates(
    primitives: Sequence[Primitive], costs: CostModel, policy: RecoveryPolicy
) -> list[_Candidate]:
    tilted = [index for index, each in enumerate(primitives[:-1], 1) if isinstance(each, Tilt)]
    step = max(1, -(-len(tilted) // _CANDIDATES))
    return [
        _Candidate(
            index,
            price_all(costs, primitives[index:], primitives[index - 1]),
            policy.view_s,
        )
        for index in tilted[::step]
    ]


def _faults(
    start: CubieCube, primitives: Sequence[Primitive], looks: Sequence[int]
) -> Iterator[tuple[float, set[int]]]:
    """Yield for each fault how likely it is among those of its primitive, and where it shows."""
    cube = VirtualCube(start)
    cubes = [cube := cube.after(primitive) for primitive in primitives]
    expected = {index: up_face(cubes[index - 1]) for index in looks}
    for number, primitive in enumerate(primitives):
        before = cubes[number - 1] if number else VirtualCube(start)
        wrong = list(_gone_wrong(primitive))
        for done in wrong:
            faulty = before.after_all(done)
            shown = set()
            for index in range(number + 1, len(primitives)):
                if index in expected and differs(up_face(faulty), expected[index]):
                    shown.add(index)
                faulty = faulty.after(primitives[index])
            yield 1 / len(wrong), shown


def _gone_wrong(primitive: Primitive) -> Iterable[tuple[Primitive, ...]]:
    """Return what may happen instead of a primitive."""
    match primitive:
        case Tilt():
            return [(), (Tilt(), Tilt())]
        case Spin():
            return [(primitive, Spin(1)), (primitive, Spin(-1))]
    return [()]
