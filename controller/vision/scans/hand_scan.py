"""A scan by hand: the faces of a cube in any order and rotation, and guidance for the person.

The guidance says what to do next, and why nothing is captured.
"""

from collections.abc import Iterator
from typing import Final, Protocol

import cv2
import numpy as np

from controller.vision.camera import FrameHealth, FrameSource
from controller.vision.errors import CameraLostError, ScanFailedError
from controller.vision.finding.grid_finder import find_squares, grid_of_squares, is_inside
from controller.vision.finding.steady_gate import FaceView, SteadyGate, view_of_still
from controller.vision.reading.shown_reader import Viewing
from controller.vision.scans import events
from controller.vision.scans.shown_faces import ShownFaces, assembled
from solvers.foundation.arrays import Image
from solvers.foundation.progress import Job

FRAMES_A_PICTURE: Final = 3
"""Of a camera's thirty pictures a second, ten are enough to hold a cube by."""
# About two seconds of a webcam without a face.
FRAMES_TO_ADVICE: Final = 45

TOO_DARK: Final = "It is too dark: switch a light on, or hold the cube nearer to the window."
TOO_NEAR: Final = "The cube is too near: hold it further away, so that a whole face is seen."
CUT_OFF: Final = "The cube leaves the picture: hold it nearer to the middle."
HOLD_STILL: Final = "The cube moves too fast to be seen clearly: hold it still for a second."
LAMP: Final = "A lamp is mirrored in the cube: tilt it a little, away from the lamp."
FLAT: Final = "No whole face is seen: hold one flat to the camera, with no finger on its stickers."

_DARK: Final = 60.0  # of 255; the brightest twentieth of a picture that shows stickers apart
_NEAR_SIDE: Final = 0.23  # of the longer side; three of them and their gaps fill the picture
_CLIPPED: Final = 250  # all channels: no sticker is as white as a lamp
_CLIPPED_SHARE: Final = 0.01
_MOVED: Final = 14.0  # mean difference of two small frames, of 255
_SMALL: Final = (80, 60)


class Adviser:
    """Looks at the frames of a scan by hand and counts those in which no face is."""

    def __init__(self) -> None:
        self._without = 0
        self._last: Image | None = None

    def look(self, picture: Image, *, is_face: bool) -> str | None:
        """Return advice for the person who holds the cube, now and then while no face is seen."""
        before, self._last = self._last, picture
        self._without = 0 if is_face else self._without + 1
        if self._without < FRAMES_TO_ADVICE:
            return None
        self._without = 0
        return advice(picture, before)


def advice(picture: Image, before: Image | None) -> str:
    """Return what seems to be wrong in a picture, BGR; `before` is the frame before it."""
    brightest = picture.max(axis=2)
    if np.quantile(brightest[::4, ::4], 0.95) < _DARK:
        return TOO_DARK
    if before is not None and before.shape == picture.shape:
        small = [
            cv2.resize(each, _SMALL, interpolation=cv2.INTER_AREA) for each in (before, picture)
        ]
        if float(cv2.absdiff(*small).mean()) > _MOVED:
            return HOLD_STILL
    squares = find_squares(picture)
    grid = grid_of_squares(squares)
    if grid is not None and grid.is_sharp and not is_inside(grid, picture):
        return CUT_OFF
    sides = squares[:, 2] / max(picture.shape[:2])
    if (sides > _NEAR_SIDE).sum() >= 2:
        return TOO_NEAR
    if float((picture.min(axis=2) >= _CLIPPED).mean()) > _CLIPPED_SHARE:
        return LAMP
    return FLAT


FIRST_STEP: Final = (
    "Hold any face flat to the camera, so that it fills about half of the picture, and keep it "
    "still. Any order will do, and each face may be turned; to miss none, follow what is said here."
)
_TO_THE_LEFT: Final = "turn the cube a quarter to the left, so that its right side faces the camera"
NEXT: Final = (
    _TO_THE_LEFT,
    _TO_THE_LEFT,
    _TO_THE_LEFT,
    "tip the cube towards the camera, so that its top faces it",
    "tip it over twice, so that the side opposite to the last one faces the camera",
)
"""What to do after the first face, the second one, and so on."""

CENTRE: Final = 4
_COLOURFUL: Final = 0.35
_POCKET_STICKERS: Final = 4
_HUES: Final = (
    (20, "red"), (45, "orange"), (75, "yellow"), (195, "green"), (265, "blue"), (360, "red")
)  # fmt: skip


class Guide:
    """Remembers the faces by the colours of their centres."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def said(self, event: object) -> str | None:
        """Return what an event makes worth saying, or None."""
        match event:
            case events.FaceCaptured():
                return self._captured(event)
            case events.FaceSeenBefore():
                name = self._names.get(event.number, f"face {event.number}")
                return f"The {name} face is there already; {self._next()}."
            case events.SecondLookWanted():
                return "All faces are there, but with doubts; see below."
            case events.Advised():
                return event.sentence
        return None

    def _captured(self, event: events.FaceCaptured) -> str:
        if len(event.view.colours) == _POCKET_STICKERS:
            return self._captured_without_centre(event)
        is_new = event.number not in self._names
        self._names[event.number] = colour_of(event.view)
        names = ", ".join(self._names[number] for number in sorted(self._names))
        if not is_new:
            return f"The {self._names[event.number]} face once more: taken."
        if len(self._names) == events.FACES:
            return f"{events.FACES} of {events.FACES}: {names}. That is all."
        return f"{len(self._names)} of {events.FACES}: {names}. Next: {self._next()}."

    def _captured_without_centre(self, event: events.FaceCaptured) -> str:
        """Count the faces of a 2x2x2 cube, which no centre gives a name."""
        if event.number == events.FACES:
            return f"{events.FACES} of {events.FACES}."
        self._names[event.number] = ""
        return f"{event.number} of {events.FACES}. Next: {self._next()}."

    def _next(self) -> str:
        return NEXT[min(max(len(self._names), 1), len(NEXT)) - 1]


def colour_of(view: FaceView) -> str:
    """Return roughly what a person would call the colour of a face's centre."""
    red, green, blue = np.asarray(view.colours[CENTRE], dtype=float)
    brightest, darkest = max(red, green, blue), min(red, green, blue)
    spread = brightest - darkest
    if brightest == 0 or spread / brightest < _COLOURFUL:
        return "white"
    if brightest == red:
        hue = 60 * ((green - blue) / spread % 6)
    elif brightest == green:
        hue = 60 * ((blue - red) / spread + 2)
    else:
        hue = 60 * ((red - green) / spread + 4)
    return next(name for limit, name in _HUES if hue <= limit)


PATIENCE_FRAMES: Final = 3000  # a few minutes of a webcam


def hand_scan(
    source: FrameSource,
    viewing: Viewing | None = None,
    *,
    patience_frames: int = PATIENCE_FRAMES,
) -> events.ScanJob:
    """Capture each face as soon as it is held still.

    The first face becomes U, the next one adjacent to it R. While the reading is not accepted,
    faces that are shown once more count as a second look, or take the place of one that was read
    amiss. Raises ScanFailedError when faces are missing
    in the end, and CameraError.
    """
    shown = ShownFaces(viewing=viewing)
    yield from watch(source, shown, patience_frames=patience_frames)
    if shown.outcome is None:
        captured = min(len(shown.faces), events.FACES)
        raise ScanFailedError(
            f"Only {captured} of the {events.FACES} faces could be captured from "
            f"{source.name}.{_missing(shown)} Show each face flat to the camera and hold it "
            "still, in even light without glare."
        )
    return shown.outcome


class Shown(Protocol):
    """Takes the faces that are shown until it is certain of the cube."""

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left to be shown."""

    def take(self, view: FaceView) -> Iterator[events.ScanEvent]:
        """Add a captured face, or a further look at one."""

    def taken_away(self) -> None:
        """Note that there is no face before the camera any more."""


def watch(
    source: FrameSource, shown: Shown, *, side: int = 3, patience_frames: int = PATIENCE_FRAMES
) -> Job[events.ScanEvent, None]:
    """Capture faces of `side` stickers a row until `shown` is certain, or nothing more comes."""
    gate = SteadyGate(in_a_hand=True, side=side)
    adviser = Adviser()
    for picture in _pictures(source, patience_frames):
        view = view_of_still(picture, side) if source.is_still else gate.look(picture)
        yield events.FrameSeen(picture, gate.progress, gate.frames)
        is_face = view is not None or gate.progress > 0
        if (sentence := adviser.look(picture, is_face=is_face)) is not None:
            yield events.Advised(sentence)
        if view is not None:
            yield from shown.take(view)
            if shown.is_certain:
                return
        elif gate.progress == 0:
            shown.taken_away()


def _missing(shown: ShownFaces) -> str:
    """Return which faces were not shown; nothing where two of the others look alike."""
    seen = {colour_of(face.view) for face in shown.faces}
    colours = dict.fromkeys(name for _, name in ((0, "white"), *_HUES))
    missing = [name for name in colours if name not in seen]
    if not seen or len(seen) < len(shown.faces):
        return ""
    return f" Missing: {', '.join(missing)}."


def _pictures(source: FrameSource, patience_frames: int) -> Iterator[Image]:
    """Yield pictures until patience or a recording is over; raises CameraError."""
    health = FrameHealth(source.name)
    for _ in range(patience_frames):
        try:
            picture = source.read()
        except CameraLostError:
            if source.is_live:
                raise
            return
        if source.is_live:
            health.check(picture)
        yield picture


_SIDE_PX: Final = 480
_STICKER_PX: Final = 80
_BGR: Final = (
    (240, 240, 240), (40, 20, 180), (70, 160, 30), (20, 220, 240), (20, 110, 240), (170, 80, 20)
)  # fmt: skip


def warm_up() -> None:
    """Find six drawn faces and read the cube that they make; seconds the very first time."""
    views = [view for colour in _BGR if (view := view_of_still(_drawn_face(colour))) is not None]
    assert len(views) == len(_BGR), "every drawn face is found"
    assembled(views)


def _drawn_face(bgr: tuple[int, int, int]) -> Image:
    picture = np.full((_SIDE_PX, _SIDE_PX, 3), 25, dtype=np.uint8)
    for row in range(3):
        for column in range(3):
            corner = (column * 110 + 90, row * 110 + 90)
            opposite = (corner[0] + _STICKER_PX, corner[1] + _STICKER_PX)
            cv2.rectangle(picture, corner, opposite, bgr, thickness=cv2.FILLED)
    return picture
