"""Solids for printers, read back by trimesh, which shares nothing with what makes them.

Volumes are compared with what follows from counting cells: made smaller by d on every side, a
piece keeps its cells' middles, and what joins pairs, squares and cubes of neighbours.
"""

import io
import itertools
import math
import sys
import zipfile
from collections.abc import Iterable

import numpy as np
import pytest
import trimesh
from defusedxml.ElementTree import fromstring

from solvers.foundation.errors import InvalidInputError
from solvers.foundation.progress import run_job
from solvers.polycube import library
from solvers.polycube.errors import PuzzleError
from solvers.polycube.lattice import Cell, Lattice
from solvers.polycube.lattices import CUBES, TRIANGLES
from solvers.polycube.marks import KNOWN, Bore, Mark, MarkKind, Marks, Rule, along_lines
from solvers.polycube.pictures.signs import HOLE_RADIUS
from solvers.polycube.pictures.solids import piece_colours
from solvers.polycube.printing.mesh_files import to_3mf, to_stl
from solvers.polycube.printing.parts import (
    GAP_MM,
    PLATE_MM,
    Part,
    merge_parts,
    pieces_on_plate,
    place_solution,
)
from solvers.polycube.printing.solids import BORE_SIDES, Finish, SolidBuilder
from solvers.polycube.puzzle import PackingPuzzle, Piece, Shape, Target
from solvers.polycube.solving import solver

SHARP = Finish(cell_mm=10, bevel_mm=0, clearance_mm=0.4)
PLAIN = Finish(cell_mm=10, bevel_mm=0, clearance_mm=0)
CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def made(
    cells: Iterable[Cell],
    finish: Finish = SHARP,
    bored: Iterable[Bore] = (),
    marks: Marks = frozenset(),
    kinds: Iterable[MarkKind] = KNOWN,
    lattice: Lattice = CUBES,
) -> trimesh.Trimesh:
    """Return a piece as trimesh reads it from an STL file; it must be closed and face outwards."""
    listed = frozenset(cells)
    every = marks | along_lines(bored, listed)
    solid = SolidBuilder(lattice, listed, finish, kinds).solid(listed, every, name="it")
    mesh = read_stl(to_stl(solid))
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert mesh.volume > 0
    assert mesh.volume == pytest.approx(solid.volume, rel=1e-5)
    return mesh


def read_stl(data: bytes) -> trimesh.Trimesh:
    mesh = trimesh.load(io.BytesIO(data), file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh


def counted_volume(cells: frozenset[Cell], side: float, clearance: float) -> float:
    """Return the volume of cubes that keep a distance of half the clearance from what is not."""
    core, volume = side - clearance, 0.0
    for directions in itertools.product((0, 1), repeat=3):
        blocks = sum(
            all(
                (x + a, y + b, z + c) in cells
                for a, b, c in itertools.product(*(range(d + 1) for d in directions))
            )
            for x, y, z in cells
        )
        joined = sum(directions)
        volume += blocks * clearance**joined * core ** (3 - joined)
    return volume


@pytest.mark.parametrize("piece", library.load("soma").pieces, ids=lambda piece: piece.name)
def test_pieces_have_the_volume_that_follows_from_their_cells(piece: Piece) -> None:
    cells = piece.shape.cells
    assert counted_volume(cells, 10, 0) == 1000 * len(cells)
    assert made(cells).volume == pytest.approx(counted_volume(cells, 10, 0.4), rel=1e-5)


def test_blocks_are_solid_inside_and_hollows_stay_hollow() -> None:
    block = Target.box(2, 2, 2).cells
    assert made(block).volume == pytest.approx(19.6**3, rel=1e-5)
    shell = Target.box(3, 3, 3).cells - {(1, 1, 1)}
    assert made(shell).volume == pytest.approx(29.6**3 - 10.4**3, rel=1e-5)


def test_a_bevel_cuts_off_all_convex_edges_and_no_other() -> None:
    mesh = made([(0, 0, 0), (1, 0, 0)], Finish(10, 1, 0.4))
    x, y, z = (length - 2 for length in (19.6, 9.6, 9.6))
    # A box inside, slabs on its sides, half squares along its edges, eighths of an octahedron.
    expected = x * y * z + 2 * (x * y + x * z + y * z) + 4 * (x + y + z) / 2 + 4 / 3
    assert mesh.volume == pytest.approx(expected, rel=1e-5)
    assert mesh.extents == pytest.approx([19.6, 9.6, 9.6], abs=1e-4)
    bent = made([(0, 0, 0), (1, 0, 0), (0, 1, 0)], Finish(10, 1, 0.4))
    inside = np.array([9.8, -9.8, -5.0])  # the edge where the arms meet, which runs up
    corners = [point for point in bent.vertices if np.allclose(point[:2], inside[:2], atol=1e-3)]
    assert sorted(corner[2] for corner in corners) == pytest.approx([0.2 + 1, 9.8 - 1], abs=1e-3)


def test_bores_go_through_the_whole_piece() -> None:
    cells, line = [(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 0, 0)]
    solid, bored = made(cells), made(cells, bored=line)
    radius = HOLE_RADIUS * 10
    area = BORE_SIDES / 2 * radius**2 * math.sin(2 * math.pi / BORE_SIDES)
    assert solid.volume - bored.volume == pytest.approx(area * (20 - 0.4), rel=1e-4)
    assert (solid.euler_number, bored.euler_number) == (2, 0)  # a ball, a ring
    for other_line, length in (((1, 1, 0), 20 - 0.4), ((2, 1, 0), 10 - 0.4)):
        other = made(cells, bored=[other_line])
        assert solid.volume - other.volume == pytest.approx(area * length, rel=1e-4)
        assert other.euler_number == 0


def test_bores_of_other_pieces_are_not_drilled() -> None:
    beside = along_lines([(0, 1, 0)], [(0, 1, 0)])
    assert made([(0, 0, 0)], marks=beside).euler_number == 2


def test_tabs_and_slots_fit_into_each_other() -> None:
    notches = MarkKind("notches", Rule.MATCH, frozenset({(1, 2)}))
    plain = made([(0, 0, 0)])
    tab, slot = (
        made(
            [(0, 0, 0)], marks=frozenset({Mark("notches", (0, 0, 0), way, value)}), kinds=[notches]
        )
        for way, value in (((1, 0, 0), 1), ((-1, 0, 0), 2))
    )
    # The tab ends beyond its cell, as far from the bottom of the slot as pieces are apart.
    assert tab.bounds[1][0] == pytest.approx(10 + 1.4 - 0.2)
    assert tab.volume - plain.volume == pytest.approx((6.2 - 0.4) ** 2 * 1.4)
    assert slot.extents == pytest.approx(plain.extents)
    assert plain.volume - slot.volume == pytest.approx((6.2 + 0.4) ** 2 * 1.4)


@pytest.mark.parametrize(
    ("pairs", "value", "made_with"),
    [
        ({(1, 2), (2, 0)}, 2, "slot"),  # it may touch a face without a mark, too
        ({(1, 2), (3, 0)}, 3, "slot"),
        ({(1, 1)}, 1, "nothing"),
        ({(1, 2), (1, 0)}, 1, "is a tab, but may touch a face without a slot"),
        ({(1, 2), (2, 3)}, 2, "the first of one pair and the second of another"),
    ],
)
def test_what_marks_that_match_are_printed_as(
    pairs: set[tuple[int, int]], value: int, made_with: str
) -> None:
    kind = MarkKind("notches", Rule.MATCH, frozenset(pairs))
    cell = (0, 0, 0)
    marks = frozenset({Mark("notches", cell, (0, 1, 0), value)})
    if made_with not in ("slot", "nothing"):
        with pytest.raises(PuzzleError, match=made_with):
            made([cell], marks=marks, kinds=[kind])
        return
    less = made([cell]).volume - made([cell], marks=marks, kinds=[kind]).volume
    assert less == pytest.approx((6.2 + 0.4) ** 2 * 1.4 if made_with == "slot" else 0)


@pytest.mark.parametrize("bevel_mm", [0.0, 0.5])
def test_prisms_are_made_in_the_same_way(bevel_mm: float) -> None:
    cell = TRIANGLES.cell_at((0, 0, 0))
    inradius = 10 / math.sqrt(12)
    smaller = (inradius - 0.2) / inradius
    mesh = made([cell], Finish(10, bevel_mm, 0.4), lattice=TRIANGLES)
    sharp = math.sqrt(3) / 4 * (10 * smaller) ** 2 * (10 - 0.4)
    assert mesh.extents[2] == pytest.approx(9.6, abs=1e-4)
    if bevel_mm:
        assert 0.9 * sharp < mesh.volume < sharp
    else:
        assert mesh.volume == pytest.approx(sharp, rel=1e-5)


def test_six_triangles_are_a_hexagon() -> None:
    places = [(column, row, 0) for row in (0, 1) for column in (1, 2, 3)]
    mesh = made(map(TRIANGLES.cell_at, places), lattice=TRIANGLES)
    inradius = 10 * math.sqrt(3) / 2 - 0.2
    assert mesh.volume == pytest.approx(2 * math.sqrt(3) * inradius**2 * 9.6, rel=1e-5)


def test_no_piece_is_its_mirror_image() -> None:
    """Rows run towards the looker, so the first is at the back: where y is greatest."""
    mesh = made([(0, 0, 0), (1, 0, 0), (0, 1, 0)], PLAIN)
    assert mesh.bounds.tolist() == [[0, -20, 0], [20, 0, 10]]
    assert mesh.center_mass == pytest.approx([25 / 3, -25 / 3, 5])


def test_what_cannot_be_made_is_told() -> None:
    with pytest.raises(
        PuzzleError, match="Of a cube of 10 mm nothing is left with a bevel of 5 mm"
    ):
        made([(0, 0, 0)], Finish(10, 5, 0.1))
    with pytest.raises(
        PuzzleError, match="Piece it cannot be made: its cubes do not hang together"
    ):
        made([(0, 0, 0), (1, 1, 0)])
    touching = [(0, 0, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (1, 1, 0)]
    assert made(touching).volume > 0
    with pytest.raises(PuzzleError, match="The surface of piece it meets itself along an edge"):
        made(touching, PLAIN)


def test_without_the_library_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    with pytest.raises(InvalidInputError, match=r"pip install 'puzzlerig-\S+\[print\]'"):
        made([(0, 0, 0)])


@pytest.fixture
def trominoes() -> PackingPuzzle:
    """Two equal pieces and a long one, which stands upright in the file, in 3 x 3."""
    bent = Shape.of([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    upright = Shape.of([(0, 0, 0), (0, 0, 1), (0, 0, 2)])
    pieces = (Piece("bent", bent, 2, 2), Piece("long <&>", upright))
    return PackingPuzzle("three", "Three & more", Target.box(3, 3), pieces)


def boxes(parts: list[Part]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the low and high corner of every copy."""
    return [
        (part.mesh.low + place, part.mesh.low + place + part.mesh.size)
        for part in parts
        for place in part.places
    ]


def test_pieces_lie_flat_and_apart_on_the_plate() -> None:
    parts = run_job(pieces_on_plate(library.load("soma"), Finish(30, 0, 0.4)))
    assert [part.name for part in parts] == [piece.name for piece in library.load("soma").pieces]
    heights = {part.name: round(float(part.mesh.size[2]) / 30) for part in parts}
    assert heights == {"V": 1, "L": 1, "T": 1, "Z": 1, "A": 2, "B": 2, "P": 2}
    laid = boxes(parts)
    assert all(low[2] == pytest.approx(0) and high[0] <= PLATE_MM for low, high in laid)
    for (low, high), (other_low, other_high) in itertools.combinations(laid, 2):
        gap = np.maximum(other_low - high, low - other_high)[:2].max()
        assert gap >= GAP_MM - 1e-6


def test_an_upright_piece_is_laid_down_and_copies_are_made(trominoes: PackingPuzzle) -> None:
    bent, upright = run_job(pieces_on_plate(trominoes, SHARP))
    assert (len(bent.places), len(upright.places)) == (2, 1)
    assert upright.mesh.size[2] == pytest.approx(9.6)
    together = read_stl(to_stl(merge_parts([bent, upright])))
    assert together.is_watertight
    assert together.volume == pytest.approx(2 * bent.mesh.volume + upright.mesh.volume, rel=1e-5)


def test_of_pieces_without_a_number_there_are_as_many_as_fit() -> None:
    domino = Piece("domino", Shape.of([(0, 0, 0), (1, 0, 0)]), 0, 99)
    large = Piece("large", Shape.of((x, 0, 0) for x in range(9)), 0, 9)
    puzzle = PackingPuzzle("d", "d", Target.box(3, 2), (domino, large))
    (part,) = run_job(pieces_on_plate(puzzle, PLAIN))
    assert (part.name, len(part.places)) == ("domino", 3)


def test_a_solution_has_every_piece_at_its_place() -> None:
    puzzle = library.load("drilled-cube")
    solution = solver.first(puzzle)
    assert solution is not None
    parts = run_job(place_solution(puzzle, solution, SHARP))
    for placement, (low, high) in zip(solution.placements, boxes(parts), strict=True):
        xs, ys, zs = zip(*placement.cells, strict=True)
        # From the low corner of the whole, which is half a clearance within the first cells.
        assert low == pytest.approx([10 * min(xs), 10 * (2 - max(ys)), 10 * min(zs)], abs=1e-3)
        assert high - low == pytest.approx(
            [10 * (max(each) - min(each) + 1) - 0.4 for each in (xs, ys, zs)], abs=1e-3
        )
    drilled = library.load("drilled-cube")
    alone = {part.name: part.mesh.volume for part in run_job(pieces_on_plate(drilled, SHARP))}
    assert {part.name: part.mesh.volume for part in parts} == pytest.approx(alone, rel=1e-5)


def test_a_3mf_file_has_an_object_for_each_piece_and_an_item_for_each_copy(
    trominoes: PackingPuzzle,
) -> None:
    parts = run_job(pieces_on_plate(trominoes, SHARP))
    data = to_3mf(parts, trominoes.title)
    assert data == to_3mf(parts, trominoes.title)
    scene = trimesh.load(io.BytesIO(data), file_type="3mf")
    assert isinstance(scene, trimesh.Scene)
    assert scene.units == "millimeter"
    assert {name: mesh.is_watertight for name, mesh in scene.geometry.items()} == {
        "bent": True, "long <&>": True,
    }  # fmt: skip
    for part in parts:
        assert scene.geometry[part.name].volume == pytest.approx(part.mesh.volume, rel=1e-5)
    assert scene.bounds == pytest.approx(
        np.array([merge_parts(parts).low, merge_parts(parts).points.max(axis=0)])
    )
    model = fromstring(zipfile.ZipFile(io.BytesIO(data)).read("3D/3dmodel.model"))
    assert model.findtext(f"{CORE}metadata") == trominoes.title
    materials = [(base.get("name"), base.get("displaycolor")) for base in model.iter(f"{CORE}base")]
    assert dict(materials) == piece_colours(["bent", "long <&>"])
    used = [
        materials[int(each.get("pindex"))][0] == each.get("name")
        for each in model.iter(f"{CORE}object")
    ]
    assert used == [True, True]
    items = [item.get("objectid") for item in model.iter(f"{CORE}item")]
    assert items == ["2", "2", "3"]
