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
    MOST_LOOKS,
    SAME_CENTRE_DISTANCE,
    in_light_of,
    merged,
)
from solvers.foundation.arrays import Float64Array
from solvers.foundation.progress import Job

MOST_FACES: Final = 14  # of two rounds, and two that passed by
MOST_CHOICES: Final = 3
# A face that is lost for fewer frames than these trembled; to turn a cube takes a hand longer.
FRAMES_AWAY: Final = 5
# This many of the four stickers are enough for a face that stays: a glare moves over the others.
STAYING_STICKERS: Final = 3
STAYING_MOVE: Final = 0.5  # of the pitch, at most from look to look at a face that stays
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
    """A face for as long as it stays before the camera; those of one `kind` look alike."""

    kind: int
    view: FaceView  # the last one
    looks: list[Float64Array] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.looks.append(self.view.colours)

    @property
    def colours(self) -> Float64Array:
        """All looks together, sRGB (4, 3)."""
        return merged(self.looks[-MOST_LOOKS:])

    @property
    def passed_by(self) -> bool:
        """Whether it was seen once only, as faces are on the way to another one."""
        return len(self.looks) == 1

    def add(self, view: FaceView) -> None:
        """Take a further look into account."""
        self.view = view
        self.looks.append(view.colours)


@dataclass(slots=True)
class ShownPocketFaces:
    """The faces that were shown, in their order, and the best `reading` of six so far."""

    viewing: Viewing
    reading: PocketReading | None = None
    captured: int = 0
    _faces: list[_Shown] = field(default_factory=list)
    _held: _Shown | None = None  # before the camera since its capture
    _away: int = 0  # frames without it
    _since: int = 0  # looks at it

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to be shown."""
        return self.reading is not None and self.reading.verdict is Verdict.ACCEPTED

    def taken_away(self) -> None:
        """Note a frame with no face before the camera."""
        self._away += 1
        if self._away >= FRAMES_AWAY:
            self._held = None

    def take(self, view: FaceView) -> Iterator[events.ScanEvent]:
        """Add a captured face, or a further look at one."""
        self._away = 0
        if self._held is not None and _stays(self._held, view):
            face = self._held
            face.add(view)
            self._since += 1
        else:
            alike = (each for each in self._faces if _looks_same(each.colours, view.colours))
            known = next(alike, None)
            face = _Shown(self.captured if known is None else known.kind, view)
            self._faces.append(face)
            self._since = 0
            if known is None:
                self.captured += 1
                yield events.FaceCaptured(min(self.captured, events.FACES), events.FACES, view)
        self._held = face
        self._forget(face)
        if len(self._faces) >= events.FACES and self._since % LOOKS_TO_READ == 0:
            yield from self._read()

    def _forget(self, newest: _Shown) -> None:
        """Keep of faces that look alike the first one and the newest, which may be its twin.

        One that passed by takes the place of none that was held still: the order in which faces are
        asked for shows in those.
        """
        _, *again = [each for each in self._faces if each.kind == newest.kind]
        for each in again:
            if each is not newest and (each.passed_by or not newest.passed_by):
                self._faces.remove(each)
        del self._faces[:-MOST_FACES]

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


def _stays(held: _Shown, view: FaceView) -> bool:
    """Return whether this is a further look at a face that is where it was."""
    if view.grid.moved_from(held.view.grid) > STAYING_MOVE:
        return False
    apart = np.sort(_apart(held.view.colours, view.colours))
    return bool(apart[STAYING_STICKERS - 1] < SAME_CENTRE_DISTANCE)


def _looks_same(first: Float64Array, second: Float64Array) -> bool:
    """Return whether two faces, sRGB (4, 3), show the same colours, however they are turned."""
    return any(
        bool(_apart(first, second[order]).max() < SAME_CENTRE_DISTANCE)
        for order in turned_orders(2)
    )


def _apart(first: Float64Array, second: Float64Array) -> Float64Array:
    """Return how far the stickers of two faces are from each other, (4,) in weighted Lab."""
    pair = np.concatenate([first, in_light_of(first, second)])
    lab = colour_model.weighted_lab(colour_model.grey_balanced(colour_model.linear_light(pair)))
    return np.asarray(np.linalg.norm(lab[:4] - lab[4:], axis=1))


def _choices(faces: list[_Shown], newest: _Shown | None) -> list[list[Float64Array]]:
    """Return which six may be the cube, `newest` among them, likely ones first.

    At most two of them look the same. Those that were held still come before those that passed by.
    """
    seen = [face.colours for face in faces]
    names = grouped(np.concatenate(seen)).reshape(len(faces), 4)
    counts = np.array([np.bincount(face, minlength=COLOURS) for face in names])
    rated = []
    for chosen in combinations(range(len(faces)), events.FACES):
        six = [faces[index] for index in chosen]
        pairs = events.FACES - len({face.kind for face in six})
        if pairs > 1 or all(face is not newest for face in six):
            continue
        miscounted = int(np.abs(counts[list(chosen)].sum(axis=0) - 4).sum()) // 2
        if miscounted <= MOST_MISCOUNTED:
            passed = sum(face.passed_by for face in six)
            rated.append((miscounted, pairs, passed, -sum(chosen), chosen))
    return [[seen[index] for index in chosen] for *_, chosen in sorted(rated)[:MOST_CHOICES]]
