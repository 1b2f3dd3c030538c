"""The cube in the rig, as the page shows it: how it lies, in its colours, and how it moves."""

from typing import Final

import msgspec

from controller.dashboard.hub import Hub
from controller.dashboard.robot.view import kind_of
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import VirtualCube
from controller.vision.scans.viewing import lying_facelets
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import FACE_LETTERS, format_facelets

TWIN: Final = "twin"
UNKNOWN: Final = "?" * 54


class TwinView(msgspec.Struct, frozen=True):
    """The cube as it lies: 54 colours at U R F D L B of the rig, and the motion that it begins."""

    facelets: str
    kind: str = ""
    quarters: int = 0
    seconds: float = 0.0


class Twin:
    """Tells the page of the cube. Its faces are named by places, and shown in its own `colours`."""

    def __init__(self, hub: Hub) -> None:
        self.colours = FACE_LETTERS
        self._hub = hub
        self._facelets = UNKNOWN
        self.show(UNKNOWN)

    def show(self, facelets: str) -> None:
        """Show the cube at rest."""
        self._facelets = facelets
        self._tell("", 0, 0.0)

    def move(self, primitive: Primitive, seconds: float) -> None:
        """Show how the cube begins to move, for `seconds` of the page's clock."""
        self._tell(kind_of(primitive), _quarters_of(primitive), seconds)

    def turn(self, motion: Tilt | Spin) -> None:
        """Note how a cube lies after a motion, be it known or not; the page sees it move."""
        order = lying_facelets(VirtualCube(SOLVED).after(motion).orientation)
        self._facelets = "".join(self._facelets[index] for index in order)

    def rest(self) -> None:
        """End what moves."""
        self.show(self._facelets)

    def _tell(self, kind: str, quarters: int, seconds: float) -> None:
        shown = self._facelets.translate(str.maketrans(FACE_LETTERS, self.colours))
        self._hub.publish(TWIN, TwinView(shown, kind, quarters, seconds))


def _quarters_of(primitive: Primitive) -> int:
    return primitive.quarters if isinstance(primitive, Spin | TurnLayer) else 1


def lying(cube: VirtualCube) -> str:
    """Return the 54 colours at the places of the rig."""
    facelets = format_facelets(cube.position)
    return "".join(facelets[index] for index in lying_facelets(cube.orientation))
