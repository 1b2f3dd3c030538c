"""The seam between plans and machines: what every rig fills."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from controller.motion.primitives import AfterView, Primitive

State: TypeAlias = Mapping[str, Any]
"""Where a mechanism stands and what it was doing, as JSON knows it.

Only the mechanism that gave it understands it; the journal keeps it and gives it back.
"""


@dataclass(frozen=True, slots=True)
class MotorSeen:
    """A motor of a rig in degrees from its home: where it stands, and where it is sent if known."""

    name: str
    angle_deg: int
    goal_deg: int | None


@dataclass(frozen=True, slots=True)
class Battery:
    """What a machine's battery gives, and whether that is too little for a run."""

    volts: float
    is_low: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """What a machine has done by itself: its state after each primitive that is done.

    `is_within` says whether the one after these may have been started.
    """

    states: tuple[State, ...] = ()
    is_within: bool = False


OnMotors: TypeAlias = Callable[[Sequence[MotorSeen]], object]
"""Called with the motors' angles, on the driving thread, whenever they are read anyway."""


def ignore_motors(_: Sequence[MotorSeen]) -> None:
    """Do nothing with where the motors stand."""


class Mechanism(Protocol):
    """A rig that plays primitives.

    First comes `set_home` or `restore`, then any number of the others; `release` comes
    last, whatever happened before. All raise RobotError.
    """

    @property
    def state(self) -> State:
        """What `restore` needs to continue from here, also in the middle of a primitive."""

    def battery(self) -> Battery | None:
        """Ask for the battery; None if it has none."""

    def set_home(self, *, in_doubt: bool = False) -> None:
        """Find home, or take the present pose for it: the cube straight and free to be put in.

        `in_doubt` says that a layer may be askew by any angle, and what was counted wrong.
        """

    def restore(self, state: State) -> bool:
        """Take up an earlier run from its last state.

        Returns False if the machine has lost its positions since. Raises InvalidJournalError if
        the state is none of this rig's.
        """

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        """Continue from `state`, the last one recorded; return what was done since. Nothing moves.

        The motors are off. `upcoming` starts with the first primitive that is not done in `state`.
        What was counted here does not matter, so this can be called after any interruption, and
        again. Raises LinkLostError, BrickRefusedError, and CubeUncertainError where the cube's
        position cannot be known.
        """

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Play one primitive; the cube is at rest when this returns.

        `before` was played last and `ahead` is to follow, None and empty if unknown: what
        the neighbours have in common need not be undone and done again. `ahead` may already be
        sent to the machine; `release` takes it back. After all of these the machine goes home.
        Where a camera views the cube before `then`, the cube only has to be at rest with its upper
        face free: the machine need not be home, or go there.

        `on_state` is called with each state that has to be known after a crash, before the machine
        moves on. A primitive that was cut off, by an error or by the end of the earlier run that
        was restored, is completed by performing it again.
        """

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        """Give up what is under way: straighten the cube, and find home again.

        `cut_off` is the primitive that was started last and did not end, None if there is none;
        `in_doubt` as with `set_home`.
        Returns whether the cube is surely as before it; if not, its position is unknown.
        """

    def release(self, *, at_once: bool = False) -> None:
        """Stop all motors and let them coast, as far as the link allows. Positions stay known.

        What is under way may end first, if that is soon; with `at_once` it may not: the job was
        stopped.
        Raises StoppedError alone, with the motors off, if the job was stopped meanwhile.
        """


@runtime_checkable
class ReadsFaces(Protocol):
    """A mechanism with a colour sensor of its own."""

    def read_face(self) -> Sequence[tuple[float, float, float]]:
        """Return linear red, green and blue of the face that is up, 0 to 1, in reading order.

        The back of the rig is at the top. The cube ends as it was. Raises RobotError.
        """
