"""What a robot's job tells while it runs, and what it reports at its end."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeAlias

from controller.motion.driving.run import DriveEvent, DriveReport
from controller.motion.planning.plan_choice import ChosenPlan, PlanFound
from controller.motion.planning.planner import Planner
from controller.vision.camera.lock import CameraSettings
from controller.vision.reading.result import ScanResult
from controller.vision.scans.events import ScanEvent, ScanOutcome
from solvers.foundation.arrays import Float64Array
from solvers.foundation.progress import Progress
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import CENTRE_FACELETS


class Stage(StrEnum):
    """The parts of a job, in their order."""

    SCAN = "scan"
    PREPARE = "prepare"  # compile the search and build its tables, once per machine
    SEARCH = "search"
    DRIVE = "drive"
    VERIFY = "verify"


@dataclass(frozen=True, slots=True)
class StageBegan:
    """A part of the job begins; `seconds` that it will take, if that is known."""

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
    """A scan is over; this is what was read from (looks, 54, 3) sRGB colours that were seen."""

    result: ScanResult
    rgb: Float64Array

    @property
    def centres(self) -> Float64Array:
        """The colours (6, 3) of the centres, as they were seen last."""
        return self.rgb[-1, CENTRE_FACELETS]


@dataclass(frozen=True, slots=True)
class PlanChosen:
    """The search is over; this will be driven, from the cube as it lies at `start`."""

    chosen: ChosenPlan
    start: CubieCube


@dataclass(frozen=True, slots=True)
class DriveBegan:
    """The first of the remaining primitives is about to be played; `total` with those done."""

    total: int
    journal: Path


LookEvent: TypeAlias = CameraOpened | ScanEvent | CubeRead
RobotEvent: TypeAlias = (
    StageBegan | Progress | LookEvent | PlanFound | PlanChosen | DriveBegan | DriveEvent
)


@dataclass(frozen=True, slots=True)
class StageTime:
    """How long a stage took, in seconds of the computer's clock."""

    stage: Stage
    seconds: float


@dataclass(frozen=True, slots=True)
class Sight:
    """What a camera saw after the last motion, and whether that is how the cube was to be."""

    result: ScanResult
    target_reached: bool


@dataclass(frozen=True, slots=True)
class PlanReport:
    """The plan for a task, of which nothing was driven."""

    chosen: ChosenPlan
    planner: Planner
    stages: tuple[StageTime, ...]


@dataclass(frozen=True, slots=True)
class RobotReport:
    """What became of a task.

    `chosen` is the last plan that was driven. `scan` and `seen` are what the camera saw before and
    after; None where no camera looked, and `unseen` says why one that was there could not.
    """

    chosen: ChosenPlan
    planner: Planner
    driven: DriveReport
    journal: Path
    stages: tuple[StageTime, ...]
    scan: ScanResult | None = None
    seen: Sight | None = None
    unseen: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether a camera was to look in the end, and did not see the target."""
        return bool(self.unseen) or (self.seen is not None and not self.seen.target_reached)


@dataclass(frozen=True, slots=True)
class ResumeReport:
    """What became of a run that was taken up again after `resumed_at` primitives.

    `total` are those of the plan in the end, which may be another; `unseen` as in RobotReport.
    """

    resumed_at: int
    total: int
    driven: DriveReport
    journal: Path
    seen: Sight | None = None
    unseen: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether a camera was to look in the end, and did not see the target."""
        return bool(self.unseen) or (self.seen is not None and not self.seen.target_reached)


@dataclass(frozen=True, slots=True)
class ScanReport:
    """A scan of its own: what was seen, through which camera, and how that was set."""

    outcome: ScanOutcome
    camera: str
    settings: CameraSettings
