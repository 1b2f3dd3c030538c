"""A simulated brick in a process of its own that tells when its motors get power, in real time."""

import multiprocessing
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.queues import Queue
from typing import Final

from hardware_sims.nxt_brick.brick import SimulatedBrick, warm_up
from hardware_sims.nxt_brick.faults import LATENCIES
from hardware_sims.nxt_brick.server import BrickServer
from hardware_sims.rigs.cradle.rig import CubeRig
from hardware_sims.rigs.cubes import CradledCube
from solvers.foundation.clock import SystemClock
from solvers.rubik.scramble import random_state

LOOK_S: Final = 0.004
BRAKING: Final = 1
"""Percent: shorts a motor and moves nothing."""


class PoweredBrick:
    """`address` is where it answers; `at_rest_s` waits for the motors and says since when."""

    def __init__(self, address: str, told: "Queue[tuple[float, int]]") -> None:
        self.address = address
        self._told = told
        self._changes: list[tuple[float, int]] = []

    def power_since(self, moment_s: float) -> tuple[float, float]:
        """Return how long after a moment motors were driven last, and got any power last."""
        while not self._told.empty():
            self._changes.append(self._told.get())
        driven = off = 0.0
        power = 0
        for at_s, now in self._changes:
            if at_s > moment_s:
                driven = max(driven, at_s - moment_s if power > BRAKING else 0.0)
                off = max(off, at_s - moment_s if power else 0.0)
            power = now
        return driven, off


@contextmanager
def powered_brick(link: str, seed: int) -> Iterator[PoweredBrick]:
    """Run a brick in a process of its own."""
    context = multiprocessing.get_context("spawn")
    told: Queue[tuple[float, int]] = context.Queue()
    greeting: Queue[str] = context.Queue()
    process = context.Process(target=_serve, args=(link, seed, told, greeting), daemon=True)
    process.start()
    try:
        yield PoweredBrick(greeting.get(timeout=300), told)
    finally:
        process.terminate()
        process.join()


def _serve(link: str, seed: int, told: "Queue[tuple[float, int]]", greeting: "Queue[str]") -> None:
    warm_up(CubeRig())
    rig = CubeRig(CradledCube(random_state(seed)))
    brick = SimulatedBrick(SystemClock(), rig, latency=LATENCIES[link], instructions_per_ms=100)
    with BrickServer(brick) as server:
        greeting.put(server.address)
        before = 0
        while threading.main_thread().is_alive():
            brick.advance()
            power = int(abs(brick.machine.outputs.motors["actual_speed"]).max())
            if power != before:
                told.put((time.monotonic(), power))
                before = power
            time.sleep(LOOK_S)
