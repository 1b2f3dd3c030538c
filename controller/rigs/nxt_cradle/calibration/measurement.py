"""Measures the seconds per primitive on a connected rig."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import mean

from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_cradle.calibration.values import Seconds
from solvers.foundation.clock import Clock
from solvers.foundation.progress import Job, Progress

# Leaves the cube as it was: four tilts, and everything else once each way.
ROUND: tuple[Primitive, ...] = (
    Tilt(), Tilt(), Tilt(), Tilt(),
    Spin(1), Spin(-1), Spin(2), Spin(-2), Spin(3), Spin(-3),
    TurnLayer(1), TurnLayer(-1), TurnLayer(2), TurnLayer(-2), TurnLayer(3), TurnLayer(-3),
)  # fmt: skip
# The same cube again, with the arm left open between the tilts.
OPEN_ROUND: tuple[Primitive, ...] = (Tilt(),) * 4


def measure_seconds(mechanism: Mechanism, clock: Clock, rounds: int) -> Job[Progress, Seconds]:
    """Play every primitive `rounds` times and report the means, in robot seconds.

    The mechanism must have its home. Raises RobotError.
    """
    measured: dict[str, list[float]] = defaultdict(list)
    total = rounds * (len(ROUND) + len(OPEN_ROUND))
    done = 0
    for _ in range(rounds):
        for primitive in ROUND:
            yield Progress("measuring", done, total, "primitives")
            measured[_name(primitive)].append(_timed(mechanism, clock, primitive))
            done += 1
        opened = []
        for index, primitive in enumerate(OPEN_ROUND):
            yield Progress("measuring", done, total, "primitives")
            ahead = OPEN_ROUND[index + 1 :]
            opened.append(_timed(mechanism, clock, primitive, ahead))
            done += 1
        measured["open"].append(sum(opened))
    return _means(measured)


def _means(measured: dict[str, list[float]]) -> Seconds:
    seconds = {name: round(mean(values), 3) for name, values in measured.items()}
    saved = (len(OPEN_ROUND) * seconds["Tilt"] - seconds["open"]) / (len(OPEN_ROUND) - 1)
    return Seconds(
        tilt=seconds["Tilt"],
        spin=(seconds["Spin1"], seconds["Spin2"], seconds["Spin3"]),
        turn=(seconds["TurnLayer1"], seconds["TurnLayer2"], seconds["TurnLayer3"]),
        open_arm_saving=max(0.0, round(saved, 3)),
    )


def _name(primitive: Primitive) -> str:
    kind = type(primitive).__name__
    return kind if isinstance(primitive, Tilt) else f"{kind}{abs(primitive.quarters)}"


def _timed(
    mechanism: Mechanism, clock: Clock, primitive: Primitive, ahead: Sequence[Primitive] = ()
) -> float:
    began_s = clock.now()
    mechanism.perform(primitive, ahead=ahead)
    return clock.now() - began_s
