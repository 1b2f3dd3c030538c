"""A rig without motors whose tilts go wrong beyond what it tolerates, and a camera above it.

In virtual time. Both are as simple as the tuner's seams allow: a mechanism that turns a virtual
cube, and a judge that compares it with what it is asked for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from controller.controls import Controls
from controller.errors import LinkLostError, MotorStalledError
from controller.job_events import LookEvent
from controller.motion.mechanism import Battery, Mechanism, Settled, State
from controller.motion.primitives import AfterView, Primitive, Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import VirtualCube
from controller.opening import Robot
from controller.recovery.careful_run import differs, up_face
from controller.rigs.rig import Earned, Margin
from controller.tuning import Tuner
from controller.vision.errors import CameraLostError
from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import parse_facelets
from solvers.rubik.rotations import Face
from solvers.rubik.scramble import random_state
from tests.camera_rig import COSTS

SCAN_S: Final = 18.0
GLANCE_S: Final = 0.6
PACE: Final = Margin("pace", "pace of the arm", (0.8, 1.0, 1.25, 1.5, 2.0), 1.0)
RETURN: Final = Margin("return", "arm goes back at", (60.0, 90.0, 120.0), 60.0)
MANNER: Final = Margin("manner", "manner of tilting", (1, 0), 0)


@dataclass
class FakeSetup:
    """The values with which the rig plays; only `data` is asked for."""

    earned: Mapping[str, Earned]

    @property
    def data(self) -> Mapping[str, Any]:
        return {name: each.value for name, each in self.earned.items()}

    def value(self, margin: Margin) -> float:
        now = self.earned.get(margin.name)
        return margin.start if now is None else now.value


@dataclass
class FakeMargins:
    """Two margins; implements `Margins`."""

    earned: Mapping[str, Earned] = field(default_factory=dict)
    ladder: Sequence[Margin] = (PACE, RETURN)
    trial: Sequence[Primitive] = (Tilt(), Tilt(), Spin(1), Tilt(), Tilt())
    drive: str = "none"
    manner: Margin = MANNER

    def setup(self, earned: Mapping[str, Earned]) -> Any:
        return FakeSetup(dict(earned))

    def save(self, earned: Mapping[str, Earned], path: Path, measured: str = "") -> None:
        raise NotImplementedError  # the tuner saves through what it is given


@dataclass
class FakeRig:
    """What the machine really is: `tolerates` has the fastest value of each margin that works.

    `slips` says whether a tilt that is faster leaves the cube as it is; else its motor stalls. In
    the other manner everything works if it `works_carefully`.
    """

    tolerates: Mapping[str, float]
    slips: bool = True
    works_carefully: bool = False
    clock: VirtualClock = field(default_factory=VirtualClock)
    cube: CradledCube = field(default_factory=lambda: CradledCube(random_state(5)))
    tilts: int = 0
    link_breaks_at: int = 0
    is_released: bool = True

    def works(self, setup: FakeSetup) -> bool:
        if setup.value(MANNER) != MANNER.start:
            return self.works_carefully
        margins = {PACE.name: PACE, RETURN.name: RETURN}
        return all(setup.value(margins[name]) <= most for name, most in self.tolerates.items())


class FakeMechanism:
    """The rig with a setup; implements `Mechanism`. After it straightened a cube all works."""

    def __init__(self, rig: FakeRig, setup: FakeSetup) -> None:
        self._rig = rig
        self._setup = setup
        self._is_careful = False

    @property
    def state(self) -> State:
        return {"tilts": self._rig.tilts}

    def battery(self) -> Battery | None:
        return None

    def set_home(self, *, in_doubt: bool = False) -> None:  # noqa: ARG002
        self._rig.clock.sleep(5)

    def restore(self, state: State) -> bool:  # noqa: ARG002
        return True

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        raise NotImplementedError  # the tuner resumes no drive

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,  # noqa: ARG002
        ahead: Sequence[Primitive] = (),  # noqa: ARG002
        then: AfterView = None,  # noqa: ARG002
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        rig = self._rig
        on_state(self.state)
        rig.is_released = False
        rig.clock.sleep(1.0 / self._setup.value(PACE))
        if isinstance(primitive, Tilt):
            rig.tilts += 1
            if rig.tilts == rig.link_breaks_at:
                raise LinkLostError("The line broke.")
            if not (self._is_careful or rig.works(self._setup)):
                if rig.slips:
                    return
                raise MotorStalledError("Motor B (arm) does not move on.")
        match primitive:
            case Tilt():
                rig.cube = rig.cube.tilted()
            case Spin():
                rig.cube = rig.cube.spun(primitive.quarters)
            case TurnLayer():
                rig.cube = rig.cube.bottom_turned(primitive.quarters)

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:  # noqa: ARG002
        self._rig.clock.sleep(5)
        self._is_careful = True
        return False

    def release(self, *, at_once: bool = False) -> None:  # noqa: ARG002
        self._rig.is_released = True


class Onlooker:
    """Sees what a camera above a cube would: its stickers, in the letters of the last scan."""

    def __init__(self, cube: Callable[[], CradledCube], clock: Clock) -> None:
        self._cube = cube
        self._clock = clock
        self._letters: dict[str, str] = {}
        self.scans = 0

    def find(self, mechanism: Mechanism) -> Job[LookEvent, CubieCube]:  # noqa: ARG002
        """See all faces."""
        yield from ()
        self._clock.sleep(SCAN_S)
        return self.read()

    def read(self) -> CubieCube:
        """Return the position of the cube as it lies."""
        self.scans += 1
        self.check()
        cube = self._cube()
        self._letters = {each.name: cube.orientation.place_of(each).name for each in Face}
        return parse_facelets(cube.facelets)

    def sees(self, cube: VirtualCube, mechanism: Mechanism) -> Job[LookEvent, bool]:  # noqa: ARG002
        """See the upper face."""
        yield from ()
        self._clock.sleep(GLANCE_S)
        self.check()
        seen = "".join(self._letters[each] for each in self._cube().stickers[:9])
        return not differs(seen, up_face(cube))

    def check(self) -> None:
        """Raise CameraError if there is no picture."""


class DyingCamera(Onlooker):
    """A camera that gives no picture any more after some glances."""

    def __init__(self, cube: Callable[[], CradledCube], clock: Clock, looks: int) -> None:
        super().__init__(cube, clock)
        self.looks_left = looks

    def check(self) -> None:
        self.looks_left -= 1
        if self.looks_left < 0:
            raise CameraLostError("There is no further frame in the camera.")


@dataclass
class Tuning:
    """A tuner of such a rig, and what it saved."""

    rig: FakeRig
    margins: FakeMargins = field(default_factory=FakeMargins)
    saved: list[dict[str, Earned]] = field(default_factory=list)
    judge: Onlooker | None = None

    def __post_init__(self) -> None:
        self.controls = Controls(self.rig.clock)
        self.judge = self.judge or Onlooker(lambda: self.rig.cube, self.rig.clock)
        robot = Robot("fake", "none", "here", {}, COSTS, 1.0, self.controls, self._safe)
        self.tuner = Tuner(robot, self.margins, self._connect, self.judge, self._save)

    @property
    def values(self) -> dict[str, float]:
        """What was saved last."""
        return {name: each.value for name, each in self.saved[-1].items()} if self.saved else {}

    def _safe(self) -> AbstractContextManager[Mechanism]:
        return self._connect(FakeSetup({}))

    @contextmanager
    def _connect(self, setup: Any) -> Iterator[Mechanism]:
        yield FakeMechanism(self.rig, setup)

    def _save(self, earned: Mapping[str, Earned]) -> None:
        self.saved.append(dict(earned))
