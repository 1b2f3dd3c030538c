"""The cradle rig as the registry knows it: built, made to fail, looked at by a camera."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cradle.faults import NO_RIG_FAULTS, RigFaults
from hardware_sims.rigs.cradle.rig import CubeRig, RigPose
from hardware_sims.rigs.cubes import CradledCube

if TYPE_CHECKING:
    from hardware_sims.nxt_brick.brick import SimulatedBrick
    from hardware_sims.rigs.cradle.camera.levels import CameraFault, Level
    from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer
    from hardware_sims.rigs.cradle.geometry import Geometry


@dataclass(frozen=True)
class CradleCamera:
    """A camera that looks down on the rig, in the light of a level."""

    name: str
    level: "Level"

    def serve(
        self, brick: "SimulatedBrick", rig: Any, seed: int, faults: "Sequence[CameraFault]" = ()
    ) -> "MjpegServer":
        """Return a server, not yet started, of what the camera sees."""
        from hardware_sims.rigs.cradle.camera.camera import CameraUnpluggedError, SimulatedCamera
        from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer
        from solvers.foundation.clock import SystemClock

        def pose() -> RigPose:
            brick.advance()
            now: RigPose = rig.pose
            return now

        camera = SimulatedCamera(pose, brick.clock, self.level, seed, faults)
        with suppress(CameraUnpluggedError):
            camera.jpeg()  # compiles or loads now what would keep the first viewer waiting
        return MjpegServer(camera.jpeg, SystemClock())


class CradleModel:
    """Implements the registry's `RigModel`; OpenCV is imported only for a camera.

    With a geometry arm, pusher and cube move by forces, without by the angles of the motors alone.
    """

    faults = RigFaults

    def __init__(self, geometry: "Geometry | None" = None) -> None:
        self._geometry = geometry

    def build(
        self,
        cube: CradledCube | None = None,
        faults: RigFaults | None = None,
        on_cube_change: Callable[[CubeRig], None] | None = None,
    ) -> CubeRig:
        """Return a rig with a cube in it, a solved one without `cube`.

        Raises InvalidScenarioError for faults that a rig from a file cannot have.
        """
        faults = faults or NO_RIG_FAULTS
        if self._geometry is None:
            return CubeRig(cube, faults, on_cube_change)
        if faults.slip or faults.double or faults.throw or faults.stuck:
            raise InvalidScenarioError(
                "On a rig from a file forces say how the cube rolls; slip, double, throw and stuck "
                "of the faults file are for the rig without one."
            )
        from hardware_sims.rigs.cradle.physical import PhysicalRig

        return PhysicalRig(self._geometry, cube, faults, on_cube_change)

    def camera(self, choice: str) -> CradleCamera:
        """Return the camera of a level, 1 to 3, or of a file. Raises InvalidScenarioError.

        Raises MissingExtraError without OpenCV, which paints the pictures.
        """
        from hardware_sims.rigs.cradle.camera.levels import LEVELS, level_called
        from solvers.foundation.extras import require

        require("cv2")
        level = level_called(choice)
        name = f"level {choice}" if level == LEVELS.get(level.level) else choice
        return CradleCamera(name, level)

    def warm_up_camera(self) -> None:
        """Compile the camera's kernels by taking a picture."""
        from hardware_sims.clock import VirtualClock
        from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera

        rig = CubeRig()
        SimulatedCamera(lambda: rig.pose, VirtualClock(), level=1, seed=0).jpeg()


def load_model(rig_file: Path) -> CradleModel:
    """Return the model of a rig file. Raises InvalidScenarioError if no such rig could work."""
    from hardware_sims.rigs.cradle.geometry import load_geometry

    return CradleModel(load_geometry(rig_file))


MODEL: Final = CradleModel()
