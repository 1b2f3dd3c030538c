"""A rig in virtual time, and somebody who drives its motors by hand."""

from collections.abc import Callable

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.cube_rig.cradled_cube import CradledCube
from hardware_sims.cube_rig.rig import CubeRig
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import NO_FAULTS, Faults

CRADLE, ARM, PUSHER = 0, 1, 2
QUARTER = 315  # motor degrees of a quarter turn of the cradle
SLACK = 16


class Operator:
    """Does with the motors what the paper writes, watching the counts and nothing else."""

    def __init__(self, cube: CradledCube | None = None, faults: Faults = NO_FAULTS) -> None:
        self.clock = VirtualClock()
        self.rig = CubeRig(cube, faults.slips)
        self.brick = SimulatedBrick(self.clock, self.rig, faults)
        self._cradle_goal = 0

    def wait(self, seconds: float) -> None:
        self.clock.sleep(seconds)
        self.brick.advance()

    def count(self, port: int) -> int:
        return int(self.brick.machine.outputs.motors["tacho_count"][port])

    def move(self, port: int, goal: int) -> None:
        """Go to an angle; give up after five seconds."""
        outputs = self.brick.machine.outputs
        way = goal - self.count(port)
        if way == 0:
            return
        outputs.begin_move(port, 75 if way > 0 else -75, abs(way), smooth=False, holds=True)
        for _ in range(100):
            self.wait(0.05)
            if not outputs.is_moving(port):
                return

    def press(self, power: int) -> None:
        """Drive the arm forward, or let it go with power 0."""
        mode, run_state = (1, 0x20) if power else (0, 0)
        self.brick.machine.outputs.set_state(ARM, power, mode, 0, 0, run_state, 0)
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


@pytest.fixture
def operator() -> Operator:
    return Operator()


@pytest.fixture
def new_operator() -> Callable[..., Operator]:
    return Operator
