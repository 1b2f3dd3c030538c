"""What can happen to a camera while it looks."""

from dataclasses import dataclass
from enum import StrEnum
from math import inf, isfinite


class FaultKind(StrEnum):
    """A kind of trouble."""

    FROZEN = "frozen"  # the last frame again and again
    BLACK = "black"  # frames without light
    EXPOSURE_JUMP = "exposure-jump"  # suddenly much brighter
    HAND = "hand"  # a hand over the cube
    UNPLUGGED = "unplugged"  # no frames; the stream ends


@dataclass(frozen=True, slots=True)
class CameraFault:
    """Trouble from `start_s` to before `end_s` of simulated time."""

    kind: FaultKind
    start_s: float = 0.0
    end_s: float = inf

    def __post_init__(self) -> None:
        """Refuse times that make no interval."""
        if not (isfinite(self.start_s) and 0 <= self.start_s < self.end_s):
            raise ValueError(f"a fault lasts from {self.start_s} s to {self.end_s} s?")

    def is_active(self, time_s: float) -> bool:
        """Return whether the trouble is there at a moment."""
        return self.start_s <= time_s < self.end_s
