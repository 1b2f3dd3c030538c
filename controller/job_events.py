"""Events of a robot's job, its report at the end, and what that says of the cube."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from controller.motion.executor import DriveEvent, DriveReport
from controller.motion.plan_choice import ChosenPlan, PlanFound
from controller.motion.planner import Planner
from controller.motion.run_record import Recovery
from controller.vision.camera import CameraSettings
from controller.vision.reading.result import ScanResult
from controller.vision.scans.events import ScanEvent, ScanOutcome
from solvers.foundation.arrays import Float64Array
from solvers.foundation.progress import Progress
from solvers.rubik.cubies import SOLVED, CubieCube
from solvers.rubik.facelets import CENTRE_FACELETS


class Stage(StrEnum):
    """The parts of a job, in their order."""

    SCAN = "scan"
    PREPARE = "prepare"  # compile the search and build its tables, once per machine
    SEARCH = "search"
    DRIVE = "drive"
    VERIFY = "verify"


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A part of the job starts; `seconds` that it will take, if that is known."""

    stage: Stage
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class CameraOpened:
    """A camera is open; `warnings` are sentences about what it cannot do.

    `is_live` if it shows what is there now, not what was recorded.
    """

    name: str
    warnings: tuple[str, ...]
    is_live: bool


@dataclass(frozen=True, slots=True, eq=False)
class CubeRead:
    """A scan is done: its result, and the (views, 54, 3) sRGB colours that it was read from."""

    result: ScanResult
    rgb: Float64Array

    @property
    def centres(self) -> Float64Array:
        """The colours (6, 3) of the centres in the last view."""
        return self.rgb[-1, CENTRE_FACELETS]


@dataclass(frozen=True, slots=True)
class PlanChosen:
    """The search is done; this plan will be driven from the position `start`."""

    chosen: ChosenPlan
    start: CubieCube


@dataclass(frozen=True, slots=True)
class DriveStarted:
    """The first of the remaining primitives is next; `total` counts those done as well."""

    total: int
    journal: Path


@dataclass(frozen=True, slots=True)
class MarginsLoosened:
    """Tilts went wrong, and the rig's margins, or its manner of tilting, are safer now."""

    sentence: str


LookEvent: TypeAlias = CameraOpened | ScanEvent | CubeRead
RobotEvent: TypeAlias = (
    StageStarted
    | Progress
    | LookEvent
    | PlanFound
    | PlanChosen
    | DriveStarted
    | DriveEvent
    | MarginsLoosened
)


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long a stage took, in seconds of the computer's clock."""

    stage: Stage
    seconds: float


@dataclass(frozen=True, slots=True)
class Verification:
    """The reading after the last motion, and whether it shows the target.

    `eye` names what read the cube; `evidence` says what it read where that was not all of it.
    """

    result: ScanResult
    target_reached: bool
    eye: str = "camera"
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class PlanReport:
    """The plan for a task, of which nothing was driven."""

    chosen: ChosenPlan
    planner: Planner
    stages: tuple[StageTime, ...]


@dataclass(frozen=True, slots=True)
class RobotReport:
    """The result of a task.

    `chosen` is the last plan that was driven. `scan` and `seen` are the readings before and after,
    None without a camera; `unseen` says why a camera that was there could not verify the cube.
    """

    chosen: ChosenPlan
    planner: Planner
    driven: DriveReport
    journal: Path
    stages: tuple[StageTime, ...]
    scan: ScanResult | None = None
    seen: Verification | None = None
    unseen: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether a camera was to verify the cube, and did not see the target."""
        return bool(self.unseen) or (self.seen is not None and not self.seen.target_reached)


@dataclass(frozen=True, slots=True)
class ResumeReport:
    """The result of a run that was resumed after `resumed_at` primitives.

    `total` and `moves` are the primitives and the moves of the final plan, which can be a new one.
    `driven` is since then; `whole_s` and `recoveries` are of the whole run. `unseen` is as in
    RobotReport.
    """

    resumed_at: int
    total: int
    driven: DriveReport
    journal: Path
    seen: Verification | None = None
    unseen: str = ""
    moves: int = 0
    whole_s: float = 0.0
    recoveries: tuple[Recovery, ...] = ()

    @property
    def is_doubtful(self) -> bool:
        """Whether a camera was to verify the cube, and did not see the target."""
        return bool(self.unseen) or (self.seen is not None and not self.seen.target_reached)


@dataclass(frozen=True, slots=True)
class ScanReport:
    """A scan without a run: its outcome, the camera, and how that was set."""

    outcome: ScanOutcome
    camera: str
    settings: CameraSettings


def verdict(seen: Verification | None, target: CubieCube, unseen: str = "") -> tuple[str, str]:
    """Return one word for the result of a drive, and the sentence that explains it.

    `unseen` says why a camera that was there could not scan the cube.
    """
    if unseen:
        return "Driven", f"The cube could not be scanned in the end. {unseen}"
    if seen is None:
        return "Driven", "The cube was not verified; --camera does that."
    if not seen.target_reached:
        return "Driven", f"The {seen.eye} sees a different cube than expected."
    word = "Solved" if target == SOLVED else "Reached"
    return word, f"The {seen.eye} sees the expected cube. {seen.evidence}".rstrip()


def format_recoveries(recoveries: Sequence[Recovery]) -> str:
    """Return a line for each recovery action."""
    lines = []
    for recovery in recoveries:
        at = "" if recovery.primitive is None else f" at primitive {recovery.primitive + 1}"
        lines.append(f"{recovery.action}{at}, {recovery.seconds:.1f} s: {recovery.reason}\n")
    return "".join(lines)
