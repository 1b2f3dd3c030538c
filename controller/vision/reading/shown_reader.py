"""The cube that six faces make which were shown by hand."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from controller.vision.reading.face_arrangement import Fit, arrange_faces
from controller.vision.reading.legal_reader import CENTRES
from controller.vision.reading.reader import ACCEPTED_CONFIDENCE, read_cube
from controller.vision.reading.result import ScanResult, Verdict
from controller.vision.reading.scheme import (
    MIRRORED_ORDER,
    USUAL_SCHEME,
    Handedness,
    handedness,
    mirrored_back,
)
from solvers.foundation.arrays import Float64Array, Int64Array
from solvers.rubik.facelets import FACE_LETTERS

AMBIGUOUS: Final = (
    "The six faces fit together in more than one way. Let the robot scan the cube, or turn any "
    "layer and show all faces again."
)
IMPOSSIBLE_TOO: Final = (
    "The six faces fit together in more than one way, in one of them to a cube that turning cannot "
    "solve. Show all faces again from the start, in the order that is asked for and none of them "
    "turned."
)
MIRRORED: Final = (
    "These pictures look mirrored, or your cube has another colour scheme. Give --mirrored if the "
    "camera mirrors its pictures, or the colours of your cube's faces U R F D L B as in --scheme "
    "WOGYRB."
)
UNKNOWN_HANDEDNESS: Final = (
    "Opposite colours look too similar to decide whether the pictures are mirrored. Show the "
    "faces again in better light, or give --not-mirrored if they are not."
)


@dataclass(frozen=True, slots=True)
class Viewing:
    """What is known about camera and cube.

    `mirrored`: None if the colours have to decide; `scheme` are the colours at U R F D L B.
    """

    mirrored: bool | None = None
    scheme: str = USUAL_SCHEME


def read_shown(
    colours: Float64Array, viewing: Viewing | None = None, times: Float64Array | None = None
) -> tuple[ScanResult, Int64Array]:
    """Return the cube that six faces make, sRGB of shape (6, 9, 3), in any order and rotation.

    Several looks at the same faces, in the same order and rotation, have shape (looks, 6, 9, 3);
    the last one decides how the faces go together. `times` (looks, 6, 2) says when each face was
    seen, from and to, where that is known. Also returns the arrangement: for each facelet
    the sticker, 9 * face + cell, that shows it.
    """
    viewing = viewing or Viewing()
    seen = mirrored_back(colours) if viewing.mirrored else colours
    looks = seen.reshape(-1, 6, 9, 3)
    arrangement = arrange_faces(looks[-1])
    rgb = looks.reshape(-1, 54, 3)[:, arrangement.facelets]
    shown = arrangement.facelets[CENTRES] // 9
    result = read_cube(rgb, times=None if times is None else times[:, shown])
    if result.verdict is not Verdict.RESCAN:
        if arrangement.fit is Fit.IMPOSSIBLE_TOO:
            result = _doubted(result, 0.5, IMPOSSIBLE_TOO)
        elif arrangement.probability < ACCEPTED_CONFIDENCE:
            result = _doubted(result, arrangement.probability, AMBIGUOUS)
        if viewing.mirrored is None and not result.cube.is_solved:
            result = _with_handedness(result, rgb[-1], viewing.scheme)
    sticker_of = arrangement.facelets
    if viewing.mirrored:
        sticker_of = 9 * (sticker_of // 9) + MIRRORED_ORDER[sticker_of % 9]
    return result, sticker_of


def _with_handedness(result: ScanResult, rgb: Float64Array, scheme: str) -> ScanResult:
    cube = np.array([FACE_LETTERS.index(letter) for letter in result.facelets])
    match handedness(rgb, cube, scheme):
        case Handedness.MIRRORED:
            return _doubted(result, 0.0, MIRRORED)
        case Handedness.UNKNOWN:
            return _doubted(result, 0.5, UNKNOWN_HANDEDNESS)
    return result


def _doubted(result: ScanResult, probability: float, reason: str) -> ScanResult:
    return replace(
        result,
        confidence=result.confidence * probability,
        verdict=Verdict.DOUBTFUL,
        why=lambda: (*result.reasons, reason),
    )
