"""Text layers, isometric drawings and the page for the browser."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.drawing.export import to_svg
from solvers.drawing.shapes import Line, Polygon, Text, bounds, project
from solvers.polycube import library, text_drawing
from solvers.polycube.lattice import Cell
from solvers.polycube.lattices import CUBES
from solvers.polycube.marks import (
    FACE_NAMES,
    KNOWN,
    Mark,
    MarkKind,
    Rule,
    along_lines,
    line_through,
    on_cells,
)
from solvers.polycube.pictures.drawings import sign_after, step_pictures, steps_drawing
from solvers.polycube.pictures.signs import (
    HOLE_RADIUS,
    SLOT,
    TAB,
    WIDER,
    Sign,
    signs_of,
    signs_of_solution,
)
from solvers.polycube.pictures.solids import Block, paint, piece_colours, shades
from solvers.polycube.pictures.story import (
    Frame,
    assembly_story,
    disassembly_story,
    labels,
    one_by_one_story,
    story_of,
)
from solvers.polycube.pictures.viewer import Shown, as_data, to_html
from solvers.polycube.puzzle import (
    PackingPuzzle,
    PackingSolution,
    Piece,
    Placement,
    Shape,
    Target,
    marks_in_place,
)
from solvers.polycube.solving import solver
from solvers.polycube.taking_apart.assembly import Direction, Step, assemble
from solvers.polycube.taking_apart.disassembly import Disassembly, Move, Separation, Turn
from tests.dumped_page import dumped_result

# A 2 x 2 x 2 cube of three pieces; "<b>" tries to break out of the page.
PIECES = {
    "A": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "<b>": [(1, 1, 0), (1, 1, 1)],
    "C": [(0, 0, 1), (1, 0, 1), (0, 1, 1)],
}
CUBE = PackingSolution(
    tuple(Placement(name, 0, frozenset(cells)) for name, cells in PIECES.items())
)
STEPS = assemble(CUBE, gravity=True).steps
STORY = assembly_story(STEPS, "done")

# Two rings that hold each other, as links of a chain.
CHAIN = PackingSolution(
    (
        Placement("A", 0, frozenset((x, y, 1) for x in range(3) for y in range(3)) - {(1, 1, 1)}),
        Placement("B", 0, frozenset((x, 1, z) for x in (1, 2, 3) for z in range(3)) - {(2, 1, 1)}),
    )
)
# Piece "A" has a bore along x through two of its cubes.
BORED = tuple(
    Sign(cell, way, True, 0.24, "#000000")
    for _, cell, way, _ in sorted(along_lines([(0, 0, 0)], PIECES["A"]))
)


def test_layers_show_names_or_a_legend() -> None:
    assert text_drawing.to_text(CUBE) == "AA CC\nAB CB\nA = A, B = <b>, C = C"
    short = PackingSolution((CUBE.placements[0], CUBE.placements[2]))
    assert text_drawing.to_text(short) == "AA CC\nA. C."


def test_faces_beside_the_layers_show_holes_and_pictures() -> None:
    # An L of three cubes in the lower layer, and one on its end to the right.
    cells = frozenset({(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)})
    picture = {Mark("picture", (0, 1, 0), FACE_NAMES["front"], 10)}
    picture |= {Mark("picture", (1, 0, 1), FACE_NAMES["right"], 2)}
    marks = along_lines([(2, 1, 0), (1, 0, 0), (0, 0, 0)], cells) | picture
    puzzle = PackingPuzzle(
        "one",
        "One",
        Target(cells),
        (Piece("P", Shape(cells), marks=marks),),
        kinds=(*KNOWN, MarkKind("picture", Rule.SHOW)),
    )
    solution = solver.first(puzzle)
    assert solution is not None
    beside = text_drawing.faces(puzzle, solution)
    assert text_drawing.to_text(solution, puzzle.lattice, beside).splitlines() == [
        "       bores: top  front  right  picture: top  front  right",
        "PP .P  .o          ..     ..     ..            ..     .2",
        "P. ..  ..          o.     .o     ..            a.     ..",
    ]
    plain = library.load("soma")
    soma = solver.first(plain)
    assert soma is not None
    assert text_drawing.faces(plain, soma) == []


def test_signs_of_marks_are_painted_on_their_faces_alone() -> None:
    (cell,) = cells = frozenset({(0, 0, 0)})
    right, front, top = (FACE_NAMES[face] for face in ("right", "front", "top"))
    marks = along_lines([(2, 0, 0)], cells) | along_lines([(2, 0, 0)], cells, "rods")
    marks |= {Mark("notches", cell, right, 1), Mark("notches", cell, front, 2)}
    marks |= {Mark("picture", cell, top, 3)}
    puzzle = PackingPuzzle(
        "p",
        "P",
        Target(cells),
        (Piece("p", Shape(cells), marks=marks),),
        kinds=(
            *KNOWN,
            MarkKind("notches", Rule.MATCH, frozenset({(1, 2)})),
            MarkKind("picture", Rule.SHOW),
            MarkKind("rods", Rule.THROUGH),
        ),
    )
    signs = signs_of(puzzle, marks)
    assert [sign.colour for sign in signs if sign.way == right] == [TAB]
    assert [sign.colour for sign in signs if sign.way == front] == [SLOT]
    # Smaller ones are painted over larger ones: the picture, the rod's hole, the bore.
    picture, rod, bore = (sign for sign in signs if sign.way == top)
    assert not picture.is_round
    assert (rod.is_round, rod.size) == (True, HOLE_RADIUS + WIDER)
    assert (bore.is_round, bore.size) == (True, HOLE_RADIUS)
    plain = paint([Block(cells, "#808080")])
    # The holes' other ends are below, where no side is drawn.
    assert len(paint([Block(cells, "#808080")], signs)) == len(plain) + 5
    (coloured,) = signs_of(puzzle, on_cells([(cell, 1)]))
    assert len(paint([Block(cells, "#808080")], [coloured])) == len(plain) + 3


def visible_cells(cells: set[Cell]) -> set[Cell]:
    """Return the cubes of which the eye sees at least one half of one side.

    From half a side a ray to the eye crosses the lattice's planes in turns: the side's own axis,
    then the two others in the order that tells the halves apart.
    """
    seen = set()
    for cell in cells:
        for axis in range(3):
            others = [(axis + 1) % 3, (axis + 2) % 3]
            for turns in ([axis, *others], [axis, *others[::-1]]):
                place = list(cell)
                met = []
                for crossing in turns * 5:
                    place[crossing] += 1
                    met.append(tuple(place))
                if cells.isdisjoint(met):
                    seen.add(cell)
    return seen


@settings(max_examples=60, deadline=None)
@given(st.sets(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=20))
def test_the_last_painted_side_is_the_one_the_eye_meets(cells: set[Cell]) -> None:
    # Red tells the cubes apart, green how dark the side is.
    blocks = [
        Block(frozenset({cell}), f"#{100 + 7 * index:02x}ff00") for index, cell in enumerate(cells)
    ]
    shapes = [shape for shape in paint(blocks) if isinstance(shape, Polygon)]
    # What is painted last over a lattice triangle stays visible there.
    on_top = {point: shape.fill for shape in shapes for point in sample_points(shape)}
    cell_of = {
        shape.fill: cell
        for block in blocks
        for cell in block.cells
        for shape in paint([block])
        if isinstance(shape, Polygon)
    }
    assert {cell_of[fill] for fill in on_top.values()} == visible_cells(cells)


def sample_points(face: Polygon) -> list[tuple[int, int]]:
    """Return the middles of the two lattice triangles a side consists of, in tenths of a mm."""
    a, b, c, d = face.points
    distances = {
        diagonal: (diagonal[0][0] - diagonal[1][0]) ** 2 + (diagonal[0][1] - diagonal[1][1]) ** 2
        for diagonal in ((a, c), (b, d))
    }
    short = min(distances, key=lambda diagonal: distances[diagonal])
    tips = [corner for corner in (a, b, c, d) if corner not in short]
    return [
        (
            round(10 * (short[0][0] + short[1][0] + tip[0]) / 3),
            round(10 * (short[0][1] + short[1][1] + tip[1]) / 3),
        )
        for tip in tips
    ]


def test_projection_puts_x_right_y_left_and_z_up() -> None:
    right, left, up = project((1, 0, 0)), project((0, -1, 0)), project((0, 0, 1))
    assert right[0] > 0 < right[1]
    assert left[0] < 0 < left[1]
    assert up[0] == 0 > up[1]


def test_a_single_cube_has_three_sides_and_nine_outlines() -> None:
    shapes = paint([Block(frozenset({(0, 0, 0)}), "#808080")])
    assert sum(isinstance(shape, Polygon) for shape in shapes) == 3
    assert sum(isinstance(shape, Line) for shape in shapes) == 12


def test_the_end_of_a_bore_is_a_disc_in_the_middle_of_its_side() -> None:
    (cell,) = cells = frozenset({(0, 0, 0)})
    plain = paint([Block(cells, "#808080")])
    for axis in range(3):
        # Drawn rows run to the front, so the back of a cube is not seen.
        way = [(1, 0, 0), (0, 1, 0), (0, 0, 1)][axis]
        hole = Sign(cell, way, True, 0.24, "#000000")
        discs = [shape for shape in paint([Block(cells, "#808080")], [hole]) if shape not in plain]
        assert len(discs) == 1
        left, top, right, bottom = bounds(discs)
        middle = [0.5, 0.5, 0.5]
        middle[axis] = 1.0
        x, y = project((middle[0], -middle[1], middle[2]))
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((x, y), abs=0.01)


def test_bores_run_straight_through_a_solved_drilled_cube() -> None:
    puzzle = library.load("drilled-cube")
    solution = solver.first(puzzle)
    assert solution is not None
    signs = signs_of_solution(puzzle, solution)
    assert all(sign.is_round for sign in signs)
    bored = {(sign.cell, tuple(map(abs, sign.way)).index(1)) for sign in signs}
    assert len(signs) == 2 * len(bored)  # a hole has two ends
    for axis in range(3):
        lines: dict[tuple[int, ...], set[bool]] = {}
        for cell in puzzle.target.required:
            line = tuple(cell[other] for other in range(3) if other != axis)
            lines.setdefault(line, set()).add((cell, axis) in bored)
        assert all(len(states) == 1 for states in lines.values())
    # Nine pieces' bores, each counted with the cubes it goes through.
    cubes = sum(
        line_through(cell, axis) in piece.bores
        for piece in puzzle.pieces
        for cell in piece.shape.cells
        for axis in range(3)
    )
    assert len(bored) == cubes > 0
    plain = library.load("soma")
    soma = solver.first(plain)
    assert soma is not None
    assert marks_in_place(plain, soma) == frozenset()


def test_steps_are_numbered_and_say_the_way() -> None:
    drawing = steps_drawing(STORY)
    captions = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert captions == [
        f"{number}. piece {step.placement.piece} {step.direction.words}"
        for number, step in enumerate(STEPS, start=1)
    ] + ["done"]
    root = ElementTree.fromstring(to_svg(drawing, "a & b"))
    assert len(root.findall(".//{http://www.w3.org/2000/svg}text")) == 4


def test_what_interlocks_is_shown_in_place_and_said_to_interlock() -> None:
    story = story_of(CHAIN, "Two links")
    assert story.frames == ()
    assert story.start == ((0, 0, 0), (0, 0, 0))
    captions = [shape.text for shape in steps_drawing(story).shapes if isinstance(shape, Text)]
    assert captions == ["Two links: A, B interlock"]
    page = Page()
    page.feed(to_html([Shown(story)], "Two links"))
    (shown,) = json.loads(page.data)["solutions"]
    assert shown["frames"] == []
    assert shown["ending"] == "Two links: A, B interlock"
    assert not shown["puts_together"]
    assert "from above" not in page.data


# Made up: the pictures believe what they are told. A and B go up and leave to the right together,
# C is left; then A and B part.
TOLD = Separation(
    (0, 1, 2),
    (Move((0, 1), (0, 0, 1), 2), Move((0, 1), (1, 0, 0), None)),
    removed=Separation((0, 1), (Move((1,), (0, -1, 0), None),)),
)


def test_a_story_of_taking_apart_follows_every_move() -> None:
    story = disassembly_story(CUBE, TOLD, "Cube")
    up, here = (0, 0, 2), (0, 0, 0)
    assert story.start == (here, here, here)
    assert story.frames == (
        Frame((up, up, here), frozenset({0, 1}), (0, 0, 1), "A, <b>: 2 up"),
        Frame((None, None, here), frozenset({0, 1}), (1, 0, 0), "A, <b>: out to the right"),
        Frame((up, up, None), frozenset(), here, "then A, <b>"),
        Frame((up, None, None), frozenset({1}), (0, -1, 0), "<b>: out to the back"),
    )
    assert story.ending == "Cube: level 2"
    assert story_of(CUBE, "Cube", Disassembly(TOLD)) == story
    assert story_of(CUBE, "Cube", Disassembly(None)) == story_of(CUBE, "Cube")
    captions = [shape.text for shape in steps_drawing(story).shapes if isinstance(shape, Text)]
    assert captions == [
        "Cube: level 2",
        *(f"{number}. {frame.words}" for number, frame in enumerate(story.frames, start=1)),
    ]


# Made up as well: B stands up about the edge it lies along, goes up and turns back.
TURNED = Separation(
    (0, 1, 2),
    (
        Turn((1,), 3, (1, 1)),
        Move((1,), (0, 0, 1), 3),
        Turn((0, 1), 2, (1, 1)),
        Move((1,), (0, 0, 1), None),
    ),
    Separation((0, 2), (Move((0,), (0, 0, 1), None),)),
)


def test_a_story_of_taking_apart_turns_cells() -> None:
    story = disassembly_story(CUBE, TURNED, "Cube")
    cell = min(CUBE.placements[1].cells)
    seen = [cell]
    for move in TURNED.moves[:-1]:
        seen.append(move.apply(seen[-1]))
    assert [frame.place(1, cell) for frame in story.frames] == [*seen[1:], None, None]
    assert [frame.turn for frame in story.frames[:3]] == [TURNED.moves[0], None, TURNED.moves[2]]
    assert all(frame.place(2, cell) == cell for frame in story.frames)
    data = as_data(Shown(story))["frames"]
    assert data[0]["turn"] == {"axis": 1, "centre": [0.5, 0.5], "quarter": -1}
    assert (data[0]["moved"], "turn" in data[1]) == ([1], False)
    # Pictures of other stories stay as short as they are.
    plain = as_data(Shown(disassembly_story(CUBE, TOLD, "Cube")))["frames"]
    assert all(set(frame) == {"places", "way", "words"} for frame in plain)
    captions = [shape.text for shape in steps_drawing(story).shapes if isinstance(shape, Text)]
    assert captions[1].startswith("1. <b>: turn 90 degrees about y at x = 1, z = 1, counter")


def test_signs_turn_with_their_pieces() -> None:
    story = disassembly_story(CUBE, TURNED, "Cube")
    cell = min(CUBE.placements[1].cells)
    sign = Sign(cell, (1, 0, 0), is_round=False, size=0.5, colour="#123456")
    _, first, *_ = step_pictures(story, [sign])
    moved = sign_after(sign, story.frames[0], 1)
    assert (moved.cell, moved.way) == (story.frames[0].place(1, cell), (0, 0, 1))
    assert any(getattr(shape, "fill", "") == "#123456" for shape in first.shapes)


def test_copies_of_a_piece_are_numbered_where_words_name_them() -> None:
    copies = [Placement(name, 0, frozenset({(0, 0, 0)})) for name in ("L", "T", "L")]
    assert labels(copies) == ["L (1)", "T", "L (2)"]


def test_colours_do_not_depend_on_the_order() -> None:
    names = [step.placement.piece for step in STEPS]
    assert piece_colours(names) == piece_colours(names[::-1])


def test_captions_are_beside_one_another_however_long() -> None:
    names = [f"a piece with a long name {number}" for number in range(5)]
    pieces = [Placement(name, 0, frozenset({(n, 0, 0)})) for n, name in enumerate(names)]
    story = one_by_one_story(PackingSolution(tuple(pieces)), "a title that is longer still", CUBES)
    drawing = steps_drawing(story)
    captions = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    spans = {}
    for text in captions:
        half = 0.25 * text.size_mm * len(text.text)  # half a letter's height is an average width
        spans[text.position] = (text.position[0] - half, text.position[0] + half)
    assert len(spans) == 6
    for (x, y), (left, right) in spans.items():
        assert left >= 0
        assert right <= drawing.width_mm
        following = [span for (other, row), span in spans.items() if row == y and other > x]
        assert all(right <= span[0] for span in following)


def test_copies_of_a_piece_have_shades_of_its_colour() -> None:
    names = ["L", "T", "L", "L"]
    first, other, middle, last = shades(names)
    assert other == piece_colours(names)["T"]
    assert middle == piece_colours(names)["L"]

    def light(colour: str) -> int:
        return sum(int(colour[at : at + 2], 16) for at in (1, 3, 5))

    assert light(first) > light(middle) > light(last)


class Page(HTMLParser):
    """Collects what a page would load and the data it carries."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.data = ""
        self._in_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [value or "" for key, value in attrs if key in ("src", "href", "action")]
        self._in_data = tag == "script" and ("id", "data") in attrs

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self._in_data = False

    def handle_data(self, data: str) -> None:
        if self._in_data:
            self.data += data


def test_the_page_is_self_contained_and_holds_every_cube() -> None:
    html = to_html([Shown(STORY), Shown(assembly_story(STEPS[::-1], "done"))], "Two <ways>")
    page = Page()
    page.feed(html)
    assert page.loads == []
    assert not re.search(r"https?://|@import|url\(", html)
    assert "<title>Two &lt;ways&gt;</title>" in html
    data = json.loads(page.data)
    assert len(data["solutions"]) == 2
    for shown in data["solutions"]:
        assert {piece["name"]: sorted(map(tuple, piece["cells"])) for piece in shown["pieces"]} == {
            name: sorted(cells) for name, cells in PIECES.items()
        }


# Runs in the page: counts painted pixels, drags the mouse, moves both sliders.
PROBE = """
const { canvas, gl } = view;
function painted() {
  view.draw();
  const pixels = new Uint8Array(4 * canvas.width * canvas.height);
  gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let count = 0, sum = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if (!pixels[i + 3]) continue;
    count++;
    sum = (sum * 31 + pixels[i] + pixels[i + 1] * 3) % 1e9;
  }
  return { count, sum };
}
function slide(id, value) {
  element(id).value = value;
  element(id).dispatchEvent(new Event("input"));
  return painted();
}
const found = { ready: document.body.dataset.ready, full: painted(), yaw: view.yaw };
function finger(kind, pointerId, clientX, clientY) {
  canvas.dispatchEvent(new PointerEvent(kind, { pointerId, clientX, clientY, buttons: 1 }));
}
finger("pointerdown", 1, 100, 100);
finger("pointermove", 1, 160, 120);
found.turned = painted();
found.turnedYaw = view.yaw;
finger("pointerdown", 2, 160, 220);
finger("pointermove", 2, 160, 270);
found.pinched = { zoom: view.zoom, yaw: view.yaw, ...painted() };
finger("pointerup", 2, 160, 270);
finger("pointerup", 1, 160, 120);
finger("pointermove", 1, 200, 120);
found.letGo = view.yaw;
view.zoom = 1;
found.apart = slide("explode", 1);
slide("explode", 0);
found.empty = slide("step", 0);
found.one = slide("step", 1);
found.caption = element("caption").textContent;
found.buttons = document.querySelectorAll("#pieces button").length;
document.querySelector("#pieces button").click();
found.hidden = painted();
view.hidden.clear();
slide("solution", 2);
found.whole = { step: view.step, caption: element("caption").textContent, ...slide("step", 0) };
found.lifted = slide("step", 1);
found.between = slide("step", 1.5);
found.left = slide("step", 2);
found.leftCaption = element("caption").textContent;
found.width = innerWidth;
found.boxes = ["h1", "#hint", "#pieces"].map(
  name => document.querySelector(name).getBoundingClientRect().toJSON());
found.rows = [...document.querySelectorAll("#pieces button")].map(
  button => button.getBoundingClientRect().top);
const result = document.createElement("pre");
result.id = "result";
result.textContent = JSON.stringify(found);
document.body.append(result);
"""
STARTED = "\nstart();\n"


def test_the_page_turns_in_a_real_browser(tmp_path: Path) -> None:
    step = Step(CUBE.placements[0], Direction.DOWN)
    page = tmp_path / "page.html"
    html = to_html([Shown(STORY, BORED), Shown(disassembly_story(CUBE, TOLD, "Cube"))], "cube")
    assert html.count(STARTED) == 1
    page.write_text(html.replace(STARTED, STARTED + PROBE))
    found = dumped_result(
        page,
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--window-size=400,400",
    )
    assert found["ready"] == "yes"
    assert found["width"] <= 600  # as a phone: the legend stands beside the title
    title, hint, legend = found["boxes"]
    assert max(title["right"], hint["right"]) <= legend["left"]
    assert title["bottom"] <= hint["top"]
    assert len(set(found["rows"])) == 1 < len(found["rows"])
    assert found["full"]["count"] > 2000
    assert found["turnedYaw"] != found["yaw"]
    assert found["turned"]["sum"] != found["full"]["sum"]
    # Two fingers that go half as far apart again make it so much larger, and turn nothing.
    assert found["pinched"]["zoom"] == pytest.approx(1.5)
    assert found["pinched"]["yaw"] == found["turnedYaw"] == found["letGo"]
    assert found["pinched"]["count"] > found["turned"]["count"]
    assert found["apart"]["sum"] != found["turned"]["sum"]
    assert found["empty"]["count"] == 0
    assert 0 < found["one"]["count"] < found["turned"]["count"]
    assert found["caption"].startswith("1 of 3: ")
    assert found["caption"].endswith(step.direction.words)
    assert found["buttons"] == 3
    assert found["hidden"]["count"] == 0
    # The second solution is taken apart: it begins whole, and ends with what is left.
    assert (found["whole"]["step"], found["whole"]["caption"]) == (0, "Cube: level 2")
    assert found["whole"]["count"] > found["left"]["count"] > 0
    sums = [found[moment]["sum"] for moment in ("whole", "lifted", "between", "left")]
    assert len(set(sums)) == 4
    assert found["leftCaption"] == "2 of 4: A, <b>: out to the right"
