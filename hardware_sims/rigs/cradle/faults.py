"""Faults of the cradle rig as typed values; a faults file has the same keys.

Each fault strikes on one occasion, counted from 1, or at random on any. No one has published how
often a rig fails in which way. Known are: the cube slips in double flips and is pushed out of the
tray, stiff faces stall the motor, batteries sag (mindcuber.com, troubleshooting; users of
MindCuber). The rest is assumed, as are all degrees.
"""

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from hardware_sims.rigs.cradle import mechanics

Number: TypeAlias = Annotated[int, Meta(ge=1)]
Chance: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
# An amount, or two between which it is drawn. With a tuple of fixed length msgspec 0.22 reads a
# union wrongly and crashes.
_PAIR: Final = Meta(min_length=2, max_length=2)
_Yaw: TypeAlias = Annotated[float, Meta(ge=-44, le=44)]
_Short: TypeAlias = Annotated[float, Meta(ge=0, le=40)]
_Motor: TypeAlias = Annotated[float, Meta(ge=0, le=180)]
Askew: TypeAlias = _Yaw | Annotated[tuple[_Yaw, ...], _PAIR]
ShortDegrees: TypeAlias = _Short | Annotated[tuple[_Short, ...], _PAIR]
MotorDegrees: TypeAlias = _Motor | Annotated[tuple[_Motor, ...], _PAIR]
StuckSeconds: TypeAlias = Annotated[float, Meta(ge=0, le=100_000)]
Row: TypeAlias = tuple[int, int, float, float, float]

TOOTH_DEG: Final = 22.5
"""Of a gear with 16 teeth on motor A (assumed), which with one of 56 gives the 315 motor degrees a
quarter of the thesis."""


class _Mishap(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that strikes on the occasion whose number a subclass names, or by `chance`."""

    occasion: ClassVar[str]
    chance: Chance | None = None

    def __post_init__(self) -> None:
        """Refuse a fault that would strike never, or for two reasons."""
        if (self.number is None) == (self.chance is None):
            raise ValueError(f"give either {self.occasion} or chance")

    @property
    def number(self) -> int | None:
        """Which occasion it strikes on, from 1; None: at random."""
        number: int | None = getattr(self, self.occasion)
        return number

    def row(self, kind: int, amount: "float | tuple[float, ...]") -> Row:
        """Return the fault as the kernel knows it."""
        least, most = amount if isinstance(amount, tuple) else (amount, amount)
        return kind, self.number or 0, self.chance or 0.0, least, most


class _AtTilt(_Mishap, frozen=True, forbid_unknown_fields=True):
    occasion = "tilt"
    tilt: Number | None = None


class Slip(_AtTilt, frozen=True, forbid_unknown_fields=True):
    """The tilt does not happen; the cube slides back whole, or half and rests askew."""

    askew_deg: Askew = 0.0

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(mechanics.FAULT_SLIP, self.askew_deg)


class Double(_AtTilt, frozen=True, forbid_unknown_fields=True):
    """The cube rolls over twice."""

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(mechanics.FAULT_DOUBLE, 0.0)


class Throw(_AtTilt, frozen=True, forbid_unknown_fields=True):
    """The pusher throws a loose cube: it lands turned by quarters, or askew, or both."""

    quarters: Literal[-1, 0, 1, 2] = 0
    askew_deg: Askew = 0.0

    def __post_init__(self) -> None:
        """Refuse a throw that does nothing."""
        super().__post_init__()
        if not self.quarters and self.askew_deg == 0.0:
            raise ValueError("give quarters, askew_deg or both")

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        if self.quarters:
            yield self.row(mechanics.FAULT_THROW, float(self.quarters))
        if self.askew_deg != 0.0:
            yield self.row(mechanics.FAULT_THROW_ASKEW, self.askew_deg)


class Yaw(_Mishap, frozen=True, forbid_unknown_fields=True):
    """The spinning cube overshoots and comes to rest a quarter further than the cradle took it.

    Counted are the quarters of all spins.
    """

    occasion = "spin"
    spin: Number | None = None

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(mechanics.FAULT_YAW, 1.0)


class _AtTurn(_Mishap, frozen=True, forbid_unknown_fields=True):
    occasion = "turn"
    turn: Number | None = None


class Short(_AtTurn, frozen=True, forbid_unknown_fields=True):
    """The hold slips: upper layers come along, and the layer ends short by so much.

    Counted are the quarters of all layer turns, here and in `Skip`.
    """

    degrees: ShortDegrees = (5.0, 20.0)

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(mechanics.FAULT_SHORT, self.degrees)


class Skip(_AtTurn, frozen=True, forbid_unknown_fields=True):
    """The motor turns on by so much while the cradle stands."""

    motor_deg: MotorDegrees = TOOTH_DEG

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(mechanics.FAULT_SKIP, self.motor_deg)


class Stuck(_Mishap, frozen=True, forbid_unknown_fields=True):
    """The cube is stuck under the arm for a while, or until the arm comes back to it.

    Counted is how often the arm leaves the cube.
    """

    occasion = "leaving"
    leaving: Number | None = None
    seconds: StuckSeconds = 3.0

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(mechanics.FAULT_STUCK, 1000.0 * self.seconds)


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this rig and cube are.

    The play is in degrees of motor A, from the middle to its end; `stiffness` is times the usual
    friction of the cube's layers; by `wear_deg` the play grows with each quarter of the cradle.
    """

    play_deg: Annotated[float, Meta(ge=1, le=mechanics.MOST_PLAY_DEG)] = mechanics.USUAL_PLAY_DEG
    stiffness: Annotated[float, Meta(ge=0, le=20)] = 1.0
    wear_deg: Annotated[float, Meta(ge=0, le=10)] = 0.0


class RigFaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that goes wrong in a rig; chances and ranges are drawn from the seed."""

    seed: Annotated[int, Meta(ge=0)] = 0
    slip: tuple[Slip, ...] = ()
    double: tuple[Double, ...] = ()
    throw: tuple[Throw, ...] = ()
    yaw: tuple[Yaw, ...] = ()
    short: tuple[Short, ...] = ()
    skip: tuple[Skip, ...] = ()
    stuck: tuple[Stuck, ...] = ()
    rig: Build = Build()

    def table(self) -> NDArray[np.void]:
        """Return the faults as the kernel knows them: a FAULT array, shape (n,)."""
        mishaps: Any = (
            *self.slip,
            *self.double,
            *self.throw,
            *self.yaw,
            *self.short,
            *self.skip,
            *self.stuck,
        )
        return np.array([row for mishap in mishaps for row in mishap.rows()], mechanics.FAULT)

    def first_random(self) -> int:
        """Return the seed of the kernel's generator: not near each other for seeds that are."""
        return Random(self.seed).randrange(1, mechanics.MODULUS)


NO_RIG_FAULTS: Final = RigFaults()
