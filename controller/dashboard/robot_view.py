"""What the Robot page shows, as plain values; the page's script draws them and knows no more."""

from enum import StrEnum
from typing import Final

import msgspec

from controller.motion.cost_model import CostModel
from controller.motion.planning.virtual_cube import VirtualCube, move_of
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.vision.scans.viewing import lying_facelets
from solvers.rubik.cubies import SOLVED
from solvers.rubik.facelets import format_facelets


class Phase(StrEnum):
    """What state the robot is in; the same words stand in the page."""

    NONE = "none"
    CONNECTING = "connecting"
    READY = "ready"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAULT = "fault"
    UNCERTAIN = "uncertain"
    FINISHED = "finished"


MOVING: Final = (Phase.RUNNING, Phase.PAUSING, Phase.STOPPING)


class StageView(msgspec.Struct, frozen=True):
    """One of the four stages; `state` is waiting, now, done or left (out)."""

    title: str
    state: str = "waiting"
    detail: str = ""


STAGES: Final = (
    StageView("Scan", detail="six faces"),
    StageView("Search", detail="the fastest to drive"),
    StageView("Drive"),
    StageView("Check", detail="camera looks again"),
)


class Result(msgspec.Struct, frozen=True):
    """What a finished run came to; `seen` is None where no camera looked."""

    word: str
    why: str
    moves: int
    robot_s: float
    seen: float | None


class RobotView(msgspec.Struct, frozen=True, kw_only=True):
    """The robot and its run. Seconds are the robot's; `primitive` counts from 0."""

    phase: Phase = Phase.NONE
    sentence: str = ""
    """What the error says, or what is being waited for."""
    address: str = ""
    is_simulated: bool = False
    has_camera: bool = False
    speed: float = 1.0
    volts: float | None = None
    stages: tuple[StageView, ...] = STAGES
    primitive: int | None = None
    total: int = 0
    finished: int = 0
    planned_s: float = 0.0
    elapsed_s: float = 0.0
    remaining_s: float = 0.0
    behind_s: float = 0.0
    retries: int = 0
    steady: str = ""
    verdict: str = ""
    confidence: float | None = None
    reasons: tuple[str, ...] = ()
    journal: str = ""
    can_resume: bool = False
    result: Result | None = None


class Block(msgspec.Struct, frozen=True):
    """One primitive of the plan: tilt, spin or turn, as text, its seconds, and the move it is."""

    kind: str
    text: str
    seconds: float
    move: str = ""


class TwinView(msgspec.Struct, frozen=True):
    """The cube as it lies: 54 colours at U R F D L B of the rig, and the motion that it begins."""

    facelets: str
    kind: str = ""
    quarters: int = 0
    seconds: float = 0.0


def kind_of(primitive: Primitive) -> str:
    """Return the word for a primitive."""
    return str(primitive).partition(" ")[0]


def quarters_of(primitive: Primitive) -> int:
    """Return by how many quarters a primitive turns."""
    return primitive.quarters if isinstance(primitive, Spin | TurnLayer) else 1


def blocks_of(
    cube: VirtualCube, primitives: tuple[Primitive, ...], costs: CostModel
) -> list[Block]:
    """Return the plan as blocks, from the cube as it lies before."""
    blocks = []
    before: Primitive | None = None
    for primitive in primitives:
        move = str(move_of(primitive, cube)) if isinstance(primitive, TurnLayer) else ""
        seconds = costs.price(primitive, before)
        blocks.append(Block(kind_of(primitive), str(primitive), round(seconds, 2), move))
        cube, before = cube.after(primitive), primitive
    return blocks


def lying(cube: VirtualCube) -> str:
    """Return the 54 colours at the places of the rig."""
    facelets = format_facelets(cube.position)
    return "".join(facelets[index] for index in lying_facelets(cube.orientation))


def turned_by(motion: Tilt | Spin, facelets: str) -> str:
    """Return the colours of a cube whose position nobody knows, after a motion of the whole."""
    order = lying_facelets(VirtualCube(SOLVED).after(motion).orientation)
    return "".join(facelets[index] for index in order)
