"""What a run is to do, how far it came, and what was done about its faults: a journal's content."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from controller.motion.mechanism import State
from controller.motion.primitives import Primitive
from solvers.rubik.cubies import CubieCube
from solvers.rubik.facelets import FACE_LETTERS
from solvers.rubik.notation import Move


class RecoveryAction(StrEnum):
    """What can be done, from the least to the most."""

    RETRY = "retry"  # the primitive is completed by playing it once more
    HOME = "home"  # the cube is straightened and home is found again
    RECONNECT = "reconnect"  # the link is opened again
    CAMERA = "camera"  # the camera is given time and opened again
    SCAN = "scan"  # the whole cube is scanned, and the rest is planned again


@dataclass(frozen=True, slots=True)
class Recovery:
    """A recovery action: at which primitive, from 0, None outside of a drive; and why."""

    action: RecoveryAction
    primitive: int | None
    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class RecoveryStarted:
    """Something went wrong, and this is being done about it; the motors are off."""

    action: RecoveryAction
    primitive: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """A recovery action was carried out."""

    recovery: Recovery


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run is to do, and on which robot: its rig, the drive and the brick's address.

    `start` is the cube's position, None until it is scanned and a plan is made.
    `calibration` is that which the plan was made with, as the rig gave it; `camera` is the one
    that views the cube, None without one. `colours` are those of the centres at U R F D L B when
    the cube is at `start`, each named by the face that has it on a usual cube.
    """

    start: CubieCube | None
    target: CubieCube
    moves: tuple[Move, ...]
    primitives: tuple[Primitive, ...]
    rig: str
    drive: str
    brick: str
    calibration: Mapping[str, Any]
    camera: str | None = None
    colours: str = FACE_LETTERS


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The content of a journal.

    `finished` primitives are certainly done; `is_under_way` says whether the next one was started.
    `state` is the last one of the mechanism, None if it had not yet taken its home. `is_lost` if
    the cube's position is unknown. `driven_s` are the seconds of all primitives that were finished,
    those of earlier plans too.
    """

    header: RunHeader
    finished: int = 0
    is_under_way: bool = False
    state: State | None = None
    is_lost: bool = False
    recoveries: tuple[Recovery, ...] = ()
    driven_s: float = 0.0

    @property
    def has_plan(self) -> bool:
        """Whether there is a plan for the cube's present position."""
        return self.header.start is not None and not self.is_lost

    @property
    def is_complete(self) -> bool:
        """Whether every primitive of the plan is done."""
        return self.has_plan and self.finished == len(self.header.primitives)

    @property
    def under_way(self) -> Primitive | None:
        """The primitive that was started and is not known to be finished."""
        return self.header.primitives[self.finished] if self.is_under_way else None

    def planned(
        self,
        start: CubieCube,
        moves: tuple[Move, ...],
        primitives: tuple[Primitive, ...],
        colours: str,
    ) -> Self:
        """Return the record with a new plan, of which nothing is done."""
        header = replace(
            self.header, start=start, moves=moves, primitives=primitives, colours=colours
        )
        return replace(
            self, header=header, finished=0, is_under_way=False, state=None, is_lost=False
        )
