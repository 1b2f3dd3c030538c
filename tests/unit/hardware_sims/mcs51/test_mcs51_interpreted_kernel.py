"""The kernel as plain Python, which shows what the compiler must not change."""

import os
import subprocess
import sys
import zlib

from hardware_sims.mcs51.microcontroller import Microcontroller
from tests.oracles.random_program import random_program

CYCLES = 4000
SEEDS = (100, 101)
LENGTH = 3000


def state_digest(seed: int) -> int:
    """Return a checksum of the whole chip after a random program has run for a while."""
    code, _ = random_program(seed, LENGTH)
    chip = Microcontroller()
    chip.load(code)
    chip.run_cycles(CYCLES)
    return zlib.crc32(b"".join(array.tobytes() for array in chip.state))


def test_interpreted_and_compiled_kernel_agree() -> None:
    program = (
        "from tests.unit.hardware_sims.mcs51.test_mcs51_interpreted_kernel import state_digest\n"
        f"print(*map(state_digest, {SEEDS}))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [int(word) for word in done.stdout.split()] == [state_digest(seed) for seed in SEEDS]
