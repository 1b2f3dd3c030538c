"""What the reader says about a cube: the pieces, how sure it is, and what to do about doubts."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

import numpy as np

from solvers.foundation.arrays import Float64Array
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import FACE_LETTERS, format_facelets
from solvers.rubik.rotations import all_orientations


class Verdict(StrEnum):
    """What to do with a reading."""

    ACCEPTED = "accepted"
    DOUBTFUL = "doubtful"  # look once more, or set the doubtful stickers by hand
    RESCAN = "rescan"  # the pictures do not show one cube as the scan assumes


@dataclass(frozen=True, slots=True, eq=False)
class ScanResult:
    """The most likely legal cube.

    `confidence` is the probability that all 54 stickers are right, `posteriors` (54, 6) that of
    each colour for each sticker. `doubtful` names stickers such as F3, least certain first.
    `why` returns the reasons, sentences, none when accepted: to find them takes longer than to
    read the cube, and most readings are replaced by the next look before anybody reads them.
    """

    cube: CubieCube
    confidence: float
    doubtful: tuple[str, ...]
    verdict: Verdict
    posteriors: Float64Array
    why: Callable[[], tuple[str, ...]] = tuple

    @classmethod
    def of(cls, cube: CubieCube, confidence: float) -> Self:
        """Return the reading of a cube that is known otherwise, with that confidence."""
        letters = np.array([FACE_LETTERS.index(each) for each in format_facelets(cube)])
        return cls(cube, confidence, (), Verdict.ACCEPTED, np.eye(6)[letters])

    @property
    def reasons(self) -> tuple[str, ...]:
        """What speaks against the reading and what to do, as sentences; empty when accepted."""
        return self.why()

    @property
    def facelets(self) -> str:
        """The 54 letters in URFDLB order."""
        return format_facelets(self.cube)

    def as_json(self) -> dict[str, Any]:
        """Return the keys that the commands print."""
        return {
            "facelets": self.facelets,
            "confidence": round(self.confidence, 4),
            "doubtful": list(self.doubtful),
            "verdict": str(self.verdict),
            "reasons": list(self.reasons),
        }


# White, red, green, yellow, orange, blue at U R F D L B: the usual scheme, as sRGB.
_USUAL: Final = np.array(
    [(255, 255, 255), (190, 30, 45), (0, 155, 85), (255, 213, 0), (255, 120, 20), (20, 70, 190)]
)


def colours_of(centres: Float64Array) -> str:
    """Return for U R F D L B the letter of the usual colour that a camera saw in its centre.

    `centres` (6, 3) are sRGB. Of all orientations of a cube of the usual scheme, it is the
    nearest, so that a bad light can swap no two of the colours.
    """
    orientation = min(
        all_orientations(),
        key=lambda each: float(np.square(_USUAL[list(each.faces)] - centres).sum()),
    )
    return "".join(FACE_LETTERS[face] for face in orientation.faces)
