"""The simulated camera above a robot in virtual time, as a source of frames."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Final, Literal

from msgspec.structs import replace

from controller.robot_jobs import scan_by_robot
from controller.vision.camera import CameraSettings
from controller.vision.errors import CameraLostError, CameraNotFoundError
from controller.vision.scans.events import Turning
from hardware_sims.rigs.cradle.camera.camera import CameraUnpluggedError, SimulatedCamera
from hardware_sims.rigs.cradle.camera.levels import CameraFault, level_numbered
from hardware_sims.rigs.cradle.rig import RigPose
from solvers.foundation.arrays import Image
from tests.virtual_robot import VirtualRobot

FRAME_INTERVAL_S: Final = 1 / 15


class CameraAbove:
    """The simulated camera above a robot in virtual time, as a source of frames.

    Frames of 320 x 240, with a `binning` of 2, take a quarter of the time to look at.
    """

    name = "simulated camera"
    is_live = True
    is_still = False
    settings = CameraSettings()

    def __init__(
        self,
        robot: VirtualRobot,
        level: int,
        seed: int,
        faults: Sequence[CameraFault] = (),
        binning: Literal[1, 2, 4] = 2,
    ) -> None:
        self._robot = robot
        seen_as = replace(level_numbered(level), binning=binning)
        self._new_camera = partial(SimulatedCamera, self._pose, robot.clock, seen_as, seed)
        self._camera = self._new_camera(faults=faults)

    def plug_in(self) -> None:
        """Put an end to all faults."""
        self._camera = self._new_camera()

    def _pose(self) -> RigPose:
        self._robot.brick.advance()
        pose: RigPose = self._robot.rig.pose
        return pose

    def open(self) -> None:
        """Find out, as OpenCV does, whether the camera is there."""
        try:
            self._camera.jpeg()
        except CameraUnpluggedError as error:
            raise CameraNotFoundError(f"The camera {self.name} does not open.") from error

    def read(self) -> Image:
        """Return the next frame."""
        self._robot.clock.sleep(FRAME_INTERVAL_S)
        try:
            return self._camera.picture()
        except CameraUnpluggedError as error:
            raise CameraLostError(f"There is no further frame in {self.name}.") from error

    def close(self) -> None:
        pass


def third_turn(robot: VirtualRobot) -> tuple[float, int]:
    """Scan until the robot starts the third turn of its cube; return the seconds and telegrams."""
    camera = CameraAbove(robot, level=1, seed=0)
    with closing(scan_by_robot(robot.robot, lambda: closing(camera))) as events:
        turns = (event for event in events if isinstance(event, Turning))
        next(islice(turns, 2, None))
        return robot.clock.now(), robot.brick.telegrams + 3
