"""The camera of `hwsim nxt --camera [LEVEL or FILE]`."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware_sims.cube_rig.camera.faults import CameraFault
    from hardware_sims.cube_rig.camera.levels import Level
    from hardware_sims.cube_rig.camera.mjpeg_server import MjpegServer
    from hardware_sims.cube_rig.rig import CubeRig, RigPose
    from hardware_sims.nxt_brick.brick import SimulatedBrick


def camera_above(
    brick: "SimulatedBrick",
    rig: "CubeRig",
    level: "Level",
    seed: int,
    faults: "Sequence[CameraFault]" = (),
) -> "MjpegServer":
    """Return a server, not yet started, of a camera that looks down on the rig of a brick."""
    from hardware_sims.cube_rig.camera.camera import CameraUnpluggedError, SimulatedCamera
    from hardware_sims.cube_rig.camera.mjpeg_server import MjpegServer
    from solvers.foundation.clock import SystemClock

    def pose() -> "RigPose":
        brick.advance()
        return rig.pose

    camera = SimulatedCamera(pose, brick.clock, level, seed, faults)
    with suppress(CameraUnpluggedError):
        camera.jpeg()  # loads or compiles what would keep the first viewer waiting
    return MjpegServer(camera.jpeg, SystemClock())
