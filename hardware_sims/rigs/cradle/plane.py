"""Cube, arm and pusher as rigid bodies in the plane of a tilt: the compiled part.

x points from the arm to the pusher, z up, the origin is on the cradle's floor below the middle of
the cube; SI units. The cube slides and turns (positive towards the pusher), the arm turns on a
hinge, the pusher runs on a rack, and the shaft of the motor of each follows with backlash. Contacts
and stops are soft constraints that take up an approach within three milliseconds, with friction;
projected Gauss-Seidel finds their forces. The equations and their constants are those in the
documentation of MuJoCo ("Computation"), whose answers `tests/benchmarks/bench_fast_contacts.py`
compares with these.
"""

import math
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solvers.foundation.arrays import Float64Array
from solvers.foundation.compiled import kernel

STEP_S: Final = 0.001
GRAVITY_M_S2: Final = 9.81
HALF_M: Final = 0.0285  # of a cube of 57 mm
LAYER_M: Final = 0.019

# What moves, and the places of `motion`: positions in its first row, speeds in the second. The
# motors are in radians of their shafts, the arm in radians of itself, the pusher in metres.
X: Final = 0
Z: Final = 1  # of the cube's middle above where it is when the cube stands on the floor
LEAN: Final = 2
ARM: Final = 3
PUSHER: Final = 4
ARM_MOTOR: Final = 5
PUSHER_MOTOR: Final = 6
BODIES: Final = 7

# Soft contacts: MuJoCo's defaults but for the time, as the oracle has them. A surface gives way
# with a part of 0.1 of the acceleration, 0.05 from a millimetre deep on.
CONTACT_S: Final = 0.003
LEAST_IMPEDANCE: Final = 0.9
MOST_IMPEDANCE: Final = 0.95
IMPEDANCE_M: Final = 0.001
DAMPING_1_S: Final = 2.0 / (MOST_IMPEDANCE * CONTACT_S)
STIFFNESS_1_S2: Final = 1.0 / (MOST_IMPEDANCE * CONTACT_S) ** 2
FRICTION_IMPEDANCE: Final = 10.0  # a contact slips that much less than it gives way
GEARS_GIVE: Final = 0.01  # times as much as a surface: the oracle's do not give way at all

ITERATIONS: Final = 60
ENOUGH_M_S2: Final = 1e-3
MOST_ROWS: Final = 64

OF_LIP: Final = 0
OF_ARM: Final = 1
OF_PUSHER: Final = 2
OF_FLOOR: Final = 3
OF_OTHER: Final = 4

ROD: Final = np.dtype(
    [("x1", "f8"), ("z1", "f8"), ("x2", "f8"), ("z2", "f8"), ("radius", "f8"), ("part", "i8")]
)
"""A straight part with round ends; those of arm and pusher as they are with the motors at 0."""

BUILD: Final = np.dtype(
    [
        ("mass_kg", "f8"),
        ("friction", "f8"),
        ("hinge_x", "f8"),
        ("hinge_z", "f8"),
        ("arm_ratio", "f8"),  # radians of the arm per radian of its motor
        ("rack_m", "f8"),  # of the pusher per radian of its motor
        ("arm_inertia", "f8"),
        ("pusher_kg", "f8"),
        ("motor_inertia", "f8"),
        ("arm_friction_nm", "f8"),  # dry, of the mechanisms, at the motor
        ("pusher_friction_nm", "f8"),
        ("motor_friction_nm", "f8"),
        ("play_rad", "f8"),  # backlash to either side, of the motor
        # Stops, in radians of the motors.
        ("arm_least", "f8"),
        ("arm_most", "f8"),
        ("pusher_least", "f8"),
        ("pusher_most", "f8"),
    ]
)

# A row of `terms`.
DIAGONAL: Final = 0  # 1 / (A + R)
WANTED: Final = 1  # acceleration
GIVING: Final = 2  # R
FORCE: Final = 3
KIND: Final = 4  # NORMAL, TANGENT (of the row before) or DRY
BOUND: Final = 5  # friction coefficient, or the most force of dry friction
PART: Final = 6  # whose contact
HEIGHT: Final = 7  # of the contact
CROSS: Final = 8  # what a force of the row after, a contact's friction, adds to this acceleration
TERMS: Final = 9

NORMAL: Final = 0.0
TANGENT: Final = 1.0
DRY: Final = 2.0

# What the last step found, the places of `found`.
ARM_N: Final = 0  # with which the arm pushes the cube above its bottom layer, across
PUSHER_N: Final = 1
TOUCHED: Final = 2  # 1 if arm or pusher touched the cube
CALM_TICKS: Final = 3  # for which nothing has moved
RESTS: Final = 4  # 1 if the cube is flat in the cradle and nothing touches it
FOUND: Final = 5

TOUCH_N: Final = 0.05  # with less a part only lies against the cube
CALM: Final = 20
CALM_M_S: Final = 5e-4
CALM_RAD_S: Final = 0.01
FLAT_M: Final = 5e-4
FLAT_RAD: Final = 0.01

FOLLOW_NM_RAD: Final = 12.0
FOLLOW_NM_S_RAD: Final = 0.2

BuildRecord: TypeAlias = Any


class Plane(NamedTuple):
    """The bodies and what a step needs; `rows` and `terms` are its scratch."""

    build: NDArray[np.void]
    rods: NDArray[np.void]
    motion: Float64Array
    found: Float64Array
    rows: Float64Array
    terms: Float64Array
    drive: Float64Array
    """Acceleration of each body, given without contacts and found with them."""


def new_plane(build: NDArray[np.void], rods: NDArray[np.void]) -> Plane:
    """Return all parts at home; `build` is a BUILD array of one element, `rods` a ROD array."""
    return Plane(
        build,
        rods,
        np.zeros((2, BODIES)),
        np.zeros(FOUND),
        np.zeros((MOST_ROWS, BODIES)),
        np.zeros((MOST_ROWS, TERMS)),
        np.zeros(BODIES),
    )


@kernel
def inverse_mass(build: BuildRecord, body: int) -> float:
    """Return 1 / (mass or inertia) of a body."""
    if body <= Z:
        return float(1.0 / build.mass_kg)
    if body == LEAN:
        return float(1.5 / (build.mass_kg * HALF_M * HALF_M))  # m a^2 / 6
    if body == ARM:
        return float(1.0 / build.arm_inertia)
    if body == PUSHER:
        return float(1.0 / build.pusher_kg)
    return float(1.0 / build.motor_inertia)


@kernel
def step(plane: Plane) -> None:
    """Move all bodies through a millisecond.

    `drive` has the accelerations of the motors' shafts; those of the others are set here. A cube
    that rests stands as it is until arm or pusher touches it.
    """
    drive = plane.drive
    motion = plane.motion
    found = plane.found
    for body in range(ARM_MOTOR):
        drive[body] = 0.0
    count = joints = _joints(plane, 0)
    for number in range(len(plane.rods)):
        if found[RESTS] == 0.0 or plane.rods[number].part != OF_LIP:
            count = _rod(plane, number, count)
    if found[RESTS] != 0.0 and count > joints:
        found[RESTS] = 0.0
        for number in range(len(plane.rods)):
            if plane.rods[number].part == OF_LIP:
                count = _rod(plane, number, count)
    if found[RESTS] == 0.0:
        drive[Z] = -GRAVITY_M_S2
        count = _floor(plane, count)
    count = _arm_meets_pusher(plane, count)
    _solve(plane, count)
    for body in range(BODIES):
        if body > LEAN or found[RESTS] == 0.0:
            motion[1, body] += drive[body] * STEP_S
            motion[0, body] += motion[1, body] * STEP_S
    _report(plane, count)
    _rest(plane)


@kernel
def _rest(plane: Plane) -> None:
    """Count the milliseconds in which nothing moved; lay a cube to rest that nothing touches."""
    motion = plane.motion
    found = plane.found
    moves = abs(motion[1, LEAN]) > CALM_RAD_S
    for body in (X, Z, PUSHER):
        moves = moves or abs(motion[1, body]) > CALM_M_S
    if moves or abs(motion[1, ARM]) > CALM_RAD_S:
        found[CALM_TICKS] = 0.0
        return
    found[CALM_TICKS] += 1.0
    is_flat = abs(motion[0, LEAN]) < FLAT_RAD and abs(motion[0, Z]) < FLAT_M
    if found[CALM_TICKS] >= CALM and is_flat and found[TOUCHED] == 0.0:
        found[RESTS] = 1.0
        motion[0, Z] = 0.0
        motion[0, LEAN] = 0.0
        for body in (X, Z, LEAN):
            motion[1, body] = 0.0


@kernel
def follow(plane: Plane, goals: Float64Array, most_nm: float, states: Float64Array) -> None:
    """Let the motors follow `goals` (n, 2), their angles in radians for each millisecond.

    Both are regulated as the oracle's: full torque 1.8 degrees off, `most_nm` at most. `states`
    (n, 5) gets where the bodies are that are not motors.
    """
    inertia = plane.build[0].motor_inertia
    for tick in range(len(goals)):
        for which in range(2):
            motor = ARM_MOTOR + which
            torque = FOLLOW_NM_RAD * (goals[tick, which] - plane.motion[0, motor])
            torque -= FOLLOW_NM_S_RAD * plane.motion[1, motor]
            plane.drive[motor] = max(-most_nm, min(most_nm, torque)) / inertia
        step(plane)
        for body in range(ARM_MOTOR):
            states[tick, body] = plane.motion[0, body]


@kernel
def _limit(plane: Plane, count: int, depth: float) -> int:
    """Finish a row that allows no approach; `depth` is below 0 where something is too deep."""
    return _finish(plane, count, depth, NORMAL, 0.0, OF_OTHER, 0.0, 0.0)


@kernel
def _finish(
    plane: Plane,
    count: int,
    depth: float,
    kind: float,
    most: float,
    part: int,
    height: float,
    lightness: float,
) -> int:
    """Give the row `count` its terms; return the number of rows.

    `lightness` is the inverse mass of what meets, by which a contact gives way, or 0 for what the
    row's own bodies have.
    """
    row = plane.rows[count]
    term = plane.terms[count]
    speed = 0.0
    diagonal = 0.0
    for body in range(BODIES):
        if row[body] != 0.0:
            speed += row[body] * plane.motion[1, body]
            diagonal += row[body] * row[body] * inverse_mass(plane.build[0], body)
    share = min(1.0, abs(depth) / IMPEDANCE_M)
    curve = 2.0 * share * share if share < 0.5 else 1.0 - 2.0 * (1.0 - share) * (1.0 - share)
    impedance = LEAST_IMPEDANCE + curve * (MOST_IMPEDANCE - LEAST_IMPEDANCE)
    giving = (1.0 - impedance) / impedance * (lightness if lightness > 0.0 else diagonal)
    if kind != NORMAL:
        giving /= FRICTION_IMPEDANCE
    term[DIAGONAL] = 1.0 / (diagonal + giving)
    term[WANTED] = -DAMPING_1_S * speed
    if kind == NORMAL:
        term[WANTED] -= STIFFNESS_1_S2 * impedance * depth
    term[GIVING] = giving
    term[FORCE] = 0.0
    term[KIND] = kind
    term[BOUND] = most
    term[PART] = part
    term[HEIGHT] = height
    return count + 1


@kernel
def _clear(plane: Plane, count: int) -> None:
    for body in range(BODIES):
        plane.rows[count, body] = 0.0


@kernel
def _joints(plane: Plane, count: int) -> int:
    """Add dry friction, stops and backlash of arm and pusher."""
    build = plane.build[0]
    motion = plane.motion
    for which in range(2):
        body = ARM + which
        motor = ARM_MOTOR + which
        ratio = build.arm_ratio if which == 0 else build.rack_m
        friction_nm = build.arm_friction_nm if which == 0 else build.pusher_friction_nm
        least = build.arm_least if which == 0 else build.pusher_least
        most = build.arm_most if which == 0 else build.pusher_most
        stands = motion[0, body] / ratio
        if friction_nm > 0.0:
            _clear(plane, count)
            plane.rows[count, body] = 1.0 / ratio
            count = _finish(plane, count, 0.0, DRY, friction_nm, OF_OTHER, 0.0, 0.0)
        if build.motor_friction_nm > 0.0:
            _clear(plane, count)
            plane.rows[count, motor] = 1.0
            most_nm = build.motor_friction_nm
            count = _finish(plane, count, 0.0, DRY, most_nm, OF_OTHER, 0.0, 0.0)
        behind = motion[0, motor] - stands
        for side in (1.0, -1.0):
            room = most - stands if side > 0.0 else stands - least
            if room < 0.0:
                _clear(plane, count)
                plane.rows[count, body] = -side / ratio
                count = _limit(plane, count, room)
            room = build.play_rad - side * behind
            if room < 0.0 or build.play_rad == 0.0:
                _clear(plane, count)
                plane.rows[count, body] = side / ratio
                plane.rows[count, motor] = -side
                lightness = inverse_mass(build, body) / ratio**2 + inverse_mass(build, motor)
                lightness *= GEARS_GIVE
                count = _finish(plane, count, room, NORMAL, 0.0, OF_OTHER, 0.0, lightness)
    return count


@kernel
def _contact(
    plane: Plane,
    count: int,
    x: float,
    z: float,
    normal_x: float,
    normal_z: float,
    depth: float,
    part: int,
) -> int:
    """Add a contact at a point that pushes the cube along the normal, with its friction."""
    if count + 2 > MOST_ROWS:
        return count
    build = plane.build[0]
    motion = plane.motion
    # As MuJoCo has it: of the bodies at their middles and on average over the directions of space,
    # of which the cube can go two ways and the arm none.
    lightness = 2.0 / (3.0 * build.mass_kg)
    if part == OF_PUSHER:
        lightness += 1.0 / build.pusher_kg
    elif part == OF_FLOOR:
        lightness /= 2.0  # which bears the two corners of an edge
    dx = x - motion[0, X]
    dz = z - HALF_M - motion[0, Z]
    for tangent in range(2):
        way_x = normal_x if tangent == 0 else -normal_z
        way_z = normal_z if tangent == 0 else normal_x
        _clear(plane, count)
        row = plane.rows[count]
        row[X] = way_x
        row[Z] = way_z
        row[LEAN] = way_x * dz - way_z * dx
        if part == OF_ARM:
            row[ARM] = -(way_x * (z - build.hinge_z) - way_z * (x - build.hinge_x))
        elif part == OF_PUSHER:
            row[PUSHER] = way_x
        kind = NORMAL if tangent == 0 else TANGENT
        count = _finish(plane, count, depth, kind, build.friction, part, z, lightness)
    _couple(plane, count)
    return count


@kernel
def _floor(plane: Plane, count: int) -> int:
    motion = plane.motion
    turned_x = math.cos(motion[0, LEAN]) * HALF_M
    turned_z = math.sin(motion[0, LEAN]) * HALF_M
    for right in (-1.0, 1.0):
        for up in (-1.0, 1.0):
            x = motion[0, X] + right * turned_x + up * turned_z
            z = HALF_M + motion[0, Z] - right * turned_z + up * turned_x
            if z < 0.0:
                count = _contact(plane, count, x, z / 2, 0.0, 1.0, z, OF_FLOOR)
    return count


@kernel
def rod_end(plane: Plane, number: int, end: int) -> tuple[float, float]:
    """Return where an end of a rod is, 0 or 1."""
    rod = plane.rods[number]
    build = plane.build[0]
    x = rod.x1 if end == 0 else rod.x2
    z = rod.z1 if end == 0 else rod.z2
    if rod.part == OF_ARM:
        turned = plane.motion[0, ARM]
        dx = x - build.hinge_x
        dz = z - build.hinge_z
        x = build.hinge_x + dx * math.cos(turned) + dz * math.sin(turned)
        z = build.hinge_z - dx * math.sin(turned) + dz * math.cos(turned)
    elif rod.part == OF_PUSHER:
        x -= plane.motion[0, PUSHER]
    return x, z


@kernel
def _rod(plane: Plane, number: int, count: int) -> int:
    """Add the contacts of a rod with the cube: its round ends, and corners on its length."""
    motion = plane.motion
    radius = plane.rods[number].radius
    part = plane.rods[number].part
    x1, z1 = rod_end(plane, number, 0)
    x2, z2 = rod_end(plane, number, 1)
    middle_x = motion[0, X]
    middle_z = HALF_M + motion[0, Z]
    reach = 1.4143 * HALF_M + radius
    if min(x1, x2) > middle_x + reach or max(x1, x2) < middle_x - reach:
        return count
    if min(z1, z2) > middle_z + reach or max(z1, z2) < middle_z - reach:
        return count
    cosine = math.cos(motion[0, LEAN])
    sine = math.sin(motion[0, LEAN])
    for end in range(2):
        dx = (x1 if end == 0 else x2) - middle_x
        dz = (z1 if end == 0 else z2) - middle_z
        own_x = dx * cosine - dz * sine
        own_z = dx * sine + dz * cosine
        near_x = max(-HALF_M, min(HALF_M, own_x))
        near_z = max(-HALF_M, min(HALF_M, own_z))
        away = math.sqrt((own_x - near_x) ** 2 + (own_z - near_z) ** 2)
        if away >= radius:
            continue
        if away > 0.0:
            normal_x = (near_x - own_x) / away
            normal_z = (near_z - own_z) / away
        else:  # the end's middle is inside the cube: out by the nearest face
            deep_x = HALF_M - abs(own_x)
            deep_z = HALF_M - abs(own_z)
            if deep_x < deep_z:
                normal_x = -math.copysign(1.0, own_x)
                normal_z = 0.0
                away = -deep_x
            else:
                normal_x = 0.0
                normal_z = -math.copysign(1.0, own_z)
                away = -deep_z
        depth = away - radius
        at_x = own_x + normal_x * (radius + depth / 2)
        at_z = own_z + normal_z * (radius + depth / 2)
        count = _contact(
            plane,
            count,
            middle_x + at_x * cosine + at_z * sine,
            middle_z - at_x * sine + at_z * cosine,
            normal_x * cosine + normal_z * sine,
            -normal_x * sine + normal_z * cosine,
            depth,
            part,
        )
    long_x = x2 - x1
    long_z = z2 - z1
    squared = long_x * long_x + long_z * long_z
    if squared == 0.0:
        return count
    for right in (-1.0, 1.0):
        for up in (-1.0, 1.0):
            x = middle_x + HALF_M * (right * cosine + up * sine)
            z = middle_z + HALF_M * (-right * sine + up * cosine)
            along = ((x - x1) * long_x + (z - z1) * long_z) / squared
            if along <= 0.0 or along >= 1.0:
                continue
            off_x = x - x1 - along * long_x
            off_z = z - z1 - along * long_z
            away = math.sqrt(off_x * off_x + off_z * off_z)
            if away >= radius or away == 0.0:
                continue
            depth = away - radius
            normal_x = off_x / away
            normal_z = off_z / away
            count = _contact(
                plane,
                count,
                x - normal_x * depth / 2,
                z - normal_z * depth / 2,
                normal_x,
                normal_z,
                depth,
                part,
            )
    return count


@kernel
def _arm_meets_pusher(plane: Plane, count: int) -> int:
    """Add the contact of each of the arm's rods with the pusher's beam where they are nearest."""
    for second in range(len(plane.rods)):
        if plane.rods[second].part != OF_PUSHER:
            continue
        beam_x, _ = rod_end(plane, second, 0)  # and at its other end: it is upright
        for first in range(len(plane.rods)):
            if plane.rods[first].part != OF_ARM:
                continue
            reach = plane.rods[first].radius + plane.rods[second].radius
            x1, _ = rod_end(plane, first, 0)
            x2, _ = rod_end(plane, first, 1)
            if max(x1, x2) < beam_x - reach or min(x1, x2) > beam_x + reach:
                continue
            least = math.inf
            arm_x, arm_z, beam_x, beam_z = 0.0, 0.0, 0.0, 0.0
            for end in range(2):  # of either: lines that do not cross are nearest at one
                x, z = rod_end(plane, first, end)
                near_x, near_z = _nearest(plane, second, x, z)
                away = (x - near_x) ** 2 + (z - near_z) ** 2
                if away < least:
                    least = away
                    arm_x, arm_z, beam_x, beam_z = x, z, near_x, near_z
                x, z = rod_end(plane, second, end)
                near_x, near_z = _nearest(plane, first, x, z)
                away = (x - near_x) ** 2 + (z - near_z) ** 2
                if away < least:
                    least = away
                    arm_x, arm_z, beam_x, beam_z = near_x, near_z, x, z
            count = _meeting(plane, count, first, second, arm_x, arm_z, beam_x, beam_z)
    return count


@kernel
def _nearest(plane: Plane, number: int, x: float, z: float) -> tuple[float, float]:
    """Return the point of a rod's middle line next to another point."""
    x1, z1 = rod_end(plane, number, 0)
    x2, z2 = rod_end(plane, number, 1)
    long_x = x2 - x1
    long_z = z2 - z1
    squared = long_x * long_x + long_z * long_z
    along = 0.0
    if squared > 0.0:
        along = max(0.0, min(1.0, ((x - x1) * long_x + (z - z1) * long_z) / squared))
    return float(x1 + along * long_x), float(z1 + along * long_z)


@kernel
def _meeting(
    plane: Plane,
    count: int,
    first: int,
    second: int,
    arm_x: float,
    arm_z: float,
    beam_x: float,
    beam_z: float,
) -> int:
    """Add a contact, with its friction, if the points of the arm's and the beam's lines are near.

    Those are rods number `first` and `second`.
    """
    build = plane.build[0]
    radius = plane.rods[first].radius
    off_x = arm_x - beam_x
    off_z = arm_z - beam_z
    away = math.sqrt(off_x * off_x + off_z * off_z)
    depth = away - radius - plane.rods[second].radius
    if depth >= 0.0 or away == 0.0 or count + 2 > MOST_ROWS:
        return count
    normal_x = off_x / away
    normal_z = off_z / away
    to_x = arm_x - normal_x * (radius + depth / 2) - build.hinge_x
    to_z = arm_z - normal_z * (radius + depth / 2) - build.hinge_z
    for tangent in range(2):
        way_x = normal_x if tangent == 0 else -normal_z
        way_z = normal_z if tangent == 0 else normal_x
        _clear(plane, count)
        row = plane.rows[count]
        row[ARM] = way_x * to_z - way_z * to_x
        row[PUSHER] = way_x
        kind = NORMAL if tangent == 0 else TANGENT
        lightness = 1.0 / build.pusher_kg
        count = _finish(plane, count, depth, kind, build.friction, OF_OTHER, 0.0, lightness)
    _couple(plane, count)
    return count


@kernel
def _couple(plane: Plane, count: int) -> None:
    """Note in the row before the last what a force of the last adds to its acceleration."""
    cross = 0.0
    for body in range(BODIES):
        both = plane.rows[count - 2, body] * plane.rows[count - 1, body]
        if both != 0.0:
            cross += both * inverse_mass(plane.build[0], body)
    plane.terms[count - 2, CROSS] = cross


@kernel
def _solve(plane: Plane, count: int) -> None:
    """Find the rows' forces, and turn `drive` into accelerations with them."""
    terms = plane.terms
    for _ in range(ITERATIONS):
        most = 0.0
        for index in range(count):
            if terms[index, KIND] == TANGENT:
                continue  # solved with the row before
            force = terms[index, FORCE] + _missing(plane, index) * terms[index, DIAGONAL]
            if terms[index, KIND] == DRY:
                bound = terms[index, BOUND]
                force = max(-bound, min(bound, force))
            elif index + 1 < count and terms[index + 1, KIND] == TANGENT:
                force, sideways = _in_cone(plane, index)
                most = max(most, _apply(plane, index + 1, sideways))
            else:
                force = max(0.0, force)
            most = max(most, _apply(plane, index, force))
        if most < ENOUGH_M_S2:
            break


@kernel
def _missing(plane: Plane, index: int) -> float:
    """Return what a row's acceleration is short of, with the forces so far."""
    term = plane.terms[index]
    missing = term[WANTED] - term[GIVING] * term[FORCE]
    for body in range(BODIES):
        missing -= plane.rows[index, body] * plane.drive[body]
    return float(missing)


@kernel
def _apply(plane: Plane, index: int, force: float) -> float:
    """Let a row have another force; return how much that changes its acceleration."""
    terms = plane.terms
    change = force - terms[index, FORCE]
    if change == 0.0:
        return 0.0
    terms[index, FORCE] = force
    for body in range(BODIES):
        if plane.rows[index, body] != 0.0:
            lightness = inverse_mass(plane.build[0], body)
            plane.drive[body] += change * plane.rows[index, body] * lightness
    return float(abs(change) / terms[index, DIAGONAL])


@kernel
def _in_cone(plane: Plane, index: int) -> tuple[float, float]:
    """Return the forces of a contact, across and along, of which friction bounds the second.

    They are those nearest to what both rows want, as MuJoCo has it: a contact that slips gives
    way, and does not only push along.
    """
    normal = plane.terms[index]
    tangent = plane.terms[index + 1]
    # Forces f want least f Q f / 2 - w f.
    q_nn = 1.0 / normal[DIAGONAL]
    q_tt = 1.0 / tangent[DIAGONAL]
    q_nt = normal[CROSS]
    w_n = _missing(plane, index) + q_nn * normal[FORCE] + q_nt * tangent[FORCE]
    w_t = _missing(plane, index + 1) + q_nt * normal[FORCE] + q_tt * tangent[FORCE]
    determinant = q_nn * q_tt - q_nt * q_nt
    force = (w_n * q_tt - w_t * q_nt) / determinant
    sideways = (w_t * q_nn - w_n * q_nt) / determinant
    friction = normal[BOUND]
    if force >= 0.0 and abs(sideways) <= friction * force:
        return float(force), float(sideways)
    force = 0.0
    sideways = 0.0
    best = 0.0
    for side in (-friction, friction):
        wanted = w_n + side * w_t
        weight = q_nn + 2.0 * side * q_nt + side * side * q_tt
        if wanted > 0.0 and wanted * wanted / weight > best:
            best = wanted * wanted / weight
            force = wanted / weight
            sideways = side * force
    return float(force), float(sideways)


@kernel
def _report(plane: Plane, count: int) -> None:
    found = plane.found
    found[ARM_N] = 0.0
    found[PUSHER_N] = 0.0
    found[TOUCHED] = 0.0
    for index in range(count):
        part = plane.terms[index, PART]
        if plane.terms[index, KIND] != NORMAL or (part != OF_ARM and part != OF_PUSHER):
            continue
        force = plane.terms[index, FORCE] * abs(plane.rows[index, X])
        found[TOUCHED] = 1.0
        if part == OF_PUSHER:
            found[PUSHER_N] += force
        elif plane.terms[index, HEIGHT] > LAYER_M:
            found[ARM_N] += force
