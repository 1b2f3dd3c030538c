"""A cube that tilts and spins at once, and the simulated camera above it as a source of frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from controller.motion.primitives import Spin, Tilt
from controller.rigs.nxt_brick.calibration import Seconds
from controller.vision.camera import CameraSettings
from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.camera.levels import CameraFault, Level
from hardware_sims.rigs.cradle.rig import RigPose
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.arrays import Image

COSTS: Final = Seconds(tilt=1.6, spin=(0.7, 1.2, 1.2), turn=(1.0, 1.5, 1.5))
FRAME_INTERVAL_S: Final = 1 / 15
MOTION_S: Final = 1.0


@dataclass
class CameraRig:
    """A rig without motors, in virtual time."""

    cube: CradledCube
    level: int | Level = 1
    seed: int = 0
    faults: Sequence[CameraFault] = ()
    motions: int = 0
    clock: VirtualClock = field(default_factory=VirtualClock)

    name: ClassVar = "simulated camera"
    is_live: ClassVar = True
    is_still: ClassVar = False
    settings: ClassVar = CameraSettings()

    def __post_init__(self) -> None:
        self.camera = SimulatedCamera(
            lambda: self.pose, self.clock, self.level, self.seed, self.faults
        )

    @property
    def pose(self) -> RigPose:
        """How the rig stands: at rest."""
        return RigPose(0, 0, 0, 0, 0, "seated", self.cube.stickers)

    def perform(self, motion: Tilt | Spin, /, **_: object) -> None:
        """Turn the whole cube."""
        self.motions += 1
        self.clock.sleep(MOTION_S)
        self.cube = (
            self.cube.tilted() if isinstance(motion, Tilt) else self.cube.spun(motion.quarters)
        )

    def read(self) -> Image:
        """Return the next frame."""
        self.clock.sleep(FRAME_INTERVAL_S)
        return self.camera.picture()

    def close(self) -> None:
        """Do nothing: a camera in this process holds nothing open."""
