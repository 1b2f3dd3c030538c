"""The compiled kernels against the same functions run as plain Python, bit for bit."""

import json
import os
import subprocess
import sys

import numpy as np

from hardware_sims.cube_rig.rig_state import RIG
from hardware_sims.cube_rig.ticks import advance_rig
from hardware_sims.nxt_brick.motor_state import new_motors
from hardware_sims.nxt_brick.output_control import set_output_state
from hardware_sims.nxt_brick.trajectory import begin_move

# Arm back; cradle against the closed arm, regulated; a limited move; a press on the pushed cube.
ORDERS = (
    ("move", 1, -75, 40, 400),
    ("set", 0, 60, 5, 1, 0x20, 0, 500),
    ("set", 0, 0, 7, 1, 0x20, 0, 150),
    ("move", 1, 75, 40, 300),
    ("set", 2, 70, 1, 0, 0x20, 120, 500),
    ("set", 1, 40, 1, 0, 0x20, 0, 150),
)


def play(plain: bool) -> dict[str, list[float]]:
    """Return all state after the orders."""
    motors, rigs = new_motors(), np.zeros(1, RIG)
    if plain:  # numpy's plain records have no attributes, those of a recarray have
        motors, rigs = motors.view(np.recarray), rigs.view(np.recarray)
    tick = 0
    for kind, port, *order, ticks in ORDERS:
        if kind == "move":
            begin_move(motors, port, order[0], order[1], False, True)
        else:
            power, mode, regulation, run_state, limit = order
            set_output_state(motors, port, power, mode, regulation, 0, run_state, limit)
        end = tick + ticks
        while tick < end:
            tick += advance_rig(rigs, motors, tick, end - tick, 8.0)
    return {"motors": [list(motor.item()) for motor in motors], "rig": list(rigs[0].item())}


def test_compiled_and_plain_python_agree() -> None:
    plain = subprocess.run(
        [sys.executable, __file__],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = play(plain=False)
    assert json.loads(plain.stdout) == compiled
    assert all(motor != list(new_motors()[0].item()) for motor in compiled["motors"])


if __name__ == "__main__":
    print(json.dumps(play(plain=True)))
