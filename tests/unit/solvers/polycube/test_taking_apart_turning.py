"""Taking apart by turns: what is in the way, against fine angles; moves, against plain rules.

With clearance, how deep squares overlap is compared with all directions tried one by one.
"""

import math
from itertools import permutations, product
from random import Random

import numpy as np
import pytest

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import Progress, run_job
from solvers.polycube.lattice import Cell
from solvers.polycube.lattices import TRIANGLES
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.taking_apart.apart import Disassembler
from solvers.polycube.taking_apart.collection import Collection, collect_job
from solvers.polycube.taking_apart.disassembly import Disassembly, Grouping, Hindrance, Move, Turn
from solvers.polycube.taking_apart.swinging import (
    MOVING,
    STANDING,
    STEPS_PER_CUBE,
    STEPS_PER_TURN,
    Swing,
    is_clear,
    new_swing,
    spare_needed,
)
from solvers.polycube.taking_apart.turning import sweeps, turnable
from tests.burrs import burr
from tests.oracles.turns_apart import Cells, depth, fewest_moves, play, squares_met
from tests.turning_cubes import assembled, cells


def solution_of(pieces: list[Cells]) -> PackingSolution:
    return PackingSolution(
        tuple(Placement(chr(65 + number), 0, cells) for number, cells in enumerate(pieces))
    )


def taken_apart(
    pieces: list[Cells], most_bytes: int = 1 << 24, clearance: float = 0
) -> Disassembly:
    taking = Disassembler(most_bytes, rotations=True, clearance=clearance)
    return run_job(taking.take_apart(solution_of(pieces)))


def in_the_way(far: int, u: int, v: int) -> set[tuple[int, int]]:
    found = sweeps(far)
    first, last = found.starts[u + far, v + far], found.ends[u + far, v + far]
    return {(a, b) for a, b in found.squares[first:last].tolist()}


# --- what is in the way ----------------------------------------------------------------------


def test_squares_in_the_way_are_those_at_fine_angles() -> None:
    far = 5
    for u, v in product(range(-far, far + 1), repeat=2):
        if (u + v) % 2 == 0:
            assert in_the_way(far, u, v) == squares_met(u, v), (u, v)


def test_a_square_turns_where_there_is_room_for_its_diagonal() -> None:
    # About its middle: its corners reach into the four squares next to it, not beyond theirs.
    assert in_the_way(4, 0, 0) == {(0, 0), (2, 0), (-2, 0), (0, 2), (0, -2)}
    # About its corner: it reaches above the two squares it goes from and to, as far as 1.41.
    assert in_the_way(4, 1, 1) == {(1, 1), (-1, 1), (1, 3), (-1, 3)}


def test_squares_that_only_touch_are_not_in_the_way() -> None:
    # At 45 degrees the corner of a square that turns about its middle is 0.707 from there: just at
    # the corner of the one beyond the corner.
    assert (2, 2) not in in_the_way(4, 0, 0)
    # A square that goes round a pillar as wide as itself rubs along its sides.
    assert (0, 0) in in_the_way(4, 2, 0)
    assert (-1, -1) not in in_the_way(4, 1, 1)


def test_far_sweeps_are_listed_as_near_ones() -> None:
    assert in_the_way(4, 3, 1) == in_the_way(20, 3, 1)


def test_equal_orientations_are_one() -> None:
    rod, cube = frozenset({(0, 0, 0), (1, 0, 0)}), frozenset({(5, 5, 5)})
    pieces = turnable([rod, cube, cells("## #.", "#. ..")])
    assert [len(set(pieces.turned[piece].ravel().tolist())) for piece in range(3)] == [3, 1, 8]
    # Turns come in pairs: one undoes the other.
    for piece, orientations in enumerate((3, 1, 8)):
        for orientation, turn in product(range(orientations), range(6)):
            there = pieces.turned[piece, orientation, turn]
            assert pieces.turned[piece, there, turn ^ 1] == orientation


# --- the search ------------------------------------------------------------------------------


def hollow(size: Cell, pillars: set[Cell], doors: set[Cell]) -> Cells:
    """Return a box with walls one cell thick around a hollow from 0, 0, 0 on."""
    x, y, z = size
    outside = frozenset(product(range(-1, x + 1), range(-1, y + 1), range(-1, z + 1)))
    return outside - frozenset(product(range(x), range(y), range(z))) - doors | pillars


# A rod of two in a hollow of 3 x 1 x 3, which gets out of the door only upright.
ROD = frozenset({(0, 0, 0), (1, 0, 0)})
CAGE = hollow((3, 1, 3), set(), {(0, 0, 3)})


def test_a_rod_turns_and_leaves() -> None:
    found = taken_apart([CAGE, ROD])
    assert found.level == "2"
    assert found.separation is not None
    turn, out = found.separation.moves
    assert isinstance(turn, Turn)
    assert (turn.pieces, turn.axis) == ((1,), 1)
    assert out == Move((1,), (0, 0, 1), None)
    assert play(found.separation, {0: CAGE, 1: ROD}) == 1
    assert run_job(Disassembler().take_apart(solution_of([CAGE, ROD]))).level is None


def test_a_hollow_without_room_for_the_diagonal_holds_the_rod() -> None:
    # Two cells wide: the rod would have to be shorter than 1.41, or its corners round.
    cage = hollow((2, 1, 2), set(), {(0, 0, 2)})
    found = taken_apart([cage, ROD])
    assert (found.hindrance, found.positions) == (Hindrance.LOCKED, 2)
    assert fewest_moves((cage, ROD)) == (None, 2)


# Made at random: a hollow, its doors, the pieces in it; the level; how many pieces turn at once.
CAGES = {
    "a pair of rods turns together": (
        ((4, 4, 1), {(4, 0, 0)}, [{(3, 2, 0), (3, 3, 0)}, {(2, 1, 0), (2, 2, 0), (2, 3, 0)}]),
        "3.2",
        [2],
    ),
    "two rods turn one after the other": (
        (
            (4, 3, 1),
            {(1, 3, 0), (3, 2, -1)},
            [{(0, 0, 0), (1, 0, 0)}, {(0, 2, 0), (1, 2, 0)}, {(3, 0, 0), (3, 1, 0)}],
        ),
        "4.2.2",
        [1, 1],
    ),
    "slides make room for a turn": (
        (
            (3, 3, 1),
            {(1, 3, 0)},
            [{(2, 0, 0)}, {(0, 0, 0), (0, 1, 0)}, {(0, 2, 0), (1, 2, 0)}],
        ),
        "5.4.3",
        [1],
    ),
    "turns in two layers": (
        (
            (3, 3, 2),
            {(0, 3, 1), (2, 2, -1)},
            [
                {(0, 2, 0), (1, 2, 0)},
                {(0, 0, 0), (1, 0, 0)},
                {(0, 1, 0), (1, 1, 0)},
                {(1, 0, 1)},
            ],
        ),
        "2.3.3.4",
        [1, 1, 1],
    ),
}


@pytest.mark.parametrize("name", CAGES)
def test_moves_are_as_few_as_a_search_by_plain_rules_finds(name: str) -> None:
    (size, doors, inside), level, turning = CAGES[name]
    pieces = [hollow(size, set(), doors), *map(frozenset, inside)]
    found = taken_apart(pieces)
    assert found.separation is not None
    assert found.level == level
    moves = [move for part in found.separation.every() for move in part.moves]
    assert [len(move.pieces) for move in moves if isinstance(move, Turn)] == turning
    assert play(found.separation, dict(enumerate(pieces))) == len(turning)
    assert fewest_moves(tuple(pieces))[0] == found.separation.lengths[0]


@pytest.mark.parametrize("seed", range(6))
def test_closed_boxes_are_proven_closed_by_all_positions_there_are(seed: int) -> None:
    dice = Random(seed)
    x, y, z = size = dice.choice([(3, 2, 2), (3, 3, 1), (2, 2, 2)])
    places = dice.sample(sorted(product(range(x), range(y), range(z))), 4)
    # Pieces of cells anywhere, so that they hinder each other, and the box among them.
    inside = [frozenset(places[:2]), frozenset(places[2:])]
    pieces = [inside[0], hollow(size, set(), set()), inside[1]]
    found = taken_apart(pieces)
    assert (found.hindrance, found.stuck) == (Hindrance.LOCKED, (0, 1, 2))
    assert fewest_moves(tuple(pieces)) == (None, found.positions)


def test_words_say_where_the_axis_is() -> None:
    turn = Turn((0,), 0, (2, -1))
    assert (
        turn.words() == "turn 90 degrees about x at y = 1.5, z = 0, clockwise seen from the right"
    )
    assert Turn((0,), 3, (1, 0)).words() == (
        "turn 90 degrees about y at x = 0.5, z = 1, counterclockwise seen from the front"
    )
    # Rows are to the front: what is to the right goes to the front, which is clockwise from above.
    assert Turn((0,), 4, (0, 0)).apply((1, 0, 5)) == (0, 1, 5)
    assert Turn((0,), 4, (0, 0)).sense == "clockwise seen from above"


def test_links_of_a_chain_are_proven_to_stay_together() -> None:
    ring = frozenset((x, y, 1) for x in range(3) for y in range(3)) - {(1, 1, 1)}
    other = frozenset((x, 1, z) for x in (1, 2, 3) for z in range(3)) - {(2, 1, 1)}
    found = taken_apart([ring, other])
    assert (found.hindrance, found.stuck, found.positions) == (Hindrance.LOCKED, (0, 1), 1)


def test_a_search_without_room_says_that_it_does_not_know() -> None:
    events: list[Progress] = []
    stone = frozenset({(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)})
    cage = hollow((7, 7, 7), set(), set())
    job = Disassembler(1 << 15, rotations=True).take_apart(solution_of([cage, stone]))
    assert run_job(job, events.append).hindrance is Hindrance.GIVEN_UP
    proven = taken_apart([cage, stone])
    # 8 orientations at 6^3 places, and all of them are reached.
    assert (proven.hindrance, proven.positions) == (Hindrance.LOCKED, 8 * 6**3)


def test_pieces_of_one_group_may_stay_together() -> None:
    cage = hollow((2, 1, 2), set(), {(0, 0, 2)})
    solution = solution_of([frozenset({(9, 9, 9)}), cage, ROD])
    grouping = Grouping([(), ((1, 1),), ((1, 1),)], ["a", "b", "c"])
    assert run_job(Disassembler(rotations=True).take_apart(solution, grouping)).level == "1"


def test_only_cubes_turn() -> None:
    with pytest.raises(InvalidInputError, match="Only cubes can be turned"):
        Disassembler(lattice=TRIANGLES, rotations=True)


# --- published puzzles -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "level"),
    [((120, 160, 256, 512, 880, 960), "6.4"), ((88, 512, 768, 922, 1008, 1008), "9.3")],
)
def test_turns_are_no_help_with_burrs_in_print(numbers: tuple[int, ...], level: str) -> None:
    # Philippe Dubois' and Peter Marineau's: their levels in print are those of slides.
    collection = Collection(keep=1, sort=True)
    run_job(collect_job(burr(*numbers), collection, rotations=True))
    assert dict(collection.levels) == {level: 1}
    (hardest,) = collection.chosen()
    assert hardest.found.separation is not None
    cells = {n: placement.cells for n, placement in enumerate(hardest.solution.placements)}
    assert play(hardest.found.separation, cells) == 0


@pytest.mark.parametrize(
    ("name", "positions"),
    [
        ("Ennui", 15),
        ("Roughhouse", 5),
        ("Sliproad", 22),
        ("Wedlock", 8),
        ("Convolution's Cousin", 2),
    ],
)
def test_published_turning_interlocking_cubes_need_clearance(name: str, positions: int) -> None:
    found = run_job(Disassembler(rotations=True).take_apart(assembled(name)))
    assert (found.hindrance, found.positions) == (Hindrance.LOCKED, positions)


# --- clearance -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "clearance", "level", "turning"),
    [("Convolution's Cousin", 0.05, "3.1.2.2", [1]), ("Sliproad", 0.15, "1.2.4.3", [1, 1])],
)
def test_published_turning_interlocking_cubes_come_apart(
    name: str, clearance: float, level: str, turning: list[int]
) -> None:
    solution = assembled(name)
    taking = Disassembler(rotations=True, clearance=clearance)
    found = run_job(taking.take_apart(solution))
    assert found.level == level
    assert found.separation is not None
    pieces = {n: placement.cells for n, placement in enumerate(solution.placements)}
    moves = [move for part in found.separation.every() for move in part.moves]
    assert [len(move.pieces) for move in moves if isinstance(move, Turn)] == turning
    assert play(found.separation, pieces, at_all_angles=False) == len(turning)


def test_a_rod_turns_where_its_walls_give_way_by_as_much_as_it_is_too_long() -> None:
    # Two long and one wide, it is at most 2.236 across while it turns: 0.118 too much at each wall.
    # What a step of the search needs is 0.017.
    cage = hollow((2, 1, 2), set(), {(0, 0, 2)})
    assert taken_apart([cage, ROD], clearance=0.14).level == "2"
    assert taken_apart([cage, ROD], clearance=0.11).hindrance is Hindrance.LOCKED


def test_pieces_that_slide_before_they_turn_do_both_at_once() -> None:
    (size, doors, inside), level, _ = CAGES["slides make room for a turn"]
    pieces = [hollow(size, set(), doors), *map(frozenset, inside)]
    assert (level, taken_apart(pieces, clearance=0.05).level) == ("5.4.3", "2.2.2")


@pytest.mark.parametrize("axes", list(permutations(range(3))))
@pytest.mark.parametrize("sign", [1, -1])
def test_all_axes_and_senses_are_alike(axes: tuple[int, int, int], sign: int) -> None:
    def seen(shape: Cells) -> Cells:
        return frozenset((sign * c[axes[0]], c[axes[1]], c[axes[2]]) for c in shape)

    # A stone keeps the rod from turning the other way.
    cage = hollow((3, 1, 3), {(0, 0, 2)}, {(2, 0, 3)})
    found = taken_apart([seen(cage), seen(ROD)], clearance=0.05)
    assert found.separation is not None
    turn, _ = found.separation.moves
    assert isinstance(turn, Turn)
    assert play(found.separation, {0: seen(cage), 1: seen(ROD)}, at_all_angles=False) == 1


def test_the_axis_moves() -> None:
    # Against two walls, the rod has to come away from one of them while it turns.
    cage = hollow((3, 1, 3), {(2, 0, 0), (2, 0, 1)}, {(0, 0, 3)})
    assert taken_apart([cage, ROD]).hindrance is Hindrance.LOCKED
    assert taken_apart([cage, ROD], clearance=0.14).level == "2"


def swing_of(moving: list[Cell], standing: list[Cell]) -> Swing:
    swing = new_swing()
    for kind, rows in ((MOVING, moving), (STANDING, standing)):
        swing.counts[kind] = len(rows)
        (swing.moving if kind == MOVING else swing.standing)[: len(rows)] = rows
    return swing


def test_squares_overlap_as_deep_as_the_least_of_all_directions_says() -> None:
    dice = Random(1)
    outcomes = set()
    for _ in range(300):
        swing = swing_of([(dice.randint(-2, 2), dice.randint(-2, 2), 0)], [(0, 0, 0)])
        u, v = swing.moving[0, :2]
        angle = dice.uniform(0, math.pi / 2)
        c, s = math.cos(angle), math.sin(angle)
        # The turned square is near the other one.
        x, y = dice.uniform(-1.5, 1.5), dice.uniform(-1.5, 1.5)
        deep = depth(x, y, angle)
        middle = x - c * u + s * v, y - s * u - c * v
        for deepest in (deep - 0.01, deep + 0.01):
            # How far squares are apart that do not meet does not matter.
            if deepest >= 0:
                assert is_clear(swing, *middle, c, s, deepest) is (deepest > deep)
        outcomes.add(deep > 0)
        swing.standing[0, 2] = 1
        assert is_clear(swing, *middle, c, s, 0)
    assert outcomes == {False, True}


def test_nothing_is_deeper_between_two_steps() -> None:
    dice = Random(2)
    rod = [(-1, 0, 0), (0, 0, 0), (1, 0, 0)]
    clearance, between = 0.15, 0
    swing = swing_of(rod, [(0, 0, 0)])
    spare = spare_needed(swing)
    for _ in range(4000):
        turned = dice.randrange(STEPS_PER_TURN)
        x, y = (dice.randint(-64, 64) / STEPS_PER_CUBE for _ in range(2))
        step = dice.randrange(3)
        ends = [
            (x + end / STEPS_PER_CUBE * (step == 0), y + end / STEPS_PER_CUBE * (step == 1), angle)
            for end in (0, 1)
            for angle in ((turned + end * (step == 2)) * math.pi / 2 / STEPS_PER_TURN,)
        ]
        if not all(
            is_clear(swing, a, b, math.cos(angle), math.sin(angle), clearance - spare)
            for a, b, angle in ends
        ):
            continue
        for share in np.linspace(0, 1, 5):
            a, b, angle = (1 - share) * np.array(ends[0]) + share * np.array(ends[1])
            c, s = math.cos(angle), math.sin(angle)
            if not is_clear(swing, a, b, c, s, clearance - 1.5 * spare):
                between += 1
            assert is_clear(swing, a, b, c, s, clearance)
    assert between, "no step came near the bound"


@pytest.mark.parametrize("clearance", [-0.1, 0.21, math.nan])
def test_a_clearance_has_bounds(clearance: float) -> None:
    with pytest.raises(InvalidInputError, match=r"A clearance is 0 to 0\.2 sides of a cube, not"):
        Disassembler(rotations=True, clearance=clearance)


def test_with_clearance_many_pieces_are_given_up() -> None:
    cage = hollow((11, 1, 1), set(), set())
    stones = [frozenset({(x, 0, 0)}) for x in range(11)]
    assert taken_apart([cage, *stones], clearance=0.1).hindrance is Hindrance.GIVEN_UP
