"""Contacts in the plane of a tilt against MuJoCo

Random tilts on the family of rigs of `tests/physics`, each three times in a row, judged in MuJoCo
and by `hardware_sims/rigs/cradle/plane.py` (`hwsim nxt --rig FILE`). Pace of arm
and pusher, where the pusher starts and turns and when the arm goes back are drawn.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from hardware_sims.rigs.cradle.geometry import Geometry, replay
from tests.physics import FRICTIONS, Outcome, Rig, Trajectory, family, judge
from tests.physics.oracle import outcome_of, targets_of
from tests.physics.rigs import geometry_values
from tests.physics.trajectories import FULL, GENTLE_ARM, GENTLE_PUSHER, Pace, Tilting

TRAJECTORIES: Final = 2000
TILTS: Final = 3
BACKLASH_DEG: Final = 2.0
MORE_FRICTION: Final = 0.01


def judge_fast(
    rig: Rig, friction: float, trajectory: Trajectory, repeats: int, backlash_deg: float = 0.0
) -> Outcome:
    """Return what becomes of the cube by `plane.py`."""
    values = {**geometry_values(rig), "friction": friction, "backlash_deg": backlash_deg}
    geometry = msgspec.convert(values, Geometry)
    targets = targets_of(trajectory, repeats)
    states = replay(geometry, targets[:, :2])
    return outcome_of(rig, states, targets, len(trajectory), repeats)


def draw(random: Random) -> Tilting:
    """Return a tilt at random, of which about half work."""
    up = Pace(random.uniform(150, 600), GENTLE_ARM.acceleration * random.choice((0.3, 0.5, 1, 2)))
    tips_to = random.choice((40.0, 40.0, 36.0, 38.0, 42.0))
    return Tilting(
        up=up,
        back=random.choice((up, GENTLE_ARM)),
        pusher=random.choice((GENTLE_PUSHER, FULL)),
        tips_to=tips_to,
        leaves_at=min(tips_to, random.choice((40.0, 40.0, 30.0, 36.0, 20.0, 0.0))),
        turns_at=random.choice((200.0, 200.0, 190.0, 180.0, 170.0)),
        back_at=random.choice((0.0, 0.0, 60.0, 120.0)),
        swings_to=random.choice((-30.0, -30.0, -10.0, 0.0)),
    )


def run() -> str:
    """Return the section of RESULTS.md."""
    random = Random(5)
    judges: dict[str, Callable[[Rig, float, Trajectory], Outcome]] = {
        "plane.py": lambda rig, friction, rows: judge_fast(rig, friction, rows, TILTS),
        f"plane.py, backlash {BACKLASH_DEG:g} degrees": lambda rig, friction, rows: judge_fast(
            rig, friction, rows, TILTS, BACKLASH_DEG
        ),
        f"MuJoCo, friction {MORE_FRICTION} more": lambda rig, friction, rows: judge(
            rig, friction + MORE_FRICTION, rows, TILTS
        ),
    }
    counts: dict[str, Counter[tuple[bool, bool]]] = {name: Counter() for name in judges}
    for _ in range(TRAJECTORIES):
        case = random.choice(family()), random.choice(FRICTIONS), draw(random).trajectory()
        oracle = judge(*case, TILTS).works
        for name, each in judges.items():
            counts[name][oracle, each(*case).works] += 1
    lines = [
        "| judge | agrees | fails where MuJoCo works | works where MuJoCo fails |",
        "|---|---:|---:|---:|",
    ]
    for name, count in counts.items():
        agrees = count[True, True] + count[False, False]
        cells = [agrees, count[True, False], count[False, True]]
        shares = " | ".join(f"{each / TRAJECTORIES:.1%}" for each in cells)
        lines.append(f"| {name} | {shares} |")
    works = sum(counts["plane.py"][True, each] for each in (True, False))
    return "\n".join(
        [
            f"{TRAJECTORIES} trajectories on {len(family())} rigs, of which {works} work in MuJoCo "
            "at the friction drawn. The last row says how much of the disagreement is chance: it "
            "is MuJoCo against itself.",
            "",
            *lines,
        ]
    )
