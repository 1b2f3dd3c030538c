"""The cube rig as one object: the compiled mechanics, and the cube that they turn."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.cube_rig.jams import EXPLANATIONS, JamEvent
from hardware_sims.cube_rig.mechanics import off_quarter_deg, total_skew_deg
from hardware_sims.cube_rig.rig_state import (
    ARM_PORT,
    CRADLE_INERTIA_KG_M2,
    CRADLE_PORT,
    EVENT_JAMMED,
    EVENT_QUARTERS,
    EVENT_ROLLED,
    EVENT_SLIPPED,
    GEAR_RATIO,
    PHASE_ROLLED,
    PHASE_SEATED,
    PHASE_TIPPED,
    PUSHER_PORT,
    RIG,
    USUAL_PLAY_DEG,
)
from hardware_sims.cube_rig.ticks import advance_rig
from hardware_sims.nxt_brick.firmware import Firmware
from hardware_sims.nxt_brick.motors.state import TICK_S, MotorArray, new_motors

PHASE_NAMES = {PHASE_SEATED: "seated", PHASE_TIPPED: "tipped", PHASE_ROLLED: "rolled"}


def _plain(compiled: Any) -> Any:
    """Return the Python function behind a compiled one, which takes numpy's records as well."""
    return getattr(compiled, "py_func", compiled)


@dataclass(frozen=True)
class RigPose:
    """What an onlooker sees: true angles in degrees, and the stickers where they lie.

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
    `slips` numbers the tilts, from 1, that shall not happen. `play_deg` is how far motor A turns
    from the middle of the play between cradle and cube to its end.
    """

    def __init__(
        self,
        cube: CradledCube | None = None,
        slips: tuple[int, ...] = (),
        on_cube_change: Callable[["CubeRig"], None] | None = None,
        play_deg: float = USUAL_PLAY_DEG,
    ) -> None:
        self.cube = cube or CradledCube()
        self.jams: list[JamEvent] = []
        self.tilts = 0
        self._slips = sorted(slips)
        self.on_cube_change = on_cube_change
        self._quarters = (0, 0)
        self._mechanics = np.zeros(1, RIG)
        self._mechanics["play_deg"] = play_deg / GEAR_RATIO
        self._motors: MotorArray = new_motors()
        self._arm_slips()

    def attach(self, firmware: Firmware) -> None:
        """Put the mechanisms on the shafts of three motors that stand at zero."""
        self._firmware = firmware
        self._motors = firmware.outputs.motors
        self._motors["inertia_kg_m2"][CRADLE_PORT] = CRADLE_INERTIA_KG_M2

    def advance(self, tick: int, ticks: int, battery_v: float) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did."""
        done = advance_rig(self._mechanics, self._firmware, tick, ticks, battery_v)
        if self._mechanics["event"][0]:
            self._handle_event(int(self._mechanics["event"][0]), (tick + done) * TICK_S)
        return done

    def _handle_event(self, event: int, time_s: float) -> None:
        if event == EVENT_QUARTERS:
            self._follow_quarters()
        elif event == EVENT_ROLLED:
            self.tilts += 1
            self.cube = self.cube.tilted()
        elif event == EVENT_SLIPPED:
            self.tilts += 1
            self._arm_slips()
        elif event == EVENT_JAMMED:
            self.jams.append(self._describe_jam(time_s))
        if self.on_cube_change and event in (EVENT_QUARTERS, EVENT_ROLLED):
            self.on_cube_change(self)

    def _follow_quarters(self) -> None:
        cube_before, layer_before = self._quarters
        cube, layer = (
            int(self._mechanics[name][0]) for name in ("cube_quarters", "layer_quarters")
        )
        self.cube = self.cube.spun(cube_before - cube).bottom_turned(layer - layer_before)
        self._quarters = cube, layer

    def _arm_slips(self) -> None:
        ahead = [number for number in self._slips if number > self.tilts]
        self._mechanics["tilts_until_slip"] = ahead[0] - self.tilts if ahead else 0

    def _describe_jam(self, time_s: float) -> JamEvent:
        kind = int(self._mechanics["jam"][0])
        record = self._mechanics.view(np.recarray)[0]
        cradle_deg = float(self._motors["shaft_deg"][CRADLE_PORT]) / GEAR_RATIO
        sentence = EXPLANATIONS[kind].format(
            arm_deg=self._motors["shaft_deg"][ARM_PORT],
            pusher_deg=self._motors["shaft_deg"][PUSHER_PORT],
            skew_deg=_plain(total_skew_deg)(record),
            cradle_off_deg=_plain(off_quarter_deg)(cradle_deg),
            cube_off_deg=_plain(off_quarter_deg)(record.cube_deg),
        )
        return JamEvent(time_s, kind, sentence)

    @property
    def pose(self) -> RigPose:
        """What an onlooker sees now."""
        cradle_deg, arm_deg, pusher_deg = (
            float(self._motors["shaft_deg"][port]) for port in (CRADLE_PORT, ARM_PORT, PUSHER_PORT)
        )
        cube_quarters, layer_quarters = self._quarters
        return RigPose(
            cradle_deg=cradle_deg / GEAR_RATIO,
            arm_deg=arm_deg,
            pusher_deg=pusher_deg,
            cube_deg=float(self._mechanics["cube_deg"][0]) - 90.0 * cube_quarters,
            layer_deg=float(self._mechanics["layer_deg"][0]) - 90.0 * layer_quarters,
            phase=PHASE_NAMES[int(self._mechanics["phase"][0])],
            stickers=self.cube.stickers,
        )

    @property
    def facelets(self) -> str:
        """The cube as a scan of it, as it lies now, would give it: 54 letters, centres URFDLB."""
        return self.cube.facelets

    @property
    def is_solved(self) -> bool:
        """Whether every face shows one colour, however the cube lies."""
        return self.cube.cube.is_solved
