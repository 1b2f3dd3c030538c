"""The cheapest way to show all six faces to a camera that looks down on the rig."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import count
from typing import Final

from controller.motion.cost_model import CostModel
from controller.motion.cube_orientation import orientation_after
from controller.motion.primitives import Primitive, Spin, Tilt
from solvers.rubik.rotations import UPRIGHT, Face, Orientation

_MOTIONS: Final = (Tilt(), Spin(1), Spin(-1), Spin(2))


@dataclass(frozen=True, slots=True)
class TourStop:
    """What to do before the next look, and how the cube lies then."""

    motions: tuple[Tilt | Spin, ...]
    orientation: Orientation


def cheapest_tour(
    costs: CostModel,
    start: Orientation | None = None,
    avoided: Collection[Orientation] = (),
) -> tuple[TourStop, ...]:
    """Return the six stops of the tour that takes the fewest robot seconds.

    A face is looked at in the first orientation that shows it, unless that is `avoided`: a second
    tour thus shows each face turned differently, with the glare elsewhere on it.
    """
    return _cheapest_tour(costs, start or UPRIGHT, frozenset(avoided))


@cache  # each scan and each look at a restless cube asks anew, mostly for the same few
def _cheapest_tour(
    costs: CostModel, first: Orientation, avoided: frozenset[Orientation]
) -> tuple[TourStop, ...]:
    # Dijkstra over (orientation, faces seen, last motion).
    order = count()
    queue: list[tuple[float, int, Orientation, frozenset[Face], tuple[Primitive, ...]]]
    queue = [(0.0, next(order), first, _seen(frozenset(), first, avoided), ())]
    done = set()
    while True:
        cost, _, lie, seen, path = heappop(queue)
        last = path[-1] if path else None
        if len(seen) == len(Face):
            return _stops(first, path, avoided)
        if (lie, seen, last) in done:
            continue
        done.add((lie, seen, last))
        for motion in _MOTIONS:
            following = orientation_after(lie, motion)
            price = cost + costs.price(motion, last)
            also_seen = _seen(seen, following, avoided)
            entry = (following, also_seen, (*path, motion))
            heappush(queue, (price, next(order), *entry))


def _seen(
    seen: frozenset[Face], lie: Orientation, avoided: Collection[Orientation]
) -> frozenset[Face]:
    return seen if lie in avoided else seen | {lie[Face.U]}


def _stops(
    start: Orientation, path: tuple[Primitive, ...], avoided: Collection[Orientation]
) -> tuple[TourStop, ...]:
    stops: list[TourStop] = []
    lie, seen = start, _seen(frozenset(), start, avoided)
    if seen:
        stops.append(TourStop((), start))
    pending: list[Tilt | Spin] = []
    for motion in path:
        assert isinstance(motion, Tilt | Spin)
        pending.append(motion)
        lie = orientation_after(lie, motion)
        if (also := _seen(seen, lie, avoided)) != seen:
            stops.append(TourStop(tuple(pending), lie))
            pending.clear()
            seen = also
    return tuple(stops)
