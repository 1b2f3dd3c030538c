"""A cradle rig's geometry as typed values, read from a TOML file, and tilts replayed on it.

`physical.py` makes a rig of the simulated brick of it.

Millimetres in the plane of a tilt; x points from the arm to the pusher, z up, the origin is on the
cradle's floor below the middle of the cube, which stands from -28.5 to 28.5 and from 0 to 57.
"""

from math import cos, degrees, hypot, pi, radians, sin, sqrt
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.rigs.cradle.plane import (
    ARM,
    ARM_MOTOR,
    BUILD,
    FOLLOW_NM_RAD,
    FOLLOW_NM_S_RAD,
    HALF_M,
    OF_ARM,
    OF_LIP,
    OF_PUSHER,
    PUSHER,
    PUSHER_MOTOR,
    ROD,
    STEP_S,
    Plane,
    follow,
    new_plane,
)
from solvers.foundation.arrays import Float64Array
from solvers.foundation.typed_files import read_toml

HALF_MM: Final = 1000 * HALF_M
EDGE_MM: Final = 2 * HALF_MM
CORNERS_MM: Final = HALF_MM * sqrt(2)
"""How far the corners of a spinning cube reach."""
LIP_RADIUS_MM: Final = 2.0

# Assumed: two beams of LEGO with what carries them. The motor's inertia is that of
# `motors/state.py`, which is Watanabe's.
ARM_KG: Final = 0.04
PUSHER_KG: Final = 0.04
MOTOR_INERTIA: Final = 1.0e-3
MOST_NM: Final = 0.38
"""What a motor gives at most, without its friction and that of what it moves."""
OVERLAP_MM: Final = 0.3

Millimetres: TypeAlias = Annotated[float, Meta(ge=-300, le=300)]
Size: TypeAlias = Annotated[float, Meta(gt=0, le=300)]


class Rod(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A straight part with round ends."""

    x1: Millimetres
    z1: Millimetres
    x2: Millimetres
    z2: Millimetres
    radius: Annotated[float, Meta(ge=0.5, le=20)] = 2.0


class Geometry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One rig. `arm` is as it stands with its motor at 0, `pusher_z` its lower and upper end.

    `arm_ratio` is degrees of the arm per degree of its motor, positive where the top of the arm
    moves to the pusher. A cradle's lip stands `lip_gap` off the cube, rises `lip_height` and leans
    outwards by `lip_lean`. The thesis gives no sizes: all are assumed.
    """

    name: str = ""
    kind: str = ""
    mass_g: Annotated[float, Meta(ge=20, le=500)] = 85.0
    lip_gap: Annotated[float, Meta(ge=0.1, le=20)]
    lip_height: Annotated[float, Meta(ge=2, le=28)]
    lip_lean: Annotated[float, Meta(ge=-5, le=20)]
    hinge_x: Millimetres
    hinge_z: Millimetres
    arm_ratio: Annotated[float, Meta(ge=-3, le=3)]
    arm: Annotated[tuple[Rod, ...], Meta(min_length=1, max_length=8)]
    pusher_mm_per_deg: Annotated[float, Meta(ge=0.05, le=1)]
    pusher_z: Annotated[tuple[Size, ...], Meta(min_length=2, max_length=2)]
    pusher_radius: Annotated[float, Meta(ge=0.5, le=20)] = 4.0
    pusher_touches_deg: Annotated[float, Meta(ge=60, le=195)] = 160.0
    friction: Annotated[float, Meta(ge=0.05, le=1)] = 0.3
    """Plastic on plastic: 0.2 to 0.45 in handbooks."""
    backlash_deg: Annotated[float, Meta(ge=0, le=10)] = 2.0
    """To either side, of the motor; 2 are published of the NXT's."""

    def __post_init__(self) -> None:
        """Refuse an arm that does not move."""
        if abs(self.arm_ratio) < 0.1:
            raise ValueError("arm_ratio has to be at least 0.1 or at most -0.1")
        if self.pusher_z[1] - self.pusher_z[0] < 2 * self.pusher_radius:
            raise ValueError("pusher_z has to span at least twice the pusher_radius")


def load_geometry(path: Path) -> Geometry:
    """Read a rig file.

    Raises:
        InvalidScenarioError: it cannot be read, parts overlap at home, or no cube rolls on it.
    """
    geometry: Geometry = read_toml(path, Geometry, "The rig file", InvalidScenarioError)
    check(geometry, f"The rig file {path}")
    return geometry


def default_geometry() -> Geometry:
    """Return the geometry of the example, `default.toml`."""
    return read_toml(DEFAULT, Geometry, "The default rig", InvalidScenarioError)


DEFAULT: Final = Path(__file__).with_name("default.toml")


def check(geometry: Geometry, where: str) -> None:
    """Raise InvalidScenarioError if parts overlap at home or on it no cube rolls."""
    rods = _arm_rods(geometry)
    names = [f"rod {number} of the arm" for number in range(1, len(rods) + 1)]
    for name, rod in [*zip(names, rods, strict=True), ("the pusher", _beam(geometry))]:
        deep = _depth(rod, HALF_MM)
        if deep > OVERLAP_MM:
            raise InvalidScenarioError(
                f"{where}: at home {name} stands {deep:.1f} mm deep in the cube."
            )
    if arm_clear_deg(geometry) is None:
        raise InvalidScenarioError(
            f"{where}: the arm is in the way of a spinning cube even at {AWAY_DEG:.0f} degrees."
        )
    if not any(rolls(geometry, slower) for slower in (1.0, 1.25, 1.5, 2.0)):
        raise InvalidScenarioError(
            f"{where}: the cube does not roll, however slowly arm (0, 40) and pusher (0, 200) move."
        )


def plane_of(geometry: Geometry) -> Plane:
    """Return the bodies of a rig, all at home."""
    build = np.zeros(1, BUILD)
    reach = max(hypot(rod.x2 - geometry.hinge_x, rod.z2 - geometry.hinge_z) for rod in geometry.arm)
    values = {
        "mass_kg": geometry.mass_g / 1000,
        "friction": geometry.friction,
        "hinge_x": geometry.hinge_x / 1000,
        "hinge_z": geometry.hinge_z / 1000,
        "arm_ratio": geometry.arm_ratio,
        "rack_m": geometry.pusher_mm_per_deg / 1000 * 180 / pi,
        "arm_inertia": ARM_KG * (reach / 1000) ** 2 / 3,
        "pusher_kg": PUSHER_KG,
        "motor_inertia": MOTOR_INERTIA,
        "play_rad": radians(geometry.backlash_deg),
        "arm_least": -np.inf,
        "arm_most": np.inf,
        "pusher_least": -np.inf,
        "pusher_most": np.inf,
    }
    for name, value in values.items():
        build[name] = value
    lip_x = HALF_MM + geometry.lip_gap + LIP_RADIUS_MM
    top = geometry.lip_height - LIP_RADIUS_MM
    lips = [
        Rod(side * lip_x, 0, side * (lip_x + geometry.lip_lean), top, LIP_RADIUS_MM)
        for side in (-1, 1)
    ]
    parts = [(OF_LIP, lips), (OF_ARM, geometry.arm), (OF_PUSHER, (_beam(geometry),))]
    rows = [(*_metres(rod), part) for part, rods in parts for rod in rods]
    return new_plane(build, np.array(rows, ROD))


def _metres(rod: Rod) -> tuple[float, ...]:
    return tuple(each / 1000 for each in msgspec.structs.astuple(rod))


def replay(geometry: Geometry, targets: Float64Array, most_nm: float = MOST_NM) -> Float64Array:
    """Return x, z (mm), lean (rad), arm and pusher (degrees of the motors) of each millisecond.

    `targets` (n, 2) has the degrees of the motors of arm and pusher for each millisecond.
    """
    plane = plane_of(geometry)
    goals = np.radians(targets)
    lead = np.gradient(goals, STEP_S, axis=0) * (FOLLOW_NM_S_RAD / FOLLOW_NM_RAD)
    plane.motion[0, [ARM_MOTOR, PUSHER_MOTOR]] = goals[0]
    plane.motion[0, ARM] = goals[0, 0] * geometry.arm_ratio
    plane.motion[0, PUSHER] = goals[0, 1] * plane.build["rack_m"][0]
    states = np.zeros((len(goals), ARM_MOTOR))
    follow(plane, np.ascontiguousarray(goals + lead), most_nm, states)
    scale = [1000, 1000, 1, degrees(1) / geometry.arm_ratio, 1000 / geometry.pusher_mm_per_deg]
    return np.asarray(states * scale)


AWAY_DEG: Final = -40.0
GENTLE_ARM: Final = (288.0, 4350.0)
GENTLE_PUSHER: Final = (840.0, 7250.0)


def rolls(geometry: Geometry, slower: float) -> bool:
    """Return whether the thesis' five motions tilt the cube once, the arm at 288 deg/s or slower.

    The thesis says how far the motors go; how fast is assumed.
    """
    arm_pace = (GENTLE_ARM[0] / slower, GENTLE_ARM[1] / slower**2)
    rows = []
    at = [0.0, 0.0]
    for motor, goal in ((0, 40.0), (1, 200.0), (1, 0.0), (0, -30.0), (0, 0.0), (0, 0.0)):
        for angle in _ramped(at[motor], goal, *(GENTLE_PUSHER if motor else arm_pace)):
            at[motor] = angle
            rows.append(tuple(at))
    rows += [(0.0, 0.0)] * 400
    x, z, lean, *_ = replay(geometry, np.array(rows))[-1]
    is_flat = abs(degrees(lean) - 90) < 2 and abs(z) < 1
    return is_flat and abs(x) < geometry.lip_gap + 1


def _ramped(start: float, goal: float, speed: float, acceleration: float) -> Float64Array:
    """Return the angles of each millisecond of a motion that speeds up and slows down evenly."""
    way = abs(goal - start)
    top = min(speed, sqrt(way * acceleration))
    seconds = way / top + top / acceleration if way else 0.4
    times = np.arange(1, round(1000 * seconds) + 1) / 1000
    if not way:
        return np.full(len(times), goal)
    rise = top / acceleration
    late = np.clip(seconds - times, 0, None)
    travelled = np.where(
        times < rise,
        0.5 * acceleration * times**2,
        np.where(late < rise, way - 0.5 * acceleration * late**2, top * (times - rise / 2)),
    )
    travelled[-1] = way
    return np.asarray(start + np.sign(goal - start) * travelled)


def arm_clear_deg(geometry: Geometry) -> float | None:
    """Return the angle of the arm's motor at or behind which a cube may spin."""
    for angle in np.arange(0.0, AWAY_DEG - 0.5, -1.0):
        if all(_depth(rod, CORNERS_MM) <= 0 for rod in _arm_rods(geometry, float(angle))):
            return float(angle)
    return None


def _beam(geometry: Geometry) -> Rod:
    r = geometry.pusher_radius
    x = HALF_MM + r + geometry.pusher_touches_deg * geometry.pusher_mm_per_deg
    return Rod(x, geometry.pusher_z[0] + r, x, geometry.pusher_z[1] - r, r)


def _arm_rods(geometry: Geometry, arm_deg: float = 0.0) -> list[Rod]:
    """Return the arm's rods where its motor stands at an angle."""
    turn = radians(arm_deg * geometry.arm_ratio)

    def turned(x: float, z: float) -> tuple[float, float]:
        dx, dz = x - geometry.hinge_x, z - geometry.hinge_z
        return (
            geometry.hinge_x + dx * cos(turn) + dz * sin(turn),
            geometry.hinge_z - dx * sin(turn) + dz * cos(turn),
        )

    return [
        Rod(*turned(rod.x1, rod.z1), *turned(rod.x2, rod.z2), rod.radius) for rod in geometry.arm
    ]


def _depth(rod: Rod, half_mm: float) -> float:
    """Return how deep a rod stands in a box of the cube's height; below 0 there is room."""
    shares = np.linspace(0, 1, 25)
    xs = np.abs(rod.x1 + (rod.x2 - rod.x1) * shares) - half_mm
    zs = rod.z1 + (rod.z2 - rod.z1) * shares
    zs = np.maximum(-zs, zs - EDGE_MM)
    outside = np.hypot(np.maximum(xs, 0), np.maximum(zs, 0))
    inside = np.minimum(np.maximum(xs, zs), 0)
    return float(rod.radius - np.min(outside + inside))
