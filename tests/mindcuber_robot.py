"""A simulated brick with a MindCuber in virtual time, and the real driver connected to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

from controller.controls import Controls
from controller.motion.mechanism import Mechanism
from controller.motion.run_record import RunHeader
from controller.opening import Robot
from controller.rigs.mindcuber.calibration import FILES, MindCuberCalibration
from controller.rigs.mindcuber.rig import RIG, open_program
from controller.rigs.nxt_brick.brick_link import KeepAwake
from hardware_sims.nxt_brick.brick import warm_up
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.faults import NO_MINDCUBER_FAULTS, MindCuberFaults
from hardware_sims.rigs.mindcuber.rig import MindCuberRig
from solvers.foundation.progress import run_job
from solvers.rubik.cubies import SOLVED, CubieCube
from tests.virtual_robot import VirtualRobot

_warm_up_once = cache(lambda: warm_up(MindCuberRig()))  # a driver gives up while kernels compile


@dataclass
class VirtualMindCuber(VirtualRobot):
    """A cube in a simulated MindCuber. One virtual clock serves the brick and the driver."""

    machine_faults: MindCuberFaults = NO_MINDCUBER_FAULTS
    machine: MindCuberCalibration = FILES.default

    def __post_init__(self) -> None:
        _warm_up_once()
        self.controls = Controls(self.clock)
        self.rig = MindCuberRig(CradledCube(self.cube), self.machine_faults)  # type: ignore[assignment]
        self.brick = self._new_brick()

    @contextmanager
    def mechanism(self) -> Iterator[Mechanism]:
        """Connect to the rig."""
        with self.link() as link:
            keep_awake = KeepAwake(link, self.controls, self.machine.patience.keep_alive_s)
            yield open_program(link, self.controls, keep_awake, self.machine, self.on_motors)

    @property
    def robot(self) -> Robot:
        """What a job needs of the robot."""
        setup = RIG.setup_of(self.machine)
        return Robot(
            rig="mindcuber",
            drive="program",
            address="test",
            calibration=setup.data,
            costs=setup.costs,
            retry_pause_s=setup.retry_pause_s,
            controls=self.controls,
            connect=self.mechanism,
        )

    def header(self, target: CubieCube = SOLVED) -> RunHeader:
        """Plan the run from the cube as it lies now."""
        from controller.motion.plan_choice import choose_plan
        from solvers.rubik.facelets import parse_facelets

        start = parse_facelets(self.rig.facelets)
        plan = run_job(choose_plan(start, target, self.machine.seconds, search_s=0.0)).plan
        return self.header_of(plan, target)

    def measured(self) -> object:
        """Return the seconds of the primitives, as the calibration measures them."""
        setup = RIG.setup_of(self.machine)
        with self.mechanism() as mechanism:
            mechanism.set_home()
            return run_job(setup.measure(mechanism, self.clock, 1))
