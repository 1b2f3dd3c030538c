"""Escalation of recovery actions: what a fault needs, and when to give up. It touches no robot.

The steps: play the primitive once more (the executor does that), find home again and complete it,
reconnect where the link was lost, scan the whole cube and plan again, stop with a sentence.
"""

from dataclasses import dataclass, field
from typing import Final

from controller import errors
from controller.motion.run_record import RecoveryAction
from controller.vision.errors import CameraError, CameraNotFoundError, ScanFailedError
from solvers.foundation.errors import PuzzlerigError


@dataclass(frozen=True, slots=True)
class RecoveryPolicy:
    """Bounds of recovery, in tries and in robot seconds."""

    max_losses: int = 4
    """How often a job may lose the cube's position and scan it again: enough to come from the usual
    manner of moving it to the last of four others."""
    max_episodes: int = 6
    """Faults of a job that one retry of the primitive does not clear, a lost link included. Faults
    during the recovery from one belong to the same episode."""
    max_faults: int = 6
    """Faults of one episode."""
    max_s: float = 480.0
    """Time for recovery actions, after which no further one starts. To level a layer takes a minute
    or two over a line that is slow at times."""
    home_pauses_s: tuple[float, ...] = (1.0, 3.0, 8.0)
    """Pauses before home is found again, in an episode: what holds a motor may let it go."""
    reconnect_pauses_s: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 25.0)
    """Pause before each try to reconnect; a brick takes some seconds to start."""
    reconnect_s: float = 90.0
    """No new try to reconnect later than this; a try itself may take long."""
    camera_pauses_s: tuple[float, ...] = (1.0, 5.0, 10.0)
    """Pauses before a camera that gave no picture is opened again."""
    max_views: int = 2
    """How often the camera views the cube during a drive."""
    view_s: float = 0.6
    """The seconds of a view: some frames. A machine that goes home for it takes a few more."""
    fault_rate: float = 0.01
    """How likely a primitive goes wrong unseen. It was never measured on a real rig: at one in a
    hundred a plan of usual length pays for its views, at one in a thousand none does."""


NO_RECOVERY = RecoveryPolicy(max_episodes=0, max_views=0)
"""The first fault ends the job."""


FAULTS = (
    errors.MotorStalledError,
    errors.LinkLostError,
    errors.BrickRefusedError,
    errors.CubeUncertainError,
    ScanFailedError,
    CameraError,
)
"""Errors that recovery handles; any other ends a job."""

MAX_BAD_SCANS: Final = 2
"""Of an episode: after each that failed or left doubts the cube is squared and scanned once more,
and tilted in another manner."""


@dataclass(slots=True)
class EscalationPolicy:
    """The recovery actions a job needs before its next attempt, and how many were tried.

    `can_look` says whether there is a camera that can scan the cube.
    """

    policy: RecoveryPolicy
    can_look: bool
    needs: set[RecoveryAction] = field(default_factory=set)
    reason: str = ""
    spent_s: float = 0.0
    episodes: int = 0
    losses: int = 0
    # These four count within an episode, those below over the whole job.
    _faults: int = 0
    _homed: int = 0
    _rests: int = 0
    _bad_scans: int = 0
    _camera_losses: int = 0
    _actions: int = 0

    def progressed(self) -> None:
        """Note that the job made progress: the next fault starts a new episode."""
        self._faults = self._homed = self._rests = self._bad_scans = 0
        self.needs.discard(RecoveryAction.SCAN)

    def completed(self, action: RecoveryAction, seconds: float) -> None:
        """Note that a recovery action was carried out."""
        self.needs.discard(action)
        self.spent_s += seconds
        self._actions += 1
        self._homed += action is RecoveryAction.HOME

    @property
    def tried(self) -> str:
        """A sentence about what was tried, empty if nothing was."""
        tries = f"{self._actions} recovery actions" if self._actions > 1 else "One recovery action"
        return f"{tries} did not help." if self._actions else ""

    def escalate(self, fault: PuzzlerigError, remark: str = "") -> bool:
        """Note which actions a fault needs; return whether there is anything left to try.

        `remark` is a sentence to add to the fault's own.
        """
        self.episodes += not self._faults
        self._faults += 1
        self.reason = f"{fault} {remark}".rstrip()
        was_lost = RecoveryAction.SCAN in self.needs
        is_recoverable = self._note_needs(fault)
        self.losses += RecoveryAction.SCAN in self.needs and not was_lost
        return (
            is_recoverable
            and self.episodes <= self.policy.max_episodes
            and self.losses <= self.policy.max_losses
            and self._faults <= self.policy.max_faults
            and self.spent_s <= self.policy.max_s
        )

    def _note_needs(self, fault: PuzzlerigError) -> bool:
        """Add to `needs`; return whether anything can help against this fault."""
        match fault:
            case errors.LinkLostError() if RecoveryAction.RECONNECT in self.needs:
                return False  # all tries to reconnect failed
            case errors.BrickFullError():
                return False  # its owner has to delete something
            case errors.LinkLostError() | errors.BrickRefusedError():
                self.needs.add(RecoveryAction.RECONNECT)
            case errors.MotorStalledError() if not self._homed:
                self.needs.add(RecoveryAction.HOME)
            case errors.MotorStalledError() if self.can_look:
                self.needs |= {RecoveryAction.HOME, RecoveryAction.SCAN}
            case errors.MotorStalledError():
                self.needs.add(RecoveryAction.HOME)  # which tries something else each time
            case ScanFailedError() | errors.DoubtfulScanError():
                self._bad_scans += 1
                self.needs |= {RecoveryAction.HOME, RecoveryAction.SCAN}
                return self._bad_scans <= MAX_BAD_SCANS
            case errors.CubeUncertainError():
                self.needs.add(RecoveryAction.SCAN)
                return self.can_look
            case CameraNotFoundError():
                return False
            case CameraError():
                self._camera_losses += 1
                self.needs.add(RecoveryAction.CAMERA)
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
