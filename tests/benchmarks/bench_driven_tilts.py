"""Tilts that the program drives, as rigid bodies

The program on the simulated brick drives arm and pusher of the rigs of `tests/physics` that were
kept apart, in MuJoCo, with the simulated motors' torque; the cube pushes back.
"""

from collections.abc import Sequence
from multiprocessing import Pool
from statistics import mean
from typing import Final

from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_brick.calibration import Pace
from controller.rigs.nxt_cradle.choreography import Choreographer
from tests.physics import FRICTIONS, Outcome, family
from tests.physics.driven import ThesisOrder, at_pace, jittered, shares
from tests.physics.trajectories import GENTLE_ARM
from tests.virtual_robot import RIG

JITTER: Final = (0.99, 1.0, 1.01)
PROCESSES: Final = 2
THESIS: Final[dict[str, float]] = {
    f"thesis, arm at {GENTLE_ARM.speed / slower:.0f} deg/s": slower for slower in (1.0, 1.5)
}
OWN: Final[dict[str, tuple[Sequence[Primitive], int]]] = {
    "cuberobot: tilt, home again": ((Tilt(),), 3),
    "cuberobot: tilt, spin, tilt": ((Tilt(), Spin(1), Tilt()), 1),
    "cuberobot: turn, tilt, turn back, tilt (rigs that clamp)": (
        (TurnLayer(1), Tilt(), TurnLayer(-1), Tilt()),
        1,
    ),
}
HEADS: Final = (
    "| what | seconds | cases | works | gave up | cube wrong |\n|---|---:|---:|---:|---:|---:|"
)


def play(job: tuple[str, float]) -> tuple[str, list[Outcome], float]:
    """Return what became of the cubes, and the seconds, of one way with an arm that is faster."""
    name, factor = job
    apart = [rig for rig in family() if rig.kept_apart and (rig.clamps or "clamp" not in name)]
    if name in THESIS:
        slower = THESIS[name]
        pace = Pace(GENTLE_ARM.speed / slower, GENTLE_ARM.acceleration / slower**2)
        calibration = jittered(at_pace(RIG, pace), factor)
        outcomes, seconds = shares(apart, FRICTIONS, [Tilt()], [calibration], ThesisOrder)
    else:
        primitives, repeats = OWN[name]
        calibration = jittered(RIG, factor)
        outcomes, seconds = shares(
            apart, FRICTIONS, primitives, [calibration], Choreographer, repeats
        )
    return name, [each for of_rig in outcomes.values() for each in of_rig], seconds


def run() -> str:
    """Return the section of RESULTS.md."""
    names = [*THESIS, *OWN]
    with Pool(PROCESSES, maxtasksperchild=1) as pool:
        jobs = [(name, factor) for name in names for factor in JITTER]
        played = list(pool.imap(play, jobs, chunksize=1))
    lines = []
    for name in names:
        each = [outcome for which, outcomes, _ in played if which == name for outcome in outcomes]
        seconds = mean(taken for which, _, taken in played if which == name)
        works = mean(outcome.works for outcome in each)
        gave_up = mean("does not move on" in str(outcome) for outcome in each)
        shown = " | ".join(f"{share:.0%}" for share in (works, gave_up, 1 - works - gave_up))
        lines.append(f"| {name} | {seconds:.2f} | {len(each)} | {shown} |")
    return "\n".join(
        [
            f"Rigs kept apart, at frictions {', '.join(map(str, FRICTIONS))}, the battery 8.0 V "
            f"with 1.2 ohm, the arm {JITTER[0]:g}, 1 and {JITTER[-1]:g} times as fast as it "
            "should. The thesis' order and the single tilt three times in a row. Both orders go on "
            "where the cube stops arm or pusher late on their way. Seconds are of what the row "
            "says, home again at its end. In the plane of a tilt a held layer does not turn: of a "
            "turn only is judged whether the cube stands between arm and pusher.",
            "",
            HEADS,
            *lines,
        ]
    )
