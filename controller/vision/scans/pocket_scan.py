"""A scan of a 2x2x2 cube by hand: six faces of four stickers in any order and rotation.

Two of its faces may look the same, and a face that is shown again looks like another one.
So all that were shown lately are kept, and which six of them are the cube shows when they have each
colour four times and make one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

import numpy as np

from controller.vision.camera import FrameSource
from controller.vision.errors import ScanFailedError
from controller.vision.finding.steady_gate import FaceView
from controller.vision.reading import colour_model
from controller.vision.reading.pocket_reader import (
    COLOURS,
    PocketReading,
    grouped,
    read_pocket_shown,
)
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE
from controller.vision.reading.result import Verdict
from controller.vision.reading.shown_reader import Viewing
from controller.vision.reading_order import turned_orders
from controller.vision.scans import events
from controller.vision.scans.hand_scan import PATIENCE_FRAMES, watch
from controller.vision.scans.shown_faces import (
    CONFIDENCE_AFTER_DOUBT,
    LIKELY,
    LOOKS_TO_READ,
    SAME_CENTRE_DISTANCE,
    in_light_of,
)
from solvers.foundation.arrays import Float64Array
from solvers.foundation.progress import Job

MOST_FACES: Final = 12
MOST_CHOICES: Final = 3
# Where two colours look alike, this many of the 24 stickers may seem to break four of each colour.
MOST_MISCOUNTED: Final = 4


def pocket_scan(
    source: FrameSource,
    viewing: Viewing | None = None,
    *,
    patience_frames: int = PATIENCE_FRAMES,
) -> Job[events.ScanEvent, PocketReading]:
    """Capture each face of a 2x2x2 cube as soon as it is held still; return what was read.

    Raises ScanFailedError when faces are missing in the end, and CameraError.
    """
    shown = ShownPocketFaces(viewing or Viewing())
    yield from watch(source, shown, side=2, patience_frames=patience_frames)
    if shown.reading is None:
        raise ScanFailedError(
            f"Only {min(shown.captured, events.FACES)} of the {events.FACES} faces could be "
            f"captured from {source.name}. Show each face flat to the camera and hold it still, in "
            "even light without glare."
        )
    return shown.reading


@dataclass(slots=True, eq=False)
class _Shown:
    """A face that was shown, sRGB (4, 3); `same` is an earlier one that looks like it."""

    colours: Float64Array
    same: "_Shown | None" = None

    @property
    def first(self) -> "_Shown":
        """The first one of those that look alike."""
        return self if self.same is None else self.same


@dataclass(slots=True)
class ShownPocketFaces:
    """The faces that were shown, in their order, and the best `reading` of six so far."""

    viewing: Viewing
    reading: PocketReading | None = None
    captured: int = 0
    _faces: list[_Shown] = field(default_factory=list)
    _held: _Shown | None = None  # before the camera since its capture
    _since: int = 0  # looks at it

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to be shown."""
        return self.reading is not None and self.reading.verdict is Verdict.ACCEPTED

    def taken_away(self) -> None:
        """Note that there is no face before the camera any more."""
        self._held = None

    def take(self, view: FaceView) -> Iterator[events.ScanEvent]:
        """Add a captured face, or a further look at one."""
        face = next((each for each in self._faces if _looks_same(each.colours, view.colours)), None)
        if face is None:
            face = _Shown(view.colours)
            self._faces.append(face)
            self.captured += 1
            yield events.FaceCaptured(min(self.captured, events.FACES), events.FACES, view)
        elif self._held is not None and face.first is self._held.first:
            self._held.colours = view.colours
            face = self._held
        else:  # the same one again, or another one that looks like it
            face = _Shown(view.colours, face.first)
            others = [each for each in self._faces if each.same is not face.same]
            self._faces = [*others, face]
        self._since = 0 if face is not self._held else self._since + 1
        self._held = face
        while len(self._faces) > MOST_FACES:
            oldest = self._faces[0]
            self._faces = [each for each in self._faces[1:] if each.same is not oldest]
        if len(self._faces) >= events.FACES and self._since % LOOKS_TO_READ == 0:
            yield from self._read()

    def _read(self) -> Iterator[events.ScanEvent]:
        reasons = () if self.reading is None else self.reading.reasons
        least = ACCEPTED_CONFIDENCE if self.reading is None else CONFIDENCE_AFTER_DOUBT
        for chosen in _choices(self._faces, self._held):
            reading = read_pocket_shown(np.array(chosen), self.viewing)
            if reading.verdict is Verdict.ACCEPTED and reading.confidence < least:
                reading = replace(reading, verdict=Verdict.DOUBTFUL, reasons=(LIKELY,))
            if self.reading is None or reading.confidence >= self.reading.confidence:
                self.reading = reading
            if self.is_certain:
                return
        is_whole = self.captured >= events.FACES
        if is_whole and self.reading is not None and self.reading.reasons != reasons:
            yield events.Advised(" ".join(self.reading.reasons))


def _looks_same(first: Float64Array, second: Float64Array) -> bool:
    """Return whether two faces, sRGB (4, 3), show the same colours, however they are turned."""
    for order in turned_orders(2):
        pair = np.concatenate([first, in_light_of(first, second[order])])
        lab = colour_model.weighted_lab(colour_model.grey_balanced(colour_model.linear_light(pair)))
        if np.linalg.norm(lab[:4] - lab[4:], axis=1).max() < SAME_CENTRE_DISTANCE:
            return True
    return False


def _choices(faces: list[_Shown], newest: _Shown | None) -> list[list[Float64Array]]:
    """Return which six may be the cube, `newest` among them, likely ones first.

    At most two of them look the same.
    """
    colours = grouped(np.concatenate([face.colours for face in faces])).reshape(len(faces), 4)
    counts = np.array([np.bincount(face, minlength=COLOURS) for face in colours])
    rated = []
    for chosen in combinations(range(len(faces)), events.FACES):
        six = [faces[index] for index in chosen]
        pairs = events.FACES - len({id(face.first) for face in six})
        if pairs > 1 or all(face is not newest for face in six):
            continue
        miscounted = int(np.abs(counts[list(chosen)].sum(axis=0) - 4).sum()) // 2
        if miscounted <= MOST_MISCOUNTED:
            rated.append((miscounted, pairs, -sum(chosen), chosen))
    return [
        [faces[index].colours for index in chosen] for *_, chosen in sorted(rated)[:MOST_CHOICES]
    ]
