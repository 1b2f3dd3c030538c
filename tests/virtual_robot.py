"""A simulated brick with its rig in virtual time, and the real driver connected to it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from controller.controls import Controls
from controller.job_events import RobotEvent
from controller.motion.journal import Journal, read_journal
from controller.motion.mechanism import Mechanism, OnMotors, ignore_motors
from controller.motion.plan_choice import ChosenPlan, choose_plan
from controller.motion.planner import Plan
from controller.motion.primitives import Primitive, price_all
from controller.motion.run_record import RunHeader
from controller.opening import Robot, learn_manner
from controller.recovery.careful_run import CarefulRun, Outcome, StageTimes
from controller.recovery.connection import Connection
from controller.recovery.escalation import NO_RECOVERY
from controller.rigs.nxt_brick.brick_link import BrickLink, KeepAwake, parse_address
from controller.rigs.nxt_cradle.calibration.values import FILES, Calibration
from controller.rigs.nxt_cradle.rig import DRIVES
from controller.rigs.nxt_cradle.rig import RIG as NXT_CRADLE
from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_brick.faults import NO_FAULTS, USB_LATENCY, Faults, Latency
from hardware_sims.nxt_brick.server import BrickServer
from hardware_sims.rigs.cradle.faults import NO_RIG_FAULTS, RigFaults
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import Slip
from solvers.foundation.progress import Job, run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.notation import Move

RIG: Final = FILES.default
DRIVE: Final = "program"


def _no_plan(_: CubieCube) -> Job[RobotEvent, ChosenPlan]:
    yield from ()
    raise AssertionError("a run without a camera is not planned again")


def turned(seed: int, turns: int) -> CubieCube:
    """Return a cube that at most this number of turns solves: its drive is as much shorter."""
    return SOLVED.apply(Random(seed).choices(list(Move), k=turns))


_warm_up_once = cache(lambda: warm_up(CubeRig()))  # a driver gives up while kernels are compiled


def play(mechanism: Mechanism, primitives: Sequence[Primitive]) -> None:
    """Let a mechanism perform primitives one after the other, as a run does."""
    for index, primitive in enumerate(primitives):
        before = primitives[index - 1] if index else None
        mechanism.perform(primitive, before=before, ahead=primitives[index + 1 :])


@dataclass
class VirtualRobot:
    """A cube in a simulated rig. One virtual clock serves the brick and the driver."""

    cube: CubieCube
    journal: Path
    faults: Faults = NO_FAULTS
    latency: Latency = USB_LATENCY
    pty_link: Path | None = None
    drive: str = DRIVE
    reply_timeout_s: float = 5.0
    instructions_per_ms: int | None = None
    rig_faults: RigFaults = NO_RIG_FAULTS
    calibration: Calibration = RIG
    on_motors: OnMotors = ignore_motors
    loosen: Callable[[], str] = lambda: ""
    learn: Callable[[int], str] = lambda _: ""
    clock: VirtualClock = field(default_factory=VirtualClock)

    def __post_init__(self) -> None:
        _warm_up_once()
        self.controls = Controls(self.clock)
        self.rig = CubeRig(CradledCube(self.cube), self.rig_faults)
        self.brick = self._new_brick()

    def _new_brick(self) -> SimulatedBrick:
        return SimulatedBrick(
            self.clock,
            self.rig,
            self.faults,
            self.latency,
            instructions_per_ms=self.instructions_per_ms,
        )

    def reboot(self, *, straightened: bool = False) -> None:
        """Switch the brick off and on; the rig stands as it did, or as its owner straightens it."""
        self.brick.advance()
        self.faults = NO_FAULTS
        if straightened:
            self.rig.straighten()
        self.brick = self._new_brick()

    def put_on(self, rig: CubeRig) -> None:
        """Exchange the rig, and with it the brick."""
        self.rig = rig
        self.brick = self._new_brick()

    def put_in(self, cube: CubieCube) -> None:
        """Put another cube in, lying as the one before."""
        self.rig.cube = CradledCube(cube, self.rig.cube.orientation)

    def keep_calibration(self, path: Path) -> None:
        """Play as a calibration file says, and note there which manner the rig needs."""

        def learn(changes: int) -> str:
            sentence = learn_manner(NXT_CRADLE, path, changes)
            self.calibration = FILES.load(path)
            return sentence

        self.calibration, self.learn = FILES.load(path), learn

    def slip(self, tilt: int) -> None:
        """Let the tilt of this number, from 1, not happen."""
        self.rig = CubeRig(self.rig.cube, RigFaults(slip=(Slip(tilt=tilt),)))
        self.brick = self._new_brick()

    @contextmanager
    def link(self) -> Iterator[BrickLink]:
        """Connect to the brick through its address, as a user would."""
        with (
            BrickServer(self.brick, pty_link=self.pty_link) as server,
            BrickLink(parse_address(server.address), self.reply_timeout_s) as link,
        ):
            yield link

    @contextmanager
    def mechanism(self) -> Iterator[Mechanism]:
        """Connect to the rig."""
        with self.link() as link:
            keep_awake = KeepAwake(link, self.controls, self.calibration.patience.keep_alive_s)
            open_drive, calibration = DRIVES[self.drive], self.calibration
            yield open_drive(link, self.controls, keep_awake, calibration, self.on_motors)

    @property
    def robot(self) -> Robot:
        """What a job needs of the robot."""
        pause_s = self.calibration.patience.retry_pause_s
        costs = self.calibration.seconds
        return Robot(
            rig="nxt-cradle",
            drive=self.drive,
            address="test",
            calibration=NXT_CRADLE.setup_of(self.calibration).data,
            costs=costs,
            retry_pause_s=pause_s,
            controls=self.controls,
            connect=self.mechanism,
            loosen=self.loosen,
            learn=self.learn,
        )

    def header(self, target: CubieCube = SOLVED) -> RunHeader:
        """Plan the run from the cube as it lies now."""
        start = parse_facelets(self.rig.facelets)
        costs = self.calibration.seconds
        plan = run_job(choose_plan(start, target, costs, search_s=0.0)).plan
        return self.header_of(plan, target)

    def header_of(self, plan: Plan, target: CubieCube = SOLVED) -> RunHeader:
        """Return the run of a plan for the cube as it lies now."""
        start = parse_facelets(self.rig.facelets)
        return RunHeader(
            start, target, plan.moves, plan.primitives, "nxt-cradle", self.drive, "test", {}
        )

    def planned_s(self, header: RunHeader) -> float:
        """Return the seconds that a run should take, as calibrated."""
        costs = self.calibration.seconds
        return price_all(costs, header.primitives) + costs.ending

    def run(self, header: RunHeader | None = None) -> list[RobotEvent]:
        """Solve the cube, or end with the first fault that a retry does not mend."""
        return list(self.running(header or self.header()))

    def running(self, header: RunHeader) -> Job[RobotEvent, Outcome]:
        """Solve the cube with whoever asks for the next event."""
        with Connection(self.robot, NO_RECOVERY) as connection, Journal(self.journal) as journal:
            journal.start(header)
            return (yield from self._carry_out(connection, journal))

    def resume(self) -> list[RobotEvent]:
        """Go on with the journal of an interrupted run."""
        return list(self._resuming())

    def _resuming(self) -> Job[RobotEvent, Outcome]:
        record, valid_bytes = read_journal(self.journal)
        with (
            Connection(self.robot, NO_RECOVERY) as connection,
            Journal(self.journal, valid_bytes) as journal,
        ):
            connection.known, connection.under_way = record.state, record.under_way
            return (yield from self._carry_out(connection, journal))

    def _carry_out(self, connection: Connection, journal: Journal) -> Job[RobotEvent, Outcome]:
        times = StageTimes(self.clock)
        robot, policy = self.robot, NO_RECOVERY
        run = CarefulRun(robot, connection, journal, None, _no_plan, policy, times)
        return (yield from run.carry_out())

    def find_home(self) -> float:
        """Let the rig find home as a run does first; return how many seconds that took."""
        began_s = self.clock.now()
        with self.mechanism() as mechanism:
            mechanism.set_home()
            return self.clock.now() - began_s

    @property
    def motors_are_idle(self) -> bool:
        """Whether no motor gets power, a moment after the last command."""
        self.clock.sleep(0.2)  # the firmware lowers the power of a released motor 1 % a tick
        self.brick.advance()
        if self.brick.is_off:
            return True  # with the state of its motors as it was
        motors = self.brick.machine.outputs.motors
        return not motors["actual_speed"].any() and not motors["regulation"].any()
