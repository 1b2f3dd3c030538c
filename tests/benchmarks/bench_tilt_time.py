"""How fast a tilt can be, as rigid bodies

Orders are made faster one parameter after the other, as long as they work as often as before on the
rigs to learn from, in MuJoCo; then they are judged on the rigs that were kept apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import inf
from statistics import mean
from typing import Any, Final

from tests.physics import FRICTIONS, Rig, family, judge
from tests.physics.trajectories import FULL, GENTLE_ARM, GENTLE_PUSHER, Pace, Tilting

SPEEDS: Final = tuple(
    Pace(GENTLE_ARM.speed * speed, GENTLE_ARM.acceleration * acceleration)
    for speed in (0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0)
    for acceleration in (0.4, 1.0, 3.0)
)
OPTIONS: Final[Mapping[str, Sequence[Any]]] = {
    "up": SPEEDS,
    "back": (*SPEEDS, FULL),
    "pusher": (GENTLE_PUSHER, FULL),
    "leaves_at": (40.0, 38.0, 36.0, 33.0, 30.0, 25.0),
    "back_at": (0.0, 20.0, 60.0, 90.0, 120.0, 150.0),
    "turns_at": (200.0, 195.0, 190.0, 185.0, 180.0, 170.0),
    "swings_to": (-30.0, -25.0, -20.0, -10.0, 0.0),
}
START: Final = tuple(
    Tilting(up=pace, back=pace)
    for pace in (GENTLE_ARM, GENTLE_ARM.slower(1.25), GENTLE_ARM.slower(1.5), GENTLE_ARM.slower(2))
)
ROUNDS: Final = 2


def seconds(tilting: Tilting) -> float:
    """Return how long a tilt takes."""
    return len(tilting.trajectory()) / 1000


def failures(tilting: Tilting, rigs: Sequence[Rig], most: float = inf) -> int:
    """Return in how many cases three tilts in a row fail; no more are counted than one over `most`.

    Frictions are the outer loop, so that an order that is bad on some kind is found out early.
    """
    rows = tilting.trajectory()
    failed = 0
    for friction, rig in product(FRICTIONS, rigs):
        failed += not judge(rig, friction, rows).works
        if failed > most:
            break
    return failed


def works(tilting: Tilting, rigs: Sequence[Rig]) -> float:
    """Return the share of the cases with three tilts in a row."""
    return 1 - failures(tilting, rigs) / (len(FRICTIONS) * len(rigs))


def fastest(start: Tilting, is_good: Callable[[Tilting], bool]) -> Tilting:
    """Return an order that is as fast as small steps from `start` make it and still good."""
    best = start
    for _ in range(ROUNDS):
        for name, options in OPTIONS.items():
            faster = [replace(best, **{name: each}) for each in options]
            faster = [each for each in faster if seconds(each) < seconds(best)]
            for each in sorted(faster, key=seconds):
                if is_good(each):
                    best = each
                    break
    return best


def run() -> str:
    """Return the section of RESULTS.md."""
    learn = [rig for rig in family() if not rig.kept_apart]
    apart = [rig for rig in family() if rig.kept_apart]
    thesis = min(START, key=lambda each: failures(each, learn))
    most = failures(thesis, learn)
    common = fastest(thesis, lambda each: failures(each, learn, most) <= most)
    own = []
    for rig in apart:
        start = next((each for each in START if not failures(each, [rig], 0)), None)
        if start is not None:
            own.append(fastest(start, partial(_always_works, rig)))
    times = sorted(map(seconds, own))
    lines = ["| order | seconds | to learn from | kept apart |", "|---|---:|---:|---:|"]
    for name, each in (("thesis at its best speed", thesis), ("fastest common", common)):
        shares = " | ".join(f"{works(each, rigs):.0%}" for rigs in (learn, apart))
        lines.append(f"| {name} | {seconds(each):.2f} | {shares} |")
    return "\n".join(
        [
            f"{len(learn)} rigs to learn from, {len(apart)} kept apart. Each tilt ends with arm "
            "and pusher at home.",
            "",
            *lines,
            "",
            f"The common one: {_words(common)}.",
            "",
            f"With an order of its own for each of {len(own)} rigs that were kept apart, at all "
            f"frictions: {mean(times):.2f} s on average, {times[0]:.2f} to {times[-1]:.2f}, judged "
            "on the cases it was found with.",
        ]
    )


def _always_works(rig: Rig, tilting: Tilting) -> bool:
    return not failures(tilting, [rig], 0)


def _words(tilting: Tilting) -> str:
    return (
        f"arm up at {tilting.up.speed:.0f} deg/s with {tilting.up.acceleration:.0f} deg/s2, back "
        f"at {tilting.back.speed:.0f} with {tilting.back.acceleration:.0f}, pusher at "
        f"{tilting.pusher.speed:.0f} with {tilting.pusher.acceleration:.0f}; the pusher leaves "
        f"home at arm {tilting.leaves_at:.0f} and turns at {tilting.turns_at:.0f}, the arm goes "
        f"back at pusher {tilting.back_at:.0f}, to {tilting.swings_to:.0f}"
    )
