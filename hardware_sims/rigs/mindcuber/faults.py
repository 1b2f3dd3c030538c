"""Faults of a MindCuber as typed values; a faults file has the same keys.

Those of the cube are any rig's. MindCuber's users tell of slips in double tilts, stiff faces
and of light that falls on the sensor; how often and how much is not published, and assumed.
"""

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from hardware_sims.rigs.faults import (
    FAULT,
    MODULUS,
    Chance,
    Double,
    Number,
    Row,
    Short,
    Skip,
    Slip,
    Throw,
    Yaw,
)
from hardware_sims.rigs.mindcuber.mechanics import MOST_PLAY_DEG, USUAL_GRIP_DEG, USUAL_PLAY_DEG
from hardware_sims.rigs.mindcuber.sight import FAULT_GLARE

Light: TypeAlias = Annotated[float, Meta(ge=0, le=1023)]


class Glare(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A lamp or the sun shines on the sticker below the sensor; `light` of 1023 dazzles it.

    Counted are the stickers that come below the sensor.
    """

    view: Number | None = None
    chance: Chance | None = None
    light: Light = 900.0

    def __post_init__(self) -> None:
        """Refuse a glare that would never fall, or for two reasons."""
        if (self.view is None) == (self.chance is None):
            raise ValueError("give either view or chance")

    def rows(self) -> Iterator[Row]:
        """Return it as the kernel knows it."""
        yield FAULT_GLARE, self.view or 0, self.chance or 0.0, self.light, self.light


class Dead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sensor whose cable has come off."""

    sensor: Literal["color", "ultrasonic"]
    time: Annotated[float, Meta(ge=0, le=1e9)] = 0.0


class Build(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How this machine, its cube and its room are.

    The two plays are in degrees of motor A, from the middle to the end: of the cube in the table,
    and of the cube that the tilt arm holds. `stiffness` is times the usual friction of the layers.
    `light` is 1 (even and dim) to 3 (bright, with stickers that look different). The sensor may be
    `high_mm` too high and `offset_mm` too far out.
    """

    play_deg: Annotated[float, Meta(ge=1, le=MOST_PLAY_DEG)] = USUAL_PLAY_DEG
    grip_deg: Annotated[float, Meta(ge=0, le=MOST_PLAY_DEG)] = USUAL_GRIP_DEG
    stiffness: Annotated[float, Meta(ge=0, le=20)] = 1.0
    plastic: Literal["black", "white"] = "black"
    light: Literal[1, 2, 3] = 1
    high_mm: Annotated[float, Meta(ge=0, le=30)] = 0.0
    offset_mm: Annotated[float, Meta(ge=-15, le=15)] = 0.0


class MindCuberFaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that goes wrong in a MindCuber; chances and ranges are drawn from the seed."""

    seed: Annotated[int, Meta(ge=0)] = 0
    slip: tuple[Slip, ...] = ()
    double: tuple[Double, ...] = ()
    throw: tuple[Throw, ...] = ()
    yaw: tuple[Yaw, ...] = ()
    short: tuple[Short, ...] = ()
    skip: tuple[Skip, ...] = ()
    glare: tuple[Glare, ...] = ()
    dead: tuple[Dead, ...] = ()
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
            *self.glare,
        )
        return np.array([row for mishap in mishaps for row in mishap.rows()], FAULT)

    def random(self) -> Random:
        """Return the generator of what is drawn once."""
        return Random(self.seed)

    def first_random(self) -> int:
        """Return the seed of the kernel's generator: not near each other for seeds that are."""
        return Random(self.seed).randrange(1, MODULUS)


NO_MINDCUBER_FAULTS: Final = MindCuberFaults()
