"""The cheapest translation of a list of moves: an exact dynamic programme.

A price depends on a primitive and the one before it. Between two layer turns only the orientation
of the cube counts, so the cheapest leg from turn to turn is found once for each way in which the
cube is laid otherwise (Dijkstra over orientation and last motion). Over the moves runs a shortest
path through the four orientations in which the face to turn lies down. Turns of opposite faces
commute; where two stand side by side both orders are tried.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias

from controller.motion.cost_model import CostModel
from controller.motion.cube_orientation import orientation_after, orientations_with_down
from controller.motion.primitives import Primitive, Spin, Tilt, TurnLayer
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Orientation

MOTIONS = (Tilt(), Spin(1), Spin(-1), Spin(2))


@dataclass(frozen=True, slots=True)
class Leg:
    """The cheapest way to lay the cube otherwise and turn its bottom layer, and its seconds."""

    seconds: float
    primitives: tuple[Primitive, ...]


@dataclass(frozen=True, slots=True)
class _Partial:
    """The cheapest translation so far that leaves the cube in one orientation."""

    seconds: float
    last: tuple[Primitive, ...]
    before: "_Partial | None"

    @property
    def last_turn(self) -> Primitive | None:
        return self.last[-1] if self.last else None

    def primitives(self) -> tuple[Primitive, ...]:
        parts = []
        node: _Partial | None = self
        while node is not None:
            parts.append(node.last)
            node = node.before
        return tuple(primitive for part in reversed(parts) for primitive in part)


_Front: TypeAlias = dict[tuple[Orientation, Primitive | None], _Partial]
"""By orientation and by the turn that was made last, for the next price depends on both."""


def cheapest_primitives(
    moves: Sequence[Move], costs: CostModel, *, has_centres: bool = True
) -> tuple[Primitive, ...]:
    """Return the translation of `moves` with the least robot seconds.

    The order of neighbouring turns of opposite faces may change; nothing else does. Where a cube
    has no centres, the opposite layer may be turned instead, and the cube lie otherwise in the end.
    """
    front: _Front = {(UPRIGHT, None): _Partial(0.0, (), None)}
    for group in _commuting_groups(moves):
        front = _cheapest_front(front, group, costs, has_centres)
    return min(front.values(), key=lambda partial: partial.seconds).primitives()


def layer_turn(move: Move) -> TurnLayer:
    """Return the shorter way round for `move`: three quarters are one quarter back."""
    return TurnLayer(-1 if move.quarter_turns == 3 else move.quarter_turns)


@cache
def legs(costs: CostModel, before: Primitive | None, turn: TurnLayer) -> dict[Orientation, Leg]:
    """Return the cheapest leg for each new orientation of a cube that lay upright."""
    best: dict[Orientation, Leg] = {}
    for orientation, motions, seconds in _routes(costs, before):
        whole = seconds + costs.price(turn, motions[-1] if motions else before)
        if orientation not in best or whole < best[orientation].seconds:
            best[orientation] = Leg(whole, (*motions, turn))
    return best


def _routes(
    costs: CostModel, before: Primitive | None
) -> Iterator[tuple[Orientation, tuple[Tilt | Spin, ...], float]]:
    """Yield the cheapest way to each orientation with each motion as its last."""
    tie_breaker = count()
    queue: list[tuple[float, int, Orientation, tuple[Tilt | Spin, ...]]]
    queue = [(0.0, next(tie_breaker), UPRIGHT, ())]
    settled: set[tuple[Orientation, Primitive | None]] = set()
    while queue:
        seconds, _, orientation, motions = heapq.heappop(queue)
        last = motions[-1] if motions else before
        if (orientation, last) in settled:
            continue
        settled.add((orientation, last))
        yield orientation, motions, seconds
        for motion in MOTIONS:
            following = orientation_after(orientation, motion)
            price = seconds + costs.price(motion, last)
            heapq.heappush(queue, (price, next(tie_breaker), following, (*motions, motion)))


@cache
def _relative(start: Orientation, goal: Orientation) -> Orientation:
    """Return how an upright cube lies after what lays `start` like `goal`."""
    return start.inverse().then(goal)


def _commuting_groups(moves: Sequence[Move]) -> Iterator[tuple[Move, ...]]:
    """Cut `moves` into single moves and pairs of turns of opposite faces."""
    index = 0
    while index < len(moves):
        pair = tuple(moves[index : index + 2])
        opposite = len(pair) == 2 and abs(pair[0].face - pair[1].face) == 3
        group = pair if opposite else pair[:1]
        yield group
        index += len(group)


def _cheapest_front(
    front: _Front, group: tuple[Move, ...], costs: CostModel, has_centres: bool
) -> _Front:
    best = _after_moves(front, group, costs, has_centres)
    if len(group) == 2:
        for state, partial in _after_moves(front, group[::-1], costs, has_centres).items():
            if state not in best or partial.seconds < best[state].seconds:
                best[state] = partial
    return best


def _after_moves(
    front: _Front, moves: tuple[Move, ...], costs: CostModel, has_centres: bool
) -> _Front:
    for move in moves:
        front = _after_move(front, move, costs, has_centres)
    return front


def _lying_for(
    move: Move, turn: TurnLayer, has_centres: bool
) -> Iterator[tuple[Orientation, Orientation]]:
    """Yield how the cube may lie for its turn, and how it lies after it as if `move` were done."""
    for goal in orientations_with_down(move.face):
        yield goal, goal
    if not has_centres:
        # The layer that stays is the one that was to turn; as if the cube were spun back instead.
        for goal in orientations_with_down(move.face.opposite):
            yield goal, orientation_after(goal, Spin(-turn.quarters))


def _after_move(front: _Front, move: Move, costs: CostModel, has_centres: bool) -> _Front:
    turn = layer_turn(move)
    ways = [
        (partial, start, legs(costs, partial.last_turn, turn))
        for (start, _), partial in front.items()
    ]
    result: _Front = {}
    for goal, left in _lying_for(move, turn, has_centres):
        seconds, leg, partial = min(
            (
                (partial.seconds + leg.seconds, leg, partial)
                for partial, start, by_goal in ways
                for leg in (by_goal[_relative(start, goal)],)
            ),
            key=lambda way: way[0],
        )
        result[left, turn] = _Partial(seconds, leg.primitives, partial)
    return result
