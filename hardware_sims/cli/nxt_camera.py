"""The camera of `hwsim nxt --camera [LEVEL]`."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from hardware_sims.cube_rig.camera.faults import CameraFault
    from hardware_sims.cube_rig.camera.mjpeg_server import MjpegServer
    from hardware_sims.cube_rig.rig import CubeRig, RigPose
    from hardware_sims.nxt_brick.brick import SimulatedBrick

EASIEST = "1"


class CommandWithCamera(TyperCommand):
    """A command whose option `--camera` may stand alone; it then means the easiest level."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the level behind a `--camera` that has none."""
        complete: list[str] = []
        for argument, following in pairwise([*args, ""]):
            complete.append(argument)
            if argument == "--camera" and not following.isdecimal():
                complete.append(EASIEST)
        return super().parse_args(ctx, complete)


def camera_above(
    brick: "SimulatedBrick",
    rig: "CubeRig",
    level: int,
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
