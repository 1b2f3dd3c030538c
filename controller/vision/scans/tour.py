"""The way a robot shows a cube to what is above it: one face after the other.

Prices are those of motions that follow each other at once: the machine need not go home for a view.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from itertools import count
from typing import Final, Protocol

from controller.motion.primitives import HOME, AfterView, CostModel, Primitive, Spin, Tilt
from controller.motion.virtual_cube import orientation_after
from controller.vision.scans.events import Turning
from solvers.rubik.rotations import UPRIGHT, Face, Orientation

_MOTIONS: Final = (Tilt(), Spin(1), Spin(-1), Spin(2))


@dataclass(frozen=True, slots=True)
class TourStop:
    """The motions before the next view, and the orientation of the cube then."""

    motions: tuple[Tilt | Spin, ...]
    orientation: Orientation


def cheapest_tour(
    costs: CostModel,
    start: Orientation | None = None,
    avoided: Collection[Orientation] = (),
) -> tuple[TourStop, ...]:
    """Return the six stops of the tour that takes the fewest robot seconds, found exactly.

    A face is viewed in the first orientation that shows it, unless that is `avoided`: a second
    tour thus shows each face turned differently, with the glare elsewhere on it.
    """
    return _cheapest_tour(costs, start or UPRIGHT, frozenset(avoided))


@cache  # each scan and each further tour asks again, mostly for the same few
def _cheapest_tour(
    costs: CostModel, first: Orientation, avoided: frozenset[Orientation]
) -> tuple[TourStop, ...]:
    # Dijkstra over (orientation, faces seen, last motion).
    order = count()
    queue: list[tuple[float, int, Orientation, frozenset[Face], tuple[Primitive, ...]]]
    queue = [(0.0, next(order), first, _seen(frozenset(), first, avoided), ())]
    done = set()
    while True:
        cost, _, orientation, seen, path = heappop(queue)
        last = path[-1] if path else None
        if len(seen) == len(Face):
            return _stops(first, path, avoided)
        if (orientation, seen, last) in done:
            continue
        done.add((orientation, seen, last))
        for motion in _MOTIONS:
            following = orientation_after(orientation, motion)
            price = cost + costs.price(motion, last)
            also_seen = _seen(seen, following, avoided)
            entry = (following, also_seen, (*path, motion))
            heappush(queue, (price, next(order), *entry))


def _seen(
    seen: frozenset[Face], orientation: Orientation, avoided: Collection[Orientation]
) -> frozenset[Face]:
    return seen if orientation in avoided else seen | {orientation[Face.U]}


def _stops(
    start: Orientation, path: tuple[Primitive, ...], avoided: Collection[Orientation]
) -> tuple[TourStop, ...]:
    stops: list[TourStop] = []
    orientation, seen = start, _seen(frozenset(), start, avoided)
    if seen:
        stops.append(TourStop((), start))
    pending: list[Tilt | Spin] = []
    for motion in path:
        assert isinstance(motion, Tilt | Spin)
        pending.append(motion)
        orientation = orientation_after(orientation, motion)
        if (also := _seen(seen, orientation, avoided)) != seen:
            stops.append(TourStop(tuple(pending), orientation))
            pending.clear()
            seen = also
    return tuple(stops)


class Perform(Protocol):
    """Plays motions of the whole cube, as `Mechanism.perform` does."""

    def __call__(
        self,
        primitive: Tilt | Spin,
        /,
        *,
        before: Primitive | None = None,
        ahead: Sequence[Primitive] = (),
        then: AfterView = None,
    ) -> None:
        """Play one motion; the cube is at rest when this returns."""


def turn_to(stop: TourStop, perform: Perform, then: AfterView = None) -> Iterator[Turning]:
    """Turn the cube for the next view, after which comes `then`."""
    motions = stop.motions
    for index, motion in enumerate(motions):
        yield Turning(motion)
        before = motions[index - 1] if index else None
        perform(motion, before=before, ahead=motions[index + 1 :], then=then)


def with_next(stops: Sequence[TourStop]) -> Iterator[tuple[TourStop, AfterView]]:
    """Yield each stop with what comes after its view."""
    return zip(stops, (*(stop.motions[0] for stop in stops[1:]), HOME), strict=True)
