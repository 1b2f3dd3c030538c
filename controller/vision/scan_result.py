"""What the reader says about a cube: the letters, how sure it is, and what to do about doubts."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt


class Verdict(StrEnum):
    """What to do with a reading."""

    ACCEPTED = "accepted"
    DOUBTFUL = "doubtful"  # look once more, or set the doubtful stickers by hand
    RESCAN = "rescan"  # the pictures do not show one cube as the scan assumes


@dataclass(frozen=True, eq=False)
class ScanResult:
    """The most likely legal cube.

    `facelets` are 54 letters in URFDLB order, always legal. `confidence` is the probability that
    all of them are right, `posteriors` (54, 6) that of each colour for each sticker. `doubtful`
    names stickers such as F3, least certain first. `reasons` are sentences; empty when accepted.
    """

    facelets: str
    confidence: float
    doubtful: tuple[str, ...]
    verdict: Verdict
    reasons: tuple[str, ...]
    posteriors: npt.NDArray[np.float64]

    @property
    def is_solved(self) -> bool:
        """Whether every face has one colour."""
        return all(letter == self.facelets[i // 9 * 9] for i, letter in enumerate(self.facelets))

    def as_json(self) -> dict[str, Any]:
        """Return the keys that the commands print."""
        return {
            "facelets": self.facelets,
            "confidence": round(self.confidence, 4),
            "doubtful": list(self.doubtful),
            "verdict": str(self.verdict),
            "reasons": list(self.reasons),
        }
