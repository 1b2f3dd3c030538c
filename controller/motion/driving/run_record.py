"""What a run is to do and how far it came: what a journal keeps, as objects."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from controller.motion.driving.recovery import Recovery
from controller.motion.mechanism import State
from controller.motion.primitives import Primitive
from solvers.rubik.cubies import CubieCube
from solvers.rubik.notation import Move


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What a run is to do, and on which robot: its rig, the drive and the brick's address.

    `start` is how the cube lies, None while nobody has looked and nothing is planned.
    `calibration` is that which the plan was made with, as the rig gave it; `camera` looks at the
    cube, None if nobody does.
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


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a journal tells of a run.

    `finished` primitives are certainly done; `is_under_way` says whether the next one was begun.
    `state` is the last one of the mechanism, None if it had not yet taken its home. `is_lost` if
    nobody knows any more how the cube lies.
    """

    header: RunHeader
    finished: int = 0
    is_under_way: bool = False
    state: State | None = None
    is_lost: bool = False
    recoveries: tuple[Recovery, ...] = ()

    @property
    def has_plan(self) -> bool:
        """Whether there is a plan for the cube as it lies."""
        return self.header.start is not None and not self.is_lost

    @property
    def is_complete(self) -> bool:
        """Whether every primitive of the plan is done."""
        return self.has_plan and self.finished == len(self.header.primitives)

    @property
    def under_way(self) -> Primitive | None:
        """The primitive that was begun and is not known to be finished."""
        return self.header.primitives[self.finished] if self.is_under_way else None

    def planned(
        self, start: CubieCube, moves: tuple[Move, ...], primitives: tuple[Primitive, ...]
    ) -> Self:
        """Return the record with a new plan, of which nothing is done."""
        header = replace(self.header, start=start, moves=moves, primitives=primitives)
        return replace(
            self, header=header, finished=0, is_under_way=False, state=None, is_lost=False
        )
