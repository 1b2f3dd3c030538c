"""A run from wherever it stands to a cube that was seen: scan, plan, drive, look again."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.errors import CubeUncertainError, DoubtfulScanError, MotorStalledError
from controller.job_events import DriveBegan, RobotEvent, Sight, Stage, StageBegan
from controller.looking import Eyes
from controller.motion.driving.executor import Executor, PrimitiveFinished
from controller.motion.driving.journal import Journal
from controller.motion.driving.recovery import Remedy
from controller.motion.driving.run import DriveReport, DriveTally, HomeTaken
from controller.motion.driving.run_record import RunRecord
from controller.motion.planning.plan_choice import ChosenPlan
from controller.motion.planning.virtual_cube import VirtualCube
from controller.opening import Robot
from controller.recovery.connection import Connection
from controller.recovery.ladder import FAULTS, Ladder
from controller.recovery.looks import DIFFERING, up_face, worthwhile_looks
from controller.recovery.mender import Mender
from controller.recovery.policy import RecoveryPolicy
from controller.recovery.times import StageTimes
from controller.vision.errors import CameraError, ScanFailedError
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.scans.palette import Palette
from solvers.foundation.errors import PuzzlerigError
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube

Planning: TypeAlias = Callable[[CubieCube], Job[RobotEvent, ChosenPlan]]

SAY_HOW_IT_LIES: Final = (
    "Straighten its layers, bring the rig back to its home pose, and say what the cube looks like: "
    "cuberobot resume {} --state FACELETS."
)
LOOK_HOW_IT_LIES: Final = (
    "Straighten the cube's layers and lay it into its cradle; then `cuberobot resume {}` looks at "
    "it and goes on."
)
STRAIGHTEN_AND_GO_ON: Final = (
    "Take away what is in the rig's way, straighten the cube's layers and lay it into its cradle "
    "as it was, the same face up and in front; then `cuberobot resume {}` goes on."
)
GO_ON: Final = "`cuberobot resume {}` goes on."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a run. `chosen` is the last plan that was made in it, None if none was.

    `scan` is what the camera saw at first and `seen` in the end, None where it did not look;
    `unseen` is the sentence that says why it could not.
    """

    driven: DriveReport
    chosen: ChosenPlan | None
    scan: ScanResult | None
    seen: Sight | None
    unseen: str


class CarefulRun:
    """Goes on with what `journal` tells until the target is reached, and mends what goes wrong.

    `plan` searches for a plan; without `eyes` nobody looks. Whatever is known of the cube stands in
    the journal, so that each moment is one from which a later process can go on.
    """

    def __init__(
        self,
        robot: Robot,
        connection: Connection,
        journal: Journal,
        eyes: Eyes | None,
        plan: Planning,
        policy: RecoveryPolicy,
        times: StageTimes,
    ) -> None:
        self._robot = robot
        self._connection = connection
        self._journal = journal
        self._eyes = eyes
        self._plan = plan
        self._policy = policy
        self._times = times
        self._ladder = Ladder(policy, can_look=eyes is not None)
        self._mender = Mender(
            connection,
            robot.controls,
            self._ladder,
            in_drive=lambda: self._record.has_plan and self._record.is_under_way,
            place=lambda: self._record.finished if self._is_driving else None,
            lose=self._lose,
            note=journal.mend,
        )
        self._is_taken_up = False
        self._found: CubieCube | None = None  # what a look in the end has shown instead
        self._palette: Palette | None = None
        self._chosen: ChosenPlan | None = None
        self._scan: ScanResult | None = None
        self._seen: Sight | None = None

    def carry_out(self) -> Job[RobotEvent, Outcome]:
        """Do what is left of the run.

        Raises what cannot be mended, with the motors off and advice in the sentence; but a drive
        that is done stays done where nobody could look at it.
        """
        tally, unseen = DriveTally(), ""
        try:
            yield from tally.following(self._mender.carry_out(self._leg, self._advice))
        except FAULTS as fault:
            if not self._record.is_complete:
                raise
            unseen = str(fault)
        return Outcome(tally.report, self._chosen, self._scan, self._seen, unseen)

    @property
    def _record(self) -> RunRecord:
        return self._journal.record

    @property
    def _is_driving(self) -> bool:
        return self._record.has_plan and not self._record.is_complete

    def _leg(self) -> Job[RobotEvent, None]:
        if not self._is_taken_up:
            self._is_taken_up = True
            self._mender.take_up()
        if self._connection.known is None:
            after_restart = self._connection.has_forgotten
            self._connection.set_home()
            yield HomeTaken(after_restart)
        if not self._record.has_plan:
            if Remedy.SCAN in self._ladder.needs:
                yield from self._mender.told(Remedy.SCAN, self._look_and_plan)
            else:
                yield from self._look_and_plan()
        yield from self._drive()
        if self._eyes is not None:
            yield from self._verify(self._eyes)

    def _look_and_plan(self) -> Job[RobotEvent, None]:
        if self._eyes is None:
            raise CubeUncertainError("Nobody knows how the cube lies.")
        start, self._found = self._found, None
        if start is None:
            start = yield from self._look(self._eyes)
        self._palette = Palette.of(self._eyes.last)
        self._chosen = yield from self._plan(start)
        plan = self._chosen.plan
        self._journal.plan(start, plan.moves, plan.primitives)
        self._ladder.led_on()

    def _look(self, eyes: Eyes) -> Job[RobotEvent, CubieCube]:
        with self._times.of(Stage.SCAN):
            yield StageBegan(Stage.SCAN)
            result = (yield from eyes.scan(self._connection)).outcome.result
        self._scan = self._scan or result
        return without_doubts(result)

    def _drive(self) -> Job[RobotEvent, None]:
        primitives, finished = self._record.header.primitives, self._record.finished
        yield DriveBegan(len(primitives), self._journal.path)
        known = self._connection.known
        assert known is not None, "home was found"
        if known != self._record.state:
            self._journal.take_home(known)
        looks = [index for index in self._places_to_look() if index > finished]
        for until in (*looks, len(primitives)):
            with self._times.of(Stage.DRIVE):
                yield from self._play(until)
            if until < len(primitives) and self._palette is not None:
                yield from self._glance(until, self._palette)

    def _play(self, until: int) -> Job[RobotEvent, None]:
        robot, record = self._robot, self._record
        executor = Executor(
            self._connection, self._journal, robot.controls, robot.costs, robot.retry_pause_s
        )
        with closing(executor.play(record.header.primitives, until)) as events:
            for event in events:
                if isinstance(event, PrimitiveFinished):
                    self._ladder.led_on()
                yield event

    def _places_to_look(self) -> tuple[int, ...]:
        header = self._record.header
        if self._palette is None or header.start is None:
            return ()
        rate = self._policy.fault_rate * (1 + self._ladder.episodes)  # it has happened before
        return worthwhile_looks(
            header.start, header.primitives, self._robot.costs, self._policy, rate
        )

    def _glance(self, index: int, palette: Palette) -> Job[RobotEvent, None]:
        """Look at the face that lies up before primitive `index`; without a camera drive on."""
        header = self._record.header
        assert self._eyes is not None
        assert header.start is not None
        expected = up_face(VirtualCube(header.start).after_all(header.primitives[:index]))
        try:
            view = yield from self._eyes.glance(self._connection)
        except CameraError:
            self._palette = None
            return
        except ScanFailedError:
            pass  # the cube lies so askew that no face is seen
        else:
            if palette.differing(view, expected) < DIFFERING:
                return
        self._ladder.needs.add(Remedy.HOME)
        raise CubeUncertainError(
            f"Before primitive {index + 1} the camera sees another face than the plan expects."
        )

    def _verify(self, eyes: Eyes) -> Job[RobotEvent, None]:
        with self._times.of(Stage.VERIFY):
            sight = yield from eyes.verify(self._record.header.target, self._connection)
        self._seen = sight
        if not sight.target_reached:
            self._found = without_doubts(sight.result)
            self._journal.lose()
            raise CubeUncertainError("The camera does not see the cube as it was to be.")

    def _lose(self) -> None:
        if self._is_driving:
            self._journal.lose()

    def _advice(self, fault: PuzzlerigError) -> str:
        path = self._journal.path
        if self._record.has_plan:
            is_stalled = isinstance(fault, MotorStalledError)
            return (STRAIGHTEN_AND_GO_ON if is_stalled else GO_ON).format(path)
        return (SAY_HOW_IT_LIES if self._eyes is None else LOOK_HOW_IT_LIES).format(path)


def without_doubts(result: ScanResult) -> CubieCube:
    """Return the cube that was read. Raises DoubtfulScanError if there are doubts."""
    if result.verdict is Verdict.ACCEPTED:
        return result.cube
    raise DoubtfulScanError(
        f"The cube was read with doubts ({result.verdict}). {' '.join(result.reasons)} "
        f"If you can see that it is right, run with --state {result.facelets}."
    )
