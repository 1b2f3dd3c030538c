"""Decides what a fault needs, rung by rung, and when it is enough. It touches no robot.

The rungs: play the primitive once more (the executor does that), find home again and complete it,
connect again where the link was lost, look at the whole cube and plan anew, stop with a sentence.
"""

from dataclasses import dataclass, field
from typing import Final

from controller.errors import (
    BrickFullError,
    BrickRefusedError,
    CubeUncertainError,
    DoubtfulScanError,
    LinkLostError,
    MotorStalledError,
)
from controller.motion.driving.recovery import Remedy
from controller.recovery.policy import RecoveryPolicy
from controller.vision.errors import CameraError, CameraNotFoundError, ScanFailedError
from solvers.foundation.errors import PuzzlerigError

FAULTS = (
    MotorStalledError,
    LinkLostError,
    BrickRefusedError,
    CubeUncertainError,
    ScanFailedError,
    CameraError,
)
"""What can be mended. Anything else ends a job."""

MOST_BAD_SCANS: Final = 1
"""In an episode: after one that failed or left doubts the cube is squared and scanned once more."""


@dataclass(slots=True)
class Ladder:
    """What is needed before the job can go on, and how much was tried. `can_look`: at the cube."""

    policy: RecoveryPolicy
    can_look: bool
    needs: set[Remedy] = field(default_factory=set)
    reason: str = ""
    spent_s: float = 0.0
    episodes: int = 0
    losses: int = 0
    _faults: int = 0  # of this episode, as are those that follow
    _homed: int = 0
    _rests: int = 0
    _bad_scans: int = 0
    _camera_losses: int = 0  # of the whole job, as are the remedies
    _remedies: int = 0

    def led_on(self) -> None:
        """The job has come further: whatever comes next is an episode of its own."""
        self._faults = self._homed = self._rests = self._bad_scans = 0
        self.needs.discard(Remedy.SCAN)

    def done(self, remedy: Remedy, seconds: float) -> None:
        """A remedy was carried out."""
        self.needs.discard(remedy)
        self.spent_s += seconds
        self._remedies += 1
        self._homed += remedy is Remedy.HOME

    @property
    def tried(self) -> str:
        """A sentence about what was tried, empty if nothing was."""
        tries = f"{self._remedies} attempts" if self._remedies > 1 else "One attempt"
        return f"{tries} to mend it did not help." if self._remedies else ""

    def take(self, fault: PuzzlerigError) -> bool:
        """Note what a fault needs; return whether there is anything left to try."""
        self.episodes += not self._faults
        self._faults += 1
        self.reason = str(fault)
        was_lost = Remedy.SCAN in self.needs
        has_remedy = self._has_remedy(fault)
        self.losses += Remedy.SCAN in self.needs and not was_lost
        return (
            has_remedy
            and self.episodes <= self.policy.most_episodes
            and self.losses <= self.policy.most_losses
            and self._faults <= self.policy.most_faults
            and self.spent_s <= self.policy.most_s
        )

    def _has_remedy(self, fault: PuzzlerigError) -> bool:
        match fault:
            case LinkLostError() if Remedy.RECONNECT in self.needs:
                return False  # all tries to connect again were in vain
            case BrickFullError():
                return False  # somebody has to delete something
            case LinkLostError() | BrickRefusedError():
                self.needs.add(Remedy.RECONNECT)
            case MotorStalledError() if not self._homed:
                self.needs.add(Remedy.HOME)
            case MotorStalledError() if self.can_look:
                self.needs |= {Remedy.HOME, Remedy.SCAN}
            case MotorStalledError():
                self.needs.add(Remedy.HOME)  # which tries something else each time
            case ScanFailedError() | DoubtfulScanError():
                self._bad_scans += 1
                self.needs |= {Remedy.HOME, Remedy.SCAN}
                return self._bad_scans <= MOST_BAD_SCANS
            case CubeUncertainError():
                self.needs.add(Remedy.SCAN)
                return self.can_look
            case CameraNotFoundError():
                return False
            case CameraError():
                self._camera_losses += 1
                self.needs.add(Remedy.CAMERA)
                return self._camera_losses <= len(self.policy.camera_pauses_s)
        return True

    def rest_s(self) -> float:
        """Return how long to wait before home is found again: longer each time."""
        pauses_s = self.policy.home_pauses_s
        self._rests += 1
        return pauses_s[min(self._rests, len(pauses_s)) - 1]

    @property
    def camera_pause_s(self) -> float:
        """How long to wait before the camera is opened again."""
        return self.policy.camera_pauses_s[self._camera_losses - 1]
