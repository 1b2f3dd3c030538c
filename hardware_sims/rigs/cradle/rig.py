"""The cradle rig as one object: the compiled mechanics, the cube that they turn, its jams."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hardware_sims.nxt_brick.firmware import Firmware
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.nxt_brick.motors.state import TICK_S, MotorArray, new_motors
from hardware_sims.nxt_brick.sensors.plugged_in import Sensor
from hardware_sims.rigs.cradle import mechanics
from hardware_sims.rigs.cradle.faults import NO_RIG_FAULTS, RigFaults
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.faults import off_quarter_deg, quarters

EXPLANATIONS: Final = {
    mechanics.JAM_ARM_IN_THE_WAY: (
        "The cradle turned while the arm stood at {arm_deg:.0f} degrees, and the arm stopped the "
        "cube's corners; the arm has to be away (-40) to spin the cube."
    ),
    mechanics.JAM_PUSHER_IN_THE_WAY: (
        "The cradle turned while the pusher stood at {pusher_deg:.0f} degrees, and the pusher "
        "stopped the cube's corners; it has to be home (0) to spin the cube."
    ),
    mechanics.JAM_NOT_PRESSED: (
        "The cradle turned while pusher and arm touched the cube without pressing, and dragged the "
        "whole cube against them; the arm motor has to be driven forward to turn a layer."
    ),
    mechanics.JAM_CUBE_NOT_SEATED: (
        "The cradle turned while the cube was not seated in it; after a tilt the pusher has to go "
        "home and the arm back to -30, so that the cube drops."
    ),
    mechanics.JAM_LAYER_ASKEW: (
        "The layers are {skew_deg:.1f} degrees off their quarters in sum, too much for the cube "
        "to tilt or spin; a layer turn needs overshoot (16 degrees of the motor in a usual rig) to "
        "take up the slack."
    ),
    mechanics.JAM_CRADLE_ASKEW: (
        "The cradle stands {cradle_off_deg:.1f} degrees off a quarter turn, so the arm cannot "
        "tilt the cube."
    ),
    mechanics.JAM_ARM_ON_CORNER: (
        "The arm came down on a corner of the cube, which stands {cube_off_deg:.0f} degrees off a "
        "quarter turn."
    ),
    mechanics.JAM_CUBE_UPRIGHT: (
        "The pusher ran into the cube while the arm stood at {arm_deg:.0f} degrees; to tilt it the "
        "arm has to be at 40 first."
    ),
    mechanics.JAM_ARM_STUCK: (
        "The arm could not come away from the cube, which was stuck under it; pressing it forward "
        "once more sets it free."
    ),
}


@dataclass(frozen=True)
class JamEvent:
    """Something ran into something: when (simulated seconds), what kind, and in words."""

    time_s: float
    kind: int
    sentence: str


PHASE_NAMES = {
    mechanics.PHASE_SEATED: "seated",
    mechanics.PHASE_TIPPED: "tipped",
    mechanics.PHASE_ROLLED: "rolled",
}

# What is not 0 where the rig is not as its owner would put it.
CROOKED: Final = (
    "skew_deg",
    "lodged_deg",
    "phase",
    "skipped_deg",
    "slip_left_deg",
    "skip_left_deg",
    "thrown_quarters",
    "thrown_deg",
    "stuck_ticks",
)


def _plain(compiled: Any) -> Any:
    """Return the Python function behind a compiled one, which takes numpy's records as well."""
    return getattr(compiled, "py_func", compiled)


@dataclass(frozen=True)
class RigPose:
    """What an onlooker sees: true angles in degrees, and the stickers by their places.

    The angles of cradle, cube and bottom layer are seen from above, counter-clockwise positive.
    Those of cube and layer are off the quarters that `stickers` shows, between -45 and 45.
    `phase` is "seated", "tipped" (on its edge, held by the arm) or "rolled" (over, not yet down).
    """

    cradle_deg: float
    arm_deg: float
    pusher_deg: float
    cube_deg: float
    layer_deg: float
    phase: str
    stickers: str


class CubeRig:
    """Cradle on motor A, tilt arm on motor B, pusher on motor C.

    `on_cube_change` is called with the rig after each turn, tilt or spin of the cube.
    It stands as it does whatever brick it is attached to: one that is switched on again starts to
    count from zero wherever the rig was left.
    """

    def __init__(
        self,
        cube: CradledCube | None = None,
        faults: RigFaults = NO_RIG_FAULTS,
        on_cube_change: Callable[["CubeRig"], None] | None = None,
    ) -> None:
        self.cube = cube or CradledCube()
        self.jams: list[JamEvent] = []
        self.tilts = 0
        self.sensors: dict[int, Sensor] = {}
        self._faults = faults.table()
        self.on_cube_change = on_cube_change
        self._quarters = (0, 0)
        self._mechanics = np.zeros(1, mechanics.RIG)
        self._mechanics["play_deg"] = faults.rig.play_deg / mechanics.GEAR_RATIO
        self._mechanics["arm_clear_deg"] = mechanics.ARM_CLEAR_DEG
        self._mechanics["stiffness"] = faults.rig.stiffness
        self._mechanics["wear_deg"] = faults.rig.wear_deg / mechanics.GEAR_RATIO
        self._mechanics["random"] = faults.first_random()
        self._motors: MotorArray = new_motors()

    def attach(self, firmware: Firmware) -> None:
        """Put the mechanisms, as they stand, on the shafts of three motors that count from zero."""
        stood_deg = self._motors["shaft_deg"].copy()
        self._firmware = firmware
        self._motors = firmware.outputs.motors
        self._motors["shaft_deg"] = stood_deg
        self._motors["encoder_deg"] = np.round(stood_deg)
        self._motors["inertia_kg_m2"][mechanics.CRADLE_PORT] = mechanics.CRADLE_INERTIA_KG_M2

    def straighten(self) -> None:
        """Do what an owner does by hand: put the cube straight, and bring the rig home.

        A cube that leaned on the arm is laid down the way it was falling, layers and cradle are
        turned to their nearest quarters. The motors turn with it, and their counts.
        """
        record = self._mechanics
        cradle = _plain(quarters)(self.pose.cradle_deg)
        shafts = self._motors["shaft_deg"]
        shafts[mechanics.CRADLE_PORT], shafts[mechanics.ARM_PORT], shafts[mechanics.PUSHER_PORT] = (
            90 * mechanics.GEAR_RATIO * cradle,
            0,
            0,
        )
        self._motors["speed_deg_s"] = 0
        record["cube_deg"] = 90.0 * record["cube_quarters"]
        record["layer_deg"] = 90.0 * record["layer_quarters"]
        for name in CROOKED:
            record[name] = 0

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did."""
        done = self._advance(tick, ticks, battery)
        if self._mechanics["event"][0]:
            self._handle_event(int(self._mechanics["event"][0]), (tick + done) * TICK_S)
        return done

    def _advance(self, tick: int, ticks: int, battery: Battery) -> int:
        return mechanics.advance_rig(
            self._mechanics, self._faults, self._firmware, tick, ticks, battery
        )

    def _handle_event(self, event: int, time_s: float) -> None:
        if event == mechanics.EVENT_QUARTERS:
            self._follow_quarters()
        elif event == mechanics.EVENT_ROLLED:
            self.tilts += 1
            for _ in range(int(self._mechanics["rolls"][0])):
                self.cube = self.cube.tilted()
        elif event == mechanics.EVENT_JAMMED:
            self.jams.append(self._describe_jam(time_s))
        if self.on_cube_change and event in (mechanics.EVENT_QUARTERS, mechanics.EVENT_ROLLED):
            self.on_cube_change(self)

    def _follow_quarters(self) -> None:
        cube_before, layer_before = self._quarters
        cube, layer = (
            int(self._mechanics[name][0]) for name in ("cube_quarters", "layer_quarters")
        )
        self.cube = self.cube.spun(cube_before - cube).bottom_turned(layer - layer_before)
        self._quarters = cube, layer

    def _describe_jam(self, time_s: float) -> JamEvent:
        kind = int(self._mechanics["jam"][0])
        record = self._mechanics.view(np.recarray)[0]
        sentence = EXPLANATIONS[kind].format(
            arm_deg=self._motors["shaft_deg"][mechanics.ARM_PORT],
            pusher_deg=self._motors["shaft_deg"][mechanics.PUSHER_PORT],
            skew_deg=_plain(mechanics.total_skew_deg)(record),
            cradle_off_deg=_plain(off_quarter_deg)(self.pose.cradle_deg),
            cube_off_deg=_plain(off_quarter_deg)(record.cube_deg),
        )
        return JamEvent(time_s, kind, sentence)

    @property
    def pose(self) -> RigPose:
        """What an onlooker sees now."""
        shafts = self._motors["shaft_deg"]
        cradle_shaft_deg = float(shafts[mechanics.CRADLE_PORT] - self._mechanics["skipped_deg"][0])
        cube_quarters, layer_quarters = self._quarters
        return RigPose(
            cradle_deg=cradle_shaft_deg / mechanics.GEAR_RATIO,
            arm_deg=float(shafts[mechanics.ARM_PORT]),
            pusher_deg=float(shafts[mechanics.PUSHER_PORT]),
            cube_deg=float(self._mechanics["cube_deg"][0]) - 90.0 * cube_quarters,
            layer_deg=float(self._mechanics["layer_deg"][0]) - 90.0 * layer_quarters,
            phase=PHASE_NAMES[int(self._mechanics["phase"][0])],
            stickers=self.cube.stickers,
        )

    def result(self) -> dict[str, Any]:
        """Return the cube and what went wrong, as JSON values."""
        return {
            "facelets": self.facelets,
            "solved": self.is_solved,
            "jams": [jam.sentence for jam in self.jams],
            "tilts": self.tilts,
        }

    @property
    def facelets(self) -> str:
        """The cube as a scan of it would give it now: 54 letters, centres URFDLB."""
        return self.cube.facelets

    @property
    def is_solved(self) -> bool:
        """Whether every face shows one colour, however the cube is turned."""
        return self.cube.cube.is_solved
