"""The cheapest translation of a list of moves: an exact dynamic programme.

Between two layer turns only the orientation of the cube counts, so the cheapest way from each of
the 24 orientations to each other is found once (Dijkstra over orientation and arm). Over the moves
runs a shortest path through the four orientations in which the face to turn lies down. Turns of
opposite faces commute; where two stand side by side both orders are tried.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count

from controller.motion.cost_model import CostModel
from controller.motion.cube_orientation import orientation_after, orientations_with_down
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Orientation, all_orientations

MOTIONS = (Tilt(), Spin(1), Spin(-1), Spin(2))


@dataclass(frozen=True, slots=True)
class Route:
    """The cheapest way to lay the cube otherwise, and its seconds."""

    seconds: float
    motions: tuple[Tilt | Spin, ...]


@dataclass(frozen=True, slots=True)
class _Partial:
    """The cheapest translation so far that leaves the cube in one orientation."""

    seconds: float
    last: tuple[Primitive, ...]
    before: "_Partial | None"

    def primitives(self) -> tuple[Primitive, ...]:
        parts = []
        node: _Partial | None = self
        while node is not None:
            parts.append(node.last)
            node = node.before
        return tuple(primitive for part in reversed(parts) for primitive in part)


_Front = dict[Orientation, _Partial]


@cache
def routes(costs: CostModel) -> dict[Orientation, dict[Orientation, Route]]:
    """Return the cheapest route between each two orientations, arm closed at both ends."""
    return {start: _routes_from(start, costs) for start in all_orientations()}


def cheapest_primitives(moves: Sequence[Move], costs: CostModel) -> tuple[Primitive, ...]:
    """Return the translation of `moves` with the least robot seconds.

    The order of neighbouring turns of opposite faces may change; nothing else does.
    """
    front: _Front = {UPRIGHT: _Partial(0.0, (), None)}
    for group in _commuting_groups(moves):
        front = _cheapest_front(front, group, costs)
    return min(front.values(), key=lambda partial: partial.seconds).primitives()


def layer_turn(move: Move) -> TurnLayer:
    """Return the shorter way round for `move`: three quarters are one quarter back."""
    return TurnLayer(-1 if move.quarter_turns == 3 else move.quarter_turns)


def _routes_from(start: Orientation, costs: CostModel) -> dict[Orientation, Route]:
    tie_breaker = count()
    queue: list[tuple[float, int, Orientation, tuple[Tilt | Spin, ...]]]
    queue = [(0.0, next(tie_breaker), start, ())]
    settled: set[tuple[Orientation, bool]] = set()
    found: dict[Orientation, Route] = {}
    while queue:
        seconds, _, orientation, motions = heapq.heappop(queue)
        arm_open = bool(motions)
        if (orientation, arm_open) in settled:
            continue
        settled.add((orientation, arm_open))
        found.setdefault(orientation, Route(seconds, motions))
        for motion in MOTIONS:
            price = costs.price(motion, arm_open=arm_open)
            following = (*motions, motion)
            entry = (
                seconds + price,
                next(tie_breaker),
                orientation_after(orientation, motion),
                following,
            )
            heapq.heappush(queue, entry)
    return found


def _commuting_groups(moves: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
    """Cut `moves` into single moves and pairs of turns of opposite faces."""
    index = 0
    while index < len(moves):
        pair = tuple(moves[index : index + 2])
        opposite = len(pair) == 2 and abs(pair[0].face - pair[1].face) == 3
        group = pair if opposite else pair[:1]
        yield group
        index += len(group)


def _cheapest_front(front: _Front, group: tuple[Move, ...], costs: CostModel) -> _Front:
    best = _after_moves(front, group, costs)
    if len(group) == 2:
        for orientation, partial in _after_moves(front, group[::-1], costs).items():
            if orientation not in best or partial.seconds < best[orientation].seconds:
                best[orientation] = partial
    return best


def _after_moves(front: _Front, moves: tuple[Move, ...], costs: CostModel) -> _Front:
    for move in moves:
        front = _after_move(front, move, costs)
    return front


def _after_move(front: _Front, move: Move, costs: CostModel) -> _Front:
    turn = layer_turn(move)
    turn_seconds = costs.price(turn, arm_open=False)
    result: _Front = {}
    for goal in orientations_with_down(move.face):
        start = min(front, key=lambda each: front[each].seconds + routes(costs)[each][goal].seconds)
        route = routes(costs)[start][goal]
        seconds = front[start].seconds + route.seconds + turn_seconds
        result[goal] = _Partial(seconds, (*route.motions, turn), front[start])
    return result
