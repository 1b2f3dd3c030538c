"""The robot for the time of a job: reconnected where the link was lost, its state remembered."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Final, Self

from controller.errors import (
    BrickNotFoundError,
    CubeUncertainError,
    LinkLostError,
    StoppedError,
)
from controller.motion.mechanism import Battery, Mechanism, ReadsFaces, Settled, State
from controller.motion.primitives import AfterView, Primitive, Spin, Tilt, TurnLayer
from controller.opening import Robot
from controller.recovery.escalation import RecoveryPolicy
from solvers.foundation.errors import InvalidInputError

NOT_CONNECTED: Final = "The robot is not connected."


class Connection:
    """A mechanism that outlives its link. Use as a context manager.

    `known` is the last state that the mechanism reported, None before home is found;
    `under_way` the primitive that was started last and is not known to be finished; `has_forgotten`
    says whether it lost its positions, until home is found again. How the bottom layer stands is
    in doubt from the moment it lost them within a primitive, or had to be straightened, until one
    is played to its end: that outlives the link as well. `moves_otherwise` says whether a tilt or
    spin was cut off, after which the mechanism moves the cube in another manner; `changes` counts
    how often it changed that since it was connected.
    """

    def __init__(self, robot: Robot, policy: RecoveryPolicy) -> None:
        self.known: State | None = None
        self.under_way: Primitive | None = None
        self.has_forgotten = False
        self.moves_otherwise = False
        self.changes = 0
        self._robot = robot
        self._policy = policy
        self._stack = ExitStack()
        self._mechanism: Mechanism | None = None
        self._is_busy = False
        self._is_in_doubt = False

    def __enter__(self) -> Self:
        self._connect()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        was_stopped = kind is not None and issubclass(kind, StoppedError | KeyboardInterrupt)
        try:
            self.release(at_once=was_stopped)
        finally:
            self._stack.close()

    @property
    def state(self) -> State:
        """The mechanism's state."""
        assert self._mechanism is not None, "a caller has used it before"
        return self._mechanism.state

    def battery(self) -> Battery | None:
        """Ask for the battery."""
        return self._mechanism.battery() if self._mechanism else None

    def set_home(self, *, in_doubt: bool = False) -> None:
        """Find home."""
        self._connected().set_home(in_doubt=in_doubt or self._is_in_doubt)
        self._is_home()

    def restore(self, state: State) -> bool:
        """Continue an earlier run, or what was under way when the link was lost."""
        self.known = state
        return self._connected().restore(state)

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        """Keep in mind what a mechanism has done by itself before its motors were let go."""
        if self._mechanism is None:
            raise LinkLostError(NOT_CONNECTED)
        settled = self._mechanism.settle(state, upcoming)
        done = len(settled.states)
        self.under_way = upcoming[done] if settled.is_within else None
        self.known, self._is_in_doubt = self.state, self._is_in_doubt and not done
        return settled

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Play one primitive, and keep in mind where that led."""

        def note(state: State) -> None:
            self.known = state
            on_state(state)

        self.under_way = primitive
        self._connected().perform(primitive, before=before, ahead=ahead, then=then, on_state=note)
        self.under_way, self.known, self._is_in_doubt = None, self.state, False

    def read_face(self) -> Sequence[tuple[float, float, float]]:
        """Read the face that is up with the rig's own sensor. Raises InvalidInputError."""
        mechanism = self._connected()
        if not isinstance(mechanism, ReadsFaces):
            raise InvalidInputError(
                "This rig has no colour sensor of its own; name a camera instead: --camera 0."
            )
        colours = mechanism.read_face()
        self.known = self.state
        return colours

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        """Straighten the cube and find home; return whether it is as before `cut_off`.

        Where nothing is known there is nothing to be undone.
        """
        if self.known is None:
            self.set_home(in_doubt=in_doubt)
            return False
        in_doubt |= self._is_in_doubt
        self.moves_otherwise |= isinstance(cut_off, Tilt | Spin)
        self.changes += not isinstance(cut_off, TurnLayer)
        is_as_before = self._connected().straighten(cut_off, in_doubt=in_doubt)
        self._is_home()
        self._is_in_doubt = True
        return is_as_before

    def forget(self) -> None:
        """Drop what was known: the machine has lost its positions, and home is to be found."""
        self._is_in_doubt |= self.under_way is not None
        self.known = self.under_way = None
        self.has_forgotten = True

    def release(self, *, at_once: bool = False) -> None:
        """Let the motors go, as far as there is a link and they were not yet."""
        if self._mechanism is not None and self._is_busy:
            self._mechanism.release(at_once=at_once)
        self._is_busy = False

    def reconnect(self) -> None:
        """Close the link and open it again, with growing pauses. Raises LinkLostError."""
        self._mechanism = None
        self._stack.close()
        clock = self._robot.controls
        started_s = clock.now()
        tries, reason = 0, ""
        for pause_s in self._policy.reconnect_pauses_s:
            clock.sleep(pause_s)
            tries += 1
            try:
                self._connect()
                return
            except (BrickNotFoundError, LinkLostError) as error:
                reason = str(error)
            if clock.now() - started_s > self._policy.reconnect_s:
                break
        raise LinkLostError(
            f"The connection was lost, and {tries} tries in {clock.now() - started_s:.0f} s to "
            f"reconnect failed. {reason}"
        )

    def renew(self) -> None:
        """Close the link and open it again to a robot that is set up otherwise by now.

        Raises RobotError; CubeUncertainError if the brick has forgotten where it stands.
        """
        self.release()
        self._mechanism = None
        self._stack.close()
        self._connect()
        if self.known is not None and not self.restore(self.known):
            self.forget()
            raise CubeUncertainError("The brick was restarted meanwhile.")

    def _is_home(self) -> None:
        self.under_way, self.known, self.has_forgotten = None, self.state, False

    def _connect(self) -> None:
        self._mechanism = self._stack.enter_context(self._robot.connect())
        self.changes = 0

    def _connected(self) -> Mechanism:
        if self._mechanism is None:
            raise LinkLostError(NOT_CONNECTED)
        self._is_busy = True
        return self._mechanism
