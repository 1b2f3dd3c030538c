"""A cube shown to a camera by hand, face after face, as the stream of a webcam's server."""

from collections.abc import Iterator
from contextlib import contextmanager

from hardware_sims.clock import VirtualClock
from hardware_sims.rigs.cradle.camera.camera import SimulatedCamera
from hardware_sims.rigs.cradle.camera.mjpeg_server import MjpegServer
from hardware_sims.rigs.cradle.rig import RigPose
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.clock import SystemClock
from solvers.rubik.cubies import CubieCube
from solvers.rubik.rotations import Face


def with_each_face_up(cube: CubieCube) -> list[CradledCube]:
    """Return the cube lying six times, the faces up in their order."""
    first = CradledCube(cube)
    ways = [first, first.spun(1)]
    ways += [way.tilted().tilted() for way in ways] + [way.tilted() for way in ways]
    ways += [way.tilted() for way in ways[2:4]]
    return [next(way for way in ways if way.orientation[Face.U] == face) for face in Face]


class HeldCube:
    """`shown` is the number of the face that is before the camera."""

    def __init__(self, cube: CubieCube, url: str = "") -> None:
        self.url = url
        self.shown = 0
        self._ways = with_each_face_up(cube)

    def pose(self) -> RigPose:
        """Return what the camera sees."""
        return RigPose(0, 0, 0, 0, 0, "seated", self._ways[self.shown].stickers)


@contextmanager
def held_before_a_camera(cube: CubieCube, frames_per_s: float = 30.0) -> Iterator[HeldCube]:
    """Serve what a camera at the easiest level sees of the cube."""
    held = HeldCube(cube)
    camera = SimulatedCamera(held.pose, VirtualClock(), level=1, seed=2)
    with MjpegServer(camera.jpeg, SystemClock(), frames_per_s=frames_per_s) as server:
        held.url = server.url
        yield held
