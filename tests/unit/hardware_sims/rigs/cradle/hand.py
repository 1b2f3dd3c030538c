"""A rig in virtual time, and somebody who drives its motors by hand."""

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.commands import DirectCommands
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults
from hardware_sims.rigs.cradle.faults import NO_RIG_FAULTS, RigFaults
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube

CRADLE, ARM, PUSHER = 0, 1, 2
QUARTER = 315  # motor degrees of a quarter turn of the cradle
SLACK = 16
ON_AND_BRAKE, RUNNING = 3, 0x20


class Operator:
    """Does with the motors what the paper writes, watching the counts and nothing else."""

    def __init__(
        self,
        cube: CradledCube | None = None,
        faults: Faults = NO_FAULTS,
        rig_faults: RigFaults = NO_RIG_FAULTS,
    ) -> None:
        self.clock = VirtualClock()
        self.rig = CubeRig(cube, rig_faults)
        self._faults = faults
        self.switch_on_again()

    def switch_on_again(self) -> None:
        """Switch a brick on that counts from zero, wherever the rig stands."""
        self.brick = SimulatedBrick(self.clock, self.rig, self._faults)
        self._commands = DirectCommands(self.brick.machine)
        self._cradle_goal = 0

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.brick.advance()

    def count(self, port: int) -> int:
        return int(self.brick.machine.outputs.io_map["tacho_count"][port])

    def drive(self, port: int, power: int) -> None:
        """Drive a motor with the brake between the pulses."""
        self._commands.set_output_state(port, power, ON_AND_BRAKE, 0, 0, RUNNING, 0)

    def move(self, port: int, goal: int) -> None:
        """Go to an angle by hand; give up after five seconds."""
        quiet, push, before = 0, 0, self.count(port)
        for _ in range(1000):
            error = goal - self.count(port)
            speed = self.count(port) - before
            before = self.count(port)
            quiet = quiet + 1 if abs(error) <= 1 and speed == 0 else 0
            if quiet == 10:
                break
            push = push + 2 if abs(error) > 1 and speed == 0 else 0  # harder, while it is stuck
            wanted = round(4 * error - 20 * speed) + (push if error > 0 else -push)
            # Power 0 would make the brick forget counts; the weakest power moves nothing.
            self.drive(port, max(-75, min(75, wanted)) or 1)
            self.wait(0.005)
        self._commands.set_output_state(port, 0, ON_AND_BRAKE | 4, 1, 0, RUNNING, 0)
        self.wait(0.005)

    def press(self, power: int) -> None:
        """Drive the arm forward, or let it go with power 0."""
        mode, run_state = (1, RUNNING) if power else (0, 0)
        self._commands.set_output_state(ARM, power, mode, 0, 0, run_state, 0)
        self.wait(0.1)

    def spin(self, quarters: int) -> None:
        self.move(ARM, -40)
        self._cradle_goal -= QUARTER * quarters
        self.move(CRADLE, self._cradle_goal)
        self.move(ARM, 0)

    def tilt(self) -> None:
        self.move(ARM, 40)
        self.move(PUSHER, 200)
        self.move(PUSHER, 0)
        self.move(ARM, -30)
        self.move(ARM, 0)

    def turn_layer(self, quarters: int, overshoot: int = SLACK) -> None:
        """Turn the bottom layer, by counter-clockwise quarters too."""
        self.move(PUSHER, 160)
        self.press(40)
        self._cradle_goal += QUARTER * quarters
        beyond = overshoot if quarters > 0 else -overshoot
        self.move(CRADLE, self._cradle_goal + beyond)
        self.move(CRADLE, self._cradle_goal)
        self.press(0)
        self.move(PUSHER, 0)
        self.move(ARM, 0)
