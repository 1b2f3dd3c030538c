"""What was done about something that went wrong: told as events, kept in journal and report."""

from dataclasses import dataclass
from enum import StrEnum


class Remedy(StrEnum):
    """What can be done, from the least to the most."""

    RETRY = "retry"  # the primitive is completed by playing it once more
    HOME = "home"  # the cube is laid straight and home is found again
    RECONNECT = "reconnect"  # the link is made anew
    CAMERA = "camera"  # the camera is given time and opened again
    SCAN = "scan"  # the whole cube is looked at, and the rest is planned anew


@dataclass(frozen=True, slots=True)
class Recovery:
    """A remedy that was tried: at which primitive, from 0, None outside of a drive; and why."""

    remedy: Remedy
    primitive: int | None
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class RecoveryBegan:
    """Something went wrong, and this is being done about it; the motors are off."""

    remedy: Remedy
    primitive: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """A remedy was carried out."""

    recovery: Recovery
