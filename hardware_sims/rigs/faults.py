"""What goes wrong with a cube in any rig: faults as a file says them, and as the kernels know them.

Each strikes on one occasion, counted from 1, or at random on any. No one has published how often a
rig fails in which way. Known are: the cube slips in double flips and is pushed out of the tray,
stiff faces stall the motor, batteries sag (troubleshooting pages of such robots). The rest is
assumed, as are all degrees.
"""

import math
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta

from solvers.foundation.compiled import kernel

FAULT: Final = np.dtype(
    [
        ("kind", "i8"),
        ("number", "i8"),  # of the occasion, from 1; 0: any, at random
        ("chance", "f8"),
        ("least", "f8"),  # how much, drawn evenly
        ("most", "f8"),
    ]
)
FAULT_SLIP: Final = 1  # at a tilt; degrees by which the cube is askew then
FAULT_DOUBLE: Final = 2  # at a tilt
FAULT_THROW: Final = 3  # at a tilt; quarters
FAULT_THROW_ASKEW: Final = 4  # at a tilt; degrees
FAULT_YAW: Final = 5  # at a quarter of a spin; quarters
FAULT_SHORT: Final = 6  # at a quarter of a layer turn; degrees
FAULT_SKIP: Final = 7  # at a quarter of a layer turn; degrees of motor A

FaultTable: TypeAlias = Any  # a FAULT array
Drawing: TypeAlias = Any  # a rig's record with `random`, the generator's state, and `drawn`


@kernel
def quarters(angle_deg: float) -> int:
    """Return the nearest number of quarter turns."""
    return int(math.floor(angle_deg / 90.0 + 0.5))  # noqa: RUF046 - numba's floor gives a float


@kernel
def off_quarter_deg(angle_deg: float) -> float:
    """Return how far an angle is from the nearest quarter turn, with its sign."""
    return angle_deg - 90.0 * quarters(angle_deg)


# The "minimal standard" generator of Park and Miller (CACM 31, 1988) with its later multiplier
# (CACM 36, 1993): no product leaves 64 bits, so compiled and plain Python draw the same.
MODULUS: Final = 2147483647
MULTIPLIER: Final = 48271


@kernel
def draw(rig: Drawing) -> float:
    """Return a number above 0 and below 1; a rig that draws none stays the same."""
    rig.random = rig.random * MULTIPLIER % MODULUS
    return float(rig.random / MODULUS)


@kernel
def strikes(rig: Drawing, faults: FaultTable, kind: int, occasion: int) -> bool:
    """Return whether a fault of this kind strikes on this occasion, and how much as `drawn`."""
    for index in range(len(faults)):
        fault = faults[index]
        if fault.kind != kind:
            continue
        struck = draw(rig) < fault.chance if fault.number == 0 else fault.number == occasion
        if struck:
            rig.drawn = fault.least
            if fault.most != fault.least:
                rig.drawn += draw(rig) * (fault.most - fault.least)
            return True
    return False


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
Row: TypeAlias = tuple[int, int, float, float, float]

TOOTH_DEG: Final = 22.5
"""Of a gear with 16 teeth on motor A (assumed), which with one of 56 gives the 315 motor degrees a
quarter of the thesis."""


class Mishap(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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


class _AtTilt(Mishap, frozen=True, forbid_unknown_fields=True):
    occasion = "tilt"
    tilt: Number | None = None


class Slip(_AtTilt, frozen=True, forbid_unknown_fields=True):
    """The tilt does not happen; the cube slides back whole, or half and rests askew."""

    askew_deg: Askew = 0.0

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(FAULT_SLIP, self.askew_deg)


class Double(_AtTilt, frozen=True, forbid_unknown_fields=True):
    """The cube rolls over twice."""

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(FAULT_DOUBLE, 0.0)


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
            yield self.row(FAULT_THROW, float(self.quarters))
        if self.askew_deg != 0.0:
            yield self.row(FAULT_THROW_ASKEW, self.askew_deg)


class Yaw(Mishap, frozen=True, forbid_unknown_fields=True):
    """The spinning cube overshoots and comes to rest a quarter further than the cradle took it.

    Counted are the quarters of all spins.
    """

    occasion = "spin"
    spin: Number | None = None

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(FAULT_YAW, 1.0)


class _AtTurn(Mishap, frozen=True, forbid_unknown_fields=True):
    occasion = "turn"
    turn: Number | None = None


class Short(_AtTurn, frozen=True, forbid_unknown_fields=True):
    """The hold slips: upper layers come along, and the layer ends short by so much.

    Counted are the quarters of all layer turns, here and in `Skip`.
    """

    degrees: ShortDegrees = (5.0, 20.0)

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(FAULT_SHORT, self.degrees)


class Skip(_AtTurn, frozen=True, forbid_unknown_fields=True):
    """The motor turns on by so much while the cradle stands."""

    motor_deg: MotorDegrees = TOOTH_DEG

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield self.row(FAULT_SKIP, self.motor_deg)
