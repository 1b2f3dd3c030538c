"""Rigs as data: the geometry of arm, pusher and cradle around a cube, in the plane of a tilt.

Millimetres; x points from the arm to the pusher, z up. The origin is on the cradle's floor below
the middle of the cube, which stands from -28.5 to 28.5 and from 0 to 57. Everything is assumed:
the thesis names the angles of the motors and no size.
"""

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

HERE: Final = Path(__file__).resolve().parent
FAMILY: Final = HERE / "family.json"
EDGE_MM: Final = 57.0


class Rod(msgspec.Struct, frozen=True):
    """A straight part with round ends, between two points of the plane."""

    x1: float
    z1: float
    x2: float
    z2: float
    radius: float = 2.0


class Rig(msgspec.Struct, frozen=True):
    """One geometry. `arm` is as it stands with its motor at 0, `pusher_z` its lower and upper end.

    `arm_ratio` is degrees of the arm per degree of its motor, positive where the top of the arm
    moves to the pusher. A cradle's lip stands `lip_gap` off the cube, rises `lip_height` and leans
    outwards by `lip_lean`; it is the same on all sides, since every side comes to the front.
    """

    name: str
    kind: str
    mass_g: float
    lip_gap: float
    lip_height: float
    lip_lean: float
    hinge_x: float
    hinge_z: float
    arm_ratio: float
    arm: tuple[Rod, ...]
    pusher_mm_per_deg: float
    pusher_z: tuple[float, float]
    pusher_radius: float = 4.0
    pusher_touches_deg: float = 160.0
    clamps: bool = False
    kept_apart: bool = False


@cache
def family() -> tuple[Rig, ...]:
    """Return all rigs on which the thesis' order works; a third is kept apart."""
    return tuple(msgspec.json.decode(FAMILY.read_bytes(), type=list[Rig]))


def rig_named(name: str) -> Rig:
    """Return a rig of the family."""
    return next(rig for rig in family() if rig.name == name)


def geometry_values(rig: Rig) -> dict[str, Any]:
    """Return what a rig file (`hardware_sims/rigs/cradle/geometry.py`) has of a rig."""
    values: dict[str, Any] = msgspec.to_builtins(rig)
    return {name: each for name, each in values.items() if name not in ("clamps", "kept_apart")}


def difference(a: Rig, b: Rig) -> float:
    """Return how different two rigs of a kind are: the sum over all sizes, in mm or worth a mm."""
    return sum(abs(x - y) for x, y in zip(_sizes(a), _sizes(b), strict=True))


def _sizes(rig: Rig) -> list[float]:
    rods = [each for rod in rig.arm for each in msgspec.structs.astuple(rod)]
    lips = [4 * rig.lip_gap, rig.lip_height, rig.lip_lean]
    pusher = [*rig.pusher_z, rig.pusher_radius, 100 * rig.pusher_mm_per_deg]
    return [*rods, *lips, *pusher, rig.hinge_x, rig.hinge_z, 30 * rig.arm_ratio, rig.mass_g / 3]
