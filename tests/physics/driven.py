"""Rigs in MuJoCo on the simulated brick: the robot's own program moves what the cube pushes back.

    with driven() as robot:
        print(robot.judge(rig, friction, [Tilt()], repeats=3))

The program on the brick reads counters and gives powers; the simulated motors make torques of them,
at the voltage that the battery has under their load; MuJoCo moves arm, pusher and cube against dry
friction, and where those come to stand is what the counters count. A cradle turns freely.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import degrees, radians
from pathlib import Path
from typing import Any, Final

import mujoco
import numpy as np
from msgspec.structs import asdict, replace

from controller.errors import RobotError
from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Primitive, Tilt
from controller.rigs.nxt_brick.calibration import Pace
from controller.rigs.nxt_brick.motion import (
    TIPPING,
    Done,
    Go,
    Motion,
    Motor,
    Pause,
    Phase,
    Push,
    Reach,
    Rest,
)
from controller.rigs.nxt_brick.player import Player
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from controller.rigs.nxt_cradle.calibration.values import Calibration
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.homing import Homing
from hardware_sims.nxt_brick.brick import warm_up
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults
from hardware_sims.nxt_brick.firmware import run_millisecond
from hardware_sims.nxt_brick.motors.physics import Battery, drive_torque_nm, loaded_v, turn_shaft
from hardware_sims.rigs.cradle.mechanics import ARM_PORT, CRADLE_PORT, PUSHER_PORT
from hardware_sims.rigs.cradle.rig import CubeRig
from solvers.rubik.cubies import SOLVED
from tests.physics import family
from tests.physics.oracle import SETTLE_MS, Outcome, compile_rig, outcome_at
from tests.physics.rigs import Rig
from tests.virtual_robot import RIG, VirtualRobot, play

HOLDING: Final = Pace(800, 14_000)
"""Of the pusher that holds a cube: leJOS holds a motor where it was sent, whatever pushes it."""
STANDS_AT: Final = {40: 31, 200: 100}
"""Beyond this, on the way to an angle, arm or pusher may stand against the cube."""
MOVED: Final = [ARM_PORT, PUSHER_PORT]


class DrivenRig(CubeRig):
    """The simulated rig, until `put` makes arm, pusher and cube those of a rig in MuJoCo."""

    def __init__(self) -> None:
        self.rows: list[tuple[float, ...]] = []
        """x, z, angle, arm, pusher as MuJoCo has them, and the cradle's motor, each millisecond."""
        self._data: Any = None
        super().__init__()

    def put(self, rig: Rig, friction: float, home: Sequence[int]) -> None:
        """Let the motors, as they stand, move this rig with a cube that stands in it.

        `home` has the counts that the driver takes for home.
        """
        motors = self._motors
        zero = np.round(motors["shaft_deg"]) - motors["tacho_count"] + np.asarray(home)
        self._home = zero[MOVED]
        self.ways = np.array([rig.arm_ratio, rig.pusher_mm_per_deg / radians(1) / 1000])
        """Radians of the arm, metres of the pusher for a radian of its motor."""
        self._model = compile_rig(rig, friction, by_torque=True)
        self._data = mujoco.MjData(self._model)
        self._data.qpos[3:] = np.radians(motors["shaft_deg"][MOVED] - self._home) * self.ways
        self.rows.clear()

    def take_out(self) -> None:
        """Let the motors move the simulated rig again, as it was."""
        self._data = None

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did."""
        if self._data is None:
            return super().advance(tick, ticks, battery)
        motors, data = self._motors, self._data
        shafts, speeds = motors["shaft_deg"], motors["speed_deg_s"]
        cradle, arm, pusher = (motors[each] for each in (CRADLE_PORT, ARM_PORT, PUSHER_PORT))
        done = 0
        while done < ticks:
            volts = loaded_v(battery, motors)
            data.ctrl[:] = drive_torque_nm(arm, volts), drive_torque_nm(pusher, volts)
            mujoco.mj_step(self._model, data)
            turn_shaft(cradle, volts)
            shafts[MOVED] = self._home + np.degrees(data.qpos[3:] / self.ways)
            speeds[MOVED] = np.degrees(data.qvel[3:] / self.ways)
            self.rows.append((*data.qpos, shafts[CRADLE_PORT]))
            done += 1
            if run_millisecond(self._firmware, tick + done):
                break
        return done


class ThesisOrder(Choreographer):
    """Tilts in the thesis' order, one motion after the other, at the paces of the calibration."""

    def _tilt(self, *_: object) -> Iterator[Motion]:
        yield Phase(TIPPING)
        for motor, goal, pace in (
            (Motor.ARM, 40, self._tilting.lift),
            (Motor.PUSHER, 200, None),
            (Motor.PUSHER, 0, None),
            (Motor.ARM, -30, self._tilting.lower),
            (Motor.ARM, 0, self._tilting.close),
        ):
            yield Go(motor, goal, pace)
            if goal in STANDS_AT:
                # leJOS took a motor that stood for stalled, let it be and went on.
                yield Reach(motor, goal - 1, upwards=True, stands_from=STANDS_AT[goal])
            else:
                yield Rest(motor, 2)
        yield Done()


class WholeThesisOrder(ThesisOrder):
    """Spins and layer turns in the thesis' order, too; nothing overlaps.

    The pusher goes as far up to the cube as takes up its backlash.
    """

    def _spin(self, _: float, end: float, *__: object) -> Iterator[Motion]:
        yield from self._one_by_one((Motor.ARM, -40), (Motor.CRADLE, round(end)), (Motor.ARM, 0))
        yield Done()

    def _turn(self, at: float, end: float, *_: object) -> Iterator[Motion]:
        yield Go(Motor.PUSHER, 165, HOLDING)
        yield Reach(Motor.PUSHER, 160, upwards=True)
        yield Push(Motor.ARM, self._press_power)
        yield Pause(100)
        beyond = round(end + (16 if end > at else -16))
        yield from self._one_by_one((Motor.CRADLE, beyond), (Motor.CRADLE, round(end)))
        yield Go(Motor.ARM, 0)
        yield Pause(100)
        yield from self._one_by_one((Motor.PUSHER, 0), (Motor.ARM, 0))
        yield Done()

    def _go_home(self, *_: object) -> Iterator[Motion]:
        yield from ()

    def _one_by_one(self, *goals: tuple[Motor, int]) -> Iterator[Motion]:
        for motor, goal in goals:
            yield Go(motor, goal, self._tilting.leave if motor is Motor.ARM else None)
            yield Rest(motor, 2)


@dataclass(slots=True)
class Driven:
    """The robot's driver, connected to a brick at home."""

    robot: VirtualRobot
    rig: DrivenRig
    mechanism: Mechanism
    is_usable: bool = True
    """Whether the driver has not given up; then another one is needed."""
    took_s: float = 0.0
    """The last case, for each repeat."""

    def judge(
        self, rig: Rig, friction: float, primitives: Sequence[Primitive], repeats: int = 3
    ) -> Outcome:
        """Let the robot play primitives `repeats` times in a row, home again after each time."""
        self.rig.put(rig, friction, self.mechanism.state["home"])
        ends = []
        gave_up = ""
        try:
            for _ in range(repeats):
                play(self.mechanism, primitives)
                self.robot.brick.advance()
                ends.append(len(self.rig.rows))
        except RobotError as error:
            gave_up = f"repeat {len(ends) + 1}: {error}"
        self.robot.clock.sleep(SETTLE_MS / 1000)
        self.robot.brick.advance()
        rows = np.array(self.rig.rows)
        self.rig.take_out()
        if gave_up:
            self.is_usable = False
            return Outcome((gave_up,), float(rows[-1, 2] / (np.pi / 2)))
        self.took_s = ends[-1] / repeats / 1000
        states = rows[:, :5] * [1000, 1000, 1, *(degrees(1) / self.rig.ways)]
        targets = np.zeros((len(rows), 3))
        targets[:, 2] = rows[:, 5] - rows[0, 5]
        return outcome_at(rig, states, targets, ends, list(primitives).count(Tilt()))


MakesChoreographer = Callable[[Calibration], Choreographer]


@cache
def compile_motors() -> None:
    """Compile all that moves a rig in MuJoCo: a driver would take a compiling brick for dead."""
    rig = DrivenRig()
    warm_up(rig)
    rig.put(family()[0], 0.3, (0, 0, 0))
    rig.advance(0, 1, Battery(8.0))


@contextmanager
def driven(
    calibration: Calibration = RIG,
    choreographer: MakesChoreographer = Choreographer,
    faults: Faults = NO_FAULTS,
) -> Iterator[Driven]:
    """Connect the driver to a brick and let it find home, on the simulated rig."""
    compile_motors()
    robot = VirtualRobot(SOLVED, Path("unused"), faults, calibration=calibration)
    robot.put_on(rig := DrivenRig())
    clock = robot.controls
    with robot.link() as link:
        player = Player(link, clock, calibration.powers)
        homing = Homing(link, clock, calibration, player.beat)
        mechanism = ProgramMechanism(player, choreographer(calibration), clock, homing)
        mechanism.set_home()
        yield Driven(robot, rig, mechanism)
        mechanism.release()


def shares(
    rigs: Sequence[Rig],
    frictions: Sequence[float],
    primitives: Sequence[Primitive],
    calibrations: Sequence[Calibration],
    choreographer: MakesChoreographer = Choreographer,
    repeats: int = 3,
) -> tuple[dict[str, list[Outcome]], float]:
    """Return the outcomes by the rigs' names, and the mean seconds of the repeats that ended.

    Each rig has an outcome for each calibration and friction.
    """
    outcomes: dict[str, list[Outcome]] = {rig.name: [] for rig in rigs}
    seconds = []
    for calibration in calibrations:
        cases = [(rig, friction) for rig in rigs for friction in frictions]
        while cases:
            with driven(calibration, choreographer) as robot:
                while cases and robot.is_usable:
                    rig, friction = cases.pop(0)
                    outcomes[rig.name].append(robot.judge(rig, friction, primitives, repeats))
                    if robot.is_usable:
                        seconds.append(robot.took_s)
    return outcomes, float(np.mean(seconds))


def at_pace(calibration: Calibration, pace: Pace) -> Calibration:
    """Return a calibration in which the arm always goes at a pace."""
    return _with_paces(calibration, lambda _: pace)


def jittered(calibration: Calibration, factor: float) -> Calibration:
    """Return a calibration in which the arm goes `factor` times as fast."""
    return _with_paces(
        calibration,
        lambda pace: Pace(pace.speed_deg_s * factor, pace.acceleration_deg_s2 * factor**2),
    )


def _with_paces(calibration: Calibration, change: Callable[[Pace], Pace]) -> Calibration:
    values = asdict(calibration.tilting).items()
    paces = {name: change(value) for name, value in values if isinstance(value, Pace)}
    return replace(calibration, tilting=replace(calibration.tilting, **paces))
