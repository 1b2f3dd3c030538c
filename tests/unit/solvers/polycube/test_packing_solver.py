"""All packings of a puzzle: published counts, properties, and a plain search to compare with."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Matrix, transform
from solvers.polycube.lattices import REFLECTIONS, ROTATIONS
from solvers.polycube.puzzle import PackingPuzzle, PackingSolution, Piece, Shape, Target
from solvers.polycube.solving import placements, solver
from solvers.polycube.solving.colouring import proof
from solvers.polycube.solving.problem import problem
from solvers.search.exact_cover import search
from solvers.search.exact_cover.model import ExactCoverError
from tests.oracles.packing_rules import check_solution
from tests.oracles.row_by_row import count_tilings, turned

L_TROMINO = Shape.from_layers([["##", "#."]])
SCREW = Shape.from_layers([["##", "#."], ["..", "#."]])
MIRRORED_SCREW = Shape.from_layers([["##", ".#"], ["..", ".#"]])

small = st.integers(0, 1)
piece_shapes = st.sampled_from(
    [
        Shape.from_layers([["#"]]),
        Shape.from_layers([["##"]]),
        Shape.from_layers([["###"]]),
        L_TROMINO,
        SCREW,
        MIRRORED_SCREW,
        Shape.from_layers([["##", "##"]]),
    ]
)


@st.composite
def puzzles(draw: st.DrawFn) -> PackingPuzzle:
    """Draw small puzzles whose volumes match."""
    box = Target.box(*draw(st.sampled_from([(2, 2, 2), (3, 2, 1), (3, 3, 1)])))
    missing = draw(st.sets(st.sampled_from(sorted(box.required)), max_size=2))
    optional = frozenset(missing) if draw(st.booleans()) else frozenset()
    target = Target(box.required - missing, optional)
    pieces: list[Piece] = []
    volume = 0
    for number in range(4):
        shape = draw(piece_shapes)
        if volume + shape.volume <= len(target.cells):
            pieces.append(Piece(str(number), shape))
            volume += shape.volume
    missing_volume = len(target.required) - volume
    if missing_volume > 0:
        cube = Shape.from_layers([["#"]])
        pieces.append(Piece("filler", cube, 0, missing_volume + draw(small)))
    return PackingPuzzle(
        "drawn",
        "Drawn",
        target,
        tuple(pieces),
        reflections=draw(st.booleans()),
        mirror_pieces=draw(st.booleans()),
    )


def fillings(puzzle: PackingPuzzle) -> set[frozenset[tuple[object, frozenset[Cell]]]]:
    """Find all solutions the plain way; equal pieces have equal labels."""
    labels = [p.shape.canonical(reflections=puzzle.mirror_pieces) for p in puzzle.pieces]
    places = [
        sorted(
            sorted(cells)
            for turned in piece.shape.rotations(reflections=puzzle.mirror_pieces)
            for offset in product(range(3), range(3), range(3))
            if (cells := turned.translated(offset)) <= puzzle.target.cells
        )
        for piece in puzzle.pieces
    ]
    # Each piece in turn takes as many places as it may, in ascending order of their numbers.
    states = {(frozenset[Cell](), frozenset[Any]())}
    for label, piece, possible in zip(labels, puzzle.pieces, places, strict=True):
        after = set()
        for taken, used in states:
            for copies in range(piece.copies_min, piece.copies_max + 1):
                for chosen in combinations(possible, copies):
                    cells = frozenset(cell for place in chosen for cell in place)
                    disjoint = len(cells) == copies * piece.shape.volume and not cells & taken
                    if disjoint:
                        more = {(label, frozenset(place)) for place in chosen}
                        after.add((taken | cells, used | more))
        states = after
    return {used for taken, used in states if puzzle.target.required <= taken}


def classes(puzzle: PackingPuzzle, every: set[frozenset[tuple[object, frozenset[Cell]]]]) -> int:
    """Count classes of images by making every image of every solution."""
    parts = [puzzle.target.required, puzzle.target.optional]
    matrices = [
        matrix
        for matrix in ROTATIONS + (REFLECTIONS if puzzle.reflections else ())
        if all({mover(puzzle.target, matrix)(c) for c in part} == part for part in parts)
    ]
    left = set(every)
    number = 0
    while left:
        number += 1
        one = next(iter(left))
        left -= {moved(one, matrix, puzzle) for matrix in matrices}
    return number


def moved(solution: Any, matrix: Matrix, puzzle: PackingPuzzle) -> Any:
    image = mover(puzzle.target, matrix)

    def label(cells: frozenset[Cell]) -> object:
        return Shape(cells).canonical(reflections=puzzle.mirror_pieces)

    sets = (frozenset(image(cell) for cell in cells) for _, cells in solution)
    return frozenset((label(cells), cells) for cells in sets)


def mover(target: Target, matrix: Matrix) -> Callable[[Cell], Cell]:
    low, high = target.bounding_box
    centre = [a + b for a, b in zip(low, high, strict=True)]

    def image(cell: Cell) -> Cell:
        doubled = [2 * a - c for a, c in zip(cell, centre, strict=True)]
        x, y, z = transform(matrix, (doubled[0], doubled[1], doubled[2]))
        return (x + centre[0]) // 2, (y + centre[1]) // 2, (z + centre[2]) // 2

    return image


@settings(deadline=None, max_examples=40)
@given(puzzles())
def test_finds_every_filling_and_every_class(puzzle: PackingPuzzle) -> None:
    expected = fillings(puzzle)
    counted = solver.count(puzzle)
    listed = list(solver.solutions(puzzle))
    assert counted.total == len(expected)
    assert not expected or proof(placements.packing(puzzle)) is None
    assert counted.up_to_symmetry == len(listed) == classes(puzzle, expected)
    for solution in listed:
        check_solution(puzzle, solution)
    every = {
        frozenset(
            (puzzle.piece(p.piece).shape.canonical(reflections=puzzle.mirror_pieces), p.cells)
            for p in solution.placements
        )
        for solution in solver.solutions(puzzle, every=True)
    }
    assert every == expected
    assert (solver.first(puzzle) is None) == (not expected)


@settings(deadline=None, max_examples=40)
@given(puzzles(), st.sampled_from(ROTATIONS), st.randoms(use_true_random=False))
def test_nothing_depends_on_how_it_is_turned_named_ordered_or_cut(
    puzzle: PackingPuzzle, matrix: Matrix, random: Any
) -> None:
    expected = solver.count(puzzle)
    pieces = [
        replace(piece, name=f"piece {number}", shape=random.choice(piece.shape.rotations()))
        for number, piece in enumerate(puzzle.pieces)
    ]
    random.shuffle(pieces)
    target = Target(
        frozenset(transform(matrix, cell) for cell in puzzle.target.required),
        frozenset(transform(matrix, cell) for cell in puzzle.target.optional),
    )
    other = replace(puzzle, target=target, pieces=tuple(pieces))
    counted = solver.count(other, at_least_parts=random.randint(1, 30))
    assert (counted.total, counted.up_to_symmetry) == (expected.total, expected.up_to_symmetry)


# Sources of the figures: the docs, docs/packing.md.
@pytest.mark.parametrize(
    ("name", "up_to_symmetry", "total"),
    [
        ("drilled-cube", 4, 96),
        ("drilled-cube-plain", 222, 5328),
        ("soma", 240, 11520),
        ("pentomino-6x10", 2339, 9356),
        ("pentomino-5x12", 1010, 4040),
        ("pentomino-4x15", 368, 1472),
        ("pentomino-3x20", 2, 8),
        ("pentomino-2x5x6", 264, 2112),
        ("pentomino-3x4x5", 3940, 31520),
        ("ct-puzzle-logo", 1, 1),
    ],
)
def test_published_counts(name: str, up_to_symmetry: int, total: int) -> None:
    counted = solver.count(library.load(name))
    assert (counted.up_to_symmetry, counted.total) == (up_to_symmetry, total)


@pytest.mark.parametrize(
    ("target", "up_to_symmetry", "total"),
    [
        ("flat", 13_218, 52_872),
        ("bar", 1136, 4544),
        ("stairs", 20_467, 40_934),
        ("chimney", 109, 872),
        ("pyramid", 8, 16),
        ("cross", 8, 64),
        ("c", 3426, 6852),
    ],
)
def test_the_pieces_of_the_ct_puzzle_fill_other_targets(
    target: str, up_to_symmetry: int, total: int
) -> None:
    puzzle = library.load("ct-puzzle", target)
    counted = solver.count(puzzle)
    assert (counted.up_to_symmetry, counted.total) == (up_to_symmetry, total)
    one = solver.first(puzzle)
    assert one is not None
    check_solution(puzzle, one)


@pytest.mark.parametrize(
    ("name", "reflections", "up_to_symmetry"),
    [
        ("soma", False, 480),
        ("drilled-cube-plain", True, 111),
        ("pentomino-6x10", True, 2339),
        ("pentomino-2x5x6", False, 528),
    ],
)
def test_counts_with_the_other_view_of_mirror_images(
    name: str, reflections: bool, up_to_symmetry: int
) -> None:
    puzzle = replace(library.load(name), reflections=reflections)
    assert solver.count(puzzle).up_to_symmetry == up_to_symmetry


def test_mirror_images_count_apart_where_a_piece_has_no_mirror_image() -> None:
    puzzle = replace(library.load("ct-puzzle"), reflections=True)
    assert len(problem(puzzle).group) == 4


@pytest.mark.parametrize("name", ["soma", "drilled-cube", "drilled-cube-plain", "ct-puzzle-logo"])
def test_every_solution_passes_the_independent_check(name: str) -> None:
    puzzle = library.load(name)
    found = list(solver.solutions(puzzle))
    for solution in found:
        check_solution(puzzle, solution)
    assert len({frozenset(solution.placements) for solution in found}) == len(found)


def test_all_solutions_of_the_drilled_cube_differ_and_are_right() -> None:
    puzzle = library.load("drilled-cube")
    every = list(solver.solutions(puzzle, every=True))
    assert len({frozenset(solution.placements) for solution in every}) == 96
    for solution in every:
        check_solution(puzzle, solution)


def test_placements_are_named_and_turned_as_they_say() -> None:
    puzzle = library.load("soma")
    found = solver.first(puzzle)
    assert found is not None
    assert [placement.piece for placement in found.placements] == [p.name for p in puzzle.pieces]
    for placement in found.placements:
        shape = puzzle.piece(placement.piece).shape
        matrix = ROTATIONS[placement.orientation]
        assert Shape(frozenset(transform(matrix, c) for c in shape.cells)) == Shape(placement.cells)


def test_equal_pieces_swap_without_making_new_solutions() -> None:
    box = Target.box(2, 3)
    named = PackingPuzzle("p", "p", box, (Piece("a", L_TROMINO), Piece("b", L_TROMINO)))
    copies = PackingPuzzle("p", "p", box, (Piece("a", L_TROMINO, 2, 2),))
    assert solver.count(named).total == solver.count(copies).total == 2
    found = solver.first(named)
    assert found is not None
    assert [placement.piece for placement in found.placements] == ["a", "b"]


DOMINO = Shape.from_layers([["##"]])


@pytest.mark.parametrize(
    ("size", "classes", "total"),
    [
        (2, 1, 2),
        (4, 9, 36),
        (6, 930, 6728),
        (8, 1629189, 12988816),
        (14, None, 112202208776036178000000),
    ],
)
def test_dominoes_on_a_square_board(size: int, classes: int | None, total: int) -> None:
    """Many tilings are symmetric. The totals are by the formula of Kasteleyn (OEIS A004003), the
    classes by hand for 2 and 4, by comparing all tilings with their images, for 6 and 8."""
    counted = solver.count(all_of(DOMINO, size, size))
    assert counted.total == total
    assert classes is None or counted.up_to_symmetry == classes


def all_of(shape: Shape, *box: int) -> PackingPuzzle:
    target = Target.box(*box)
    return PackingPuzzle("p", "p", target, (Piece("a", shape, 0, len(target.cells)),))


@pytest.mark.parametrize(
    ("shape", "box"),
    [(DOMINO, (4, 4)), (DOMINO, (2, 3, 4)), (L_TROMINO, (5, 6)), (SCREW, (2, 2, 8))],
)
@pytest.mark.parametrize("reflections", [False, True])
def test_frontiers_count_what_the_search_counts(
    shape: Shape, box: tuple[int, ...], reflections: bool
) -> None:
    puzzle = replace(all_of(shape, *box), reflections=reflections)
    by_frontiers = run_job(problem(puzzle).by_frontiers())
    by_parts = run_job(solver.count_job(puzzle, only_parts=True))
    assert by_frontiers is not None
    assert replace(by_frontiers, nodes=0) == replace(by_parts, nodes=0)


TILES = {
    "monomino": [(0, 0)],
    "domino": [(0, 0), (0, 1)],
    "straight": [(0, 0), (0, 1), (0, 2)],
    "corner": [(0, 0), (0, 1), (1, 0)],
}


def tiling(width: int, depth: int, **bounds: tuple[int, int]) -> PackingPuzzle:
    """Return a puzzle of kinds of tiles with the least and most of each."""
    pieces = tuple(
        Piece(name, Shape(frozenset((x, y, 0) for y, x in TILES[name])), *each)
        for name, each in bounds.items()
    )
    return PackingPuzzle("p", "p", Target.box(width, depth), pieces)


@pytest.mark.parametrize(
    ("width", "depth", "bounds"),
    [
        (3, 7, {"domino": (0, 99), "corner": (0, 99)}),
        (3, 7, {"domino": (2, 5), "corner": (0, 99)}),
        (3, 7, {"domino": (0, 5), "corner": (2, 5), "monomino": (1, 3)}),
        (3, 8, {"corner": (0, 99), "straight": (0, 3)}),
        (3, 7, {"straight": (1, 99), "monomino": (1, 3), "domino": (0, 99)}),
    ],
)
def test_kinds_of_tiles_with_bounds_are_counted_by_frontiers(
    width: int, depth: int, bounds: dict[str, tuple[int, int]]
) -> None:
    """In all against a plain count, up to symmetry against the search."""
    puzzle = tiling(width, depth, **bounds)
    counted = run_job(problem(puzzle).by_frontiers())
    assert counted is not None
    numbers = count_tilings(depth, width, [turned(TILES[name]) for name in bounds])
    assert counted.total == sum(
        number
        for used, number in numbers.items()
        if all(low <= n <= high for n, (low, high) in zip(used, bounds.values(), strict=True))
    )
    searched = run_job(solver.count_job(puzzle, only_parts=True))
    assert (counted.total, counted.up_to_symmetry) == (searched.total, searched.up_to_symmetry)


def test_kinds_that_symmetries_exchange_are_counted_by_frontiers() -> None:
    """A mirrored solution takes the other of two screws, so both must have the same bounds."""
    pieces = Piece("a", SCREW, 1, 3), Piece("b", MIRRORED_SCREW, 1, 3)
    filler = Piece("c", Shape.from_layers([["#"]]), 0, 99)
    puzzle = PackingPuzzle("p", "p", Target.box(2, 2, 7), (*pieces, filler), reflections=True)
    counted = run_job(problem(puzzle).by_frontiers())
    searched = run_job(solver.count_job(puzzle, only_parts=True))
    assert counted is not None
    assert (counted.total, counted.up_to_symmetry) == (searched.total, searched.up_to_symmetry)


def test_dominoes_and_corners_in_a_long_strip() -> None:
    """2 x n has f(n) = 2 f(n-1) + f(n-3) tilings (OEIS A052980)."""
    numbers = [1, 1, 2]
    while len(numbers) <= 200:
        numbers.append(2 * numbers[-1] + numbers[-3])
    puzzle = tiling(2, 200, domino=(0, 200), corner=(0, 200))
    assert solver.count(puzzle).total == numbers[200]


@pytest.mark.parametrize(
    ("width", "depth", "kinds", "total"),
    [
        (8, 8, ["monomino", "domino", "straight", "corner"], 92109458286284989468604),
        (9, 12, ["straight", "corner"], 20574308184277971),
    ],
)
def test_published_counts_of_small_tiles(
    width: int, depth: int, kinds: list[str], total: int
) -> None:
    puzzle = tiling(width, depth, **dict.fromkeys(kinds, (0, width * depth)))
    assert solver.count(puzzle).total == total


def test_random_solutions_are_equally_likely() -> None:
    """By chi-square over the solutions that the search lists, within 4 standard deviations."""
    puzzle = tiling(2, 3, monomino=(1, 3), domino=(2, 2))
    every = Counter(frozenset(each.placements) for each in solver.solutions(puzzle, every=True))
    random, each = Random(7), 20
    drawn: Counter[Any] = Counter()
    for _ in range(each * len(every)):
        solution = run_job(solver.draw_job(puzzle, random))
        assert solution is not None
        drawn[frozenset(solution.placements)] += 1
    assert set(drawn) <= set(every)
    square = sum((drawn[solution] - each) ** 2 / each for solution in every)
    free = len(every) - 1
    assert abs(square - free) < 4 * (2 * free) ** 0.5, (square, free)


def test_a_random_solution_needs_frontiers_few_enough_to_keep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn = [run_job(solver.draw_job(all_of(DOMINO, 2, 40), Random(1))) for _ in range(2)]
    assert drawn[0] is not None
    assert drawn[0] == drawn[1], "the same seed draws the same solution"
    assert run_job(solver.draw_job(tiling(3, 3, corner=(3, 3)), Random(1))) is None
    monkeypatch.setattr("solvers.search.exact_cover.frontier.MOST_BYTES", 1000)
    for puzzle in (all_of(DOMINO, 2, 40), library.load("soma")):
        with pytest.raises(PuzzleError, match="cannot be drawn"):
            run_job(solver.draw_job(puzzle, Random(1)))


def test_too_many_frontiers_are_left_to_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = all_of(DOMINO, 4, 4)
    monkeypatch.setattr("solvers.search.exact_cover.frontier.MOST_FRONTIERS", 4)
    assert run_job(problem(puzzle).by_frontiers()) is None
    assert solver.count(puzzle) == run_job(solver.count_job(puzzle, only_parts=True))
    monkeypatch.setattr("solvers.search.exact_cover.frontier.MOST_FRONTIERS", 1000)
    monkeypatch.setattr("solvers.search.exact_cover.frontier.MOST_WORK", 20)
    assert run_job(problem(puzzle).by_frontiers()) is None


def test_mirrored_pieces_are_a_switch() -> None:
    cells = SCREW.cells
    puzzle = PackingPuzzle("p", "p", Target(cells), (Piece("other", MIRRORED_SCREW),))
    assert solver.first(puzzle) is None
    assert solver.count(replace(puzzle, mirror_pieces=True)).total == 1


def test_a_piece_fixed_in_place_stays_there() -> None:
    at = frozenset({(0, 0, 0), (1, 0, 0), (0, 1, 0)})
    pieces = (Piece("a", L_TROMINO, fixed_at=at), Piece("b", L_TROMINO))
    puzzle = PackingPuzzle("p", "p", Target.box(2, 3), pieces)
    found = list(solver.solutions(puzzle, every=True))
    assert [solution.placements[0].cells for solution in found] == [at]


def test_volumes_that_cannot_match_are_named_before_the_search() -> None:
    puzzle = library.load("bedlam")
    fewer = replace(puzzle, pieces=puzzle.pieces[:-1])
    for attempt in (solver.first, solver.count, lambda p: list(solver.solutions(p))):
        with pytest.raises(PuzzleError, match="have 60 cubes, but its target needs 64"):
            attempt(fewer)
    odd = PackingPuzzle("p", "p", Target.box(2, 2, 2), (Piece("L", L_TROMINO, 0, 9),))
    with pytest.raises(PuzzleError, match="leaves 8 cubes for the pieces L"):
        solver.count(odd)


def test_leaving_everything_open_is_a_solution_where_it_is_allowed() -> None:
    optional = Target(frozenset(), frozenset({(0, 0, 0), (1, 0, 0)}))
    cube = Piece("cube", Shape.from_layers([["#"]]), 0, 2)
    puzzle = PackingPuzzle("p", "p", optional, (cube,))
    counted = solver.count(puzzle, at_least_parts=5)
    assert (counted.total, counted.up_to_symmetry) == (4, 3)
    assert PackingSolution(()) in list(solver.solutions(puzzle))


def test_a_piece_that_fits_nowhere_leaves_no_solution() -> None:
    bar = Piece("bar", Shape.from_layers([["####"]]))
    puzzle = PackingPuzzle("p", "p", Target.box(2, 2), (bar,))
    assert solver.first(puzzle) is None
    assert solver.count(puzzle).total == 0
    assert run_job(solver.find_all_job(puzzle, at_least_parts=9)).solutions == ()


def test_progress_grows_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.polycube.solving.problem.NODES_OF_TINY_SEARCH", 0)
    job = solver.count_job(library.load("soma"), at_least_parts=20)
    shares = [event.share or 0.0 for event in job]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)
    assert len(shares) >= 20


def solution_keys(solutions: list[PackingSolution]) -> list[frozenset[Any]]:
    return [frozenset(solution.placements) for solution in solutions]


def test_find_all_agrees_with_the_generator_however_cut() -> None:
    puzzle = library.load("drilled-cube-plain")
    expected = set(solution_keys(list(solver.solutions(puzzle))))
    for parts in (1, 7, 60):
        everything = run_job(solver.find_all_job(puzzle, at_least_parts=parts))
        counted, found = everything.count, list(everything.solutions)
        assert counted.up_to_symmetry == len(found) == 222
        if parts == 1:
            assert set(solution_keys(found)) == expected


def test_more_copies_than_fit_cost_nothing() -> None:
    cell = Piece("A", L_TROMINO, copies_min=0, copies_max=999_999_999)
    dot = Piece("B", Shape.from_layers([["#"]]), copies_min=0, copies_max=2)
    puzzle = PackingPuzzle("many", "Many", Target.box(2, 2, 2), (cell, dot))
    assert len(problem(puzzle).packed.kinds[0].names) == 2
    assert solver.count(puzzle).total > 0


def test_a_puzzle_too_large_for_the_memory_is_refused_before_it_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = replace(library.load("bedlam"), title="not yet made ready")
    monkeypatch.setattr(placements, "MOST_CELLS", 20_000)  # it takes 20,616
    with pytest.raises(PuzzleError, match="placements in the target, too many"):
        problem(puzzle)
    monkeypatch.setattr(placements, "MOST_CELLS", 21_000)
    monkeypatch.setattr(placements, "MOST_BITS", 64 * 4000)  # and lies in more than 4,000 ways
    with pytest.raises(PuzzleError, match="placements in the target, too many"):
        problem(puzzle)


def test_targets_of_thousands_of_cells_are_searched() -> None:
    row = Piece("row", Shape.of((x, 0, 0) for x in range(60)), 50, 50)
    puzzle = PackingPuzzle("rows", "rows", Target.box(60, 50), (row,))
    found = solver.first(puzzle)
    assert found is not None
    check_solution(puzzle, found)
    with pytest.raises(PuzzleError, match="101 x 100 x 1 cells; 10000 in all is the most"):
        Target.box(101, 100)
    with pytest.raises(PuzzleError, match="The target has 10100 cells; 10000 is the most"):
        Target(frozenset(product(range(101), range(100), range(1))))


def test_a_target_may_extend_farther_than_it_has_cells() -> None:
    corners = [(x, y, z) for x in (0, 45) for y in (0, 45) for z in (0, 45)]
    puzzle = PackingPuzzle(
        "far", "far", Target(frozenset(corners)), (Piece("far", Shape.of(corners)),)
    )
    assert solver.count(puzzle).total == 1
    with pytest.raises(PuzzleError, match="47 x 47 x 47 cells; 100000 in all is the most"):
        Target(frozenset({(0, 0, 0), (46, 46, 46)}))


def test_what_might_take_too_much_memory_is_refused_before_it_is_made_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "_memory", lambda: 10_000)
    twice = replace(library.load("soma"), name="another", title="not the one that is kept")
    for job in (solver.count_job(twice), solver.list_job(twice)):
        with pytest.raises(ExactCoverError, match="more than there is: 688 ways to place a piece"):
            run_job(job)
