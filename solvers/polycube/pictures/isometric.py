"""Unit cubes seen from the upper right corner, and one picture per step of an assembly.

x runs to the lower right, y (the rows of a layer) to the lower left, z up. All cubes stand on one
lattice, so painting them by growing x + y + z covers exactly what is hidden.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin

from solvers.drawing.palette import distinct, mixed
from solvers.drawing.shapes import (
    Drawing,
    Line,
    Point,
    Polygon,
    Shape,
    Text,
    beside,
    bounds,
    framed,
)
from solvers.polycube.lattice.lattice import Cell
from solvers.polycube.pictures.bores import BoredCell
from solvers.polycube.pictures.story import Frame, Places, Story
from solvers.polycube.puzzle import Placement

EDGE_MM = 9.0
ACROSS = EDGE_MM * cos(pi / 6)
DOWN = EDGE_MM * sin(pi / 6)
COLUMNS = 4
MARGIN_MM = 3.0
ARROW_MM = 13.0
INK = "#222222"
ALREADY_PLACED_PALER = 0.62
BORE_RADIUS = 0.24  # in edges of a cube
DISC_CORNERS = 24


@dataclass(frozen=True)
class Face:
    """A visible side of a cube: its normal, its corners and its darkness (0 to 1)."""

    normal: Cell
    corners: tuple[Cell, Cell, Cell, Cell]
    shade: float


# Corners relative to the cube's own; side k leads from corner k to corner k + 1.
FACES = (
    Face((0, 0, 1), ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)), 0.0),
    Face((0, 1, 0), ((0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)), 0.16),
    Face((1, 0, 0), ((1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0)), 0.32),
)


@dataclass(frozen=True)
class Block:
    """Cubes of one colour that belong together."""

    cells: frozenset[Cell]
    colour: str


def project(point: tuple[float, float, float]) -> Point:
    """Return where a point of space lies on the page, in millimetres."""
    x, y, z = point
    return (x - y) * ACROSS, (x + y) * DOWN - z * EDGE_MM


def paint(blocks: Sequence[Block], bored: Collection[BoredCell] = ()) -> list[Shape]:
    """Return the visible sides of all cubes, with the ends of bores, the ones behind first."""
    block_at = {cell: block for block in blocks for cell in block.cells}
    shapes: list[Shape] = []
    for cell in sorted(block_at, key=lambda cell: (sum(cell), cell)):
        for face in FACES:
            if _plus(cell, face.normal) not in block_at:
                shapes += _paint_face(cell, face, block_at)
                if (cell, face.normal.index(1)) in bored:
                    shapes.append(_end_of_bore(cell, face))
    return shapes


def piece_colours(names: Sequence[str]) -> Mapping[str, str]:
    """Return a colour for every piece name, the same whatever order they come in."""
    return {name: distinct(index) for index, name in enumerate(sorted(set(names)))}


def steps_drawing(story: Story, bored: Collection[BoredCell] = ()) -> Drawing:
    """Return the pictures of all steps in one drawing."""
    return framed(beside(step_pictures(story, bored), COLUMNS, gap_mm=6.0).shapes, 6.0)


def step_pictures(story: Story, bored: Collection[BoredCell] = ()) -> list[Drawing]:
    """Return one picture per step: what moves in full colour, with the way it goes.

    A story that puts together ends with the finished solution, one that takes apart begins with it.
    """
    blocks = _blocks(story.pieces)
    ground = _ground(story.pieces)
    whole = (paint(blocks, bored), story.ending)
    pictures = [] if story.puts_together else [whole]
    before = story.start
    for number, frame in enumerate(story.frames, start=1):
        pictures.append((_picture(blocks, before, frame, bored), f"{number}. {frame.words}"))
        before = frame.places
    if story.puts_together:
        pictures.append(whole)
    # One frame round all of them keeps every picture at the same place of its own frame.
    frame_box = _outline(bounds([*ground, *(shape for shapes, _ in pictures for shape in shapes)]))
    return [
        captioned(framed([frame_box, *ground, *shapes], MARGIN_MM), caption)
        for shapes, caption in pictures
    ]


def _picture(
    blocks: Sequence[Block], before: Places, frame: Frame, bored: Collection[BoredCell]
) -> list[Shape]:
    """Return the pieces after a step, those that leave in it where they were, and an arrow.

    If none moves, the step only says which are there.
    """
    shown: list[Block] = []
    moving: set[Cell] = set()
    ends: set[BoredCell] = set()
    for number, block in enumerate(blocks):
        leaves = number in frame.moved and frame.places[number] is None
        place = before[number] if leaves else frame.places[number]
        if place is None:
            continue
        cells = frozenset(_plus(cell, place) for cell in block.cells)
        ends |= {(_plus(cell, place), axis) for cell, axis in bored if cell in block.cells}
        moving |= cells if number in frame.moved else set()
        rests = frame.moved and number not in frame.moved
        shown.append(_paler(Block(cells, block.colour)) if rests else Block(cells, block.colour))
    if not moving:
        return paint(shown, ends)
    leaving = any(frame.places[number] is None for number in frame.moved)
    return [*paint(shown, ends), *_arrow(moving, frame.way, outwards=leaving)]


def _blocks(placements: Sequence[Placement]) -> list[Block]:
    colours = piece_colours([placement.piece for placement in placements])
    return [Block(placement.cells, colours[placement.piece]) for placement in placements]


def _paler(block: Block) -> Block:
    return Block(block.cells, mixed(block.colour, "#ffffff", ALREADY_PLACED_PALER))


def _outline(box: tuple[float, float, float, float]) -> Polygon:
    left, top, right, bottom = box
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)))


def _paint_face(cell: Cell, face: Face, block_at: Mapping[Cell, Block]) -> list[Shape]:
    block = block_at[cell]
    corners = [_plus(cell, corner) for corner in face.corners]
    points = tuple(project(corner) for corner in corners)
    fill = mixed(block.colour, "#000000", face.shade)
    # The outline in the same colour closes the hairline gaps between neighbouring sides.
    shapes: list[Shape] = [Polygon(points, fill=fill, stroke=fill, stroke_width_mm=0.1)]
    outlines: list[Shape] = []
    for side in range(4):
        start, end = points[side], points[(side + 1) % 4]
        towards = _side_normal(face, side)
        beside_it = block_at.get(_plus(cell, towards))
        above_that = block_at.get(_plus(_plus(cell, towards), face.normal))
        if beside_it is block and above_that is not block:
            shapes.append(Line(start, end, mixed(fill, "#000000", 0.16), 0.15))
        else:
            outlines.append(Line(start, end, mixed(block.colour, "#000000", 0.62), 0.45))
    return shapes + outlines


def _end_of_bore(cell: Cell, face: Face) -> Polygon:
    """Return a dark disc in the middle of a side."""
    axis = face.normal.index(1)
    first, second = (other for other in range(3) if other != axis)
    points = []
    for step in range(DISC_CORNERS):
        angle = 2 * pi * step / DISC_CORNERS
        place = [coordinate + 0.5 for coordinate in cell]
        place[axis] = cell[axis] + 1.0
        place[first] += BORE_RADIUS * cos(angle)
        place[second] += BORE_RADIUS * sin(angle)
        points.append(project((place[0], place[1], place[2])))
    return Polygon(tuple(points), fill="#1b1b1b")


def _side_normal(face: Face, side: int) -> Cell:
    """Return the step from a cube to the cube beyond this side of its face."""
    ends = (face.corners[side], face.corners[(side + 1) % 4])
    for axis in range(3):
        if not face.normal[axis] and ends[0][axis] == ends[1][axis]:
            step = [0, 0, 0]
            step[axis] = 1 if ends[0][axis] else -1
            return step[0], step[1], step[2]
    raise AssertionError("a side of a face lies on two of the cube's sides")


def _ground(placements: Sequence[Placement]) -> list[Shape]:
    """Return the outline of every square that the finished solution stands on or hangs over."""
    cells = [cell for placement in placements for cell in placement.cells]
    ground = min(z for _, _, z in cells)
    return [
        Polygon(
            tuple(project((x + dx, y + dy, ground)) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))),
            fill="#f4f2ec",
            stroke="#cfcabd",
            stroke_width_mm=0.2,
        )
        for x, y in sorted({(x, y) for x, y, _ in cells})
    ]


def _arrow(cells: Collection[Cell], direction: Cell, *, outwards: bool) -> list[Shape]:
    """Return an arrow along `direction` to the middle of some cells, or away from it."""
    middle = [sum(cell[axis] for cell in cells) / len(cells) + 0.5 for axis in range(3)]
    way = project(direction)
    tip = project((middle[0], middle[1], middle[2]))
    length = hypot(*way)
    along = (way[0] / length, way[1] / length)
    if outwards:
        tip = (tip[0] + along[0] * ARROW_MM, tip[1] + along[1] * ARROW_MM)
    start = (tip[0] - along[0] * ARROW_MM, tip[1] - along[1] * ARROW_MM)
    neck = (tip[0] - along[0] * 4.0, tip[1] - along[1] * 4.0)
    side = (-along[1] * 1.9, along[0] * 1.9)
    head = (tip, (neck[0] + side[0], neck[1] + side[1]), (neck[0] - side[0], neck[1] - side[1]))
    return [
        Line(start, neck, "#ffffff", 2.2),
        Polygon(head, INK, "#ffffff", 0.6),
        Line(start, neck, INK, 1.1),
    ]


def captioned(picture: Drawing, caption: str) -> Drawing:
    """Return a picture with words below it."""
    text = Text((picture.width_mm / 2, picture.height_mm + 5.0), caption, 4.2, INK, "middle")
    return Drawing(picture.width_mm, picture.height_mm + 8.0, (*picture.shapes, text))


def _plus(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]
