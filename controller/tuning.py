"""Tuning: the job that makes the margins of a rig tighter by trial, with a camera as judge.

One margin at a time is made tighter by a step, tried for some twenty tilts together with all that
was earned before, and kept if the camera saw each cube as it should be. After the first failure a
margin goes back one step behind the fastest that never failed. A failure of what was earned, in the
proof at the end, makes all that was tightened safer by a step. Where all are at their safest, the
cube is moved in the next manner instead; where none of them gets through its proof, those that last
longest are proven again, and kept. What is saved was always tried itself, or lies on the safe side
of what was.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NoReturn, Protocol, TypeAlias

from msgspec.structs import replace as revise

from controller.camera_observer import CameraObserver, new_observer
from controller.errors import DoubtfulScanError, MotorStalledError, RobotError
from controller.job_events import LookEvent, RobotEvent
from controller.motion.executor import HomeFound
from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Tilt
from controller.motion.run_record import Recovery, RecoveryAction
from controller.motion.virtual_cube import VirtualCube
from controller.opening import OpenCamera, Robot, robot_at
from controller.recovery.careful_run import DIFFERING, accepted_cube, up_face
from controller.recovery.connection import Connection
from controller.recovery.escalation import EscalationPolicy, RecoveryPolicy
from controller.recovery.runner import RecoveryRunner, as_job
from controller.rigs.registry import get_rig
from controller.rigs.rig import Earned, Margin, Margins, Setup, loosened, tightened
from controller.vision.errors import ScanFailedError
from controller.vision.scans.viewing import Palette
from solvers.foundation.clock import Clock, today
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.files import check_writable
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube

TRIES: Final = 20
"""Tilts with which a step is tried. If none of 20 goes wrong, up to 14 % may (at 95 %): what is
earned early is tried on in the trials of all later margins."""
PROOF_TRIES: Final = 60
"""Tilts with which all that was earned is proven at the end: up to 5 % may then go wrong. Twice as
many where a margin is tighter than at the start: it was chosen because its few trials went well."""
AGAIN: Final = 4
"""Further proofs of the margins that lasted longest, where none passes: a single proof is noisy."""
TUNING_S: Final = 540.0
"""No further step is tried later than this, and what fails in a proof goes back to where it was at
the start, so that all is over in a quarter of an hour; the next call continues."""


class Judge(Protocol):
    """Says what the cube did, as a camera sees it. Raises CameraError and ScanFailedError."""

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:
        """Let the robot show the whole cube, and return its position as it lies at the end."""

    def sees(self, cube: VirtualCube, mechanism: Mechanism) -> Job[LookEvent, bool]:
        """Return whether the face that is up is the one that `cube` has there."""


class CameraJudge:
    """A camera above the rig."""

    def __init__(self, observer: CameraObserver) -> None:
        self._observer = observer

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:
        """Scan the cube. Raises DoubtfulScanError unless it was read without doubts."""
        report = yield from self._observer.scan(mechanism)
        return accepted_cube(report.outcome.result)

    def sees(self, cube: VirtualCube, mechanism: Mechanism) -> Job[LookEvent, bool]:
        """Compare one picture with the colours of the scan; a cube that is askew shows no face."""
        try:
            view = yield from self._observer.glance(mechanism)
        except ScanFailedError:
            return False
        return Palette.of(self._observer.last).differing(view, up_face(cube)) < DIFFERING


@dataclass(frozen=True, slots=True)
class Tried:
    """Some tilts of a trial are over; `margin` is None where all that was earned is tried again."""

    margin: Margin | None
    value: float
    tilts: int
    total: int
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A margin has come to its end, or all that was earned was made safer by a step."""

    sentence: str


TuneEvent: TypeAlias = RobotEvent | Tried | Settled


@dataclass(frozen=True, slots=True)
class TuneReport:
    """What was earned, and what a tilt took before and after, in seconds of a trial for each.

    `before_s` is None where no trial went well before. `is_complete` if nothing is left to try.
    """

    earned: Mapping[str, Earned]
    before_s: float | None
    after_s: float
    robot_s: float
    is_complete: bool


@dataclass(slots=True)
class _Lasted:
    """Margins, how many tilts they were proven with, and how many of these went wrong."""

    earned: dict[str, Earned]
    tilts: int = 0
    faults: int = 0

    @property
    def on_average(self) -> float:
        """Tilts for each fault."""
        return self.tilts / max(1, self.faults)


class Tuner:
    """Tunes one robot. `connect` connects to the rig with other margins.

    `save` is called with all that was earned whenever that has changed.
    """

    def __init__(
        self,
        robot: Robot,
        margins: Margins,
        connect: Callable[[Setup], AbstractContextManager[Mechanism]],
        judge: Judge,
        save: Callable[[Mapping[str, Earned]], object],
        policy: RecoveryPolicy | None = None,
        advice: str = "What was earned so far is saved; `cuberobot tune` continues.",
    ) -> None:
        policy = policy or RecoveryPolicy()
        self._margins = margins
        self._at_start = dict(margins.earned)
        self._earned = dict(self._at_start)
        self._setup = margins.setup(self._earned)
        self._clock = robot.controls
        self._judge = judge
        self._save = save
        self._advice = advice
        own_connect = replace(robot, connect=lambda: connect(self._setup))
        self._policy = policy
        self._connection = Connection(own_connect, policy)
        self._begin_recovery()
        self._cube: VirtualCube | None = None  # None: the camera has to find it
        self._is_straight = False  # as far as is known, where the camera has to find it
        self._fault = "The cube's position is unknown."
        self._round_s: list[float] = []  # of the last trial
        self._has_begun = False
        self._before_s: float | None = None
        self._is_proven = True  # whatever was earned before this call
        # By their values: what was proven of the start, and of margins that are safer.
        self._lasted: dict[tuple[float, ...], _Lasted] = {}
        self._proofs_left: int | None = None  # set once nothing got through its own

    def tune(self) -> Job[TuneEvent, TuneReport]:
        """Try what is left to try. Raises RobotError, CameraError, ScanFailedError, motors off."""
        self._start_s = self._clock.now()
        with self._connection:
            while True:
                try:
                    return (yield from self._recovery.run(self._attempt, lambda _: self._advice))
                except (DoubtfulScanError, MotorStalledError, ScanFailedError) as error:
                    if self._proofs_left is None and (self._is_proven or self._tight):
                        raise
                    # What is tried now lets no cube be scanned.
                    self._fault = str(error.__cause__)  # without what was tried, and advice
                    self._count(0, fault=True)
                    if self._proofs_left is None:
                        yield from self._make_safer()
                    self._begin_recovery()

    def _attempt(self) -> Job[TuneEvent, TuneReport]:
        if self._proofs_left is not None:
            yield from self._keep_longest()
        if not self._has_begun:
            yield from self._prove(TRIES)
            self._has_begun = True
        for margin in self._margins.ladder:
            if margin in self._left:
                yield from self._tighten(margin)
        if not self._is_proven:
            yield from self._prove()
        return TuneReport(
            dict(self._earned),
            self._before_s,
            self._tilt_s,
            self._clock.now() - self._start_s,
            not self._left,
        )

    @property
    def _left(self) -> list[Margin]:
        """The margins that can be tightened yet: only the manner itself where it is another one."""
        allowed = self._margins.ladder if self._is_usual else [self._margins.manner]
        return [each for each in allowed if not self._of(each).is_done]

    def _tighten(self, margin: Margin) -> Job[TuneEvent, None]:
        """Make a margin tighter step by step, until one fails or there is none left."""
        while not (now := self._of(margin)).is_done and self._has_time:
            faster = margin.beyond(now.proven)
            if faster is None:
                self._keep(margin, revise(now, value=now.proven, is_done=True))
                sentence = f"{margin.meaning} {now.proven:g}: nothing faster is left to try."
                yield Settled(sentence)
                return
            tried = {**self._earned, margin.name: revise(now, value=faster)}
            done, fault = yield from self._try(tried, margin)
            now = revise(now, tried=now.tried + done)
            self._is_proven = False
            if not fault:
                behind = margin.beyond(faster, -1)
                assert behind is not None, "the start is behind it"
                self._keep(margin, revise(now, value=behind, proven=faster))
            else:
                self._keep(
                    margin,
                    revise(now, failed=now.failed + 1, failed_at=faster, is_done=True),
                )
                sentence = f"{margin.meaning} {now.value:g}: {faster:g} fails."
                yield Settled(sentence)

    def _prove(self, tries: int | None = None) -> Job[TuneEvent, None]:
        """Try all that was earned together, and make it safer until no tilt goes wrong.

        Fewer `tries` than it takes by default prove only what has not changed.
        """
        while True:
            needed = 2 * PROOF_TRIES if self._tight else PROOF_TRIES
            fault = yield from self._proof(tries or needed)
            if self._before_s is None and self._round_s and self._earned == self._at_start:
                self._before_s = self._tilt_s
            if not fault:
                self._is_proven |= tries is None
                return
            self._is_proven = False
            yield from self._make_safer()
            if self._proofs_left is not None:
                yield from self._keep_longest()

    def _proof(self, tries: int) -> Job[TuneEvent, str]:
        """Try all that was earned; return what went wrong, empty if nothing.

        What became of margins that may be kept as those that lasted longest is counted.
        """
        done, fault = yield from self._try(self._earned, None, tries)
        if not self._tight or self._earned == self._at_start:
            self._count(done, fault=bool(fault))
        return fault

    def _make_safer(self) -> Job[TuneEvent, None]:
        """Make margins safer after a fault, if there are safer ones; say which are others now."""
        safer = self._safer()
        if safer is None:
            self._proofs_left = AGAIN
            return
        before, self._earned = self._earned, safer
        self._save(self._earned)
        changed = [
            f"{margin.meaning} {self._of(margin).value:g}"
            for margin in self._all
            if self._of(margin).value != margin.value_of(before)
        ]
        yield Settled(f"{self._fault} A step safer: {', '.join(changed)}.")

    def _keep_longest(self) -> Job[TuneEvent, NoReturn]:
        """Prove what lasted longest again, while there is time, and keep what then did.

        Raises RobotError after that: nothing got through its own proof.
        """
        assert self._proofs_left is not None
        while self._proofs_left and self._has_time:
            self._proofs_left -= 1
            self._earned = dict(self._longest.earned)
            self._save(self._earned)
            again = ", ".join(f"{each.meaning} {self._of(each).value:g}" for each in self._all)
            yield Settled(f"{self._fault} What lasted longest is proven again: {again}.")
            yield from self._proof(PROOF_TRIES)
        longest = self._longest
        self._save(longest.earned)
        kept = f"Those that lasted longest, {longest.on_average:.0f} tilts, are kept."
        if longest.earned == self._at_start:
            kept = "They stay as they were."
        raise RobotError(
            "A tilt goes wrong with all margins at their safest, in every other manner too: "
            f"{self._fault} {kept} See docs/robot.md for what may be wrong with the rig."
        )

    def _count(self, tilts: int, *, fault: bool) -> None:
        """Count what a proof of the margins as they are came to."""
        values = tuple(self._of(margin).value for margin in self._all)
        lasted = self._lasted.setdefault(values, _Lasted(dict(self._earned)))
        lasted.tilts += tilts
        lasted.faults += fault

    @property
    def _tight(self) -> list[Margin]:
        """The margins that are tighter than at the start."""
        return tightened(self._margins.ladder, self._earned)

    @property
    def _longest(self) -> _Lasted:
        """What lasted longest so far."""
        return max(self._lasted.values(), key=lambda each: each.on_average)

    def _safer(self) -> dict[str, Earned] | None:
        """Return margins a step safer, or the next manner with those of the start; None after all.

        Which margin it was is unknown.
        """
        if self._is_usual:
            safer = loosened(self._others, self._earned, at_once=not self._has_time)
            if safer is not None:
                return safer
        manner = self._margins.manner
        return loosened([manner], {manner.name: self._of(manner)})

    @property
    def _is_usual(self) -> bool:
        """Whether the cube is moved in the usual manner."""
        manner = self._margins.manner
        return manner.value_of(self._earned) == manner.start

    @property
    def _all(self) -> list[Margin]:
        """All margins, the manner last."""
        return [*self._others, self._margins.manner]

    @property
    def _others(self) -> list[Margin]:
        """All margins but the manner."""
        return [each for each in self._margins.ladder if each != self._margins.manner]

    def _try(
        self, earned: Mapping[str, Earned], margin: Margin | None, tries: int = TRIES
    ) -> Job[TuneEvent, tuple[int, str]]:
        """Play a trial; return how many tilts that were, and what went wrong, empty if nothing."""
        value = 0.0 if margin is None else earned[margin.name].value
        tilts = self._tilts
        rounds = -(-tries // tilts)
        self._round_s.clear()
        yield Tried(margin, value, 0, rounds * tilts)
        yield from self._make_ready()
        self._use(earned)
        if self._connection.changes:  # recovery moves the cube otherwise than is to be tried
            self._connection.renew()
        for done in range(tilts, rounds * tilts + 1, tilts):
            fault = yield from self._play()
            yield Tried(margin, value, done, rounds * tilts, fault)
            if fault:
                self._fault = fault
                return done, fault
            self._escalation.progressed()
        return rounds * tilts, ""

    def _make_ready(self) -> Job[TuneEvent, None]:
        """Bring the rig home and let the camera find the cube, with what was earned."""
        self._use(self._earned)
        self._escalation.reason = self._fault
        connection = self._connection
        if connection.known is None:
            connection.set_home()
            yield HomeFound(after_restart=False)
        elif self._cube is None and not self._is_straight:
            straighten = as_job(lambda: connection.straighten(connection.under_way))
            yield from self._recovery.act(RecoveryAction.HOME, straighten)
        if self._cube is None:
            self._is_straight = False
            position = yield from self._recovery.act(
                RecoveryAction.SCAN, lambda: self._judge.find(connection)
            )
            self._cube = VirtualCube(position)

    def _begin_recovery(self) -> None:
        """Count faults from here on: those of another manner are over."""
        self._escalation = EscalationPolicy(self._policy, can_look=True)
        self._recovery = RecoveryRunner(
            self._connection, self._clock, self._escalation, on_recovery=self._note
        )

    def _note(self, recovery: Recovery) -> None:
        self._is_straight |= recovery.action is RecoveryAction.HOME

    def _play(self) -> Job[TuneEvent, str]:
        """Play the primitives of a trial once; return what went wrong, empty if nothing did."""
        cube, self._cube, self._is_straight = self._cube, None, False
        assert cube is not None, "the camera has found it"
        trial, start_s = self._margins.trial, self._clock.now()
        try:
            for index, primitive in enumerate(trial):
                self._clock.check()
                before = trial[index - 1] if index else None
                self._connection.perform(primitive, before=before, ahead=trial[index + 1 :])
        except MotorStalledError as error:
            self._connection.release()
            return str(error)
        seconds = self._clock.now() - start_s
        cube = cube.after_all(trial)
        if not (yield from self._judge.sees(cube, self._connection)):
            return "The camera sees a different face than it should."
        self._round_s.append(seconds)
        self._cube = cube
        return ""

    def _use(self, earned: Mapping[str, Earned]) -> None:
        """Let the rig drive with these margins from now on."""
        setup = self._margins.setup(earned)
        if setup.data != self._setup.data:
            self._setup = setup
            self._connection.renew()

    def _keep(self, margin: Margin, earned: Earned) -> None:
        self._earned[margin.name] = earned
        self._save(dict(self._earned))

    def _of(self, margin: Margin) -> Earned:
        return self._earned.get(margin.name) or Earned(margin.start, margin.start)

    @property
    def _has_time(self) -> bool:
        return self._clock.now() - self._start_s < TUNING_S

    @property
    def _tilts(self) -> int:
        return sum(isinstance(each, Tilt) for each in self._margins.trial)

    @property
    def _tilt_s(self) -> float:
        return sum(self._round_s) / len(self._round_s) / self._tilts


@dataclass(frozen=True, slots=True)
class Tuned:
    """The report of tuning, the margins as they are now, and the file that holds it."""

    report: TuneReport
    ladder: Sequence[Margin]
    path: Path


def tune(
    address: str, clock: Clock, camera: OpenCamera, *, rig: str, calibration: Path | None
) -> Job[TuneEvent, Tuned]:
    """Tune the rig at `address` and save what it earns in its calibration file.

    The file is `calibration`, or the owner's own; other values in it stay, and whether it can be
    written is checked first. Raises InvalidInputError, and as `Tuner.tune`.
    """
    kind = get_rig(rig)
    setup = kind.setup(calibration)
    margins = setup.margins
    if margins is None:
        raise InvalidInputError(f"The rig {rig} has no margins: there is nothing to tune.")
    path = kind.prices_file(calibration)
    check_writable(path)
    robot = robot_at(address, clock, rig=rig, drive=margins.drive, calibration=calibration)
    observer = new_observer(camera, robot)
    observer.find_camera()
    measured = f"{today()}, {address}"
    tuner = Tuner(
        robot,
        margins,
        lambda other: other.connected(address, robot.drive, robot.controls),
        CameraJudge(observer),
        lambda earned: margins.save(earned, path, measured),
    )
    report = yield from tuner.tune()
    tuned = margins.setup(report.earned).margins
    assert tuned is not None, "it had some before"
    return Tuned(report, tuned.ladder, path)
