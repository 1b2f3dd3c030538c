"""Measures the seconds of primitives and their neighbours on a connected rig."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol, TypeAlias, runtime_checkable

import msgspec
import numpy as np

from controller.motion.mechanism import Mechanism
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from controller.rigs.nxt_cradle.calibration.values import Saved, Seconds, meeting_of
from solvers.foundation.progress import Job, Progress

Run: TypeAlias = tuple[Primitive, ...]

_TILTS: Final = (Tilt(),) * 4
_LEAST_PRICE_S: Final = 0.05


def _runs() -> Iterator[Run]:
    """Yield runs from home to home in which all neighbours meet, and that leave the cube as is.

    Each meeting also occurs away from a run's end, where the way home would hide it.
    """
    yield _TILTS
    for quarters in (1, 2, 3):
        on, back = TurnLayer(quarters), TurnLayer(-quarters)
        left, right = Spin(quarters), Spin(-quarters)
        yield (on, *_TILTS, back, *_TILTS)
        yield (left, *_TILTS, right, *_TILTS)
        if quarters < 3:
            yield (on, right, back, left, on, left, back, right)
            yield (left, on, right, back)


RUNS: Final[tuple[Run, ...]] = tuple(_runs())

_MEETINGS: Final = tuple(field.name for field in msgspec.structs.fields(Saved))
_ENDINGS: Final = ("ending of tilts", "ending of spins", "ending")
_UNKNOWNS: Final = (
    "tilt",
    *(f"{kind} {quarters}" for kind in ("spin", "turn") for quarters in (1, 2, 3)),
    *_MEETINGS,
    *_ENDINGS,
)


@runtime_checkable
class TimedMechanism(Mechanism, Protocol):
    """A mechanism that says what the last primitive took, in seconds."""

    seconds_taken: float


def measure_seconds(mechanism: TimedMechanism, rounds: int) -> Job[Progress, Seconds]:
    """Play all runs `rounds` times and report the prices that explain their seconds best.

    The mechanism must have its home. Raises RobotError.
    """
    rows: list[list[int]] = []
    seconds: list[float] = []
    total = rounds * sum(map(len, RUNS))
    for run in RUNS * rounds:
        for index, primitive in enumerate(run):
            yield Progress("measuring", len(rows), total, "primitives")
            before = run[index - 1] if index else None
            ahead = run[index + 1 :]
            mechanism.perform(primitive, before=before, ahead=ahead)
            seconds.append(mechanism.seconds_taken)
            rows.append(_row(primitive, before, ahead))
    return _prices(np.linalg.lstsq(np.array(rows, float), np.array(seconds), rcond=None)[0])


def _row(primitive: Primitive, before: Primitive | None, ahead: Sequence[Primitive]) -> list[int]:
    """Return how often each of the unknowns is in the seconds of one primitive."""
    row = dict.fromkeys(_UNKNOWNS, 0)
    match primitive:
        case Tilt():
            base, ending = "tilt", _ENDINGS[0]
        case Spin():
            base, ending = f"spin {abs(primitive.quarters)}", _ENDINGS[1]
        case TurnLayer():
            base, ending = f"turn {abs(primitive.quarters)}", _ENDINGS[2]
    row[base] = 1
    meeting = meeting_of(before, primitive)
    if meeting is not None:
        row[meeting] = -1
    if not ahead:
        row[ending] = 1
    return list(row.values())


def _prices(solution: "np.typing.NDArray[np.float64]") -> Seconds:
    found = {name: round(float(value), 3) for name, value in zip(_UNKNOWNS, solution, strict=True)}
    spins, turns = (
        tuple(max(_LEAST_PRICE_S, found[f"{kind} {quarters}"]) for quarters in (1, 2, 3))
        for kind in ("spin", "turn")
    )
    return Seconds(
        tilt=max(_LEAST_PRICE_S, found["tilt"]),
        spin=(spins[0], spins[1], spins[2]),
        turn=(turns[0], turns[1], turns[2]),
        ending=max(0.0, found["ending"]),
        saved=Saved(**{name: found[name] for name in _MEETINGS}),
    )
