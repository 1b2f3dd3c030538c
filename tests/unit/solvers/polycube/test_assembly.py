"""Straight-line assembly, against a simulation that moves cubes one step at a time."""

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.polycube import library
from solvers.polycube.lattice import Cell
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.solving import solver
from solvers.polycube.taking_apart.assembly import Assembly, Direction, assemble

FAR = 12  # further than any solution here is wide


def solution_of(*pieces: list[Cell]) -> PackingSolution:
    return PackingSolution(
        tuple(Placement(chr(65 + i), 0, frozenset(cells)) for i, cells in enumerate(pieces))
    )


def comes_in_freely(piece: frozenset[Cell], way: Cell, others: set[Cell]) -> bool:
    """Move the piece from far away into its place, cube by cube and step by step."""
    for distance in range(FAR, 0, -1):
        moved = {
            (x - way[0] * distance, y - way[1] * distance, z - way[2] * distance)
            for x, y, z in piece
        }
        if moved & others:
            return False
    return True


def rests(piece: frozenset[Cell], others: set[Cell], ground: int) -> bool:
    return any(z == ground or (x, y, z - 1) in others for x, y, z in piece)


def check(assembly: Assembly, solution: PackingSolution) -> None:
    """Play the steps of an assembly and look at every claim it makes."""
    placed: set[Cell] = set()
    ground = min(z for placement in solution.placements for _, _, z in placement.cells)
    assert sorted(step.placement.piece for step in assembly.steps) == sorted(
        placement.piece for placement in solution.placements
    )
    for step in assembly.steps:
        assert comes_in_freely(step.placement.cells, step.direction.value, placed)
        if assembly.gravity:
            assert step.direction is not Direction.UP
            assert rests(step.placement.cells, placed, ground)
        placed |= step.placement.cells


def possible_by_trying_all_orders(solution: PackingSolution, gravity: bool) -> bool:
    ways = [way for way in Direction if not (gravity and way is Direction.UP)]
    ground = min(z for placement in solution.placements for _, _, z in placement.cells)

    def works(order: tuple[Placement, ...]) -> bool:
        placed: set[Cell] = set()
        for placement in order:
            if not any(comes_in_freely(placement.cells, way.value, placed) for way in ways):
                return False
            if gravity and not rests(placement.cells, placed, ground):
                return False
            placed |= placement.cells
        return True

    return any(works(order) for order in permutations(solution.placements))


# Two rings that hold each other, as links of a chain.
CHAIN = solution_of(
    [(0, 0, 1), (1, 0, 1), (2, 0, 1), (0, 2, 1), (1, 2, 1), (2, 2, 1), (0, 1, 1), (2, 1, 1)],
    [(1, 1, 0), (1, 1, 1), (1, 1, 2), (2, 1, 0), (2, 1, 2), (3, 1, 0), (3, 1, 1), (3, 1, 2)],
)

# A ceiling on two walls with a block between: without support the ceiling could come first.
HOUSE = solution_of(
    [(0, 0, 0)], [(2, 0, 0)], [(0, 0, 1), (1, 0, 1), (2, 0, 1)], [(1, 0, 0), (1, 1, 0), (1, 1, 1)]
)


def test_interlocked_rings_cannot_be_assembled() -> None:
    for gravity in (False, True):
        result = assemble(CHAIN, gravity=gravity)
        assert not result.possible
        assert result.steps == ()
        assert {placement.piece for placement in result.stuck} == {"A", "B"}


def test_the_stuck_pieces_are_only_those_that_block_one_another() -> None:
    loose = Placement("loose", 0, frozenset({(0, 0, 2)}))
    result = assemble(PackingSolution((*CHAIN.placements, loose)), gravity=False)
    assert {placement.piece for placement in result.stuck} == {"A", "B"}


def test_a_house_is_built_from_the_ground() -> None:
    result = assemble(HOUSE, gravity=True)
    check(result, HOUSE)
    order = [step.placement.piece for step in result.steps]
    assert order.index("C") > min(order.index("A"), order.index("B"), order.index("D"))


def test_a_hovering_piece_needs_no_gravity() -> None:
    hovering = solution_of([(0, 0, 0)], [(5, 0, 3)])
    assert assemble(hovering, gravity=False).possible
    assert not assemble(hovering, gravity=True).possible


cells = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))


@settings(max_examples=80, deadline=None)
@given(st.dictionaries(cells, st.integers(0, 3), min_size=1), st.booleans())
def test_agrees_with_trying_all_orders(owner: dict[Cell, int], gravity: bool) -> None:
    solution = solution_of(
        *(
            [cell for cell, piece in owner.items() if piece == wanted]
            for wanted in set(owner.values())
        )
    )
    result = assemble(solution, gravity=gravity)
    assert result.possible == possible_by_trying_all_orders(solution, gravity)
    if result.possible:
        check(result, solution)


def test_known_puzzles_go_together_by_hand() -> None:
    for name in ("soma", "ct-puzzle-logo"):
        solution = solver.first(library.load(name))
        assert solution is not None
        free = assemble(solution, gravity=False)
        assert free.possible
        check(free, solution)
