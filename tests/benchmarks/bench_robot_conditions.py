"""Other batteries, bricks and plays: random cubes with a calibration of their own

The program on the brick over USB; in virtual time.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from hardware_sims.nxt_brick.faults import Faults
from hardware_sims.rigs.cradle.faults import Build, RigFaults
from solvers.foundation.progress import run_job
from solvers.rubik.two_phase.solver import prepare
from tests.benchmarks.bench_robot_solves import HEADER, SOME, calibrated, first_plans, row
from tests.virtual_robot import RIG

VOLTS: Final = (6.8, 9)
INSTRUCTIONS_PER_MS: Final = (50, 130)
PLAYS_DEG: Final = (8, 12, 16, 20, 24)


def with_play(play_deg: float) -> Mapping[str, Any]:
    """Return the options of a rig with another play, whose owner has measured it."""
    cradle = msgspec.structs.replace(RIG.cradle, slack_deg=float(play_deg))
    rig_faults = RigFaults(rig=Build(play_deg=play_deg))
    return {
        "rig_faults": rig_faults,
        "calibration": msgspec.structs.replace(RIG, cradle=cradle),
    }


def rigs() -> dict[str, dict[str, Any]]:
    """Return the options of each rig by its name."""
    return {
        **{f"{volts} V": {"faults": Faults(battery_mv=round(1000 * volts))} for volts in VOLTS},
        **{
            f"{speed} instructions/ms": {"instructions_per_ms": speed}
            for speed in INSTRUCTIONS_PER_MS
        },
        **{f"play {play} degrees": dict(with_play(play)) for play in PLAYS_DEG},
    }


def run() -> str:
    """Return the section of RESULTS.md."""
    run_job(prepare())
    rows = []
    for name, options in rigs().items():
        options["calibration"] = calibrated(options.pop("calibration", RIG), **options)
        plans = first_plans(SOME, options["calibration"].seconds)
        rows.append(row(name, plans, **options))
    return "\n".join(
        [
            f"Cubes: `random_state({SOME[0]})` to `random_state({SOME[-1]})`, first solutions. The "
            "seconds were measured on each rig with one round of `cuberobot calibrate`; the play "
            "is how far motor A turns from its middle to its end.",
            "",
            HEADER,
            *rows,
        ]
    )
