"""What happens while a cube is scanned, and the outcome that ends it."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np

from controller.motion.primitives import Spin, Tilt
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading.result import ScanResult
from solvers.foundation.arrays import Float64Array, Image, Int64Array
from solvers.foundation.progress import Job
from solvers.rubik.facelets import CENTRE_FACELETS
from solvers.rubik.rotations import UPRIGHT, Orientation

FACES: Final = 6


@dataclass(frozen=True, slots=True)
class Turning:
    """The robot turns the cube for the next view."""

    motion: Tilt | Spin


@dataclass(frozen=True, slots=True, eq=False)
class FrameSeen:
    """A frame was examined; `steady` counts the good ones in a row, `wanted` completes a face."""

    picture: Image
    steady: int
    wanted: int


@dataclass(frozen=True, slots=True, eq=False)
class FaceCaptured:
    """Face number `number` of `total` was captured."""

    number: int
    total: int
    view: FaceView


@dataclass(frozen=True, slots=True)
class FaceSeenBefore:
    """The face that is shown was captured before, as number `number`."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class SecondLookWanted:
    """All faces are captured, but the reading is doubtful; its reasons name the faces.

    `rgb` are the colours it was read from, shape (looks, 54, 3), in URFDLB order.
    """

    result: ScanResult
    rgb: Float64Array


@dataclass(frozen=True, slots=True)
class Advised:
    """No face has been seen for a while; the sentence says what seems to be wrong, or is done."""

    sentence: str


ScanEvent: TypeAlias = (
    Turning | FrameSeen | FaceCaptured | FaceSeenBefore | SecondLookWanted | Advised
)


@dataclass(frozen=True, slots=True, eq=False)
class ScanOutcome:
    """A finished scan.

    `views` are in the order they were captured; `facelets` (54,) says for each facelet of the
    result which captured sticker, 9 * view + cell, shows it; for several tours one row each.
    `orientation` is that of the cube now, relative to the start; `result` names the faces by their
    present places. `cells` (9,) says which cell of a picture shows each sticker
    of the face that is up, in reading order with the back of the rig on top.
    """

    result: ScanResult
    views: tuple[FaceView, ...]
    facelets: Int64Array
    orientation: Orientation = UPRIGHT
    cells: Int64Array = field(default_factory=lambda: np.arange(9))

    @property
    def rgb(self) -> Float64Array:
        """The colours in URFDLB order, shape (looks, 54, 3)."""
        return np.concatenate([view.colours for view in self.views])[self.facelets]

    @property
    def centres(self) -> Float64Array:
        """The sRGB colours (6, 3) of the centres in the last look."""
        return self.rgb[-1, CENTRE_FACELETS]


ScanJob: TypeAlias = Job[ScanEvent, ScanOutcome]
"""A scan under way; closing it ends the scan and leaves its camera open."""
