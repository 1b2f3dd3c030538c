"""Measures the seconds per primitive on a connected rig."""

from collections import defaultdict
from statistics import mean

from controller.calibration.calibration import Seconds
from controller.drivers.mechanism import Mechanism
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from solvers.foundation.clock import Clock

# Leaves the cube as it was: four tilts, and everything else once each way.
ROUND: tuple[Primitive, ...] = (
    Tilt(), Tilt(), Tilt(), Tilt(),
    Spin(1), Spin(-1), Spin(2), Spin(-2), Spin(3), Spin(-3),
    TurnLayer(1), TurnLayer(-1), TurnLayer(2), TurnLayer(-2), TurnLayer(3), TurnLayer(-3),
)  # fmt: skip
# The same cube again, with the arm left open between the tilts.
OPEN_ROUND: tuple[Primitive, ...] = (Tilt(),) * 4


def measure_seconds(mechanism: Mechanism, clock: Clock, rounds: int) -> Seconds:
    """Play every primitive `rounds` times and return the means, in robot seconds.

    The mechanism must have its home. Raises RobotError.
    """
    measured: dict[str, list[float]] = defaultdict(list)
    for _ in range(rounds):
        for primitive in ROUND:
            measured[_name(primitive)].append(_timed(mechanism, clock, primitive))
        opened = [
            _timed(mechanism, clock, primitive, keep_arm_open=index < len(OPEN_ROUND) - 1)
            for index, primitive in enumerate(OPEN_ROUND)
        ]
        measured["open"].append(sum(opened))
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
    mechanism: Mechanism, clock: Clock, primitive: Primitive, *, keep_arm_open: bool = False
) -> float:
    began_s = clock.now()
    mechanism.perform(primitive, keep_arm_open=keep_arm_open)
    return clock.now() - began_s
