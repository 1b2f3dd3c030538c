"""The rig: its mechanism, its prices and what it offers to the commands."""

# ruff: noqa: ARG002 - the seam hands over more than so small a rig needs

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from controller.errors import InvalidAddressError, LinkLostError
from controller.motion.mechanism import Battery, Mechanism, OnMotors, Settled, State, ignore_motors
from controller.motion.primitives import AfterView, Primitive, Spin, Tilt, TurnLayer
from controller.rigs.rig import Finding, Jogged, Prices, Rig, Setup
from solvers.foundation.clock import Clock
from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Job, Progress
from tests.two_servo_rig.servos import HOLDER_LIMIT, Servos, UnpluggedError

Word = tuple[str, int]


class ServoPrices(msgspec.Struct, frozen=True):
    """Seconds. A lid that is clamped has to be opened before the cube is spun or flipped."""

    flip: float = 0.6
    quarter: float = 0.4
    lid: float = 0.2
    ending: float = 0.0

    def price(self, primitive: Primitive, before: Primitive | None) -> float:
        """Return the seconds that `primitive` takes after `before`."""
        is_clamped = isinstance(before, TurnLayer)
        lid_moves = is_clamped is not isinstance(primitive, TurnLayer)
        lid_s = self.lid if lid_moves else 0.0
        if isinstance(primitive, Tilt):
            return lid_s + self.flip
        return lid_s + self.quarter * abs(primitive.quarters)


class ServoMechanism:
    """Plays primitives as words. It has no counters: where it stands it was told."""

    def __init__(self, servos: Servos) -> None:
        self._servos = servos
        self._holder = 0
        self._done: int | None = None  # words of the primitive under way that were acknowledged

    @property
    def state(self) -> State:
        """Where the holder stands, and how far the primitive is that is under way."""
        return {"holder": self._holder, "done": self._done}

    def battery(self) -> Battery | None:
        """It has a mains adapter."""
        return None

    def set_home(self, *, in_doubt: bool = False) -> None:
        """Move to the middle; the lid lifts the cube meanwhile, which stays as it lies."""
        for word in (("lift", 0), ("turn", 0), ("open", 0)):
            self._tell(word)
        self._holder, self._done = 0, None

    def restore(self, state: State) -> bool:
        """Servos keep their place, so that every earlier run can be taken up."""
        self._holder, self._done = state["holder"], state["done"]
        return True

    def settle(self, state: State, upcoming: Sequence[Primitive]) -> Settled:
        """Go on from what was told last: the board does nothing by itself."""
        self.restore(state)
        return Settled(is_within=self._done is not None)

    def perform(
        self,
        primitive: Primitive,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
        on_state: Callable[[State], object] = lambda _: None,
    ) -> None:
        """Send the words of one primitive, or those that are missing."""
        words, end = self._words(primitive)
        for index in range(self._done or 0, len(words)):
            self._done = index
            on_state(self.state)
            self._tell(words[index])
        self._holder, self._done = end, None

    def straighten(self, cut_off: Primitive | None, *, in_doubt: bool = False) -> bool:
        """Lift the lid and move to the middle: nobody knows how much was done before."""
        self.set_home()
        return cut_off is None

    def release(self, *, at_once: bool = False) -> None:
        """Take the power off."""
        with suppress(LinkLostError):
            self._tell(("off", 0))

    def _words(self, primitive: Primitive) -> tuple[list[Word], int]:
        """Return what to say, and where the holder stands after it."""
        if isinstance(primitive, Tilt):
            return [("open", 0), ("flip", 0)], self._holder
        is_spin = isinstance(primitive, Spin)
        by = primitive.quarters if is_spin else -primitive.quarters
        words: list[Word] = []
        start = self._holder
        if abs(start + by) > HOLDER_LIMIT:
            start = 0
            words += [("lift", 0), ("turn", 0)]
        words += [("open" if is_spin else "clamp", 0), ("turn", start + by)]
        return words, start + by

    def _tell(self, word: Word) -> None:
        try:
            self._servos.tell(*word)
        except UnpluggedError:
            raise LinkLostError("The servo board is gone; `cuberobot resume` continues.") from None


@dataclass(frozen=True)
class ServoSetup:
    """The rig needs no calibration: servos move to angles by themselves."""

    boards: dict[str, Servos]
    costs: ServoPrices = field(default_factory=ServoPrices)
    retry_pause_s: float = 0.5
    margins: None = None

    @property
    def data(self) -> Mapping[str, Any]:
        """There is nothing to calibrate."""
        return {}

    @contextmanager
    def connected(
        self, address: str, drive: str, clock: Clock, on_motors: OnMotors = ignore_motors
    ) -> Iterator[Mechanism]:
        """Connect to a servo board."""
        assert drive == "words"
        servos = self.boards[address]
        servos.sleep = clock.sleep
        yield ServoMechanism(servos)

    def jog(
        self, address: str, motor: str, angle_deg: int, power_percent: int, clock: Clock
    ) -> Jogged:
        """Refuse: a servo cannot be turned by some degrees from where it stands."""
        raise InvalidInputError("A servo goes to angles; there is nothing to jog.")

    def measure(self, mechanism: Mechanism, clock: Clock, rounds: int) -> Job[Progress, Prices]:
        """Time one flip."""
        yield Progress("measuring", 0, 1)
        began_s = clock.now()
        for _ in range(4 * rounds):
            mechanism.perform(Tilt())
        return ServoPrices(flip=(clock.now() - began_s) / 4 / rounds)


@dataclass
class TwoServoRig:
    """Knows its servo boards by name."""

    boards: dict[str, Servos] = field(default_factory=dict)
    drives: tuple[str, ...] = ("words",)
    motors: tuple[str, ...] = ("holder", "lid")
    picture: None = None
    own_eye: None = None
    saved: list[Any] = field(default_factory=list)

    def check_address(self, address: str) -> None:
        """Raise InvalidAddressError for a board that is not there."""
        if address not in self.boards:
            raise InvalidAddressError(f"{address!r} is no servo board.")

    def setup(self, calibration: Path | None = None) -> Setup:
        """Return the rig; there is no file to read."""
        return ServoSetup(self.boards)

    def setup_from(self, data: Mapping[str, Any], where: str) -> Setup:
        """Return the rig; there is nothing to take up."""
        return ServoSetup(self.boards)

    def prices_file(self, calibration: Path | None) -> Path:
        """Return a name; there is no file."""
        return calibration or Path("nowhere")

    def save_prices(self, prices: Prices, path: Path, measured: str) -> None:
        """Keep the prices in memory."""
        self.saved.append(prices)

    def examine(self, addresses: Iterable[str]) -> tuple[list[Finding], list[Finding]]:
        """Name the boards."""
        found = [Finding(name, name in self.boards, "a servo board") for name in addresses]
        return [], found


RIG: Rig = TwoServoRig()
