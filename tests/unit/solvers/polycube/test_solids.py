"""Cells of any lattice in pictures and on the page, against what a ray meets, and volumes."""

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from math import pi, sin
from pathlib import Path

import pytest

from solvers.drawing.shapes import Line, Polygon, Text, project
from solvers.polycube import library
from solvers.polycube.lattice import Cell, Lattice, Point
from solvers.polycube.lattices import LATTICES, SPHERES
from solvers.polycube.marks import FACES, ON_CELL, beyond
from solvers.polycube.pictures.drawings import steps_drawing
from solvers.polycube.pictures.signs import signs_of_solution
from solvers.polycube.pictures.solids import Block, paint
from solvers.polycube.pictures.story import IN_PLACE, disassembly_story, story_of
from solvers.polycube.pictures.viewer import Shown, as_data, to_html
from solvers.polycube.puzzle import PackingSolution, Placement
from solvers.polycube.solving import solver
from solvers.polycube.taking_apart.disassembly import Move, Separation
from tests.dumped_page import dumped_result

DISC = 32  # corners of round signs on the page
SOLID = [lattice for lattice in LATTICES.values() if not lattice.balls]


def some_cells(lattice: Lattice, seed: int) -> list[Cell]:
    """Return about half of the cells of a block."""
    chance = random.Random(seed)
    size = range(6 if lattice.points > 5 else 4)
    places = [(x, y, z) for x in size for y in size for z in size]
    return [
        lattice.cell_at(place)
        for place in places
        if lattice.is_cell(place) and chance.random() < 0.5
    ]


def inside(at: Sequence[float], corners: Sequence[Sequence[float]]) -> bool:
    """Tell whether a point of the page is well within a convex polygon, by the turns along it."""
    turns = [
        (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]
    return min(turns) > 0.05 or max(turns) < -0.05


def nearness(at: tuple[float, float], corners: Sequence[Point], lattice: Lattice) -> float:
    """Return how close to the eye a face is where it is seen at a point of the page."""
    flat = [project(corner, lattice.enlarged) for corner in corners[:3]]
    near = [x - y + z for x, y, z in corners[:3]]
    (ax, ay), (bx, by), (cx, cy) = flat
    whole = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    b = ((at[0] - ax) * (cy - ay) - (at[1] - ay) * (cx - ax)) / whole
    c = ((bx - ax) * (at[1] - ay) - (by - ay) * (at[0] - ax)) / whole
    return near[0] + b * (near[1] - near[0]) + c * (near[2] - near[0])


@pytest.mark.parametrize("lattice", SOLID)
def test_the_last_painted_face_is_the_one_that_a_ray_meets(lattice: Lattice) -> None:
    cells = some_cells(lattice, 1)
    colour = {
        cell: f"#{100 + number // 250:02x}ff{number % 250:02x}" for number, cell in enumerate(cells)
    }
    painted = [
        shape
        for shape in paint([Block(frozenset({c}), colour[c]) for c in cells], (), lattice)
        if isinstance(shape, Polygon)
    ]
    fills = {
        (shape.fill, shape.points): cell
        for cell in cells
        for shape in paint([Block(frozenset({cell}), colour[cell])], (), lattice)
        if isinstance(shape, Polygon)
    }
    seen = 0
    chance = random.Random(2)
    for _ in range(150):
        middle = lattice.centre([chance.choice(cells)])
        x, y = project(middle, lattice.enlarged)
        at = (x + chance.uniform(-4, 4), y + chance.uniform(-4, 4))
        met = {
            cell: nearness(at, face.corners, lattice)
            for cell in cells
            for face in lattice.faces(cell)
            if inside(at, [project(corner, lattice.enlarged) for corner in face.corners])
            and faces_the_eye([project(corner, lattice.enlarged) for corner in face.corners])
        }
        over = [shape for shape in painted if inside(at, shape.points)]
        if met and over:
            seen += 1
            assert fills[over[-1].fill, over[-1].points] == max(met, key=lambda cell: met[cell])
    assert seen > 60


def faces_the_eye(corners: Sequence[Sequence[float]]) -> bool:
    """Tell whether a polygon is counter-clockwise on the page, whose second axis runs down."""
    (ax, ay), (bx, by), (cx, cy) = corners[:3]
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) < -0.05


def test_balls_are_painted_from_behind() -> None:
    row = [(0, 0, 0), (1, 0, 1), (2, 0, 2), (1, 1, 0)]
    colour = {cell: f"#ff00{number:02x}" for number, cell in enumerate(row)}
    shapes = paint([Block(frozenset({cell}), colour[cell]) for cell in row], (), SPHERES)
    fills = [shape.fill for shape in shapes if isinstance(shape, Polygon) and shape.stroke]
    assert fills == [colour[cell] for cell in ((0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 0, 2))]


def test_edges_within_an_even_face_of_a_piece_are_thin() -> None:
    """Two eighths side by side: the faces that they share the plane of go on, the others bend."""
    lattice = LATTICES["tetrahedra and octahedra"]
    pair = frozenset({(2, 2, 2), (2, 2, 3)})
    shapes = paint([Block(pair, "#808080")], (), lattice)
    widths = [shape.stroke_width_mm for shape in shapes if not isinstance(shape, Polygon | Text)]
    assert {0.15, 0.45} == set(widths)


@pytest.mark.parametrize("name", ["ball-pyramid", "rhombic-dodecahedron", "tetrahedra-pyramid"])
def test_pieces_of_other_cells_appear_one_by_one(name: str) -> None:
    puzzle = library.load(name)
    solution = solver.first(puzzle)
    assert solution is not None
    story = story_of(solution, puzzle.title, None, puzzle.lattice)
    assert len(story.frames) == len(solution.placements)
    assert {frame.way for frame in story.frames} == {IN_PLACE}
    drawing = steps_drawing(story, (), puzzle.lattice)
    captions = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert captions[-1] == puzzle.title
    assert len(captions) == len(story.frames) + 1


def test_what_leaves_towards_the_eye_has_no_arrow() -> None:
    lattice = LATTICES["rhombic tetrahedra"]
    places = product(range(5), range(5), range(5))
    cells = [place for place in places if lattice.is_cell(place)]
    pieces = Placement("a", 0, frozenset(cells[:12])), Placement("b", 0, frozenset(cells[12:]))
    shafts = []
    for way in ((5, 5, 5), (5, 5, 0)):
        separation = Separation((0, 1), (Move((1,), way, None),))
        story = disassembly_story(PackingSolution(pieces), separation, "two", lattice)
        lines = [
            shape for shape in steps_drawing(story, (), lattice).shapes if isinstance(shape, Line)
        ]
        shafts.append(sum(line.stroke_width_mm > 2 for line in lines))
    assert shafts == [0, 1]


# Runs in the page: the volume within each mesh, from the triangles that the graphics card gets.
VOLUMES = """
const volumes = data.probe.map(({ lattice, pieces }) => pieces.map(piece => {
  const mesh = new Cells(lattice).mesh(piece, []);
  let volume = 0;
  for (let i = 0; i < mesh.length; i += 3 * FLOATS) {
    const [a, b, c] = [0, 1, 2].map(k => [...mesh.slice(i + k * FLOATS, i + k * FLOATS + 3)]);
    volume += dot(a, cross(b, c)) / 6;
  }
  return volume;
}));
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify({ volumes });
document.body.append(result);
"""


def test_meshes_on_the_page_enclose_what_their_pieces_fill(tmp_path: Path) -> None:
    probe, expected = [], []
    names = ["soma", "hexiamonds", "ball-pyramid", "rhombic-dodecahedron", "tetrahedra-pyramid"]
    for name in names:
        puzzle = library.load(name)
        solution = solver.first(puzzle)
        assert solution is not None
        shown = Shown(story_of(solution, name, None, puzzle.lattice), lattice=puzzle.lattice)
        told = as_data(shown)
        pieces = [piece["cells"] for piece in told["pieces"]]
        probe.append({"lattice": told["lattice"], "pieces": pieces})
        expected.append(
            [sum(volume(tuple(cell), puzzle.lattice) for cell in piece) for piece in pieces]
        )
        html = to_html([shown], name)
    start = "\nstart();\n"
    assert html.count(start) == 1
    page = tmp_path / "page.html"
    page.write_text(html.replace(start, f"\ndata.probe = {json.dumps(probe)};\n{VOLUMES}"))
    for name, found, wanted in zip(names, dumped_result(page)["volumes"], expected, strict=True):
        # A ball's mesh has flat triangles.
        assert found == pytest.approx(wanted, rel=0.05 if name == "ball-pyramid" else 0.0001)


# The area of each colour that is painted over a piece's own, without the dark rims below.
AREAS = """
const areas = data.solutions[0].pieces.map(({ cells, signs }) => {
  const mesh = new Cells(data.lattice).mesh(cells, signs), found = {};
  for (let i = 0; i < mesh.length; i += 3 * FLOATS) {
    const [a, b, c] = [0, 1, 2].map(k => [...mesh.slice(i + k * FLOATS, i + k * FLOATS + 3)]);
    const ink = [...mesh.slice(i + FLOATS - 4, i + FLOATS)].map(value => Math.round(255 * value));
    if (ink[3]) found[ink] = (found[ink] ?? 0) + Math.hypot(...cross(minus(b, a), minus(c, a))) / 2;
  }
  return found;
});
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify({ areas });
document.body.append(result);
"""


def test_signs_of_marks_cover_their_faces_on_the_page(tmp_path: Path) -> None:
    puzzle = library.load("marked-box")
    solution = solver.first(puzzle)
    assert solution is not None
    signs = signs_of_solution(puzzle, solution)
    html = to_html([Shown(story_of(solution, "marked"), signs)], "marked")
    page = tmp_path / "page.html"
    page.write_text(html.replace("\nstart();\n", f"\n{AREAS}"))
    expected = []
    for placement in story_of(solution, "marked").pieces:
        area: dict[str, float] = defaultdict(float)
        for sign in signs:
            if sign.cell in placement.cells:
                ways = FACES if sign.way == ON_CELL else [sign.way]
                faces = sum(beyond(sign.cell, way) not in placement.cells for way in ways)
                disc = DISC / 2 * sin(2 * pi / DISC)
                colour = ",".join(str(int(sign.colour[i : i + 2], 16)) for i in (1, 3, 5))
                area[f"{colour},255"] += faces * sign.size**2 * (disc if sign.is_round else 1)
        expected.append(dict(area))
    for found, wanted in zip(dumped_result(page)["areas"], expected, strict=True):
        assert found.pop("26,26,26,255") > sum(wanted.values())  # each rim is larger than its sign
        assert found == pytest.approx(wanted, rel=1e-3)


def volume(cell: Cell, lattice: Lattice) -> float:
    """Return that of a ball, or of a polyhedron by tetrahedra from the origin."""
    if lattice.balls:
        return 0.5236
    return sum(
        determinant(face.corners[0], face.corners[at], face.corners[at + 1]) / 6
        for face in lattice.faces(cell)
        for at in range(1, len(face.corners) - 1)
    )


def determinant(a: Point, b: Point, c: Point) -> float:
    return (
        a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
    )
