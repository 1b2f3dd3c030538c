"""MindCuber's own program on the simulated machine, unmodified, over the wire, and what it does."""

import os
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from hardware_sims.clock import VirtualClock
from hardware_sims.nxt_brick.brick import SimulatedBrick
from hardware_sims.nxt_brick.faults import USB_LATENCY, Faults
from hardware_sims.nxt_brick.motors.physics import Battery
from hardware_sims.nxt_brick.operator_commands import parse_command
from hardware_sims.nxt_brick.server import BrickServer
from hardware_sims.rigs.mindcuber.mechanics import SENSOR_PORT, TABLE_PORT, TILT_PORT
from hardware_sims.rigs.mindcuber.rig import MindCuberRig
from tests.contract.conftest import find_brick

MINDCUBER_PROGRAM: Final = "PUZZLERIG_MINDCUBER_RXE"
"""Path of MindCuber's own program, compiled for the NXT 2.0 kit (.rxe)."""

FRESH_MV: Final = 9000
INSTRUCTIONS_PER_MS: Final = 120  # between the 115 and 130 of real bricks
LONGEST_S: Final = 300.0
HOMING_S: Final = 8.0  # it finds home and waits for a cube

# The program asks its motors for no more than this.
TOP_SPEED: Final = 833.0
ACCELERATION: Final = 20_000.0

SAMPLE_MS: Final = 5
STILL_DEG: Final = 0.1  # in a sample: 20 degrees a second
LEAST_WAY_DEG: Final = 6.0  # shorter motions are corrections


def program_path() -> Path | None:
    """Return the owner's copy of the program, None if the environment names none."""
    named = os.environ.get(MINDCUBER_PROGRAM)
    return Path(named) if named else None


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """What the program did with a cube; seconds from when the cube was put in.

    `limit_s` is what the whole would take if the motors kept to the speed and acceleration that
    the program asks for; its pauses stay.
    """

    is_solved: bool
    jams: int
    seconds: float
    scan_s: float
    thinking_s: float
    moving_s: float
    limit_s: float
    moves: int
    tilts: int


class _Watched(MindCuberRig):
    """A rig that notes its motors' angles every few milliseconds, and counts moves."""

    def __init__(self) -> None:
        self.angles: list[npt.NDArray[np.float64]] = []
        self.moves = 0
        self.first_move_ms = 0
        super().__init__(on_cube_change=self._count)
        self._orientation, self._position = self.cube.orientation, self.cube.cube
        self._is_turning = False

    def advance(self, tick: int, ticks: int, battery: Battery) -> int:
        """Let a few milliseconds pass at most."""
        done = super().advance(tick, min(ticks, SAMPLE_MS - tick % SAMPLE_MS), battery)
        if (tick + done) % SAMPLE_MS == 0:
            self.angles.append(self._motors["shaft_deg"].copy())
        return done

    def _count(self, _: MindCuberRig) -> None:
        cube = self.cube
        if cube.orientation != self._orientation:
            self._is_turning = False
        elif cube.cube != self._position and not self._is_turning:
            self._is_turning = True
            self.moves += 1
            self.first_move_ms = self.first_move_ms or len(self.angles) * SAMPLE_MS
        self._orientation, self._position = cube.orientation, cube.cube


def run_program(program: Path, seed: int) -> ProgramRun:
    """Let the program solve random cube number `seed`, for five minutes at most."""
    clock, rig = VirtualClock(), _Watched()
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
        clock.sleep(HOMING_S)
        brick.operate(parse_command(f"cube in {seed}"))
        put_in_s, first = clock.now(), len(rig.angles)
        clock.sleep(2.0)  # the hand puts it in
        brick.advance()
        rig.moves = rig.first_move_ms = 0
        while not rig.is_solved and clock.now() < put_in_s + LONGEST_S:
            clock.sleep(0.1)
            brick.advance()
        seconds = clock.now() - put_in_s
        host.close()
    angles = np.array(rig.angles[first:])
    thinking = _longest_pause(angles[: rig.first_move_ms // SAMPLE_MS - first])
    to_s = SAMPLE_MS / 1000
    slow_s, fast_s = _moving_s(angles)
    return ProgramRun(
        is_solved=rig.is_solved,
        jams=len(rig.jams),
        seconds=seconds,
        scan_s=thinking.start * to_s,
        thinking_s=(thinking.stop - thinking.start) * to_s,
        moving_s=seconds - thinking.stop * to_s,
        limit_s=seconds - slow_s + fast_s,
        moves=rig.moves,
        tilts=rig.tilts,
    )


def _longest_pause(angles: npt.NDArray[np.float64]) -> range:
    """Return the samples of the longest time in which no motor moves: the program thinks."""
    sensor = SENSOR_PORT
    came = int(np.argmax(np.abs(angles[:, sensor] - angles[0, sensor]) > LEAST_WAY_DEG))
    moving = np.flatnonzero((np.abs(np.diff(angles, axis=0)) > STILL_DEG).any(axis=1))
    moving = moving[moving >= came]
    longest = int(np.argmax(np.diff(moving)))
    return range(int(moving[longest]), int(moving[longest + 1]))


def _moving_s(angles: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return how long table and tilt arm moved, and how long they would at the program's limits."""
    moving = np.zeros(len(angles) - 1, bool)
    least_s = 0.0
    for port in (TABLE_PORT, TILT_PORT):
        steps = np.diff(angles[:, port])
        ways = np.where(np.abs(steps) > STILL_DEG, np.sign(steps), 0)
        turns = [0, *(np.flatnonzero(np.diff(ways)) + 1), len(ways)]
        for start, stop in pairwise(turns):
            way_deg = abs(float(angles[stop, port] - angles[start, port]))
            if ways[start] and way_deg > LEAST_WAY_DEG:
                moving[start:stop] = True
                least_s += _least_s(way_deg)
    return float(moving.sum()) * SAMPLE_MS / 1000, least_s


def _least_s(way_deg: float) -> float:
    ramps_deg = TOP_SPEED**2 / ACCELERATION
    if way_deg < ramps_deg:
        return 2 * sqrt(way_deg / ACCELERATION)
    return way_deg / TOP_SPEED + TOP_SPEED / ACCELERATION
