"""Tilts on plausible rigs, as rigid bodies

The family of rigs of `tests/physics`, judged in MuJoCo: what share of the cases (a rig at one of
three frictions) has all of three tilts in a row. The geometry of the thesis' rig is unknown; every
rig here is one on which its order works at some speed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Final

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from tests.physics import FRICTIONS, FULL, Rig, Trajectory, family, judge, thesis_tilt
from tests.physics.recording import record
from tests.physics.trajectories import GENTLE_ARM, GENTLE_PUSHER

SLOWER: Final = (1.0, 1.25, 1.5, 2.0)
SEQUENCES: Final[dict[str, tuple[Primitive, ...]]] = {
    "tilt, home again": (Tilt(),),
    "tilt, tilt, tilt": (Tilt(), Tilt(), Tilt()),
    "spin, tilt": (Spin(1), Tilt()),
    "spin back, tilt": (Spin(-1), Tilt()),
    "turn, tilt": (TurnLayer(1), Tilt()),
    "turn back, tilt": (TurnLayer(-1), Tilt()),
}
TILTS: Final = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What the motors do, to be repeated until the cube has been tilted three times."""

    name: str
    trajectory: Trajectory
    tilts: int = 1

    @property
    def seconds(self) -> float:
        """Of one tilt, with what comes before and after it."""
        return len(self.trajectory) / 1000 / self.tilts

    def works(self, rig: Rig, friction: float) -> bool:
        """Return whether all three tilts work."""
        return judge(rig, friction, self.trajectory, TILTS // self.tilts, self.tilts).works


def orders() -> list[Order]:
    """Return the thesis' order at several speeds, and the robot's own."""
    thesis = [
        Order(
            f"thesis, arm at {GENTLE_ARM.speed / slower:.0f} deg/s",
            thesis_tilt(GENTLE_ARM.slower(slower), GENTLE_PUSHER),
        )
        for slower in SLOWER
    ]
    own = [
        Order(f"cuberobot: {name}", record(sequence), sequence.count(Tilt()))
        for name, sequence in SEQUENCES.items()
    ]
    return [*thesis, Order("thesis, full motor speed", thesis_tilt(FULL, FULL)), *own]


def cases(order: Order) -> dict[str, list[bool]]:
    """Return for each rig of the family, by its name, at which frictions an order works."""
    return {rig.name: [order.works(rig, friction) for friction in FRICTIONS] for rig in family()}


def share(works: Mapping[str, Sequence[bool]], rigs: Sequence[Rig]) -> str:
    """Return the share of the cases of some rigs that work, in percent."""
    return f"{mean(each for rig in rigs for each in works[rig.name]):.0%}"


def run() -> str:
    """Return the section of RESULTS.md."""
    kinds = sorted({rig.kind for rig in family()})
    groups = {
        "to learn from": [rig for rig in family() if not rig.kept_apart],
        "kept apart": [rig for rig in family() if rig.kept_apart],
        **{kind: [rig for rig in family() if rig.kind == kind] for kind in kinds},
    }
    heads = " | ".join(f"{name} ({len(rigs)})" for name, rigs in groups.items())
    lines = [f"| order | seconds | {heads} |", "|---|---:|" + "---:|" * len(groups)]
    for order in orders():
        works = cases(order)
        cells = " | ".join(share(works, rigs) for rigs in groups.values())
        lines.append(f"| {order.name} | {order.seconds:.2f} | {cells} |")
        print(lines[-1], flush=True)
    return "\n".join(
        [
            f"{len(family())} rigs at frictions {', '.join(map(str, FRICTIONS))}. Seconds are of "
            "one tilt, with the spin or turn before it. Some 3 cases are noise. The motors of "
            "`cuberobot` are recorded from the simulated brick while the default choreography "
            "plays, with the cube of the simulated rig and not of these.",
            "",
            *lines,
        ]
    )
