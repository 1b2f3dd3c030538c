"""Faults of the cradle rig; a faults file has the same keys."""

from collections.abc import Iterator
from random import Random
from typing import Annotated, Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from hardware_sims.rigs.cradle import mechanics
from hardware_sims.rigs.faults import (
    FAULT,
    MODULUS,
    Double,
    Mishap,
    Number,
    Row,
    Short,
    Skip,
    Slip,
    Throw,
    Yaw,
)

StuckSeconds: TypeAlias = Annotated[float, Meta(ge=0, le=100_000)]


class Stuck(Mishap, frozen=True, forbid_unknown_fields=True):
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
        return np.array([row for mishap in mishaps for row in mishap.rows()], FAULT)

    def first_random(self) -> int:
        """Return the seed of the kernel's generator: not near each other for seeds that are."""
        return Random(self.seed).randrange(1, MODULUS)


NO_RIG_FAULTS: Final = RigFaults()
