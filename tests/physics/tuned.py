"""The tuner on a rig in MuJoCo: the real program drives it, and an onlooker says what it did.

    print(run_job(TunedRig(rig_named("clamp-6")).tune(), print))

All tilts are those of the rigid bodies, those of a scan too, and so is what brings the cube down
after a tilt that went wrong. Homing is the simulated rig's, because MuJoCo's model has no cradle to
turn; the cube then stands straight in its cradle, on the side on which it came to lie.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import degrees, pi
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from controller.errors import DoubtfulScanError
from controller.job_events import LookEvent
from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Primitive, Spin, Tilt
from controller.motion.virtual_cube import VirtualCube
from controller.rigs.nxt_brick.motion import Known
from controller.rigs.nxt_brick.player import Player
from controller.rigs.nxt_brick.program_drive import ProgramMechanism
from controller.rigs.nxt_cradle.choreography import Choreographer
from controller.rigs.nxt_cradle.homing import Homing
from controller.rigs.nxt_cradle.margins import TRIAL, CradleMargins, as_tuned
from controller.rigs.nxt_cradle.rig import RIG as NXT_CRADLE
from controller.rigs.rig import Earned
from controller.tuning import TuneEvent, Tuner, TuneReport
from controller.vision.scans.tour import cheapest_tour
from hardware_sims.rigs.cradle.mechanics import CRADLE_PORT
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.progress import Job
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.scramble import random_state
from tests.physics.driven import DrivenRig, compile_motors
from tests.physics.oracle import CRADLE_QUARTER_DEG, FLAT_DEG, SEATED_MM, compile_rig, spin_faults
from tests.physics.rigs import Rig
from tests.tuned_rig import GLANCE_S, Onlooker
from tests.virtual_robot import RIG, VirtualRobot

FRICTIONS: Final = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
"""Of the plastic, drawn again before each look: no two tilts of a real rig are alike."""
TILTS_ONLY: Final[tuple[Primitive, ...]] = (Tilt(), Tilt(), Spin(1), Tilt(), Spin(-1), Tilt())
"""A trial for rigs that cannot hold a cube for a layer turn."""
ARM_HOLDS_DEG: Final = -10.0
PUSHER_HOLDS_DEG: Final = 10.0


def trial_of(rig: Rig) -> Sequence[Primitive]:
    """Return the trial with which a rig is tuned."""
    return TRIAL if rig.clamps else TILTS_ONLY


class WatchedRig(DrivenRig):
    """A rig in MuJoCo that keeps in mind what its motions made of the cube."""

    def __init__(self, body: Rig, frictions: Sequence[float], seed: int) -> None:
        super().__init__()
        self.body = body
        self._frictions = frictions
        self._random = Random(seed)
        self._rolled = self._turned = 0
        self.is_askew = False
        """Whether the cube was not flat when seen last, or met a part as it was turned."""

    def start(self, home: Sequence[int]) -> None:
        """Let the motors, at home, move the rig with the cube straight in its cradle."""
        self._rolled = 0
        self._turned = quarters_of(float(self._motors["shaft_deg"][CRADLE_PORT]))
        self.put(self.body, self._frictions[0], home)
        self.rub()

    def rub(self) -> None:
        """Let the plastic have another friction from now on."""
        friction = self._random.choice(self._frictions)
        self._model = compile_rig(self.body, friction, by_torque=True)

    def look(self) -> None:
        """Bring `cube` up to what happened since the last look."""
        if not self.rows:
            return
        rows = np.array(self.rows)
        self.rows.clear()
        states = rows[:, :5] * [1000, 1000, 1, *(degrees(1) / self.ways)]
        touches = self.body.pusher_touches_deg
        held = (states[:, 3] > ARM_HOLDS_DEG) & (states[:, 4] > touches - PUSHER_HOLDS_DEG)
        rolled = np.round(states[:, 2] / (pi / 2)).astype(int)
        turned = np.round(rows[:, 5] / CRADLE_QUARTER_DEG).astype(int)
        changes = np.flatnonzero(
            np.diff(rolled, prepend=self._rolled) | np.diff(turned, prepend=self._turned)
        )
        for row in changes:
            for _ in range((rolled[row] - self._rolled) % 4):
                self.cube = self.cube.tilted()
            by = int(turned[row] - self._turned)
            self.cube = self.cube.bottom_turned(by) if held[row] else self.cube.spun(-by)
            self._rolled, self._turned = int(rolled[row]), int(turned[row])
        _, z, angle = states[-1, :3]
        off = degrees(angle) - 90 * self._rolled
        targets = np.zeros((len(rows), 3))
        targets[:, 2] = rows[:, 5]
        met = any(spin_faults(self.body, states, targets))
        self.is_askew = met or abs(off) > FLAT_DEG or abs(z) > SEATED_MM

    def take_out(self) -> None:
        """Let the motors move the simulated rig, whose cube stands as this one lies."""
        self.look()
        super().take_out()
        quarters = quarters_of(float(self._motors["shaft_deg"][CRADLE_PORT]))
        self._mechanics["cube_quarters"], self._mechanics["cube_deg"] = quarters, 90.0 * quarters
        self._quarters = (quarters, 0)


def quarters_of(cradle_deg: float) -> int:
    """Return the quarter nearest to an angle of the cradle's motor."""
    return round(cradle_deg / CRADLE_QUARTER_DEG)


class WatchedMechanism(ProgramMechanism):
    """The rig driven by the program; it finds home on the simulated rig."""

    def __init__(self, rig: WatchedRig, *parts: Any) -> None:
        super().__init__(*parts)
        self._watched = rig

    def _find_home(self, known: Known | None, *, by_lifting: bool) -> None:
        self._watched.take_out()
        super()._find_home(known, by_lifting=by_lifting)
        self._watched.start(self._state.home)


class RigCamera(Onlooker):
    """A camera above such a rig, which is driven through a scan."""

    def __init__(self, robot: VirtualRobot, rig: WatchedRig) -> None:
        super().__init__(lambda: rig.cube, robot.clock)
        self._robot = robot
        self._rig = rig

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:
        """Let the robot show all faces. Raises DoubtfulScanError if a tilt went wrong in that."""
        yield from ()
        self._look()
        expected, is_right = self._rig.cube, True
        for stop in cheapest_tour(RIG.seconds):
            for motion in stop.motions:
                mechanism.perform(motion)
                if isinstance(motion, Tilt):
                    expected = expected.tilted()
                else:
                    expected = expected.spun(motion.quarters)
            self._look()
            is_right = is_right and not self._rig.is_askew and self._rig.cube == expected
        if not is_right:
            raise DoubtfulScanError("The cube was read with doubts.")
        return self.read()

    def sees(self, cube: VirtualCube, mechanism: Mechanism) -> Job[LookEvent, bool]:
        """See the upper face; that of a cube that is askew is none."""
        is_seen = yield from super().sees(cube, mechanism)
        return is_seen and not self._rig.is_askew

    def check(self) -> None:
        self._look()
        self._rig.rub()

    def _look(self) -> None:
        self._clock.sleep(GLANCE_S)
        self._robot.brick.advance()
        self._rig.look()


@dataclass
class TunedRig:
    """A robot at a rig in MuJoCo. `saved` is what its tuner saved last."""

    body: Rig
    trial: Sequence[Primitive] | None = None
    frictions: Sequence[float] = FRICTIONS
    seed: int = 0
    saved: dict[str, Earned] = field(default_factory=dict)

    def __post_init__(self) -> None:
        compile_motors()
        self.robot = VirtualRobot(SOLVED, Path("unused"))
        self.rig = WatchedRig(self.body, self.frictions, self.seed)
        self.rig.cube = CradledCube(random_state(self.seed))
        self.robot.put_on(self.rig)
        self.camera = RigCamera(self.robot, self.rig)

    @property
    def margins(self) -> CradleMargins:
        """Its margins, as earned so far."""
        trial = self.trial or trial_of(self.body)
        margins = CradleMargins(RIG, NXT_CRADLE, trial)
        return replace(margins, calibration=margins.setup(self.saved).calibration)

    def tune(self) -> Job[TuneEvent, TuneReport]:
        """Tune it, as `cuberobot tune` does."""
        return Tuner(self.robot.robot, self.margins, self.connected, self.camera, self._save).tune()

    @contextmanager
    def connected(self, setup: Any) -> Iterator[Mechanism]:
        """Connect as `nxt_cradle.rig.open_program` does."""
        calibration, clock = setup.calibration, self.robot.controls
        with self.robot.link() as link:
            player = Player(link, clock, calibration.powers)
            homing = Homing(link, clock, calibration, player.beat)
            choreographer = Choreographer(as_tuned(calibration))
            yield WatchedMechanism(self.rig, player, choreographer, clock, homing)

    def _save(self, earned: Mapping[str, Earned]) -> None:
        self.saved = dict(earned)
