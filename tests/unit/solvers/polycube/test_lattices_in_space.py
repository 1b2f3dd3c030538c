"""Balls, rhombic tetrahedra, tetrahedra and octahedra: cells of BurrTools' other grids.

Numbers to compare with are published, or come from `tests/oracles/congruence.py`, which moves
pieces in space and knows none of a lattice's rotations.
"""

from collections.abc import Iterable
from itertools import product

import pytest

from solvers.polycube import library
from solvers.polycube.burrtools import reader as burrtools
from solvers.polycube.burrtools.writer import to_xml
from solvers.polycube.errors import PuzzleFileError
from solvers.polycube.lattice import Cell, Lattice, is_flat
from solvers.polycube.lattice import product as after
from solvers.polycube.lattices import LATTICES, RHOMBIC_TETRAHEDRA, SPHERES, TETRAHEDRA, Spheres
from solvers.polycube.puzzle import (
    PackingPuzzle,
    Piece,
    Shape,
    Target,
    canonical,
    canonical_mirror_image,
)
from solvers.polycube.puzzle_file import dumps, loads
from solvers.polycube.solving import solver
from solvers.polycube.solving.placements import packing
from tests.oracles.congruence import fillings, ways_to_lie

GRIDS = [SPHERES, RHOMBIC_TETRAHEDRA, TETRAHEDRA]


class RhombicDodecahedra(Spheres):
    """The cells of balls as solids: flat pieces are no longer their own mirror images."""

    name = "rhombic dodecahedra"
    balls = False
    orientations_of = Lattice.orientations_of


DODECAHEDRA = RhombicDodecahedra()
SAMPLES = ["ball-pyramid", "lonpos-pyramid", "rhombic-dodecahedron", "tetrahedra-pyramid"]


def block(lattice: Lattice, size: int) -> frozenset[Cell]:
    return frozenset(filter(lattice.is_cell, product(range(size), range(size), range(size))))


def beside(lattice: Lattice, cell: Cell) -> set[Cell]:
    return {face.beyond for face in lattice.faces(cell)}


def grown(lattice: Lattice, starts: Iterable[Cell], size: int, *, mirrored: bool) -> list[int]:
    """Return how many shapes of 1, 2, ... cells there are, turned ones alike."""
    level = {Shape(frozenset({start}), lattice).canonical(reflections=mirrored) for start in starts}
    numbers = [len(level)]
    while len(numbers) < size:
        level = {
            Shape(frozenset((*cells, other)), lattice).canonical(reflections=mirrored)
            for cells in level
            for cell in cells
            for other in beside(lattice, cell) - set(cells)
        }
        numbers.append(len(level))
    return numbers


@pytest.mark.parametrize("lattice", GRIDS)
def test_rotations_and_reflections_are_groups_of_24_and_48(lattice: Lattice) -> None:
    rotations, both = set(lattice.rotations), {*lattice.rotations, *lattice.reflections}
    assert (len(rotations), len(both)) == (24, 48)
    assert {after(a, b) for a in rotations for b in rotations} == rotations
    assert {after(a, b) for a in lattice.reflections for b in lattice.reflections} == rotations


@pytest.mark.parametrize("lattice", GRIDS)
def test_symmetries_and_moves_lead_from_cells_to_cells(lattice: Lattice) -> None:
    cells = block(lattice, 6)
    for matrix in lattice.symmetries(reflections=True):
        turned = [lattice.apply(matrix, cell) for cell in cells]
        assert len(set(turned)) == len(cells)
        assert all(map(lattice.is_cell, turned))
    for way in product(range(-6, 7), range(-6, 7), range(-2, 1)):
        moved = [(x + way[0], y + way[1], z + way[2]) for x, y, z in cells]
        assert lattice.is_translation(way) == all(map(lattice.is_cell, moved))
        if lattice.is_translation(way):
            low = lattice.low(cells)
            assert lattice.low(moved) == tuple(a + b for a, b in zip(low, way, strict=True))


@pytest.mark.parametrize(
    ("lattice", "cell", "expected"),
    [
        # Balls touch a step along two axes away from each other.
        (SPHERES, (1, 1, 0), {(0, 0, 0), (2, 2, 0), (1, 0, 1), (1, 2, 1), (0, 1, -1)}),
        # In the same face of a cube, around its edge, and behind the face.
        (RHOMBIC_TETRAHEDRA, (2, 1, 0), {(1, 2, 0), (3, 2, 0), (2, 0, 1), (2, 1, -1)}),
        (RHOMBIC_TETRAHEDRA, (4, 3, 2), {(4, 2, 1), (4, 2, 3), (3, 4, 2), (5, 3, 2)}),
        # A tetrahedron has eighths at four corners of its cube, others in the next cube.
        (TETRAHEDRA, (1, 1, 1), {(2, 0, 0), (0, 2, 0), (0, 0, 2), (2, 2, 2)}),
        (TETRAHEDRA, (4, 1, 1), {(3, 0, 0), (5, 2, 0), (5, 0, 2), (3, 2, 2)}),
        (TETRAHEDRA, (2, 0, 0), {(1, 1, 1), (2, 0, -1), (3, 0, 0), (2, -1, 0)}),
    ],
)
def test_neighbours_are_those_of_burrtools(
    lattice: Lattice, cell: Cell, expected: set[Cell]
) -> None:
    found = beside(lattice, cell)
    assert expected <= found
    assert len(found) == (12 if lattice is SPHERES else 4)


def test_balls_make_other_shapes_than_rhombic_dodecahedra() -> None:
    """One, five and 28: S. Coffin, The Puzzling World of Polyhedral Dissections, chapter 18.

    Three balls at 120 degrees are their own mirror image, three dodecahedra are not.
    """
    assert grown(DODECAHEDRA, [(0, 0, 0)], 4, mirrored=False) == [1, 1, 5, 28]
    assert grown(SPHERES, [(0, 0, 0)], 3, mirrored=False) == [1, 1, 4]


def test_tetrahedra_and_octahedra_make_as_many_shapes_as_is_published() -> None:
    """2, 1, 4 and 9: the On-Line Encyclopedia of Integer Sequences, A343909."""
    whole: dict[Cell, frozenset[Cell]] = {}
    for cell in block(TETRAHEDRA, 18):
        around = {cell}
        for _ in range(3):  # from an eighth round its octahedron to the opposite one
            around |= {
                other
                for each in around
                for other in beside(TETRAHEDRA, each)
                if not is_tetrahedron(cell) and not is_tetrahedron(other)
            }
        whole[cell] = frozenset(around)
    inner = {(7, 7, 7), (8, 6, 6)}
    level = {frozenset({whole[cell]}) for cell in inner}
    numbers = []
    for _ in range(4):
        numbers.append(len(unlike(level)))
        level = {
            solids | {whole[other]}
            for solids in unlike(level)
            for solid in solids
            for cell in solid
            for other in beside(TETRAHEDRA, cell)
            if whole[other] not in solids
        }
    assert numbers == [2, 1, 4, 9]


def is_tetrahedron(cell: Cell) -> bool:
    return all(at % 3 == 1 for at in cell)


Solids = frozenset[frozenset[Cell]]


def unlike(level: set[Solids]) -> list[Solids]:
    """Return one of each of those that are turned, mirrored or moved images of each other."""
    found = {
        Shape(frozenset().union(*solids), TETRAHEDRA).canonical(reflections=True): solids
        for solids in level
    }
    return list(found.values())


@pytest.mark.parametrize("name", SAMPLES)
def test_pieces_lie_where_they_can_be_moved_to(name: str) -> None:
    puzzle = library.load(name)
    packed = packing(puzzle)
    for number, kind in list(enumerate(packed.kinds))[:1]:
        found = [
            packed.grid.cells(option.cells) for option in packed.options if option.kind == number
        ]
        assert len(set(found)) == len(found)
        cells = kind.piece.shape.cells
        assert set(found) == ways_to_lie(cells, puzzle.target.cells, puzzle.lattice)


@pytest.mark.parametrize(
    ("lattice", "size", "number"), [(SPHERES, 3, 4), (RHOMBIC_TETRAHEDRA, 5, 5), (TETRAHEDRA, 5, 4)]
)
def test_counts_are_those_of_a_search_in_space(lattice: Lattice, size: int, number: int) -> None:
    """Pieces cut out of a block fill it as often as without lattice and exact cover."""
    target = block(lattice, size)
    pieces = cut(lattice, target, number)
    named = tuple(Piece(f"P{n}", Shape(cells, lattice)) for n, cells in enumerate(pieces))
    assert len({piece.shape.canonical() for piece in named}) == number
    puzzle = PackingPuzzle("cut", "cut", Target(target, lattice=lattice), named)
    places = [ways_to_lie(cells, target, lattice) for cells in pieces]
    assert solver.count(puzzle).total == fillings(places, target) > 0


def cut(lattice: Lattice, target: frozenset[Cell], number: int) -> list[frozenset[Cell]]:
    """Return connected pieces of sizes about equal, with what is left over in the last."""
    left, pieces = set(target), []
    for rest in range(number, 1, -1):
        piece = {min(left)}
        while len(piece) < len(left) // rest:
            piece.add(min(c for cell in piece for c in beside(lattice, cell) & left - piece))
        pieces.append(frozenset(piece))
        left -= piece
    return [*pieces, frozenset(left)]


def test_the_pyramid_of_tetrahedra_has_the_80_solutions_that_are_published() -> None:
    """By F. Mueller, for octahedra taller than wide: no piece lies on its side."""
    puzzle = library.load("tetrahedra-pyramid")
    counted = solver.count(puzzle)
    assert (counted.up_to_symmetry, counted.total) == (110, 440)
    upright = {
        piece.name: {
            Shape(frozenset(TETRAHEDRA.apply(matrix, cell) for cell in cells), TETRAHEDRA)
            for matrix in TETRAHEDRA.rotations
            if matrix[2][2]
        }
        for piece in puzzle.pieces
        if (cells := piece.shape.cells)
    }
    standing = [
        solution
        for solution in solver.solutions(puzzle)
        if all(Shape(at.cells, TETRAHEDRA) in upright[at.piece] for at in solution.placements)
    ]
    assert len(standing) == 80


@pytest.mark.parametrize(
    ("name", "up_to_symmetry", "total"),
    [("ball-pyramid", 2, 6), ("lonpos-pyramid", 612, 2448), ("rhombic-dodecahedron", 1, 24)],
)
def test_samples_have_as_many_solutions_as_the_guide_says(
    name: str, up_to_symmetry: int, total: int
) -> None:
    counted = solver.count(library.load(name))
    assert (counted.up_to_symmetry, counted.total) == (up_to_symmetry, total)


def test_a_rhombic_dodecahedron_falls_into_four_rhombohedra_in_two_ways() -> None:
    """It is spanned by four diagonals of a cube, a rhombohedron by three of them."""
    whole = library.load("rhombic-dodecahedron").target
    middle = (7, 7, 7)
    # All cells on one side of the three planes through the middle that bound a rhombohedron.
    part = frozenset(
        cell
        for cell in whole.cells
        if all(
            sum((cell[n] - middle[n]) * way[n] for n in range(3)) > 0
            for way in ((1, 1, 0), (1, 0, 1), (0, 1, 1))
        )
    )
    assert len(part) == 12
    piece = Piece("rhombohedron", Shape(part, RHOMBIC_TETRAHEDRA), 4, 4)
    counted = solver.count(PackingPuzzle("four", "four", whole, (piece,)))
    assert (counted.total, counted.up_to_symmetry) == (2, 1)


# Four balls in a plane in which each ball has six neighbours, and no mirror image of itself there.
ROW_AND_ONE = frozenset({(0, 0, 0), (1, 1, 0), (2, 2, 0), (1, 2, 1)})


def test_flat_pieces_of_balls_need_no_mirror() -> None:
    assert is_flat(ROW_AND_ONE)
    for matrix in (SPHERES.rotations[0], SPHERES.reflections[0]):
        cells = frozenset(SPHERES.apply(matrix, cell) for cell in ROW_AND_ONE)
        bent = Piece("bent", Shape(cells, SPHERES))
        assert canonical(bent, mirrored=False) == canonical_mirror_image(bent, mirrored=False)
    corner = frozenset({(0, 0, 0), (1, 1, 0), (1, 0, 1), (2, 0, 0), (3, 1, 0)})
    assert not is_flat(corner)
    twisted = Piece("twisted", Shape(corner, SPHERES))
    assert canonical(twisted, mirrored=False) != canonical_mirror_image(twisted, mirrored=False)
    # In its plane it lies in twelve ways, and there are four such planes.
    assert len(Shape(ROW_AND_ONE, SPHERES).rotations()) == 48
    assert len(Shape(ROW_AND_ONE, DODECAHEDRA).rotations()) == 24


def test_a_flat_target_of_balls_is_turned_by_reflections_too() -> None:
    """Three balls at 120 degrees lie in a hexagon of seven with the middle one there, or outside.

    Each way has six turned images; turns of the lattice lead from each to three of them only.
    """
    around = ((1, 1, 0), (0, 1, 1), (-1, 0, 1), (-1, -1, 0), (0, -1, -1), (1, 0, -1))
    target = Target(frozenset({(0, 0, 0), *around}), lattice=SPHERES)
    bent = Piece("bent", Shape(frozenset({around[0], around[2], (0, 0, 0)}), SPHERES))
    stone = Piece("stone", Shape(frozenset({(0, 0, 0)}), SPHERES), 4, 4)
    counted = solver.count(PackingPuzzle("seven", "seven", target, (bent, stone)))
    assert (counted.total, counted.up_to_symmetry) == (12, 2)


def test_a_tetrahedron_is_not_moved_to_one_that_is_turned() -> None:
    """By one cube it would lie on another cell, as a quarter of a turn lays it as well."""
    target = Target(frozenset(), block(TETRAHEDRA, 6), TETRAHEDRA)
    stone = Piece("stone", Shape(frozenset({(1, 1, 1)}), TETRAHEDRA), 0, 8)
    options = packing(PackingPuzzle("p", "p", target, (stone,))).options
    assert len(options) == len({option.cells for option in options}) == 8


@pytest.mark.parametrize("name", SAMPLES)
def test_burrtools_files_of_the_grid_are_read_and_written(name: str) -> None:
    puzzle = library.load(name)
    text = to_xml(puzzle)
    assert f'<gridType type="{puzzle.lattice.burrtools}"' in text
    imported = burrtools.loads(text.encode(), f"{name}.xmpuzzle")
    assert (imported.puzzle, imported.left_out) == (puzzle, ())
    assert loads(dumps(puzzle)) == puzzle


def test_each_grid_has_its_number() -> None:
    assert {each.burrtools: name for name, each in LATTICES.items()} == {
        "0": "cubes",
        "1": "triangular prisms",
        "2": "spheres",
        "3": "rhombic tetrahedra",
        "4": "tetrahedra and octahedra",
    }


@pytest.mark.parametrize("lattice", GRIDS)
def test_a_drawing_shows_cells_where_there_are_some(lattice: Lattice) -> None:
    assert not lattice.is_cell((1, 0, 0))
    drawn = f"name = 'n'\nlattice = '{lattice.name}'\n[target]\nlayers = '''\n.#.\n'''\n"
    with pytest.raises(PuzzleFileError, match=f"line 5: There is no {lattice.cell} at column 2"):
        loads(drawn + "[[piece]]\nname = 'p'\nlayers = '#'\n")
