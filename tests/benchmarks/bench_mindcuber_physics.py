"""MindCuber's tilt and hold in MuJoCo: ours against the author's own sequence

Sizes are drawn at random within what the known angles of the machine allow, and changed a little; a
rig is kept where the author's sequence (angles, speeds, pauses) lands: three tilts in a row at all
frictions, at four paces and with home a degree off, and layer turns that end within 5 degrees, of
which 6 are allowed (`tests/physics/find_mindcubers.py`). Ours is recorded from the simulated motors
with a battery of 9.0 V. Where a tilt throws the cube, details decide: rows of other paces say how
often, of the author's sequence and of ours (all of it, pauses too).
"""

from typing import Final

import numpy as np

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

TURNS: Final = (1, 2, 3, -1, -2, -3)


NOT_TRIED: Final = (0.97, 1.03, 1.05, 1.3)
"""Paces of the author's sequence at which the rigs were not chosen: how much is chance."""
OURS: Final = (1.0, 0.97, 1.03)
"""In how many times its time ours is played."""


def slowed(rows: Angles, slower: float) -> Angles:
    """Return what a motor does in each millisecond if all takes `slower` times as long."""
    times = np.arange(round((len(rows) - 1) * slower) + 1) / slower
    return np.interp(times, np.arange(len(rows)), rows)


def tilts_row(
    name: str, primitives: tuple[Primitive, ...], slower: float, *, is_ours: bool = False
) -> str:
    """Return the row of tilts: ours between neighbours, or the author's, at a pace."""
    table: Angles | None = None
    if is_ours:
        table, arm = (slowed(each, slower) for each in recorded(*primitives))
    else:
        arm = author_tilts(PACE.slower(slower))
    count = primitives.count(Tilt())
    cases = [(rig, friction) for rig in mindcubers() for friction in FRICTIONS]
    landed = sum(not tilt_faults(rig, friction, arm, table, count) for rig, friction in cases)
    return f"| {name} | {landed} of {len(cases)} | |"


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
    three = SEQUENCES[0]
    rows = [tilts_row("three tilts, the author's", three, 1.0)]
    rows += [
        tilts_row(f"the same in {slower} times the time, not tried in choosing", three, slower)
        for slower in NOT_TRIED
    ]
    for primitives in SEQUENCES:
        words = ", ".join(str(each) for each in primitives)
        for slower in OURS:
            pace = "" if slower == 1 else f", in {slower} times the time"
            rows.append(tilts_row(f"{words}, ours{pace}", primitives, slower, is_ours=True))
    rows.append(turns_row("layer turns, the author's", is_ours=False))
    rows.append(turns_row("layer turns, ours", is_ours=True))
    return "\n".join(
        [
            f"{len(mindcubers())} rigs; tilts with {len(FRICTIONS)} frictions of plastic, layer "
            f"turns by one to three quarters either way with {len(LAYERS_NM)} of the layers.",
            "",
            "| motions | landed | largest error of a layer, degrees |",
            "|---|---:|---:|",
            *rows,
        ]
    )
