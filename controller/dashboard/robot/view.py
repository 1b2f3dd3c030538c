"""Requests and view of the Robot page: plain values, as they go over the wire."""

from enum import StrEnum
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.dashboard.controller import Request
from controller.motion.mechanism import Battery
from controller.motion.planner import Planner
from controller.motion.primitives import CostModel, Primitive, TurnLayer
from controller.motion.virtual_cube import VirtualCube, move_of
from controller.rigs.registry import DEFAULT_RIG, RIGS

Name = Annotated[str, Meta(max_length=200)]


class SimulateRequest(Request, frozen=True):
    """A simulated robot: how much faster than real, with which cube (None for any).

    Its camera is of level 1 (easy) to 3; 0 for none, as for a rig with a sensor of its own.
    """

    speed: Annotated[float, Meta(ge=0.1, le=50)] = 5.0
    seed: Annotated[int, Meta(ge=0, le=10**9)] | None = None
    camera: Annotated[int, Meta(ge=0, le=3)] = 1
    rig: Name = DEFAULT_RIG


class ConnectRequest(Request, frozen=True):
    """A robot at an address, and the camera that looks at it."""

    address: Name = "usb"
    camera: Annotated[str, Meta(max_length=500)] | None = None
    speed: Annotated[float, Meta(ge=0.1, le=50)] = 1.0
    rig: Name = DEFAULT_RIG


class SolveRequest(Request, frozen=True):
    """Solve a cube that is scanned, or whose 54 stickers are given; `target` None for solved.

    The stickers are colours as the cube is held; the target's are named by the faces of the rig.
    A dry run searches and plans, and moves nothing. Without a `drive` the usual one is taken.
    """

    facelets: Annotated[str, Meta(max_length=54)] | None = None
    target: Annotated[str, Meta(max_length=54)] | None = None
    search_s: Annotated[float, Meta(ge=0, le=60)] = 1.0
    planner: Planner = Planner.OPTIMAL
    drive: Name | None = None
    dry_run: bool = False


class ResumeRequest(Request, frozen=True):
    """Resume a run: the one of this journal, or the last one."""

    journal: Name | None = None


class JogRequest(Request, frozen=True):
    """Turn one motor by some degrees, slowly."""

    motor: Name
    degrees: Annotated[int, Meta(ge=-360, le=360)]


class CalibrateRequest(Request, frozen=True):
    """Measure how long the primitives take, each `rounds` times."""

    rounds: Annotated[int, Meta(ge=1, le=20)] = 2
    drive: Name | None = None


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
    """What a finished run came to; `seen` is None where no camera looked.

    `recoveries` has a sentence for each recovery action. A cube that was there already took no
    moves and no seconds.
    """

    word: str
    why: str
    moves: int
    robot_s: float
    seen: float | None
    recoveries: tuple[str, ...] = ()


class RobotView(msgspec.Struct, frozen=True, kw_only=True):
    """The robot and its run; `primitive` counts from 0.

    Seconds are the robot's, `elapsed_s` those of what is done.
    """

    phase: Phase = Phase.NONE
    sentence: str = ""
    """What the error says, or what is being waited for."""
    address: str = ""
    is_simulated: bool = False
    rig: str = ""
    """Which make it is; empty without a robot."""
    rigs: tuple[str, ...] = tuple(RIGS)
    """All makes."""
    motors: tuple[str, ...] = ()
    has_camera: bool = False
    can_scan: bool = False
    """Whether a camera or a sensor of the rig's own can read the cube."""
    drives: tuple[str, ...] = ()
    battery: Battery | None = None
    """As it was when the robot was connected to last."""
    speed: float = 1.0
    stages: tuple[StageView, ...] = STAGES
    primitive: int | None = None
    total: int = 0
    finished: int = 0
    planned_s: float = 0.0
    elapsed_s: float = 0.0
    remaining_s: float = 0.0
    behind_s: float = 0.0
    retries: int = 0
    rescans: int = 0
    """How often the cube was scanned and the rest planned again."""
    steady: str = ""
    scans: int = 0
    looks: int = 0
    """How many faces the last of the `scans` has captured so far."""
    verdict: str = ""
    confidence: float | None = None
    reasons: tuple[str, ...] = ()
    journal: str = ""
    can_resume: bool = False
    trouble: str = ""
    """Why the primitive that is under way had to be played again."""
    cut_off: str = ""
    """The primitive that was interrupted; if empty, the cube is as the page shows it, if known."""
    result: Result | None = None


def fresh(view: RobotView) -> RobotView:
    """Return the view of the same robot before a run."""
    return RobotView(
        address=view.address,
        is_simulated=view.is_simulated,
        rig=view.rig,
        motors=view.motors,
        has_camera=view.has_camera,
        can_scan=view.can_scan,
        drives=view.drives,
        battery=view.battery,
        speed=view.speed,
    )


def staged(
    stages: tuple[StageView, ...], place: int, state: str, detail: str | None
) -> tuple[StageView, ...]:
    """Return the stages with another state at `place`, and another detail unless that is None."""
    old = stages[place]
    new = StageView(old.title, state, old.detail if detail is None else detail)
    return (*stages[:place], new, *stages[place + 1 :])


class Block(msgspec.Struct, frozen=True):
    """One primitive of the plan: tilt, spin or turn, as text, its seconds, and the move it is."""

    kind: str
    text: str
    seconds: float
    move: str = ""


def kind_of(primitive: Primitive) -> str:
    """Return the word for a primitive."""
    return str(primitive).partition(" ")[0]


def blocks_of(
    cube: VirtualCube, primitives: tuple[Primitive, ...], costs: CostModel
) -> list[Block]:
    """Return the plan as blocks, for the cube before the first of them."""
    blocks = []
    before: Primitive | None = None
    for primitive in primitives:
        move = str(move_of(primitive, cube)) if isinstance(primitive, TurnLayer) else ""
        seconds = costs.price(primitive, before)
        blocks.append(Block(kind_of(primitive), str(primitive), round(seconds, 2), move))
        cube, before = cube.after(primitive), primitive
    return blocks
