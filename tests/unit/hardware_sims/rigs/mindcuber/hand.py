"""A MindCuber in virtual time, and somebody who drives its motors and puts cubes into it."""

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.commands import DirectCommands
from hardware_sims.nxt_brick.operator_commands import parse_command
from hardware_sims.nxt_brick.sensors.color import FULL
from hardware_sims.rigs.cubes import CradledCube
from hardware_sims.rigs.mindcuber.faults import NO_MINDCUBER_FAULTS, MindCuberFaults
from hardware_sims.rigs.mindcuber.mechanics import SENSOR_STOP_DEG, TILT_STOP_DEG
from hardware_sims.rigs.mindcuber.rig import MindCuberRig
from hardware_sims.rigs.mindcuber.sight import COLOR_PORT

TABLE, SENSOR, TILT = 0, 1, 2
STOPS = {TABLE: 0, SENSOR: round(SENSOR_STOP_DEG), TILT: round(TILT_STOP_DEG)}
QUARTER, OVERSHOOT = 270, 57
AWAY, RELEASE, HOLD, LET_GO, TILTED = 25, 62, 160, 135, 245
CENTRE, EDGE, CORNER, SENSOR_AWAY = 10, 87, 103, 200
ON_AND_BRAKE, RUNNING = 3, 0x20


class Handler:
    """Drives the motors by their counts, and reads the colour sensor as a program would."""

    def __init__(
        self, cube: CradledCube | None = None, faults: MindCuberFaults = NO_MINDCUBER_FAULTS
    ) -> None:
        self.clock = VirtualClock()
        self.rig = MindCuberRig(cube, faults)
        self.brick = SimulatedBrick(self.clock, self.rig)
        self._commands = DirectCommands(self.brick.machine)
        self.table = 0
        self.move(SENSOR, SENSOR_AWAY)
        self.move(TILT, RELEASE)

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.brick.advance()

    def type(self, line: str) -> None:
        self.brick.operate(parse_command(line))

    def count(self, port: int) -> int:
        return int(self.brick.machine.outputs.io_map["tacho_count"][port])

    def back(self, port: int) -> int:
        """How far an arm has come back from its stop."""
        return STOPS[port] - self.count(port)

    def drive(self, port: int, power: int) -> None:
        self._commands.set_output_state(port, power, ON_AND_BRAKE, 0, 0, RUNNING, 0)

    def move(self, port: int, place: int) -> None:
        """Drive the table to a count, or an arm so far back from its stop; give up after 5 s."""
        goal = place if port == TABLE else STOPS[port] - place
        quiet, push, before = 0, 0, self.count(port)
        for _ in range(1000):
            error = goal - self.count(port)
            speed = self.count(port) - before
            before = self.count(port)
            quiet = quiet + 1 if abs(error) <= 1 and speed == 0 else 0
            if quiet == 10:
                break
            push = push + 2 if abs(error) > 1 and speed == 0 else 0
            wanted = round(4 * error - 20 * speed) + (push if error > 0 else -push)
            self.drive(port, max(-75, min(75, wanted)) or 1)
            self.wait(0.005)
        self._commands.set_output_state(port, 0, ON_AND_BRAKE | 4, 1, 0, RUNNING, 0)
        self.wait(0.005)

    def turn_table(self, counts: int) -> None:
        self.table += counts
        self.move(TABLE, self.table)

    def spin(self, quarters: int) -> None:
        """Spin the cube by counter-clockwise quarters; it ends in the middle of its play."""
        self.move(TILT, RELEASE)
        beyond = 10 if quarters > 0 else -10
        self.turn_table(QUARTER * quarters + beyond)
        self.turn_table(-beyond)

    def tilt(self) -> None:
        for place in (HOLD, TILTED):
            self.move(TILT, place)
        self.wait(0.15)
        self.move(TILT, LET_GO)
        self.wait(0.1)

    def turn_layer(self, quarters: int, overshoot: int = OVERSHOOT) -> None:
        self.move(TILT, HOLD)
        beyond = overshoot if quarters > 0 else -overshoot
        self.turn_table(QUARTER * quarters + beyond)
        self.turn_table(-beyond)

    def switch_sensor_on(self) -> None:
        self._commands.set_input_mode(COLOR_PORT, FULL, 0)
        self.wait(0.3)

    def colour(self) -> tuple[int, int, int]:
        """What the brick makes of the colour sensor: raw red, green and blue."""
        red, green, blue = self.brick.machine.inputs.colors["sensor_raw"][COLOR_PORT][:3]
        return int(red), int(green), int(blue)

    def look(self, place: int, *, turned: int = 0) -> tuple[int, int, int]:
        """Read at a place of the sensor's arm, with the table turned on by `turned` counts."""
        self.turn_table(turned)
        self.move(SENSOR, place)
        self.wait(0.02)
        return self.colour()

    @property
    def jams(self) -> list[int]:
        return [jam.kind for jam in self.rig.jams]
