"""Spins and held layer turns in three dimensions: a cube of two bodies in the turning cradle.

The bottom layer turns against the upper two with the layers' friction. A pad presses them against
the pusher, with a force that the arm's torque and lever make; nothing else holds them. The cradle's
walls stand around the bottom layer with play.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import Any, Final

import mujoco
import numpy as np
from mujoco import rollout

from tests.physics.oracle import (
    CRADLE_QUARTER_DEG,
    DAMPING_NM_S_RAD,
    HALF_MM,
    LAYER_MM,
    MOTOR_INERTIA_KG_M2,
    MOTOR_TORQUE_NM,
    STEP_S,
    STIFFNESS_NM_RAD,
    Angles,
)
from tests.physics.rigs import EDGE_MM
from tests.physics.trajectories import FULL, Pace, move

GEAR: Final = CRADLE_QUARTER_DEG / 90
MASS_KG: Final = 0.09
CRADLE_INERTIA_KG_M2: Final = 2e-4
"""A plate of LEGO with walls (assumed)."""
PUSHER_N: Final = 19.0
"""A motor's torque on a rack of 0.35 mm a degree."""
PAD_KG: Final = 0.05
"""Of a pad with what moves it; it moves by a millimetre at most."""
PRESSED_MS: Final = 200
OVERSHOOT_DEG: Final = 16.0
HELD_WITHIN_DEG: Final = 2.0
STUCK_DEG: Final = 10.0
"""So far behind its trajectory a motor gives all that it can and does not get on."""


@dataclass(frozen=True, slots=True)
class Clamp:
    """What holds the upper layers; without force nothing does, and the whole cube turns."""

    force_n: float
    width_mm: float = 40.0
    bottom_mm: float = 24.0
    top_mm: float = 40.0
    friction: float = 0.3
    layers_nm: float = 0.1
    play_deg: float = 16.0
    """Half of the play between cradle and cube, in degrees of the cradle's motor."""
    toe_n: float = 0.0
    """With which a toe of the arm pushes the bottom layer up,"""
    toe_rises_mm: float = 1.5
    """as far as this."""


@dataclass(frozen=True, slots=True)
class Turned:
    """What a turn of the cradle did, in degrees of the cube."""

    upper_most: float
    """How far the upper layers were off their place at most."""
    upper_end: float
    layer_end: float
    """By how much the bottom layer ends off its goal against the upper ones."""
    cradle_lag: float
    """How far the cradle's motor was behind at most, in its own degrees."""
    lifted_mm: float

    @property
    def works(self) -> bool:
        """Whether the bottom layer alone was turned, to its quarter."""
        held = max(abs(self.upper_most), abs(self.layer_end)) <= HELD_WITHIN_DEG
        return held and self.cradle_lag < STUCK_DEG


def turns(quarters: Sequence[int], pace: Pace = FULL) -> tuple[Angles, float]:
    """Return the cradle's motor for layer turns in a row, and where the layer should end.

    Each goes beyond its goal by the play and back, as the thesis has it (331, -16).
    """
    rows = [0.0]
    goal = 0.0
    for each in quarters:
        goal += CRADLE_QUARTER_DEG * each
        beyond = goal + (OVERSHOOT_DEG if each > 0 else -OVERSHOOT_DEG)
        rows += move(rows[-1], beyond, pace) + move(beyond, goal, pace)
    return np.asarray(rows), goal / GEAR


def turn(clamp: Clamp, cradle_deg: Angles, goal_deg: float) -> Turned:
    """Replay degrees of the cradle's motor, one a millisecond, from where the cube stands straight.

    The bottom layer should end `goal_deg` of the cube from where it was.
    """
    model = compile_clamp(clamp)
    calm = np.full(PRESSED_MS, cradle_deg[0])
    angles = np.radians(np.concatenate([calm, cradle_deg, np.full(PRESSED_MS, cradle_deg[-1])]))
    lead = np.gradient(angles, STEP_S) * (DAMPING_NM_S_RAD / STIFFNESS_NM_RAD)
    pushed = PUSHER_N if clamp.force_n else 0.0
    controls = np.column_stack(
        [
            angles + lead,
            *(np.full(len(angles), newton) for newton in (clamp.force_n, pushed, clamp.toe_n)),
        ]
    )
    data = mujoco.MjData(model)
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    start[1 : 1 + model.nq] = data.qpos
    states, _ = rollout.rollout(model, data, start, controls)
    rows = states[0][:, 1 : 1 + model.nq]
    upper = np.degrees(np.unwrap(2 * np.arctan2(rows[:, 6], rows[:, 3])))
    layer = np.degrees(rows[:, 7])
    lag = np.degrees(np.abs(angles - rows[:, 8] * GEAR))
    return Turned(
        upper_most=float(np.abs(upper).max()),
        upper_end=float(upper[-1]),
        layer_end=float(layer[-1] - goal_deg),
        cradle_lag=float(lag[PRESSED_MS:].max()),
        lifted_mm=float(1000 * np.abs(rows[:, 2] - rows[0, 2]).max()),
    )


@lru_cache(maxsize=100)
def compile_clamp(clamp: Clamp) -> Any:
    """Return MuJoCo's model of a cube in the cradle between pad and pusher."""
    return mujoco.MjModel.from_xml_string(model_xml(clamp))


def model_xml(clamp: Clamp) -> str:
    """Return the model; metres, kilograms, z up, x from the arm to the pusher.

    A square with this much play touches its walls, which stand `reach` from the middle.
    """
    play = radians(clamp.play_deg / GEAR)
    reach = HALF_MM * (cos(play) + sin(play))
    half, wall = HALF_MM / 1000, 0.002
    walls = "".join(
        f'<geom type="box" pos="{x * (reach / 1000 + wall)} {y * (reach / 1000 + wall)} 0.005" '
        f'size="{wall if x else 0.025} {wall if y else 0.025} 0.005"/>'
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )
    layer = LAYER_MM / 2000
    upper = (EDGE_MM - LAYER_MM) / 2000
    middle_z, pad_z = (
        (clamp.bottom_mm + clamp.top_mm) / 2000,
        (clamp.top_mm - clamp.bottom_mm) / 2000,
    )
    pad = f'<geom type="box" size="0.004 {clamp.width_mm / 2000} {pad_z}"/>'
    away = half + 0.004 + 0.0005
    return f"""
<mujoco>
  <option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <default>
    <geom friction="{clamp.friction} 0.001 0" condim="4" solref="0.003 1" contype="1"
      conaffinity="2"/>
  </default>
  <worldbody>
    <body name="upper" pos="0 0 {2 * layer + upper}">
      <freejoint/>
      <geom type="box" size="{half} {half} {upper}" mass="{MASS_KG * 2 / 3}" contype="2"
        conaffinity="0"/>
      <body name="layer" pos="0 0 {-upper - layer}">
        <joint name="layer" type="hinge" axis="0 0 1" frictionloss="{clamp.layers_nm}"
          armature="1e-5"
          solreffriction="0.002 1" solimpfriction="0.99 0.999 0.001"/>
        <geom type="box" size="{half} {half} {layer}" mass="{MASS_KG / 3}" contype="2"
          conaffinity="0"/>
      </body>
    </body>
    <body name="cradle">
      <joint name="cradle" type="hinge" axis="0 0 1" armature="{MOTOR_INERTIA_KG_M2 * GEAR**2}"/>
      <inertial pos="0 0 0" mass="0.1" diaginertia="{f"{CRADLE_INERTIA_KG_M2} " * 3}"/>
      <geom type="cylinder" size="0.045 0.002" pos="0 0 -0.002"/>
      {walls}
    </body>
    <body name="arm" pos="{-away} 0 {middle_z}" gravcomp="1">
      <joint name="arm" type="slide" axis="1 0 0" damping="1"/>
      <inertial pos="0 0 0" mass="{PAD_KG}" diaginertia="1e-5 1e-5 1e-5"/>
      {pad}
    </body>
    <body name="pusher" pos="{away} 0 {middle_z}" gravcomp="1">
      <joint name="pusher" type="slide" axis="-1 0 0" range="-0.02 0.0005" limited="true"
        solreflimit="0.003 1" damping="1"/>
      <inertial pos="0 0 0" mass="{PAD_KG}" diaginertia="1e-5 1e-5 1e-5"/>
      {pad}
    </body>
    <body name="toe" pos="-0.014 0 -0.0026" gravcomp="1">
      <joint name="toe" type="slide" axis="0 0 1" limited="true" solreflimit="0.003 1" damping="1"
        range="-0.01 {0.0006 + clamp.toe_rises_mm / 1000}"/>
      <inertial pos="0 0 0" mass="{PAD_KG}" diaginertia="1e-5 1e-5 1e-5"/>
      <geom type="box" size="0.006 0.01 0.002"/>
    </body>
  </worldbody>
  <actuator>
    <general joint="cradle" gear="{GEAR}" gaintype="fixed" biastype="affine"
      gainprm="{STIFFNESS_NM_RAD}" biasprm="0 {-STIFFNESS_NM_RAD} {-DAMPING_NM_S_RAD}"
      forcelimited="true" forcerange="{-MOTOR_TORQUE_NM} {MOTOR_TORQUE_NM}"/>
    <motor joint="arm"/>
    <motor joint="pusher"/>
    <motor joint="toe"/>
  </actuator>
</mujoco>
"""
