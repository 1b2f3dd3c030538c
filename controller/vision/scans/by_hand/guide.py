"""Tells somebody who shows a cube by hand which faces are there and how to hold it next."""

from typing import Final

import numpy as np

from controller.vision.finding.steady_gate import FaceView
from controller.vision.scans.events import (
    FACES,
    Advised,
    FaceCaptured,
    FaceSeenBefore,
    SecondLookWanted,
)

BEGIN: Final = (
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
_HUES: Final = (
    (20, "red"), (45, "orange"), (75, "yellow"), (170, "green"), (265, "blue"), (360, "red")
)  # fmt: skip


class Guide:
    """Remembers the faces by the colours of their centres."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def said(self, event: object) -> str | None:
        """Return what an event makes worth saying, or None."""
        match event:
            case FaceCaptured():
                return self._captured(event)
            case FaceSeenBefore():
                name = self._names.get(event.number, f"face {event.number}")
                return f"The {name} face is there already; {self._next()}."
            case SecondLookWanted():
                return "All faces are there, but with doubts; see below."
            case Advised():
                return event.sentence
        return None

    def _captured(self, event: FaceCaptured) -> str:
        is_new = event.number not in self._names
        self._names[event.number] = colour_of(event.view)
        names = ", ".join(self._names[number] for number in sorted(self._names))
        if not is_new:
            return f"The {self._names[event.number]} face once more: taken."
        if len(self._names) == FACES:
            return f"{FACES} of {FACES}: {names}. That is all."
        return f"{len(self._names)} of {FACES}: {names}. Next: {self._next()}."

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
