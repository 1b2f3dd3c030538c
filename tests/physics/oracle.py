"""The judge: a rig in MuJoCo that follows a trajectory of its motors, and what became of the cube.

The model lies in the plane of a tilt: the cube slides and turns in it, the arm turns on a hinge,
the pusher runs on its rack. Both follow their trajectory with the motor's torque at most. Spins and
layer turns are judged by the room that the turning corners need.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, degrees, hypot, radians, sin
from typing import Any, Final, TypeAlias

import mujoco
import numpy as np
import numpy.typing as npt
from mujoco import rollout

from tests.physics.rigs import EDGE_MM, Rig, Rod
from tests.physics.trajectories import Trajectory

FRICTIONS: Final = (0.2, 0.3, 0.45)
"""Plastic on plastic: sliding friction of cube, lips, arm and pusher."""

MOTOR_TORQUE_NM: Final = 0.38
"""What a motor gives at most: 0.43 Nm at a stall, without its own friction and the gears'."""
MOTOR_INERTIA_KG_M2: Final = 1.0e-3
"""Of a motor at its output (assumed; Watanabe's constants for the NXT give about as much)."""
DRY_FRICTION_NM: Final = 0.04
"""Of a motor and its mechanism, at the motor's output (assumed), where it is not in its torque."""
VISCOUS_NM_S: Final = 0.0022
"""Watanabe's constant."""
ARM_STOPS_DEG: Final = (-50.0, 60.0)
PUSHER_STOPS_DEG: Final = (-8.0, 230.0)
STIFFNESS_NM_RAD: Final = 12.0
"""Full torque at 1.8 degrees off the trajectory, as a regulated motor."""
DAMPING_NM_S_RAD: Final = 0.2
ARM_MASS_KG: Final = 0.04
PUSHER_MASS_KG: Final = 0.04

STEP_S: Final = 0.001
SETTLE_MS: Final = 400
HALF_MM: Final = EDGE_MM / 2
LIP_RADIUS_MM: Final = 2.0
CRADLE_QUARTER_DEG: Final = 315.0
CRADLE_PLAY_DEG: Final = 20.0
"""So far off its quarter, in degrees of its motor, the cradle does not move the cube yet."""
LAYER_MM: Final = EDGE_MM / 3

FLAT_DEG: Final = 2.0
SEATED_MM: Final = 1.0
HOME_WITHIN_DEG: Final = 5.0
OVERLAP_MM: Final = 0.3

PRESS_NM: Final = 0.11
"""Press power of 40 % at 8 V."""
PRESSING_DEG: Final = 10.0
HELD_PUSHER_DEG: Final = 5.0
HELD_LEANS_DEG: Final = 1.5
HELD_LIFTED_MM: Final = 0.6
LEAST_HOLD_N: Final = 1.0

Angles: TypeAlias = npt.NDArray[np.float64]
States: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the cube. `faults` has what went wrong, first things first."""

    faults: tuple[str, ...]
    rolled: float
    """Quarters by which the cube rolled towards the pusher."""

    @property
    def works(self) -> bool:
        """Whether all went as it should."""
        return not self.faults

    def __str__(self) -> str:
        return "; ".join(self.faults) or "works"


def judge(
    rig: Rig, friction: float, trajectory: Trajectory, repeats: int = 3, rolls: int = 1
) -> Outcome:
    """Replay a trajectory `repeats` times in a row; each time the cube has to roll `rolls` times.

    A trajectory starts and ends with arm and pusher at home, or wherever it leaves them.
    """
    return judge_all([(rig, friction)], trajectory, repeats, rolls)[0]


def judge_all(
    cases: Sequence[tuple[Rig, float]], trajectory: Trajectory, repeats: int = 3, rolls: int = 1
) -> list[Outcome]:
    """Return the outcome of the same trajectory for each rig and friction."""
    targets = targets_of(trajectory, repeats)
    return [
        outcome_of(
            rig, replay(rig, friction, targets[:, :2]), targets, len(trajectory), repeats, rolls
        )
        for rig, friction in cases
    ]


def outcome_of(
    rig: Rig, states: States, targets: Angles, period: int, repeats: int, rolls: int = 1
) -> Outcome:
    """Return the outcome of what a replay of `targets` gave, one repeat every `period` rows."""
    ends = [period * number for number in range(1, repeats + 1)]
    return outcome_at(rig, states, targets, ends, rolls)


def outcome_at(
    rig: Rig, states: States, targets: Angles, ends: Sequence[int], rolls: int = 1
) -> Outcome:
    """Return the outcome; `ends` counts the rows up to the end of each repeat."""
    faults = tuple(_faults(rig, states, targets, ends, rolls))
    return Outcome(faults, float(states[-1, 2] / (np.pi / 2)))


def replay(rig: Rig, friction: float, targets: Angles, arm_nm: float = MOTOR_TORQUE_NM) -> States:
    """Return x, z (mm), angle (rad), arm and pusher (degrees of the motors) of each millisecond.

    `targets` has degrees of arm and pusher for each millisecond. The rig is put as the first row
    has it, the cube stands in the cradle. The arm's motor gives `arm_nm` at most.
    """
    model = compile_rig(rig, friction, arm_nm)
    lead = np.gradient(np.radians(targets), STEP_S, axis=0) if len(targets) > 1 else 0.0
    controls = np.radians(targets) + lead * (DAMPING_NM_S_RAD / STIFFNESS_NM_RAD)
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    start[4] = np.radians(targets[0, 0]) * rig.arm_ratio
    start[5] = targets[0, 1] * rig.pusher_mm_per_deg / 1000
    states, _ = rollout.rollout(model, mujoco.MjData(model), start, controls)
    qpos = states[0][:, 1:6]
    scale = [1000, 1000, 1, degrees(1) / rig.arm_ratio, 1000 / rig.pusher_mm_per_deg]
    return np.asarray(qpos * scale)


@dataclass(frozen=True, slots=True)
class Hold:
    """How arm and pusher hold an upright cube between them for a layer turn."""

    force_n: float
    """With which the arm presses to the pusher."""
    lowest_mm: float
    """Where the arm's lowest contact is; the bottom layer turns below 19 mm."""
    leans_deg: float
    lifted_mm: float

    @property
    def is_sound(self) -> bool:
        """Whether the cube stands, held above its bottom layer."""
        stands = abs(self.leans_deg) < HELD_LEANS_DEG and abs(self.lifted_mm) < HELD_LIFTED_MM
        return stands and self.force_n > LEAST_HOLD_N and self.lowest_mm > LAYER_MM


def hold(rig: Rig, friction: float, arm_nm: float = PRESS_NM) -> Hold:
    """Return how the cube is held with the pusher up to it and the arm's motor pressing."""
    ways = np.linspace(0, 1, 400)[:, np.newaxis]
    goal = np.array([PRESSING_DEG, rig.pusher_touches_deg + HELD_PUSHER_DEG])
    first = ways * goal * [0, 1]
    targets = np.concatenate([first, first[-1] + ways * goal * [1, 0]])
    targets = np.concatenate([targets, np.repeat(targets[-1:], SETTLE_MS, axis=0)])
    model = compile_rig(rig, friction, arm_nm)
    data = mujoco.MjData(model)
    states = replay(rig, friction, targets, arm_nm)
    scale = [1000, 1000, 1, degrees(1) / rig.arm_ratio, 1000 / rig.pusher_mm_per_deg]
    data.qpos[:] = states[-1] / scale
    data.ctrl[:] = np.radians(targets[-1])
    mujoco.mj_forward(model, data)
    arm = model.body("arm").id
    force_n, lowest_mm = 0.0, EDGE_MM
    wrench = np.zeros(6)
    for index in range(data.ncon):
        contact = data.contact[index]
        if arm not in model.geom_bodyid[contact.geom]:
            continue
        mujoco.mj_contactForce(model, data, index, wrench)
        if wrench[0] > 0.05:
            force_n += abs(wrench[0] * contact.frame[0])
            lowest_mm = min(lowest_mm, 1000 * contact.pos[2])
    return Hold(force_n, lowest_mm, degrees(states[-1, 2]), states[-1, 1])


def targets_of(trajectory: Trajectory, repeats: int) -> Angles:
    """Return arm, pusher and cradle of each millisecond, over all repeats and until all is calm."""
    angles = trajectory[:, 1:]
    if angles.shape[1] == 2:
        angles = np.column_stack([angles, np.zeros(len(angles))])
    turned = angles[-1, 2] - angles[0, 2]
    rows = [angles + np.array([0, 0, number * turned]) for number in range(repeats)]
    rows.append(np.repeat(rows[-1][-1:], SETTLE_MS, axis=0))
    return np.concatenate(rows)


def _faults(
    rig: Rig,
    states: States,
    targets: Angles,
    ends: Sequence[int],
    rolls: int,
) -> Iterator[str]:
    rig_overlap = overlap_mm(rig, targets[0, 0], targets[0, 1], HALF_MM)
    if rig_overlap > OVERLAP_MM:
        yield f"arm or pusher overlap the cube by {rig_overlap:.1f} mm at the start"
    yield from spin_faults(rig, states, targets)
    for number, end in enumerate(ends, 1):
        row = end - 1
        name = f"repeat {number}: " if len(ends) > 1 else ""
        quarters = states[row, 2] / (np.pi / 2)
        if abs(quarters - number * rolls) > 0.25:
            yield f"{name}the cube has rolled {quarters:.1f} times instead of {number * rolls}"
            return
        yield from _off_target(name, states[row, 3:5], targets[row])
    x, z, angle = states[-1, :3]
    askew = degrees(angle) - 90 * len(ends) * rolls
    if abs(askew) > FLAT_DEG or abs(z) > SEATED_MM:
        yield f"the cube is not flat in the cradle: {askew:.0f} degrees askew, {z:.1f} mm high"
    elif abs(x) > rig.lip_gap + SEATED_MM:
        yield f"the cube stands {x:.0f} mm off the cradle"
    else:
        yield from _off_target("", states[-1, 3:5], targets[-1])


def _off_target(name: str, stands: Angles, asked: Sequence[float]) -> Iterator[str]:
    for part, at, goal in zip(("arm", "pusher"), stands, asked, strict=False):
        if abs(at - goal) > HOME_WITHIN_DEG:
            yield f"{name}the {part} stands at {at:.0f} degrees instead of {goal:.0f}"


def spin_faults(rig: Rig, states: States, targets: Angles) -> Iterator[str]:
    """Judge the millisecond of each spin or layer turn in which the corners need most room."""
    off = targets[:, 2] - CRADLE_QUARTER_DEG * np.round(targets[:, 2] / CRADLE_QUARTER_DEG)
    turning = np.flatnonzero(np.abs(off) > CRADLE_PLAY_DEG)
    # Enough to look at a few milliseconds of each motion: parts move some degrees in five.
    for row in turning[::5]:
        _, z, angle, arm, pusher = states[row]
        yaw = abs(radians(off[row] * 90 / CRADLE_QUARTER_DEG))
        half = HALF_MM * (cos(yaw) + sin(yaw))
        askew = degrees(angle) - 90 * round(degrees(angle) / 90)
        if abs(askew) > FLAT_DEG or abs(z) > SEATED_MM:
            yield f"the cradle turns while the cube is {askew:.0f} degrees askew, {z:.1f} mm high"
            return
        held = arm > -10 and pusher > rig.pusher_touches_deg - 10
        if held and not rig.clamps:
            continue
        top = LAYER_MM if held else EDGE_MM
        deep = overlap_mm(rig, arm, pusher, half, 0.0, top)
        if deep > OVERLAP_MM:
            turning_part = "bottom layer" if held else "cube"
            yield (
                f"the turning {turning_part} meets arm ({arm:.0f}) or pusher ({pusher:.0f}): "
                f"{deep:.1f} mm"
            )
            return


def overlap_mm(
    rig: Rig,
    arm_deg: float,
    pusher_deg: float,
    half_mm: float,
    bottom_mm: float = 0.0,
    top_mm: float = EDGE_MM,
) -> float:
    """Return how deep arm or pusher stand in a box around the cube; negative is room between."""
    rods = [*rods_at(rig, arm_deg), pusher_at(rig, pusher_deg)]
    return max(depth_mm(rod, half_mm, bottom_mm, top_mm) for rod in rods)


def rods_at(rig: Rig, arm_deg: float) -> list[Rod]:
    """Return the arm's rods where its motor stands at an angle."""
    turn = radians(arm_deg * rig.arm_ratio)

    def turned(x: float, z: float) -> tuple[float, float]:
        dx, dz = x - rig.hinge_x, z - rig.hinge_z
        return (
            rig.hinge_x + dx * cos(turn) + dz * sin(turn),
            rig.hinge_z - dx * sin(turn) + dz * cos(turn),
        )

    return [Rod(*turned(rod.x1, rod.z1), *turned(rod.x2, rod.z2), rod.radius) for rod in rig.arm]


def pusher_at(rig: Rig, pusher_deg: float) -> Rod:
    """Return the pusher's beam where its motor stands at an angle."""
    r = rig.pusher_radius
    x = HALF_MM + r + (rig.pusher_touches_deg - pusher_deg) * rig.pusher_mm_per_deg
    return Rod(x, rig.pusher_z[0] + r, x, rig.pusher_z[1] - r, r)


def depth_mm(rod: Rod, half_mm: float, bottom_mm: float, top_mm: float) -> float:
    """Return how deep a rod stands in a box of that half width; negative is room between."""
    shares = np.linspace(0, 1, 13)
    xs = np.abs(rod.x1 + (rod.x2 - rod.x1) * shares) - half_mm
    zs = rod.z1 + (rod.z2 - rod.z1) * shares
    zs = np.maximum(bottom_mm - zs, zs - top_mm)
    outside = np.hypot(np.maximum(xs, 0), np.maximum(zs, 0))
    inside = np.minimum(np.maximum(xs, zs), 0)
    return float(rod.radius - np.min(outside + inside))


@lru_cache(maxsize=400)
def compile_rig(
    rig: Rig, friction: float, arm_nm: float = MOTOR_TORQUE_NM, *, by_torque: bool = False
) -> Any:
    """Return MuJoCo's model of a rig with all parts at home."""
    return mujoco.MjModel.from_xml_string(model_xml(rig, friction, arm_nm, by_torque=by_torque))


def model_xml(
    rig: Rig, friction: float, arm_nm: float = MOTOR_TORQUE_NM, *, by_torque: bool = False
) -> str:
    """Return a rig in MuJoCo's format: metres, kilograms, y to the side.

    Its motors follow angles, or `by_torque` give a torque, against the motor's friction.
    """
    beam = pusher_at(rig, 0)
    lip_x = HALF_MM + rig.lip_gap + LIP_RADIUS_MM
    lips = [
        Rod(side * lip_x, 0, side * (lip_x + rig.lip_lean), rig.lip_height - LIP_RADIUS_MM)
        for side in (-1, 1)
    ]
    reach = max(hypot(rod.x2 - rig.hinge_x, rod.z2 - rig.hinge_z) for rod in rig.arm) / 1000
    inertia = ARM_MASS_KG * reach**2 / 3
    cube_inertia = rig.mass_g / 1000 * (EDGE_MM / 1000) ** 2 / 6
    gains = (
        f'gaintype="fixed" biastype="affine" gainprm="{STIFFNESS_NM_RAD}" '
        f'biasprm="0 {-STIFFNESS_NM_RAD} {-DAMPING_NM_S_RAD}" forcelimited="true"'
    )
    arm_gear = 1 / rig.arm_ratio
    rack_gear = radians(1) * 1000 / rig.pusher_mm_per_deg
    arm_range = sorted(radians(each) / arm_gear for each in ARM_STOPS_DEG)
    pusher_range = [radians(each) / rack_gear for each in PUSHER_STOPS_DEG]
    if by_torque:
        actuators = f"""
    <motor joint="arm" gear="{arm_gear}"/>
    <motor joint="pusher" gear="{rack_gear}"/>"""
        arm_joint, pusher_joint = (
            f'frictionloss="{DRY_FRICTION_NM * abs(gear)}" damping="{VISCOUS_NM_S * gear**2}" '
            f'limited="true" range="{least} {most}" solreflimit="0.003 1" '
            'solreffriction="0.003 1" solimpfriction="0.99 0.999 0.001"'
            for gear, (least, most) in ((arm_gear, arm_range), (rack_gear, pusher_range))
        )
    else:
        arm_joint = pusher_joint = ""
        actuators = f"""
    <general joint="arm" gear="{arm_gear}" forcerange="{-arm_nm} {arm_nm}" {gains}/>
    <general joint="pusher" gear="{rack_gear}"
      forcerange="{-MOTOR_TORQUE_NM} {MOTOR_TORQUE_NM}" {gains}/>"""
    return f"""
<mujoco>
  <compiler angle="radian"/>
  <option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <default>
    <geom friction="{friction} 0 0" condim="3" solref="0.003 1" contype="0" conaffinity="1"/>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    {_capsules(lips)}
    <body name="cube" pos="0 0 {HALF_MM / 1000}">
      <inertial pos="0 0 0" mass="{rig.mass_g / 1000}" diaginertia="{f"{cube_inertia} " * 3}"/>
      <joint type="slide" axis="1 0 0"/>
      <joint type="slide" axis="0 0 1"/>
      <joint type="hinge" axis="0 1 0"/>
      <geom name="cube" type="box" size="{f"{HALF_MM / 1000} " * 3}" contype="1" conaffinity="0"/>
    </body>
    <body name="arm" pos="{rig.hinge_x / 1000} 0 {rig.hinge_z / 1000}" gravcomp="1">
      <inertial pos="0 0 0" mass="{ARM_MASS_KG}" diaginertia="{f"{inertia} " * 3}"/>
      <joint name="arm" type="hinge" axis="0 1 0" {arm_joint}
        armature="{MOTOR_INERTIA_KG_M2 * arm_gear**2}"/>
      {_capsules(rig.arm, rig.hinge_x, rig.hinge_z, 'conaffinity="3"')}
    </body>
    <body name="pusher">
      <inertial pos="0 0 0" mass="{PUSHER_MASS_KG}" diaginertia="1e-5 1e-5 1e-5"/>
      <joint name="pusher" type="slide" axis="-1 0 0" {pusher_joint}
        armature="{MOTOR_INERTIA_KG_M2 * rack_gear**2}"/>
      {_capsules([beam], more='contype="2"')}
    </body>
  </worldbody>
  <actuator>{actuators}
  </actuator>
</mujoco>
"""


def _capsules(rods: Iterable[Rod], x: float = 0.0, z: float = 0.0, more: str = "") -> str:
    return "".join(
        f'<geom type="capsule" {more} size="{rod.radius / 1000}" fromto="'
        f"{(rod.x1 - x) / 1000} 0 {(rod.z1 - z) / 1000} "
        f'{(rod.x2 - x) / 1000} 0 {(rod.z2 - z) / 1000}"/>'
        for rod in rods
    )
