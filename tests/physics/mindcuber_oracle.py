"""The judge of MindCuber's tilt and hold: its arm and table in MuJoCo, following their motors.

A tilt lies in a plane: x points away from the motor, z up, and the origin is on the table's floor
below the middle of the cube. The arm, carried by a crank and a rocker, has a hook over the far edge
of the cube and a pad behind it. Pulled, it tips the cube towards the motor; coming back it pushes
it into the table. A layer turn is seen from above: the table's walls turn the bottom layer, hook
and pad keep the other two, with play.

No size is published, so sizes are drawn (`find_mindcubers`); a rig counts if the author's own
sequence lands on it, whose angles, speeds and pauses are known and which thousands of owners play.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import degrees
from typing import Any, Final

import msgspec
import mujoco
import numpy as np
import numpy.typing as npt
from mujoco import rollout

from tests.physics.oracle import (
    DAMPING_NM_S_RAD,
    FLAT_DEG,
    HALF_MM,
    LAYER_MM,
    LIP_RADIUS_MM,
    MOTOR_INERTIA_KG_M2,
    MOTOR_TORQUE_NM,
    SEATED_MM,
    STEP_S,
    STIFFNESS_NM_RAD,
    depth_mm,
)
from tests.physics.rigs import EDGE_MM, HERE, Rod
from tests.physics.trajectories import Pace, move

RIGS_FILE: Final = HERE / "mindcubers.json"
PACE: Final = Pace(833.0, 20_000.0)
"""The author's: degrees a second, and a second squared."""
AWAY, RELEASE, HOLD, TIPPED, LOWERED = 25.0, 62.0, 160.0, 245.0, 135.0
"""Places of the tilt arm by the author's program, in degrees back from its stop."""
CLOSED_MS, TOP_MS, BETWEEN_MS, CALM_MS = 350, 150, 500, 500
CORNERS_MM: Final = HALF_MM * 2**0.5
ARM_MASS_KG: Final = 0.04
TILTS: Final = 3
OVERLAP_MM: Final = 0.3

QUARTER, BEYOND = 270.0, 57.0
"""Of the table's motor: a quarter, and how far beyond a layer turn goes before it comes back."""
TABLE_GEAR: Final = 3.0
TABLE_PLAY_DEG: Final = 10.0
"""Half the play of the cube in the table, in degrees of its motor."""
TABLE_INERTIA_KG_M2: Final = 2e-4
LAYER_WITHIN_DEG: Final = 6.0
"""How far from its quarter a turned layer may be, as on the simulated rigs (assumed)."""
LAYERS_NM: Final = (0.05, 0.1, 0.15)
"""Friction between layers, of worn and of stiff cubes (assumed)."""

Angles = npt.NDArray[np.float64]


class MindCuberRig(msgspec.Struct, frozen=True):
    """One geometry, with the arm as it stands at hold; millimetres.

    The arm hangs on a crank of the motor and on a rocker: the crank's axle is at (`motor_x`,
    `motor_z`) and its pin at (`pin_x`, `pin_z`), the rocker goes from (`rocker_x`, `rocker_z`) to
    the arm at (`joint_x`, `joint_z`). `way` is 1 where the motor, going back from its stop, turns
    the crank counter-clockwise. The hook hangs `hook_gap` in front of the cube and `hook_deep`
    below its top, from `beam_gap` above it; the pad is `pad_gap` behind the cube. The table's walls
    stand `lip_gap` off the cube, rise `lip_height` and lean outwards by `lip_lean`.
    """

    name: str
    mass_g: float
    lip_gap: float
    lip_height: float
    lip_lean: float
    motor_x: float
    motor_z: float
    pin_x: float
    pin_z: float
    joint_x: float
    joint_z: float
    rocker_x: float
    rocker_z: float
    way: int
    hook_gap: float
    hook_deep: float
    beam_gap: float
    pad_gap: float
    pad_low: float
    pad_long: float
    radius: float
    bar_mm: float
    """How wide hook and pad are."""

    @property
    def arm(self) -> tuple[Rod, ...]:
        """What of the arm meets the cube: hook and pad. What carries them runs beside the cube."""
        r = self.radius
        hook_x, pad_x = HALF_MM + self.hook_gap + r, -HALF_MM - self.pad_gap - r
        low = self.pad_low + r
        return (
            Rod(hook_x, EDGE_MM - self.hook_deep, hook_x, EDGE_MM + self.beam_gap + r, r),
            Rod(pad_x, low, pad_x, low + self.pad_long, r),
        )


@cache
def mindcubers() -> tuple[MindCuberRig, ...]:
    """Return all rigs on which the author's sequence works."""
    return tuple(msgspec.json.decode(RIGS_FILE.read_bytes(), type=list[MindCuberRig]))


def author_tilts(pace: Pace = PACE, count: int = TILTS) -> Angles:
    """Return the tilt arm, each millisecond, as the author's program drives tilts in a row."""
    rows = [*move(RELEASE, HOLD, pace), *[HOLD] * CLOSED_MS]
    for number in range(count):
        rows += [HOLD] * BETWEEN_MS if number else []
        rows += [*move(HOLD, TIPPED, pace), *[TIPPED] * TOP_MS]
        rows += [*move(TIPPED, LOWERED, pace), *move(LOWERED, HOLD, pace)]
    return np.asarray([*rows, *[HOLD] * BETWEEN_MS, *move(HOLD, RELEASE, pace)])


def author_turn(quarters: int, pace: Pace = PACE) -> Angles:
    """Return the table while the author's program turns a layer."""
    end = quarters * QUARTER
    beyond = end + (BEYOND if quarters > 0 else -BEYOND)
    return np.asarray([0.0, *move(0.0, beyond, pace), *move(beyond, end, pace)])


def tilt_faults(
    rig: MindCuberRig,
    friction: float,
    arm: Angles,
    table: Angles | None = None,
    count: int = TILTS,
    flat_deg: float = FLAT_DEG,
) -> list[str]:
    """Return what goes wrong while the arm tilts the cube `count` times, nothing if all is well.

    `arm` and `table` have the motors' degrees of each millisecond; at the end the cube may be
    askew by `flat_deg`.
    """
    before = np.asarray([*move(HOLD, arm[0], PACE), *[arm[0]] * CALM_MS])
    after = np.repeat(arm[-1:], CALM_MS)
    states = replay(rig, friction, np.concatenate([before, arm, after]))
    x, z, roll, motor = states[-1]
    faults = []
    if table is not None:
        faults += _turning_faults(rig, states[len(before) :], table)
    if abs(motor - arm[-1]) > FLAT_DEG:
        faults.append(f"the arm's motor stands at {motor:.0f} degrees instead of {arm[-1]:.0f}")
    if abs(roll - 90 * count) > flat_deg:
        faults.append(f"the cube has rolled by {roll:.0f} degrees instead of {90 * count}")
    elif abs(z) > SEATED_MM or abs(x) > rig.lip_gap + SEATED_MM:
        faults.append(f"the cube is {x:.0f} mm off and {z:.0f} mm high in the table")
    return faults


def _turning_faults(rig: MindCuberRig, states: Angles, table: Angles) -> list[str]:
    """Return what is wrong as the table turns: the cube has to lie, and its corners be free."""
    off = np.abs(table - QUARTER * np.round(table / QUARTER))
    for row in np.flatnonzero(off > TABLE_PLAY_DEG)[::5]:
        x, z, roll, motor = states[row]
        askew = abs(roll - 90 * round(roll / 90))
        if askew > FLAT_DEG or abs(z) > SEATED_MM or abs(x) > rig.lip_gap + SEATED_MM:
            return [f"the table turns while the cube is {askew:.0f} degrees askew, {z:.0f} mm high"]
        yaw = np.radians(off[row] / TABLE_GEAR)
        half = HALF_MM * float(np.cos(yaw) + np.sin(yaw))
        if motor < HOLD - 2 * TABLE_PLAY_DEG and overlap_mm(rig, motor, half) > OVERLAP_MM:
            return [f"the arm at {motor:.0f} degrees meets the corners of the turning cube"]
    return []


def arm_at(rig: MindCuberRig, motor_deg: float) -> tuple[Rod, ...]:
    """Return the arm's rods where its motor stands at an angle. ValueError beyond its linkage."""
    axle, pin = complex(rig.motor_x, rig.motor_z), complex(rig.pin_x, rig.pin_z)
    joint, foot = complex(rig.joint_x, rig.joint_z), complex(rig.rocker_x, rig.rocker_z)
    moved = axle + (pin - axle) * np.exp(1j * rig.way * np.radians(motor_deg - HOLD))
    apart, arm, rocker = abs(foot - moved), abs(joint - pin), abs(joint - foot)
    along = (apart**2 + arm**2 - rocker**2) / (2 * apart)
    if arm**2 <= along**2:
        raise ValueError("the rocker does not reach")
    side = 1 if ((foot - pin).conjugate() * (joint - pin)).imag > 0 else -1
    way = (foot - moved) / apart
    there = way * complex(along, side * float(np.sqrt(arm**2 - along**2)))
    turn = there / (joint - pin)

    def place(x: float, z: float) -> tuple[float, float]:
        at = moved + (complex(x, z) - pin) * turn
        return at.real, at.imag

    return tuple(Rod(*place(rod.x1, rod.z1), *place(rod.x2, rod.z2), rod.radius) for rod in rig.arm)


def overlap_mm(rig: MindCuberRig, motor_deg: float, half_mm: float) -> float:
    """Return how deep the arm stands in a box around the cube; negative is room between."""
    return max(depth_mm(rod, half_mm, 0.0, EDGE_MM) for rod in arm_at(rig, motor_deg))


def replay(rig: MindCuberRig, friction: float, arm: Angles) -> Angles:
    """Return x, z (mm), roll (degrees, towards the motor) and motor of each millisecond.

    `arm` has the motor's degrees back from its stop; it starts at hold.
    """
    model = compile_rig(rig, friction)
    angles = np.radians(arm - HOLD)
    controls = angles + np.gradient(angles, STEP_S) * (DAMPING_NM_S_RAD / STIFFNESS_NM_RAD)
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    states, _ = rollout.rollout(model, mujoco.MjData(model), start, controls[:, None])
    scale = np.array([1000, 1000, degrees(1), rig.way * degrees(1)])
    return np.asarray(states[0][:, 1:5] * scale + np.array([0, 0, 0, HOLD]))


@lru_cache(maxsize=400)
def compile_rig(rig: MindCuberRig, friction: float) -> Any:
    """Return MuJoCo's model of a rig at hold."""
    return mujoco.MjModel.from_xml_string(tilt_xml(rig, friction))


def tilt_xml(rig: MindCuberRig, friction: float) -> str:
    """Return a rig in MuJoCo's format: metres, kilograms, y to the side."""
    lip_x = HALF_MM + rig.lip_gap + LIP_RADIUS_MM
    lips = [
        Rod(
            side * lip_x,
            0,
            side * (lip_x + rig.lip_lean),
            rig.lip_height - LIP_RADIUS_MM,
            LIP_RADIUS_MM,
        )
        for side in (-1, 1)
    ]
    inertia = ARM_MASS_KG * 0.05**2 / 3
    cube_inertia = rig.mass_g / 1000 * (EDGE_MM / 1000) ** 2 / 6
    pin_x, pin_z = rig.pin_x - rig.motor_x, rig.pin_z - rig.motor_z
    bar = f'mass="0.005" diaginertia="{"2e-6 " * 3}"'
    joint_x, joint_z = (rig.joint_x - rig.rocker_x) / 1000, (rig.joint_z - rig.rocker_z) / 1000
    return f"""
<mujoco>
  <option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <default>
    <geom friction="{friction} 0 0" condim="3" solref="0.003 1" contype="0" conaffinity="1"/>
    <joint axis="0 -1 0"/>
    <equality solref="0.003 1" solimp="0.99 0.999 0.001"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    {_capsules(lips)}
    <body name="cube" pos="0 0 {HALF_MM / 1000}">
      <inertial pos="0 0 0" mass="{rig.mass_g / 1000}" diaginertia="{f"{cube_inertia} " * 3}"/>
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <joint type="hinge"/>
      <geom name="cube" type="box" size="{f"{HALF_MM / 1000} " * 3}" contype="1" conaffinity="0"/>
    </body>
    <body name="crank" pos="{rig.motor_x / 1000} 0 {rig.motor_z / 1000}" gravcomp="1">
      <inertial pos="0 0 0" {bar}/>
      <joint name="crank" armature="{MOTOR_INERTIA_KG_M2}"/>
      <body name="arm" pos="{pin_x / 1000} 0 {pin_z / 1000}" gravcomp="1">
        <inertial pos="0 0 0" mass="{ARM_MASS_KG}" diaginertia="{f"{inertia} " * 3}"/>
        <joint name="pin"/>
        {_capsules(rig.arm, rig.pin_x, rig.pin_z)}
      </body>
    </body>
    <body name="rocker" pos="{rig.rocker_x / 1000} 0 {rig.rocker_z / 1000}" gravcomp="1">
      <inertial pos="0 0 0" {bar}/>
      <joint name="rocker"/>
    </body>
  </worldbody>
  <equality>
    <connect body1="rocker" body2="arm" anchor="{joint_x} 0 {joint_z}"/>
  </equality>
  <actuator>
    <general joint="crank" gear="{rig.way}" forcerange="{-MOTOR_TORQUE_NM} {MOTOR_TORQUE_NM}"
      gaintype="fixed" biastype="affine" gainprm="{STIFFNESS_NM_RAD}"
      biasprm="0 {-STIFFNESS_NM_RAD} {-DAMPING_NM_S_RAD}" forcelimited="true"/>
  </actuator>
</mujoco>
"""


def _capsules(rods: Sequence[Rod], x: float = 0.0, z: float = 0.0) -> str:
    return "".join(
        f'<geom type="capsule" size="{rod.radius / 1000}" fromto="'
        f"{(rod.x1 - x) / 1000} 0 {(rod.z1 - z) / 1000} "
        f'{(rod.x2 - x) / 1000} 0 {(rod.z2 - z) / 1000}"/>'
        for rod in rods
    )


def layer_error_deg(rig: MindCuberRig, layers_nm: float, table: Angles, goal_deg: float) -> float:
    """Return how far a layer turned by the table ends from `goal_deg` of the cube.

    Against the upper layers, which the arm holds; the cube lay straight.
    """
    model = compile_table(rig, layers_nm)
    angles = np.radians(np.concatenate([table, np.repeat(table[-1:], CALM_MS)]))
    controls = angles + np.gradient(angles, STEP_S) * (DAMPING_NM_S_RAD / STIFFNESS_NM_RAD)
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    states, _ = rollout.rollout(model, mujoco.MjData(model), start, controls[:, None])
    return degrees(states[0][-1, 4]) - goal_deg


@lru_cache(maxsize=400)
def compile_table(rig: MindCuberRig, layers_nm: float) -> Any:
    """Return MuJoCo's model of a held cube in the table."""
    return mujoco.MjModel.from_xml_string(table_xml(rig, layers_nm))


def table_xml(rig: MindCuberRig, layers_nm: float) -> str:
    """Return the cube from above, in two parts that turn against each other, and what holds them.

    A square with the table's play touches its walls, which stand `reach` from the middle.
    """
    play = np.radians(TABLE_PLAY_DEG / TABLE_GEAR)
    reach = HALF_MM * float(np.cos(play) + np.sin(play)) / 1000
    half, wall, layer = HALF_MM / 1000, 0.002, LAYER_MM / 2000
    walls = "".join(
        f'<geom type="box" pos="{x * (reach + wall)} {y * (reach + wall)} 0" '
        f'size="{wall if x else 0.028} {wall if y else 0.028} 0.005" contype="2"/>'
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    bars = "".join(
        f'<geom type="capsule" size="{rig.radius / 1000}" contype="1" fromto="'
        f'{x / 1000} {-rig.bar_mm / 2000} 0.04 {x / 1000} {rig.bar_mm / 2000} 0.04"/>'
        for x in (HALF_MM + rig.hook_gap + rig.radius, -HALF_MM - rig.pad_gap - rig.radius)
    )
    mass = rig.mass_g / 1000
    inertia = mass / 2 * (EDGE_MM / 1000) ** 2 / 6
    return f"""
<mujoco>
  <option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic" gravity="0 0 0"/>
  <default>
    <geom friction="0.3 0 0" condim="3" solref="0.003 1" contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    {bars}
    <body name="upper" pos="0 0 0.038">
      <inertial pos="0 0 0" mass="{mass * 2 / 3}" diaginertia="{f"{inertia} " * 3}"/>
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 1 0"/>
      <joint type="hinge" axis="0 0 1" damping="2e-5"/>
      <geom type="box" size="{half} {half} {2 * layer}" conaffinity="1"/>
      <body name="layer" pos="0 0 -0.038">
        <inertial pos="0 0 0" mass="{mass / 3}" diaginertia="{f"{inertia} " * 3}"/>
        <joint name="layer" type="hinge" axis="0 0 1" frictionloss="{layers_nm}"
          solreffriction="0.002 1" solimpfriction="0.99 0.999 0.001"/>
        <geom type="box" size="{half} {half} {layer / 2}" conaffinity="2"/>
      </body>
    </body>
    <body name="table">
      <inertial pos="0 0 0" mass="0.1" diaginertia="{f"{TABLE_INERTIA_KG_M2} " * 3}"/>
      <joint name="table" axis="0 0 1" armature="{MOTOR_INERTIA_KG_M2 * TABLE_GEAR**2}"/>
      {walls}
    </body>
  </worldbody>
  <actuator>
    <general joint="table" gear="{TABLE_GEAR}" gaintype="fixed" biastype="affine"
      gainprm="{STIFFNESS_NM_RAD}" biasprm="0 {-STIFFNESS_NM_RAD} {-DAMPING_NM_S_RAD}"
      forcelimited="true" forcerange="{-MOTOR_TORQUE_NM} {MOTOR_TORQUE_NM}"/>
  </actuator>
</mujoco>
"""
