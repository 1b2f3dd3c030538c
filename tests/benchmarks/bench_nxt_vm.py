"""The NXT's virtual machine: CPU time for a robot minute of a program.

`busy.rxe` never waits, `sleep.rxe` waits between turns of 5 ms (both `nbc -Z2`). Without motors.
"""

import time
from pathlib import Path

from hardware_sims.nxt_vm import codes
from hardware_sims.nxt_vm.interpreter.slices import NEVER, ProgramState, next_tick, run_slice
from solvers.foundation.compiled import kernel
from tests.oracles.lone_brick import LoneBrick

PROGRAMS = Path(__file__).parent / "nxt_programs"
MINUTE_MS = 60_000
WARM_UP_MS = 100


@kernel
def run_ticks(state: ProgramState, tick: int, end: int) -> int:
    """Execute the milliseconds from `tick` to before `end` of a program that moves no motors.

    Returns the tick reached: `end`, that of a pending service, or the one after the program's end.
    """
    while tick < end:
        if run_slice(state, tick) == codes.NEEDS_SERVICE:
            return tick
        wanted = next_tick(state)
        if wanted == NEVER:
            return tick + 1
        tick = min(wanted, end)
    return tick


def run() -> str:
    """Return the table of all programs."""
    rows = ["| program | instructions | CPU s |", "|---|---:|---:|"]
    for path in sorted(PROGRAMS.glob("*.rxe")):
        brick = LoneBrick(100)
        brick.command.start(path.name.encode(), path.read_bytes(), 0)
        _execute(brick, 1, WARM_UP_MS)
        executed = int(brick.command.state.machine["executed"][0])
        start_s = time.process_time()
        _execute(brick, WARM_UP_MS, WARM_UP_MS + MINUTE_MS)
        cpu_s = time.process_time() - start_s
        executed = int(brick.command.state.machine["executed"][0]) - executed
        rows.append(f"| `{path.stem}` | {executed:,} | {cpu_s:.3f} |")
    return "\n".join(rows)


def _execute(brick: LoneBrick, first_ms: int, end_ms: int) -> None:
    """Execute milliseconds, with the services that the program asks for."""
    tick = first_ms
    while tick < end_ms:
        tick = run_ticks(brick.command.state, tick, end_ms)
        if brick.command.state.machine["service_pending"][0]:
            brick.command.serve_pending()
