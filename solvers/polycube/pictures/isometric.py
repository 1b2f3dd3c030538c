"""Pictures of a solution from the upper right corner, one for each step of its story."""

from collections.abc import Collection, Sequence
from math import hypot
from typing import Final

from solvers.drawing.axonometry import project
from solvers.drawing.palette import mixed
from solvers.drawing.shapes import (
    Drawing,
    Line,
    Polygon,
    Shape,
    Text,
    beside,
    bounds,
    framed,
    moved,
)
from solvers.polycube.lattice.cubes import CUBES
from solvers.polycube.lattice.faces import in_space
from solvers.polycube.lattice.lattice import Cell, Lattice
from solvers.polycube.pictures.bores import BoredCell
from solvers.polycube.pictures.solids import EDGE_ON, Block, paint, shades
from solvers.polycube.pictures.story import IN_PLACE, Frame, Places, Story
from solvers.polycube.puzzle import Placement

COLUMNS: Final = 4
MARGIN_MM: Final = 3.0
ARROW_MM: Final = 13.0
CAPTION_MM: Final = 4.2
SMALL_CAPTION_MM: Final = 3.0
LETTER: Final = 0.53
"""How wide a letter is on average, in heights of the type, with something to spare."""
INK: Final = "#222222"
ALREADY_PLACED_PALER: Final = 0.62


def steps_drawing(
    story: Story, bored: Collection[BoredCell] = (), lattice: Lattice = CUBES
) -> Drawing:
    """Return the pictures of all steps in one drawing."""
    pictures = step_pictures(story, bored, lattice)
    rows = beside(pictures, COLUMNS, gap_mm=6.0)
    # Not framed by its shapes: words may be wider than what they are about.
    shapes = moved(rows.shapes, MARGIN_MM, MARGIN_MM)
    return Drawing(rows.width_mm + 2 * MARGIN_MM, rows.height_mm + 2 * MARGIN_MM, tuple(shapes))


def step_pictures(
    story: Story, bored: Collection[BoredCell] = (), lattice: Lattice = CUBES
) -> list[Drawing]:
    """Return one picture per step: what moves in full colour, with the way it goes.

    A story that puts together ends with the finished solution, one that takes apart begins with it.
    """
    blocks = _blocks(story.pieces)
    ground = _ground(story.pieces, lattice)
    whole = (paint(blocks, bored, lattice), story.ending)
    pictures = [] if story.puts_together else [whole]
    before = story.start
    for number, frame in enumerate(story.frames, start=1):
        picture = _picture(blocks, before, frame, bored, lattice)
        pictures.append((picture, f"{number}. {frame.words}"))
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
    blocks: Sequence[Block],
    before: Places,
    frame: Frame,
    bored: Collection[BoredCell],
    lattice: Lattice,
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
    if not moving or frame.way == IN_PLACE:
        return paint(shown, ends, lattice)
    leaving = any(frame.places[number] is None for number in frame.moved)
    return [*paint(shown, ends, lattice), *_arrow(moving, frame.way, lattice, outwards=leaving)]


def _blocks(placements: Sequence[Placement]) -> list[Block]:
    colours = shades([placement.piece for placement in placements])
    return [
        Block(placement.cells, colour)
        for placement, colour in zip(placements, colours, strict=True)
    ]


def _paler(block: Block) -> Block:
    return Block(block.cells, mixed(block.colour, "#ffffff", ALREADY_PLACED_PALER))


def _outline(box: tuple[float, float, float, float]) -> Polygon:
    left, top, right, bottom = box
    return Polygon(((left, top), (right, top), (right, bottom), (left, bottom)))


def _ground(placements: Sequence[Placement], lattice: Lattice) -> list[Shape]:
    """Return the outlines of all prisms that the finished solution stands on or hangs over."""
    if not lattice.layered:
        return []
    cells = [cell for placement in placements for cell in placement.cells]
    below = [
        face.corners for cell in cells for face in lattice.faces(cell) if face.beyond[2] < cell[2]
    ]
    ground = min(z for corners in below for _, _, z in corners)
    bases = {tuple((x, y, ground) for x, y, _ in corners) for corners in below}
    return [
        Polygon(
            tuple(project(corner, lattice.enlarged) for corner in base),
            fill="#f4f2ec",
            stroke="#cfcabd",
            stroke_width_mm=0.2,
        )
        for base in sorted(bases)
    ]


def _arrow(
    cells: Collection[Cell], direction: Cell, lattice: Lattice, *, outwards: bool
) -> list[Shape]:
    """Return an arrow along `direction` to the middle of some cells, or away from it.

    What comes towards the eye, or goes away from it, has none.
    """
    way = project(in_space(lattice.frame, direction))
    tip = project(lattice.centre(sorted(cells)), lattice.enlarged)
    length = hypot(*way)
    if length < EDGE_ON:
        return []
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
    """Return a picture with words below it, smaller ones or more room where they are many."""
    room = picture.width_mm / (LETTER * len(caption))
    size = min(CAPTION_MM, max(SMALL_CAPTION_MM, room))
    width = max(picture.width_mm, size * LETTER * len(caption))
    aside = (width - picture.width_mm) / 2
    text = Text((width / 2, picture.height_mm + 5.0), caption, size, INK, "middle")
    return Drawing(width, picture.height_mm + 8.0, (*moved(picture.shapes, aside, 0.0), text))


def _plus(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]
