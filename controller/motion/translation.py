"""Face turns as primitives: by the routine of the thesis of 2010, and at the least price.

The thesis (chapter 11.1, `seitenUmwandlung`) brings each face down by a fixed routine; cradle and
layer turn in one direction only.

The cheapest translation is an exact dynamic programme. A price depends on a primitive and the one
before it. Between two layer turns only the orientation of the cube counts, so the cheapest leg from
turn to turn is found once for each change of orientation (Dijkstra over orientation and last
motion). Over the moves runs a shortest path through the four orientations in which the face to turn
is down. Turns of opposite faces commute; where two are neighbours both orders are tried.
"""

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TypeAlias

from controller.motion.primitives import CostModel, Primitive, Spin, Tilt, TurnLayer
from controller.motion.virtual_cube import orientation_after, orientations_with_down
from solvers.rubik.notation import Move
from solvers.rubik.rotations import UPRIGHT, Face, Orientation

# What brings the face at each place down.
ROUTINE: dict[Face, tuple[Tilt | Spin, ...]] = {
    Face.F: (Tilt(),),
    Face.U: (Tilt(), Tilt()),
    Face.B: (Spin(2), Tilt()),
    Face.D: (),
    Face.R: (Spin(1), Tilt()),
    Face.L: (Spin(3), Tilt()),
}

# The thesis numbers the places front, up, back, down, right, left.
PAPER_PLACES = (Face.F, Face.U, Face.B, Face.D, Face.R, Face.L)


def paper_primitives(moves: Sequence[Move]) -> tuple[Primitive, ...]:
    """Return the primitives that the thesis' program would play for `moves`."""
    primitives: list[Primitive] = []
    orientation = UPRIGHT
    for move in moves:
        for motion in ROUTINE[orientation.place_of(move.face)]:
            primitives.append(motion)
            orientation = orientation_after(orientation, motion)
        primitives.append(TurnLayer(move.quarter_turns))
    return tuple(primitives)


def paper_list(moves: Sequence[Move]) -> list[int]:
    """Return the translated list as the thesis sends it to the robot.

    The number of moves, then for each move 3 * place + (quarter turns - 1), where the place is
    where its face is at that time.
    """
    numbers = [len(moves)]
    orientation = UPRIGHT
    for move in moves:
        place = orientation.place_of(move.face)
        numbers.append(3 * PAPER_PLACES.index(place) + move.quarter_turns - 1)
        for motion in ROUTINE[place]:
            orientation = orientation_after(orientation, motion)
    return numbers


MOTIONS = (Tilt(), Spin(1), Spin(-1), Spin(2))


@dataclass(frozen=True, slots=True)
class Leg:
    """The cheapest motions to another orientation and a turn of the bottom layer; its seconds."""

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
    has no centres, the opposite layer can be turned instead, which ends in another orientation.
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
    """Return the cheapest leg to each orientation of a cube that was upright."""
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
    """Return the orientation of an upright cube after motions from `start` to `goal`."""
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
    """Yield each orientation for the turn, and the one after it as if `move` were done."""
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
