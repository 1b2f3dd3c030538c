"""Two further lattices, added as data: triangles and hexagons, both as prisms in layers.

Numbers to compare with come from elsewhere: MacMahon's formula for the tilings of a hexagon by
lozenges, and the two perfect matchings of a ring.
"""

import pickle
from functools import partial
from itertools import product

import pytest

from solvers.foundation.progress import run_job
from solvers.polycube.burrtools.writer import to_xml
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.files.toml_format import dumps, loads
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.lattice import Cell, Lattice, Matrix, Place, apply
from solvers.polycube.lattice.registry import LATTICES
from solvers.polycube.pictures.layers import to_text
from solvers.polycube.puzzle import PackingPuzzle, Piece, Target
from solvers.polycube.shape import Shape
from solvers.polycube.solving import solver
from solvers.search import executors

IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
# In the frame of two sides of a triangle, or of two neighbours of a hexagon, 60 degrees apart.
SIXTH_TURN: Matrix = ((0, -1, 0), (1, 1, 0), (0, 0, 1))
SWAP: Matrix = ((0, 1, 0), (1, 0, 0), (0, 0, 1))
UPSIDE_DOWN: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, -1))


def times(a: Matrix, b: Matrix) -> Matrix:
    columns = [apply(a, column) for column in zip(*b, strict=True)]
    first, second, third = zip(*columns, strict=True)
    return first, second, third


def prism_symmetries() -> tuple[tuple[Matrix, ...], tuple[Matrix, ...]]:
    """Return the twelve rotations and the twelve reflections of a prism with six sides."""
    turns = [IDENTITY]
    while len(turns) < 6:
        turns.append(times(SIXTH_TURN, turns[-1]))
    mirrored = [times(SWAP, turn) for turn in turns]
    rotations = (*turns, *(times(UPSIDE_DOWN, turn) for turn in mirrored))
    return rotations, tuple(times(UPSIDE_DOWN, rotation) for rotation in rotations)


ROTATIONS, REFLECTIONS = prism_symmetries()


def triangle_at(place: Place) -> Cell:
    """Columns alternate between triangles that stand on a side and on a point, as in BurrTools."""
    column, row, layer = place
    down = (column - row) % 2
    return 3 * ((column - row) // 2) + 1 + down, 3 * row + 1 + down, layer


def place_of_triangle(cell: Cell) -> Place:
    p, q, layer = cell
    return 2 * (p // 3) + q // 3 + p % 3 - 1, q // 3, layer


def as_it_is(place: Place) -> Cell:
    """Rows of hexagons are drawn below one another, each shifted by half a hexagon."""
    return place


TRIANGLES = Lattice(
    "triangular prisms",
    "triangle",
    "triangles",
    ROTATIONS,
    REFLECTIONS,
    triangle_at,
    place_of_triangle,
    steps=(3, 3, 1),
)
HEXAGONS = Lattice(
    "hexagonal prisms", "hexagon", "hexagons", ROTATIONS, REFLECTIONS, as_it_is, as_it_is
)


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for lattice in (TRIANGLES, HEXAGONS):
        monkeypatch.setitem(LATTICES, lattice.name, lattice)


# A hexagon of six triangles: as drawn, three above and three below the middle.
SMALL_HEXAGON = """\
name = "lozenges"
reflections = true
lattice = "triangular prisms"

[target]
layers = '''
.###
.###
'''

[[piece]]
name = "lozenge"
copies = 3
layers = "##"
"""
RING = """\
name = "ring"
lattice = "hexagonal prisms"

[target]
layers = '''
.##
#.#
##.
'''

[[piece]]
name = "pair"
copies = 3
layers = "##"
"""


def big_hexagon() -> PackingPuzzle:
    """Return the hexagon of side 2, 24 triangles, to be filled with twelve lozenges."""
    places = product(range(-20, 20), range(-6, 6), range(1))
    cells = frozenset(cell for cell in map(triangle_at, places) if within_two_rows(cell))
    lozenge = Shape(frozenset({(1, 1, 0), (2, 2, 0)}), TRIANGLES)
    piece = Piece("lozenge", lozenge, 12, 12)
    return PackingPuzzle("big", "big", Target(cells, lattice=TRIANGLES), (piece,), reflections=True)


def within_two_rows(cell: Cell) -> bool:
    """Tell whether a triangle is within two rows of all three lines through the origin."""
    p, q, _layer = cell
    return max(abs(p), abs(q), abs(p + q)) < 6  # in thirds of a row


def test_a_hexagon_of_six_triangles_is_filled_in_two_ways() -> None:
    puzzle = loads(SMALL_HEXAGON)
    assert puzzle.lattice is TRIANGLES
    counted = solver.count(puzzle)
    assert (counted.total, counted.up_to_symmetry) == (2, 1)


def test_lozenges_fill_the_hexagon_of_side_two_as_often_as_macmahon_says() -> None:
    puzzle = big_hexagon()
    assert len(puzzle.target.cells) == 24
    counted = solver.count(puzzle)
    every = {
        frozenset(placement.cells for placement in solution.placements)
        for solution in solver.solutions(puzzle, every=True)
    }
    assert counted.total == len(every) == 20
    # Burnside by hand: the classes are what no turn or reflection makes of one another.
    classes = {min(map(sorted_tiling, images(tiling)), key=str) for tiling in every}
    assert counted.up_to_symmetry == len(classes)


Tiling = frozenset[frozenset[Cell]]


def images(tiling: Tiling) -> list[Tiling]:
    """Return what the twelve turns and reflections in the plane make of a tiling about 0, 0."""
    flat = [matrix for matrix in ROTATIONS + REFLECTIONS if matrix[2] == (0, 0, 1)]
    return [
        frozenset(frozenset(apply(matrix, cell) for cell in piece) for piece in tiling)
        for matrix in flat
    ]


def sorted_tiling(tiling: Tiling) -> tuple[tuple[Cell, ...], ...]:
    return tuple(sorted(tuple(sorted(piece)) for piece in tiling))


def test_a_ring_of_hexagons_is_paired_in_two_ways() -> None:
    puzzle = loads(RING)
    counted = solver.count(puzzle)
    assert (counted.total, counted.up_to_symmetry) == (2, 1)
    found = solver.first(puzzle)
    assert found is not None
    picture = to_text(found, puzzle.lattice).splitlines()[:3]
    assert [[mark == "." for mark in row] for row in picture] == [
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


def test_a_picture_shows_triangles_where_the_target_draws_them() -> None:
    found = solver.first(loads(SMALL_HEXAGON))
    assert found is not None
    rows = to_text(found, TRIANGLES).splitlines()[:2]
    assert [[mark == "." for mark in row] for row in rows] == [
        [True, False, False, False],
        [True, False, False, False],
    ]
    assert sorted("".join(rows).replace(".", "")) == list("AABBCC")


@pytest.mark.parametrize("text", [SMALL_HEXAGON, RING])
def test_its_files_are_read_and_written(text: str) -> None:
    puzzle = loads(text)
    assert loads(dumps(puzzle)) == puzzle


@pytest.mark.parametrize("lattice", [TRIANGLES, HEXAGONS, CUBES])
def test_drawings_lead_to_cells_and_back(lattice: Lattice) -> None:
    for place in product(range(-4, 5), range(-4, 5), range(2)):
        assert lattice.place_of(lattice.cell_at(place)) == place


@pytest.mark.parametrize("lattice", [TRIANGLES, HEXAGONS, CUBES])
def test_symmetries_lead_from_cells_to_cells(lattice: Lattice) -> None:
    cells = {
        lattice.cell_at(place) for place in product(range(-9, 10), range(-9, 10), range(-2, 3))
    }
    near = [lattice.cell_at(place) for place in product(range(-1, 2), range(-1, 2), range(2))]
    for matrix in lattice.symmetries(reflections=True):
        assert {apply(matrix, cell) for cell in near} <= cells


def test_a_triangle_has_two_orientations_and_a_pair_of_hexagons_three() -> None:
    assert len(Shape(frozenset({(1, 1, 0)}), TRIANGLES).rotations()) == 2
    assert len(Shape(frozenset({(0, 0, 0), (1, 0, 0)}), HEXAGONS).rotations()) == 3


def test_a_piece_is_moved_by_whole_steps_alone() -> None:
    """Three triangles that stand on a side, moved by less than a step, would stand on a point."""
    standing = frozenset({(1, 1, 0), (4, 1, 0), (1, 4, 0)})
    piece = Piece("three", Shape(standing, TRIANGLES))
    for move, expected in ((3, 1), (1, 0)):
        target = Target(
            frozenset((p + move, q + move, layer) for p, q, layer in standing), lattice=TRIANGLES
        )
        assert solver.count(PackingPuzzle("p", "p", target, (piece,))).total == expected


def test_processes_search_it_too() -> None:
    puzzle = loads(RING)
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    job = solver.counting(puzzle, at_least_parts=2, workers=partial(executors.processes, 1))
    assert run_job(job).total == 2


def test_what_is_not_there_for_it_is_told() -> None:
    with pytest.raises(PuzzleFileError, match=r"line 2: there is no lattice 'spheres'; known are"):
        loads(RING.replace("hexagonal prisms", "spheres"))
    with pytest.raises(PuzzleFileError, match="a box is made of cubes"):
        loads(RING.split("[target]")[0] + "[target]\nbox = [2, 2]\n" + RING.split("'''\n", 2)[2])
    with pytest.raises(PuzzleFileError, match="no bores through hexagons"):
        loads(RING + "bores = { z = [[0, 0]] }\n")
    with pytest.raises(PuzzleError, match="hexagons instead of cubes"):
        to_xml(loads(RING))
    pair = Piece("pair", Shape(frozenset({(0, 0, 0)}), HEXAGONS))
    with pytest.raises(PuzzleError, match="made of hexagons, the target of cubes"):
        PackingPuzzle("mixed", "mixed", Target.box(1, 1), (pair,))
