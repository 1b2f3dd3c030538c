"""MindCuber's own program solves cubes on the simulated machine, unmodified and over the wire."""

import os
from pathlib import Path

import pytest

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import USB_LATENCY, Faults
from hardware_sims.nxt_brick.operator_commands import parse_command
from hardware_sims.nxt_brick.server import BrickServer
from hardware_sims.rigs.mindcuber.rig import MindCuberRig
from tests.contract.conftest import find_brick
from tests.integration.owners_program.variables import MINDCUBER_PROGRAM

FRESH_MV = 9000
INSTRUCTIONS_PER_MS = 120  # between the 115 and 130 of real bricks
LONGEST_S = 300
SEEDS = range(1, 21)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_owners_program_solves_a_random_cube(seed: int) -> None:
    program = Path(os.environ[MINDCUBER_PROGRAM])
    clock, rig = VirtualClock(), MindCuberRig()
    brick = SimulatedBrick(
        clock, rig, Faults(battery_mv=FRESH_MV), USB_LATENCY, "NXT", INSTRUCTIONS_PER_MS
    )
    brick.operate(parse_command("cube out"))
    with BrickServer(brick) as server:
        host = find_brick(server.address)
        data = program.read_bytes()
        with host.open_file("MindCuber.rxe", "wb", len(data)) as file:
            file.write(data)
        host.start_program("MindCuber.rxe")
        clock.sleep(8.0)  # it finds home and waits for a cube
        brick.operate(parse_command(f"cube in {seed}"))
        put_in_s = clock.now()
        clock.sleep(2.0)
        brick.advance()
        while not rig.is_solved and clock.now() < put_in_s + LONGEST_S:
            clock.sleep(0.1)
            brick.advance()
        solved_s = clock.now() - put_in_s
        host.close()
    print(f"cube {seed}: solved {rig.is_solved} after {solved_s:.1f} s, {rig.tilts} tilts")
    assert rig.is_solved
    assert rig.jams == []
