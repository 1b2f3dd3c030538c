"""MindCuber as one object: the compiled mechanics, its sensors, the cube, the hands that put it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hardware_sims.errors import InvalidScenarioError
from hardware_sims.nxt_brick.firmware import Firmware
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.nxt_brick.motors.state import TICK_S, MotorArray, new_motors
from hardware_sims.nxt_brick.sensors.conversion import FULL_SCALE
from hardware_sims.nxt_brick.sensors.plugged_in import (
    Color,
    Sensor,
    Ultrasonic,
    UltrasonicRegisters,
)
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber import mechanics
from hardware_sims.rigs.mindcuber.faults import NO_MINDCUBER_FAULTS, Build, MindCuberFaults
from hardware_sims.rigs.mindcuber.sight import (
    BLACK_PLASTIC,
    COLOR_PORT,
    LAMPS,
    WHITE_PLASTIC,
    new_palette,
)
from solvers.rubik.scramble import random_state

ULTRASONIC_PORT: Final = 1
CUBE_CM: Final = 12  # a program for this machine takes less than 18 for a cube
HAND_CM: Final = 6
NOTHING_CM: Final = 255
NOT_TO_BE_SET: Final = "What this sensor sees is up to the rig; type cube in or cube out."

EXPLANATIONS: Final = {
    mechanics.JAM_ARM_IN_THE_WAY: (
        "The table turned while the tilt arm stood {tilt_deg:.0f} degrees back from its stop, and "
        "the arm stopped the cube's corners; it has to be at 62 or less to spin the cube."
    ),
    mechanics.JAM_CUBE_NOT_SEATED: (
        "The table turned while the cube was not seated in it; after a tilt the arm has to go "
        "forward to 135, so that the cube drops."
    ),
    mechanics.JAM_LAYER_ASKEW: (
        "The layers are {skew_deg:.1f} degrees off their quarters in sum, too much for the cube "
        "to tilt; a layer turn has to overshoot by 57 degrees of the motor to take up the play."
    ),
    mechanics.JAM_TABLE_ASKEW: (
        "The table stands {table_off_deg:.1f} degrees off a quarter turn, so the cube cannot "
        "come out of it."
    ),
    mechanics.JAM_ARM_ON_CORNER: (
        "The tilt arm came down on a corner of the cube, which stands {cube_off_deg:.0f} degrees "
        "off a quarter turn."
    ),
    mechanics.JAM_SENSOR_IN_THE_WAY: (
        "The cube ran into the colour sensor's arm, which stood {sensor_deg:.0f} degrees back from "
        "its stop; it has to be at 200 before the cube is tilted."
    ),
}
PHASE_NAMES: Final = {
    mechanics.PHASE_SEATED: "seated",
    mechanics.PHASE_FALLING: "falling",
    mechanics.PHASE_ROLLED: "rolled",
}
LETTERS: Final = "URFDLB"
# What the room's light reads, how noisy a reading is, how different stickers of one colour look,
# and how much stronger one lamp may be than another, by the level of the light (assumed).
LIGHTS: Final = {
    1: (20.0, 2.0, 0.02, 0.02),
    2: (80.0, 5.0, 0.06, 0.08),
    3: (200.0, 9.0, 0.12, 0.15),
}
HALVING_MM: Final = 8.0  # a sensor that is higher by this gets half of its light back (assumed)
HAND_COMES_MS: Final = 500  # from the hand's coming to the cube's being in or out (assumed)
HAND_GOES_MS: Final = 1000


class ColorOnArm(Color):
    """The colour sensor, which sees what the rig's arm has it above."""

    follows_rig = True

    def type_in(self, text: str) -> None:  # noqa: ARG002
        """Refuse a value. Raises InvalidScenarioError."""
        raise InvalidScenarioError(NOT_TO_BE_SET)

    def come_off(self) -> None:
        """Be no longer there, as far as the brick can tell."""
        self.raw = FULL_SCALE
        self.follows_rig = False


class _Registers(UltrasonicRegisters):
    is_off = False

    def transfer(self, sent: bytes, wanted: int) -> bytes | None:
        """Return the bytes read after `sent` was written; None from a sensor that came off."""
        return None if self.is_off else super().transfer(sent, wanted)


class UltrasonicAbove(Ultrasonic):
    """The ultrasonic sensor, which sees the cube and hands."""

    def __init__(self) -> None:
        super().__init__(NOTHING_CM)
        self.registers: _Registers = _Registers()

    def type_in(self, text: str) -> None:  # noqa: ARG002
        """Refuse a value. Raises InvalidScenarioError."""
        raise InvalidScenarioError(NOT_TO_BE_SET)

    def come_off(self) -> None:
        """Answer nothing any more."""
        self.registers.is_off = True


@dataclass(frozen=True)
class JamEvent:
    """Something ran into something: when (simulated seconds), what kind, and in words."""

    time_s: float
    kind: int
    sentence: str


@dataclass(frozen=True)
class MindCuberPose:
    """What an onlooker sees: true angles in degrees, and the stickers by their places.

    Table, cube and bottom layer are seen from above, counter-clockwise positive; cube and layer are
    off the quarters that `stickers` shows. The arms' angles are back from their stops. `phase` is
    "seated", "falling" (over its edge), "rolled" (over, not yet down) or "away".
    """

    table_deg: float
    sensor_deg: float
    tilt_deg: float
    cube_deg: float
    layer_deg: float
    phase: str
    stickers: str


def _off_quarter_deg(angle_deg: float) -> float:
    return (angle_deg + 45.0) % 90.0 - 45.0


class MindCuberRig:
    """Turntable on motor A, the sensor's arm on B, the tilt arm on C; sensors on ports 2 and 3.

    `on_cube_change` is called with the rig after each turn, tilt or spin of the cube.
    """

    def __init__(
        self,
        cube: CradledCube | None = None,
        faults: MindCuberFaults = NO_MINDCUBER_FAULTS,
        on_cube_change: Callable[["MindCuberRig"], None] | None = None,
    ) -> None:
        self.cube = cube or CradledCube()
        self.jams: list[JamEvent] = []
        self.tilts = 0
        self.on_cube_change = on_cube_change
        self._color, self._ultrasonic = ColorOnArm(0), UltrasonicAbove()
        self.sensors: dict[int, Sensor] = {
            COLOR_PORT: self._color,
            ULTRASONIC_PORT: self._ultrasonic,
        }
        self._faults = faults.table()
        self._tick = 0
        self._due: list[tuple[int, Callable[[], None]]] = [
            (round(dead.time / TICK_S), self._break_sensor(dead.sensor)) for dead in faults.dead
        ]
        self._quarters = (0, 0)
        self._mechanics = np.zeros(1, mechanics.MINDCUBER)
        self._mechanics["random"] = faults.first_random()
        self._palette = self._build(faults.rig, faults)
        self._motors: MotorArray = new_motors()
        self._set_cube(True)

    def _build(self, build: Build, faults: MindCuberFaults) -> Any:
        record, random = self._mechanics, faults.random()
        record["play_deg"] = build.play_deg / mechanics.GEAR_RATIO
        record["grip_deg"] = build.grip_deg / mechanics.GEAR_RATIO
        record["stiffness"] = build.stiffness
        record["place"] = -1
        record["shade"] = 1.0
        record["offset_mm"] = build.offset_mm
        room, noise, spread, uneven = LIGHTS[build.light]
        record["room"], record["noise"], record["spread"] = room, noise, spread
        height = 0.5 ** (build.high_mm / HALVING_MM)
        record["gain"][0] = [
            height * (1.0 + uneven * (2.0 * random.random() - 1.0)) for _ in range(LAMPS)
        ]
        return new_palette(WHITE_PLASTIC if build.plastic == "white" else BLACK_PLASTIC)

    def attach(self, firmware: Firmware) -> None:
        """Put the mechanisms, as they stand, on the shafts of three motors that count from zero."""
        stood_deg = self._motors["shaft_deg"].copy()
        self._firmware = firmware
        self._motors = firmware.outputs.motors
        self._motors["shaft_deg"] = stood_deg
        self._motors["encoder_deg"] = np.round(stood_deg)
        self._motors["inertia_kg_m2"][mechanics.TABLE_PORT] = mechanics.TABLE_INERTIA_KG_M2
        self._tick = 0

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let up to `ticks` milliseconds pass from `tick` on; return how many did."""
        for due, action in tuple(self._due):
            if due <= tick:
                self._due.remove((due, action))
                action()
        until = min([tick + ticks, *(due for due, _ in self._due)])
        done = mechanics.advance_rig(
            self._mechanics,
            self._faults,
            self._palette,
            self._firmware,
            tick,
            until - tick,
            battery,
        )
        self._tick = tick + done
        if self._mechanics["event"][0]:
            self._handle_event(int(self._mechanics["event"][0]), self._tick * TICK_S)
        return done

    def put_cube_in(self, seed: int | None = None) -> None:
        """Put the cube into the table by hand, or random cube number `seed`.

        Raises:
            InvalidScenarioError: there is a cube, or the tilt arm is in the way.
        """
        if self.has_cube:
            raise InvalidScenarioError("There is a cube in the rig; take it out first: cube out.")
        self._refuse_below_arm()
        cube = self.cube if seed is None else CradledCube(random_state(seed))

        def put() -> None:
            self.cube = cube
            self._set_cube(True)
            self._notify()

        self._use_hand(put)

    def take_cube_out(self) -> None:
        """Take the cube out by hand. Raises InvalidScenarioError."""
        if not self.has_cube:
            raise InvalidScenarioError("There is no cube in the rig.")
        self._refuse_below_arm()
        self._use_hand(lambda: self._set_cube(False))

    def _refuse_below_arm(self) -> None:
        if self.pose.tilt_deg > mechanics.SPIN_FREE_DEG:
            raise InvalidScenarioError("The tilt arm is over the table; wait until it is away.")

    def _use_hand(self, action: Callable[[], None]) -> None:
        self._ultrasonic.registers.distance_cm = HAND_CM
        self._due.append((self._tick + HAND_COMES_MS, action))
        self._due.append((self._tick + HAND_GOES_MS, self._withdraw_hand))

    def _withdraw_hand(self) -> None:
        self._ultrasonic.registers.distance_cm = CUBE_CM if self.has_cube else NOTHING_CM

    def _set_cube(self, has_cube: bool) -> None:
        """Have a straight cube in the table, as it stands, or none."""
        record = self._mechanics
        record["has_cube"] = int(has_cube)
        off_deg = _off_quarter_deg(self.pose.table_deg)
        record["cube_deg"] = 90.0 * record["cube_quarters"] + off_deg
        record["layer_deg"] = 90.0 * record["layer_quarters"]
        for name in ("skew_deg", "lodged_deg", "phase", "phase_ticks", "thrown_quarters"):
            record[name] = 0
        record["thrown_deg"] = 0.0
        self._withdraw_hand()
        self._show_top()

    def _break_sensor(self, name: str) -> Callable[[], None]:
        def break_color() -> None:
            self._color.come_off()
            port = self._firmware.inputs.ports[COLOR_PORT]
            port["raw"], port["follows_rig"], port["is_settled"] = FULL_SCALE, 0, 0

        return break_color if name == "color" else self._ultrasonic.come_off

    def _handle_event(self, event: int, time_s: float) -> None:
        if event == mechanics.EVENT_QUARTERS:
            self._follow_quarters()
        elif event == mechanics.EVENT_ROLLED:
            self.tilts += 1
            for _ in range(int(self._mechanics["rolls"][0])):
                self.cube = self.cube.tilted()
        elif event == mechanics.EVENT_JAMMED:
            self.jams.append(self._describe_jam(time_s))
        if event in (mechanics.EVENT_QUARTERS, mechanics.EVENT_ROLLED):
            self._show_top()
            self._notify()

    def _notify(self) -> None:
        if self.on_cube_change:
            self.on_cube_change(self)

    def _show_top(self) -> None:
        top = self.cube.stickers[: len(self._mechanics["top"][0])]
        self._mechanics["top"][0] = [LETTERS.index(letter) for letter in top]

    def _follow_quarters(self) -> None:
        cube_before, layer_before = self._quarters
        cube, layer = (
            int(self._mechanics[name][0]) for name in ("cube_quarters", "layer_quarters")
        )
        self.cube = self.cube.spun(cube_before - cube).bottom_turned(layer - layer_before)
        self._quarters = cube, layer

    def _describe_jam(self, time_s: float) -> JamEvent:
        kind, pose, record = int(self._mechanics["jam"][0]), self.pose, self._mechanics
        layer_off_deg = abs(_off_quarter_deg(float(record["layer_deg"][0])))
        sentence = EXPLANATIONS[kind].format(
            tilt_deg=pose.tilt_deg,
            sensor_deg=pose.sensor_deg,
            skew_deg=float(record["skew_deg"][0]) + layer_off_deg,
            table_off_deg=_off_quarter_deg(pose.table_deg),
            cube_off_deg=_off_quarter_deg(float(record["cube_deg"][0])),
        )
        return JamEvent(time_s, kind, sentence)

    @property
    def has_cube(self) -> bool:
        """Whether there is a cube in the table."""
        return bool(self._mechanics["has_cube"][0])

    @property
    def pose(self) -> MindCuberPose:
        """What an onlooker sees now."""
        shafts = self._motors["shaft_deg"]
        table_shaft_deg = float(shafts[mechanics.TABLE_PORT] - self._mechanics["skipped_deg"][0])
        cube_quarters, layer_quarters = self._quarters
        phase = PHASE_NAMES[int(self._mechanics["phase"][0])]
        return MindCuberPose(
            table_deg=table_shaft_deg / mechanics.GEAR_RATIO,
            sensor_deg=mechanics.SENSOR_STOP_DEG - float(shafts[mechanics.SENSOR_PORT]),
            tilt_deg=mechanics.TILT_STOP_DEG - float(shafts[mechanics.TILT_PORT]),
            cube_deg=float(self._mechanics["cube_deg"][0]) - 90.0 * cube_quarters,
            layer_deg=float(self._mechanics["layer_deg"][0]) - 90.0 * layer_quarters,
            phase=phase if self.has_cube else "away",
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
