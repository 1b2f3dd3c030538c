"""Triangles, and a lattice added as data: hexagons; both as prisms in layers.

Numbers to compare with come from elsewhere: MacMahon's formula for the tilings of a hexagon by
lozenges, and the two perfect matchings of a ring.
"""

import itertools
import pickle
from collections.abc import Sequence
from functools import partial

import pytest

from solvers.drawing.shapes import Line, Polygon, Text
from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.burrtools import reader as burrtools
from solvers.polycube.burrtools.writer import to_xml
from solvers.polycube.errors import PuzzleError, PuzzleFileError
from solvers.polycube.lattice import Cell, Face, Lattice, mean, minus, normal, prism, product
from solvers.polycube.lattices import CUBES, LATTICES, TRIANGLES
from solvers.polycube.pictures.drawings import plan_drawing
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.puzzle_file import dumps, loads
from solvers.polycube.solving import solver
from solvers.polycube.text_drawing import to_text
from solvers.search import executors

ROTATIONS, REFLECTIONS = TRIANGLES.rotations, TRIANGLES.reflections


AROUND: list[tuple[int, int]] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def hexagon_sides(cell: Cell) -> list[Face]:
    """A hexagon's corners are the middles of three hexagons."""
    p, q, layer = cell
    pairs = zip(AROUND[-1:] + AROUND[:-1], AROUND, strict=True)
    corners = [(p + (a + c) / 3, q + (b + d) / 3) for (a, b), (c, d) in pairs]
    return prism(corners, cell, [(p + a, q + b, layer) for a, b in AROUND])


class Hexagons(Lattice):
    """A lattice that the product does not know."""

    name = "hexagonal prisms"
    cell = "hexagon"
    cells = "hexagons"
    rotations = ROTATIONS
    reflections = REFLECTIONS
    frame = ((1, 0.5, 0), (0, -(0.75**0.5), 0), (0, 0, 1))
    layered = True
    ways = ((0, 0, 1), (1, 0, 0), (0, 1, 0), (1, -1, 0))

    def sides(self, cell: Cell) -> list[Face]:
        return hexagon_sides(cell)


HEXAGONS = Hexagons()


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LATTICES, HEXAGONS.name, HEXAGONS)


# A hexagon of six triangles: as drawn, three above and three below the mean.
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
    places = itertools.product(range(-20, 20), range(-6, 6), range(1))
    cells = frozenset(cell for cell in map(TRIANGLES.cell_at, places) if within_two_rows(cell))
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
        frozenset(frozenset(TRIANGLES.apply(matrix, cell) for cell in piece) for piece in tiling)
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
    for place in itertools.product(range(-4, 5), range(-4, 5), range(2)):
        assert lattice.place_of(lattice.cell_at(place)) == place


@pytest.mark.parametrize("lattice", [TRIANGLES, HEXAGONS, CUBES])
def test_symmetries_lead_from_cells_to_cells(lattice: Lattice) -> None:
    cells = {
        lattice.cell_at(place)
        for place in itertools.product(range(-9, 10), range(-9, 10), range(-2, 3))
    }
    near = [
        lattice.cell_at(place) for place in itertools.product(range(-1, 2), range(-1, 2), range(2))
    ]
    for matrix in lattice.symmetries(reflections=True):
        assert {lattice.apply(matrix, cell) for cell in near} <= cells


@pytest.mark.parametrize("lattice", [*LATTICES.values(), HEXAGONS])
def test_cells_fill_space_face_to_face(lattice: Lattice) -> None:
    cells = [
        cell
        for place in itertools.product(range(-6, 12), range(12), range(12))
        if lattice.is_cell(place) and within_a_period(cell := lattice.cell_at(place), lattice)
    ]
    for cell in cells:
        faces = lattice.faces(cell)
        sides = [side for face in faces for side in directed_sides(face)]
        assert len(set(sides)) == len(sides)
        assert {(b, a) for a, b in sides} == set(sides)
        for face in faces:
            assert dot(normal(face.corners), minus(face.corners[0], centre(faces))) > 0
            (back,) = (each for each in lattice.faces(face.beyond) if each.beyond == cell)
            assert {(b, a) for a, b in directed_sides(face)} == set(directed_sides(back))
    volume = sum(volume_of(lattice.faces(cell)) for cell in cells)
    assert volume == pytest.approx(period(lattice))


def within_a_period(cell: Cell, lattice: Lattice) -> bool:
    return all(0 <= at < 2 * step for at, step in zip(cell, lattice.steps, strict=True))


def period(lattice: Lattice) -> float:
    """Return the volume that the cells of two steps along each axis fill together."""
    a, b, c = (
        tuple(2 * step * part for part in column)
        for step, column in zip(lattice.steps, zip(*lattice.frame, strict=True), strict=True)
    )
    return abs(dot(a, cross(b, c)))


def centre(faces: tuple[Face, ...]) -> tuple[float, float, float]:
    return mean([corner for face in faces for corner in face.corners])


def volume_of(faces: tuple[Face, ...]) -> float:
    """Return the volume of a polyhedron, by tetrahedra from the origin."""
    return sum(
        dot(face.corners[0], cross(face.corners[at], face.corners[at + 1])) / 6
        for face in faces
        for at in range(1, len(face.corners) - 1)
    )


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(u * v for u, v in zip(a, b, strict=True))


def cross(a: Sequence[float], b: Sequence[float]) -> tuple[float, float, float]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def directed_sides(face: Face) -> list[tuple[tuple[float, ...], tuple[float, ...]]]:
    rounded = [tuple(round(at, 6) + 0.0 for at in corner) for corner in face.corners]
    return list(zip(rounded, rounded[1:] + rounded[:1], strict=True))


@pytest.mark.parametrize("lattice", [*LATTICES.values(), HEXAGONS])
def test_what_is_turned_keeps_its_neighbours(lattice: Lattice) -> None:
    for place in itertools.product(range(6), range(3), range(3)):
        if not lattice.is_cell(place):
            continue
        cell = lattice.cell_at(place)
        beside = {face.beyond for face in lattice.faces(cell)}
        for matrix in lattice.symmetries(reflections=True):
            image = {face.beyond for face in lattice.faces(lattice.apply(matrix, cell))}
            assert {lattice.apply(matrix, other) for other in beside} == image


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
    job = solver.count_job(puzzle, at_least_parts=2, workers=partial(executors.processes, 1))
    assert run_job(job).total == 2


def test_what_is_not_there_for_it_is_told() -> None:
    with pytest.raises(PuzzleFileError, match=r"line 2: there is no lattice 'bricks'; known are"):
        loads(RING.replace("hexagonal prisms", "bricks"))
    with pytest.raises(PuzzleFileError, match="a box is made of cubes"):
        loads(RING.split("[target]")[0] + "[target]\nbox = [2, 2]\n" + RING.split("'''\n", 2)[2])
    with pytest.raises(PuzzleFileError, match="no bores on hexagons"):
        loads(RING + "bores = { z = [[0, 0]] }\n")
    with pytest.raises(PuzzleError, match="hexagons instead of cubes"):
        to_xml(loads(RING))
    pair = Piece("pair", Shape(frozenset({(0, 0, 0)}), HEXAGONS))
    with pytest.raises(PuzzleError, match="made of hexagons, the target of cubes"):
        PackingPuzzle("mixed", "mixed", Target.box(1, 1), (pair,))


def test_a_prisms_rotations_are_a_group_of_twelve() -> None:
    rotations = set(TRIANGLES.rotations)
    assert len(rotations) == 12
    assert {product(a, b) for a in rotations for b in rotations} == rotations
    assert not rotations & set(TRIANGLES.reflections)
    assert {
        product(a, b) for a in TRIANGLES.reflections for b in TRIANGLES.reflections
    } == rotations


def hexiamonds(rows: list[str]) -> PackingPuzzle:
    """Return the twelve hexiamonds on another board, drawn in rows."""
    cells = frozenset(
        TRIANGLES.cell_at((column, row, 0))
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark == "#"
    )
    pieces = library.load("hexiamonds").pieces
    return PackingPuzzle("board", "board", Target(cells, lattice=TRIANGLES), pieces)


def test_hexiamonds_fill_boards_as_often_as_is_published() -> None:
    """Numbers from Polyform Puzzler, https://puzzler.sourceforge.net: 156, 74 and none."""
    puzzle = library.load("hexiamonds")
    assert len({piece.shape.canonical() for piece in puzzle.pieces}) == 12
    counted = solver.count(puzzle)
    assert (counted.up_to_symmetry, counted.total) == (156, 624)
    nine_by_four = ["." * row + "#" * 18 for row in range(4)]
    assert solver.count(hexiamonds(nine_by_four)).up_to_symmetry == 74


def test_a_burrtools_file_of_prisms_is_read_and_written() -> None:
    puzzle = library.load("hexiamonds")
    text = to_xml(puzzle)
    assert '<gridType type="1"' in text
    imported = burrtools.loads(text.encode(), "hexiamonds.xmpuzzle")
    assert (imported.puzzle, imported.left_out) == (puzzle, ())
    # The first triangle of a row stands on the side that it shares with the row before it.
    pair = """<puzzle version="2"><gridType type="1"/><colors/><shapes>
        <voxel x="1" y="2" z="1" type="0">##</voxel>
        <voxel x="1" y="3" z="2" type="0">_##_##</voxel></shapes><problems><problem>
        <shapes><shape id="0" count="2"/></shapes><result id="1"/></problem></problems></puzzle>"""
    puzzle = burrtools.loads(pair.encode(), "pair.xmpuzzle").puzzle
    # Rows 0 and 1 touch only point to point, rows 1 and 2 side to side: a lozenge it is not.
    assert solver.count(puzzle).total == 0


def test_the_layers_are_drawn() -> None:
    found = solver.first(loads(SMALL_HEXAGON))
    assert found is not None
    shapes = plan_drawing(found, TRIANGLES).shapes
    assert sum(isinstance(shape, Polygon) and shape.fill is not None for shape in shapes) == 6
    lines = [shape for shape in shapes if isinstance(shape, Line)]
    thin = [line for line in lines if line.stroke_width_mm < 0.3]
    # Six triangles with three sides each; the side within each of the three lozenges is told twice.
    assert (len(lines), len(thin)) == (18, 6)
    texts = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert sorted(texts) == list("AABBCC")
