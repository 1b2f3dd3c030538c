"""Find MindCubers on which the author's own sequence lands: python -m tests.physics.find_mindcubers

Arguments: CPU minutes and a seed; or files of what was found, of which the rigs' file is made, with
rigs on which all of the author's tilts land within a degree and a half.

Sizes are drawn where the known angles allow them: away and released, the arm lets the corners of a
spinning cube pass; on its way to hold it does not meet the cube; tipped, its hook is beyond the
cube's middle. Draws on which one of the author's tilts lands are improved by small changes. A rig
is printed as a line of JSON when his tilts land on it at all frictions, at four paces from that of
a fresh battery on and with home found a degree off, and when his layer turns end straight with worn
and stiff cubes; it is changed further.
"""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import msgspec
import mujoco
import numpy as np

from solvers.foundation.files import write_text
from tests.physics.mindcuber_oracle import (
    AWAY,
    CORNERS_MM,
    HOLD,
    LAYERS_NM,
    PACE,
    RELEASE,
    RIGS_FILE,
    TIPPED,
    MindCuberRig,
    arm_at,
    author_tilts,
    author_turn,
    layer_error_deg,
    overlap_mm,
    tilt_faults,
)
from tests.physics.oracle import FRICTIONS, HALF_MM

RANGES: Final = {
    "mass_g": (75.0, 105.0),
    "lip_gap": (0.6, 3.0),
    "lip_height": (3.0, 12.0),
    "lip_lean": (0.0, 8.0),
    "motor_x": (-130.0, -35.0),
    "motor_z": (-25.0, 70.0),
    "pin_x": (-178.0, 13.0),
    "pin_z": (-73.0, 118.0),
    "joint_x": (-130.0, -30.0),
    "joint_z": (0.0, 110.0),
    "rocker_x": (-150.0, -35.0),
    "rocker_z": (-25.0, 90.0),
    "hook_gap": (0.5, 8.0),
    "hook_deep": (1.0, 20.0),
    "beam_gap": (0.5, 8.0),
    "pad_gap": (0.5, 8.0),
    "pad_low": (19.5, 45.0),
    "pad_long": (1.0, 25.0),
    "radius": (1.5, 4.0),
    "bar_mm": (4.0, 48.0),
}
"""Millimetres and grams: what an NXT kit can build around a cube (assumed)."""
CRANK_MM: Final = (12.0, 48.0)
LEAST_MM: Final = 12.0
ROOM_MM: Final = 0.5
TIPPED_X, TIPPED_Z = -20.0, 40.0
BARS: Final = 12
CHANGE: Final = 0.04
CLEARLY_DEG: Final = 1.5
CLEARLY_STRAIGHT_DEG: Final = 5.0
"""What the judge takes for flat and straight is 2 and 6: a rig on the edge would show chance."""
PATIENCE: Final = 25
"""Changes in vain after which another rig is drawn."""
OF_ONE_CLIMB: Final = 5
NEW: Final = 0.3
"""By so much of their ranges, added up, the sizes of two rigs have to differ."""

PACES: Final = tuple(PACE.slower(each) for each in (1.0, 1.1, 1.25, 1.4))
HOME_OFF_DEG: Final = 1.0
ONE_TILT: Final = author_tilts(count=1)
TILTS: Final = (
    *(author_tilts(pace) for pace in PACES),
    *(author_tilts(PACES[1]) + each for each in (-HOME_OFF_DEG, HOME_OFF_DEG)),
)
CASES: Final = tuple((arm, friction) for friction in FRICTIONS for arm in TILTS)
TURNS: Final = tuple((90 * each, author_turn(each, pace)) for each in (1, -2) for pace in PACES)


def draw(random: Random) -> MindCuberRig:
    """Return sizes at random."""
    sizes = {name: round(random.uniform(*limits), 2) for name, limits in RANGES.items()}
    crank = random.uniform(*CRANK_MM) * np.exp(2j * np.pi * random.random())
    sizes["pin_x"] = round(sizes["motor_x"] + float(crank.real), 2)
    sizes["pin_z"] = round(sizes["motor_z"] + float(crank.imag), 2)
    return MindCuberRig(name="", way=random.choice((-1, 1)), **sizes)


def change(rig: MindCuberRig, random: Random) -> MindCuberRig:
    """Return a rig of which some sizes are a little different."""
    sizes = {}
    for name in random.sample(sorted(RANGES), random.choice((3, 5, 8))):
        low, high = RANGES[name]
        size = getattr(rig, name) + random.gauss(0, CHANGE * (high - low))
        sizes[name] = round(min(high, max(low, size)), 2)
    return msgspec.structs.replace(rig, **sizes)


def fits(rig: MindCuberRig) -> bool:
    """Return whether the arm has room wherever the angles say that it has."""
    rocker = abs(complex(rig.joint_x - rig.rocker_x, rig.joint_z - rig.rocker_z))
    link = abs(complex(rig.joint_x - rig.pin_x, rig.joint_z - rig.pin_z))
    if min(rocker, link) < LEAST_MM:
        return False
    try:
        if any(overlap_mm(rig, at, CORNERS_MM) > -ROOM_MM for at in (RELEASE, 43.0, AWAY)):
            return False
        hook, _ = arm_at(rig, TIPPED)
        if hook.x2 > TIPPED_X or hook.z2 < TIPPED_Z:
            return False
        if any(overlap_mm(rig, at, HALF_MM) > 0 for at in np.linspace(RELEASE, HOLD, 10)):
            return False
        rods = [rod for at in np.linspace(AWAY, TIPPED, 16) for rod in arm_at(rig, float(at))]
    except ValueError:
        return False
    return all(bool(min(rod.z1, rod.z2) > rod.radius) for rod in rods)


def misses(rig: MindCuberRig, most: int = len(CASES)) -> int:
    """Return in how many cases the author's tilts do not land, `most` + 1 if in more."""
    count = 0
    for arm, friction in CASES:
        count += bool(tilt_faults(rig, friction, arm))
        if count > most:
            break
    return count


def holds(rig: MindCuberRig) -> bool:
    """Return whether the author's layer turns end straight."""
    errors = (layer_error_deg(rig, each, turn, goal) for each in LAYERS_NM for goal, turn in TURNS)
    return max(map(abs, errors)) <= CLEARLY_STRAIGHT_DEG


def with_bars(rig: MindCuberRig, random: Random) -> MindCuberRig | None:
    """Return the rig with bars so wide that it holds a cube, None if none of some draws is."""
    for _ in range(BARS):
        if holds(rig):
            return rig
        rig = msgspec.structs.replace(rig, bar_mm=round(random.uniform(*RANGES["bar_mm"]), 2))
    return None


def difference(one: MindCuberRig, other: MindCuberRig) -> float:
    """Return how different two rigs are, in parts of the ranges of their sizes."""
    return sum(
        abs(float(getattr(one, name)) - float(getattr(other, name))) / (high - low)
        for name, (low, high) in RANGES.items()
    )


def find(minutes: float, seed: int) -> Iterator[MindCuberRig]:
    """Yield rigs until the time is over."""
    mujoco.set_mju_user_warning(lambda _: None)  # else a rig that flies apart leaves MUJOCO_LOG.TXT
    random = Random(seed)
    ends = time.process_time() + 60 * minutes
    found: list[MindCuberRig] = []
    while time.process_time() < ends:
        rig = draw(random)
        if not fits(rig) or tilt_faults(rig, FRICTIONS[1], ONE_TILT, count=1):
            continue
        fewest, tries, first = misses(rig), 0, len(found)
        while tries < PATIENCE and len(found) < first + OF_ONE_CLIMB:
            tries += 1
            other = change(rig, random)
            if not fits(other):
                continue
            count = misses(other, fewest)
            if count > fewest:
                continue
            if count < fewest:
                tries = 0
            rig, fewest = other, count
            if count or any(difference(rig, each) < NEW for each in found):
                continue
            held = with_bars(rig, random)
            if held is not None:
                rig, tries = held, 0
                found.append(msgspec.structs.replace(held, name=f"mindcuber-{seed}-{len(found)}"))
                yield found[-1]


def pick(names: list[str]) -> None:
    """Write the rigs' file."""
    lines = [line for name in names for line in Path(name).read_text().splitlines()]
    found = [msgspec.json.decode(line, type=MindCuberRig) for line in lines]
    rigs = [
        rig
        for rig in found
        if not any(tilt_faults(rig, each, arm, flat_deg=CLEARLY_DEG) for arm, each in CASES)
    ]
    rows = ",\n".join(msgspec.json.encode(rig).decode() for rig in rigs)
    write_text(RIGS_FILE, f"[\n{rows}\n]\n")


if __name__ == "__main__":
    try:
        given = float(sys.argv[1]), int(sys.argv[2])
    except ValueError:
        pick(sys.argv[1:])
    else:
        for each in find(*given):
            print(msgspec.json.encode(each).decode(), flush=True)
