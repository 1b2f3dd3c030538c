"""MindCuber's tilt and hold in MuJoCo: ours against the author's own sequence

Sizes are drawn at random within what the known angles of the machine allow, and changed a little; a
rig is kept where the author's sequence (angles, speeds, pauses) lands: three tilts in a row at all
frictions, at four paces and with home a degree off, and layer turns that end within 5 degrees, of
which 6 are allowed (`tests/physics/find_mindcubers.py`). Ours is recorded from the simulated motors
with a battery of 9.0 V. Where a tilt throws the cube, details decide, and a sequence lands by
chance: a rig with a friction is sure if the author's lands at every pace from a twentieth faster to
more than a quarter slower. There ours has to land; elsewhere only shares can be compared.
"""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from controller.motion.primitives import Primitive, Tilt, TurnLayer
from tests.physics.mindcuber_oracle import (
    LAYER_WITHIN_DEG,
    LAYERS_NM,
    PACE,
    author_tilts,
    author_turn,
    layer_error_deg,
    mindcubers,
    tilt_faults,
)
from tests.physics.mindcuber_recording import SEQUENCES, Angles, recorded
from tests.physics.oracle import FRICTIONS

Landings: TypeAlias = npt.NDArray[np.bool_]

TURNS: Final = (1, 2, 3, -1, -2, -3)
CASES: Final = tuple((rig, friction) for rig in mindcubers() for friction in FRICTIONS)
PACES: Final = tuple(round(0.95 + 0.025 * step, 3) for step in range(14))
"""In how many times its time the author's sequence is played."""
OURS: Final = (1.0, 0.97, 1.03)
"""In how many times its time, pauses too, ours is played."""


def slowed(rows: Angles, slower: float) -> Angles:
    """Return what a motor does in each millisecond if all takes `slower` times as long."""
    times = np.arange(round((len(rows) - 1) * slower) + 1) / slower
    return np.interp(times, np.arange(len(rows)), rows)


def landings(primitives: tuple[Primitive, ...], slower: float) -> Landings:
    """Return whether ours lands in each case, shape (cases,)."""
    table, arm = (slowed(each, slower) for each in recorded(*primitives))
    count = primitives.count(Tilt())
    return np.array([not tilt_faults(*case, arm, table, count) for case in CASES])


def share(landed: Landings) -> str:
    """Return how many of the given landed."""
    return f"{int(landed.sum())} of {landed.size}"


def turns_row(name: str, *, is_ours: bool) -> str:
    """Return the row of layer turns."""
    errors = []
    for quarters in TURNS:
        table = author_turn(quarters)
        if is_ours:
            table, _ = recorded(TurnLayer(quarters))
        errors += [
            abs(layer_error_deg(rig, friction, table - table[0], 90 * quarters))
            for rig in mindcubers()
            for friction in LAYERS_NM
        ]
    straight = sum(error <= LAYER_WITHIN_DEG for error in errors)
    return f"| {name} | {straight} of {len(errors)} | {max(errors):.1f} |"


def run() -> str:
    """Return the section of RESULTS.md."""
    arms = [author_tilts(PACE.slower(each)) for each in PACES]
    authors = np.array([[not tilt_faults(*case, arm) for case in CASES] for arm in arms])
    sure = authors.all(axis=0)
    chosen = authors[PACES.index(1.0)]
    rows = [
        f"| three tilts, the author's | {share(chosen[sure])} | {share(chosen[~sure])} |",
        f"| the same at all {len(PACES)} paces | {share(authors[:, sure])} "
        f"| {share(authors[:, ~sure])} |",
    ]
    for primitives in SEQUENCES:
        words = ", ".join(str(each) for each in primitives)
        for slower in OURS:
            pace = "" if slower == 1 else f", in {slower} times the time"
            ours = landings(primitives, slower)
            rows.append(f"| {words}, ours{pace} | {share(ours[sure])} | {share(ours[~sure])} |")
    return "\n".join(
        [
            f"{len(mindcubers())} rigs; tilts with {len(FRICTIONS)} frictions of plastic, layer "
            f"turns by one to three quarters either way with {len(LAYERS_NM)} of the layers. "
            f"Sure are the {int(sure.sum())} of {len(CASES)} cases in which the author's tilts "
            f"land at all paces from {PACES[0]} to {PACES[-1]} times their time.",
            "",
            "| tilts | landed where it is sure | elsewhere |",
            "|---|---:|---:|",
            *rows,
            "",
            "| layer turns | straight | largest error, degrees |",
            "|---|---:|---:|",
            turns_row("the author's", is_ours=False),
            turns_row("ours", is_ours=True),
        ]
    )
