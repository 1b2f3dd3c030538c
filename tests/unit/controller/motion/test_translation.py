"""Both translations of face turns into primitives."""

import random
from dataclasses import dataclass
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.motion.planner import Planner, make_plan
from controller.motion.primitives import (
    CostModel,
    Primitive,
    Spin,
    Tilt,
    TurnLayer,
    parse_primitive,
    price_all,
)
from controller.motion.translation import PAPER_PLACES, ROUTINE, legs, paper_list
from controller.motion.virtual_cube import VirtualCube, orientation_after
from controller.rigs.nxt_cradle.calibration.values import FILES, assumed_seconds
from solvers.rubik.cubies import SOLVED
from solvers.rubik.notation import Move, Notation, cancel, parse_moves
from solvers.rubik.rotations import UPRIGHT, Face, all_orientations

COSTS = assumed_seconds()
OVERLAPPING_COSTS = FILES.default.seconds


@dataclass(frozen=True)
class PairPrices:
    """Prices that depend on every pair of neighbours, and differ by direction.

    So alike that no detour pays, since brute force looks only at short ways.
    """

    seed: int = 0
    ending: float = 0.25

    def price(self, primitive: Primitive, before: Primitive | None) -> float:
        return 1.0 + 0.1 * _noise(self.seed, primitive, before)


@cache
def _noise(seed: int, primitive: Primitive, before: Primitive | None) -> float:
    return random.Random(f"{seed} {primitive} {before}").random()


ALL_COSTS: tuple[CostModel, ...] = (COSTS, OVERLAPPING_COSTS, PairPrices())
move_lists = st.lists(st.sampled_from(Move), max_size=25).map(lambda moves: cancel(moves))

# The thesis' own table: after bringing the face at a place down, new[i] = old[table[place][i]], for
# the places front, up, back, down, right, left; what it leaves out stays.
PAPER_TABLE = {
    0: {0: 1, 1: 2, 2: 3, 3: 0},
    1: {0: 2, 1: 3, 2: 0, 3: 1},
    2: {0: 1, 1: 0, 2: 3, 3: 2, 4: 5, 5: 4},
    3: {},
    4: {0: 1, 1: 5, 2: 3, 3: 4, 4: 2, 5: 0},
    5: {0: 1, 1: 4, 2: 3, 3: 5, 4: 0, 5: 2},
}


@pytest.mark.parametrize("place", range(6))
def test_the_routine_moves_the_faces_as_the_thesis_says(place: int) -> None:
    orientation = UPRIGHT
    for motion in ROUTINE[PAPER_PLACES[place]]:
        orientation = orientation_after(orientation, motion)
    new = [PAPER_PLACES.index(orientation[each]) for each in PAPER_PLACES]
    assert new == [PAPER_TABLE[place].get(index, index) for index in range(6)]


def test_the_thesis_example_of_a_face_on_the_right() -> None:
    plan = make_plan(parse_moves("R"), COSTS, Planner.PAPER)
    assert plan.primitives == (Spin(1), Tilt(), TurnLayer(1))


def test_the_paper_list_counts_moves_and_numbers_places_and_turns() -> None:
    # V is in front (0), then R still on the right (4), then O has come to the left (5).
    assert paper_list(parse_moves("V R2 O'", Notation.GERMAN)) == [3, 0, 13, 17]


@given(move_lists)
def test_every_plan_does_what_its_moves_do(moves: tuple[Move, ...]) -> None:
    for planner, costs in product(Planner, ALL_COSTS):
        plan = make_plan(moves, costs, planner)
        cube = VirtualCube(SOLVED).after_all(plan.primitives)
        assert cube.position == SOLVED.apply(moves)
        ending = costs.ending if plan.primitives else 0.0
        assert plan.robot_seconds == pytest.approx(price_all(costs, plan.primitives) + ending)


@given(move_lists)
def test_the_optimal_plan_never_costs_more_than_the_papers(moves: tuple[Move, ...]) -> None:
    for costs in (COSTS, OVERLAPPING_COSTS):
        optimal = make_plan(moves, costs, Planner.OPTIMAL)
        paper = make_plan(moves, costs, Planner.PAPER)
        assert optimal.robot_seconds <= paper.robot_seconds + 1e-9


def _cheapest_by_force(moves: tuple[Move, ...], costs: CostModel, depth: int) -> float:
    """Try every sequence of motions of at most `depth` before each move."""
    motions: tuple[Primitive, ...] = (Tilt(), Spin(1), Spin(-1), Spin(2))
    words = [word for n in range(depth + 1) for word in product(motions, repeat=n)]

    def best(cube: VirtualCube, rest: tuple[Move, ...], before: Primitive | None = None) -> float:
        if not rest:
            return 0.0
        cheapest = float("inf")
        for word in words:
            turned = cube.after_all(word)
            if turned.orientation[Face.D] != rest[0].face:
                continue
            quarters = -1 if rest[0].quarter_turns == 3 else rest[0].quarter_turns
            steps: tuple[Primitive, ...] = (*word, TurnLayer(quarters))
            cheapest = min(
                cheapest, price_all(costs, steps, before) + best(turned, rest[1:], steps[-1])
            )
        return cheapest

    swapped = [moves]
    if len(moves) == 2 and moves[0].face.opposite == moves[1].face:
        swapped.append(moves[::-1])
    return min(best(VirtualCube(SOLVED), order) for order in swapped)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("costs", [*ALL_COSTS, PairPrices(1), PairPrices(2)])
def test_the_optimal_plan_is_the_cheapest_of_all_short_ones(seed: int, costs: CostModel) -> None:
    generator = random.Random(seed)
    moves: tuple[Move, ...] = ()
    while len(moves) < 2:
        moves = cancel((*moves, Move(generator.randrange(18))))
    assert make_plan(moves, costs).robot_seconds == pytest.approx(
        _cheapest_by_force(moves, costs, 3) + costs.ending
    )


def test_opposite_faces_are_turned_in_the_cheaper_order() -> None:
    plan = make_plan(parse_moves("U D"), COSTS)
    assert plan.primitives == (TurnLayer(1), Tilt(), Tilt(), TurnLayer(1))


def test_every_orientation_is_reached_from_every_other() -> None:
    table = legs(COSTS, None, TurnLayer(1))
    assert set(table) == set(all_orientations())
    for goal, leg in table.items():
        assert leg.primitives[-1] == TurnLayer(1)
        assert leg.seconds == pytest.approx(price_all(COSTS, leg.primitives))
        assert VirtualCube(SOLVED).after_all(leg.primitives).orientation == goal


def test_a_list_without_moves_needs_no_primitives() -> None:
    for planner in Planner:
        plan = make_plan((), COSTS, planner)
        assert (plan.primitives, plan.robot_seconds, plan.tilts) == ((), 0.0, 0)


@pytest.mark.parametrize("primitive", [Tilt(), Spin(-1), Spin(3), TurnLayer(2), TurnLayer(-3)])
def test_primitives_are_read_back_from_their_text(primitive: Primitive) -> None:
    assert parse_primitive(str(primitive)) == primitive


@pytest.mark.parametrize("text", ["", "tilt 90", "spin", "spin +45", "turn 0", "spin +360", "x"])
def test_other_text_is_no_primitive(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_primitive(text)
