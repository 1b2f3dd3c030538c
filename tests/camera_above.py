"""The simulated camera above a robot in virtual time, as a source of frames."""

from typing import Final

from controller.vision.camera.lock import CameraSettings
from hardware_sims.cube_rig.camera.camera import SimulatedCamera
from hardware_sims.cube_rig.rig import RigPose
from solvers.foundation.arrays import Image
from tests.virtual_robot import VirtualRobot

FRAME_INTERVAL_S: Final = 1 / 15


class CameraAbove:
    """The simulated camera above a robot in virtual time, as a source of frames."""

    name = "simulated camera"
    is_live = True
    is_still = False
    settings = CameraSettings()

    def __init__(self, robot: VirtualRobot, level: int, seed: int) -> None:
        self._robot = robot
        self._camera = SimulatedCamera(self._pose, robot.clock, level, seed)

    def _pose(self) -> RigPose:
        self._robot.brick.advance()
        pose: RigPose = self._robot.rig.pose
        return pose

    def read(self) -> Image:
        self._robot.clock.sleep(FRAME_INTERVAL_S)
        return self._camera.picture()

    def close(self) -> None:
        pass
